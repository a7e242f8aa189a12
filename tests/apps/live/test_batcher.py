"""Test the batcher: it answers after the commit, writes many messages at once, and loses none at a stop."""

import asyncio
from uuid import uuid4

import pytest
from django.db import OperationalError, transaction

from apps.core.threads import in_thread
from apps.live import reaction_batch as module
from apps.live.enums import Reaction
from apps.live.models import SessionReaction
from apps.live.reaction_batch import Batcher
from apps.live.services import NOT_LIVE, ReactionMessage
from tests.apps.live.conftest import member
from tests.factories import SessionFactory

pytestmark = pytest.mark.django_db(transaction=True)


class Writes:
    """Run writes in a thread and count them; while it is `broken`, the database does not answer."""

    def __init__(self):
        self.sizes, self.broken = [], False

    async def __call__(self, function):
        if self.broken:
            raise OperationalError("the connection is lost")
        answers = await in_thread(function)
        self.sizes.append(len(answers))
        return answers


async def audience(count):
    def create():
        session = SessionFactory(is_live=True)
        return session, [member() for _ in range(count)]

    session, fans = await in_thread(create)
    return session, [ReactionMessage(session.pk, fan.id, uuid4(), (Reaction.HEART,)) for fan in fans]


def stored():
    return in_thread(SessionReaction.objects.count)


async def test_simultaneous_taps_are_one_write():
    _, messages = await audience(5)
    writes = Writes()
    batcher = Batcher(writes)
    assert await asyncio.gather(*(batcher.add(message) for message in messages)) == [""] * 5
    assert (writes.sizes, await stored()) == ([5], 5)
    assert await batcher.add(messages[0]) == ""  # a repeated message gets the same answer and is not stored again
    assert (writes.sizes, await stored()) == ([5, 1], 5)


async def test_answer_follows_the_commit():
    _, [message] = await audience(1)
    committed = asyncio.Event()

    async def slowly(function):
        def write():
            with transaction.atomic():
                return function()

        answers = await in_thread(write)
        assert not adding.done()
        committed.set()
        return answers

    adding = asyncio.ensure_future(Batcher(slowly).add(message))
    await adding
    assert committed.is_set()


async def test_stop_writes_waiting_messages_and_refuses_new_ones(monkeypatch):
    monkeypatch.setattr(module, "TICK", 3600.0)
    _, messages = await audience(3)
    batcher = Batcher(Writes())
    adding = [asyncio.ensure_future(batcher.add(message)) for message in messages]
    await asyncio.sleep(0)
    await batcher.stop()
    assert [await task for task in adding] == [""] * 3
    assert await stored() == 3
    assert await batcher.add(messages[0]) is None


async def test_message_during_the_last_write_is_refused(monkeypatch):
    monkeypatch.setattr(module, "TICK", 3600.0)
    _, messages = await audience(2)
    late_tasks = []

    async def writing(function):
        if not late_tasks:  # the first write is in progress
            late_tasks.append(asyncio.ensure_future(batcher.add(messages[1])))
            await asyncio.sleep(0)
        return await in_thread(function)

    batcher = Batcher(writing)
    first = asyncio.ensure_future(batcher.add(messages[0]))
    await asyncio.sleep(0)
    batcher.stopping.set()
    await batcher.writing
    assert await first == ""
    assert await late_tasks[0] is None
    assert await stored() == 1  # the late message is refused: its sender got no confirmation


async def test_tap_of_a_closed_connection_is_stored():
    _, [message] = await audience(1)
    batcher = Batcher(Writes())
    adding = asyncio.ensure_future(batcher.add(message))
    await asyncio.sleep(0)
    adding.cancel()
    await batcher.stop()
    assert await stored() == 1


async def test_message_is_stored_after_a_database_outage(caplog):
    _, messages = await audience(2)
    writes = Writes()
    batcher = Batcher(writes)
    writes.broken = True
    assert await asyncio.gather(*(batcher.add(message) for message in messages)) == [None] * 2
    assert "2 messages of reactions could not be stored" in caplog.text
    writes.broken = False
    assert await asyncio.gather(*(batcher.add(message) for message in messages)) == [""] * 2
    assert await stored() == 2


async def test_refusal_concerns_only_its_sender():
    _, [message] = await audience(1)
    batcher = Batcher(Writes())
    other_session = ReactionMessage(message.session_id + 1, message.user_id, uuid4(), (Reaction.HEART,))
    assert await asyncio.gather(batcher.add(other_session), batcher.add(message)) == [NOT_LIVE, ""]
