"""Test the live bus on PostgreSQL, by either transport: no message before the commit, and lost messages are noticed."""

import asyncio
import os
import signal
from collections.abc import Callable

import pytest
from channels.db import database_sync_to_async
from django.db import transaction

from apps.core.bus import postgresql
from apps.core.bus.listeners import REMEMBERED, Bus
from apps.core.bus.postgresql import BEAT, SILENCE
from apps.core.bus.topics import publish_topics
from tests.apps.core.bus.helpers import CountingListener, admin, backend, listening, published
from tests.waiting import until

pytestmark = pytest.mark.django_db(transaction=True)
NOTICE_SECONDS = 30.0


async def test_topic_is_delivered_after_the_commit(bus: Bus) -> None:
    listener = CountingListener()
    bus.subscribe("session.1", listener)
    may_go_on, inside = asyncio.Event(), asyncio.Event()
    loop = asyncio.get_running_loop()

    def slow() -> None:
        with transaction.atomic():
            publish_topics("session.1")
            loop.call_soon_threadsafe(inside.set)
            asyncio.run_coroutine_threadsafe(may_go_on.wait(), loop).result(10)

    writing = asyncio.create_task(database_sync_to_async(slow, thread_sensitive=False)())
    await inside.wait()
    other = CountingListener()
    bus.subscribe("session.2", other)
    await published("session.2")
    await other.until(lambda: other.count == 1)
    assert listener.count == 0
    may_go_on.set()
    await writing
    await listener.until(lambda: listener.count == 1)


async def test_topic_is_delivered_once_per_transaction_and_not_after_a_rollback(bus: Bus) -> None:
    repeated, rolled_back, last = CountingListener(), CountingListener(), CountingListener()
    bus.subscribe("session.1", repeated)
    bus.subscribe("session.2", rolled_back)
    bus.subscribe("sessions", last)
    await published("session.2", fail=True)
    await published(*["session.1"] * 50, "sessions")
    await last.until(lambda: last.count == 1)
    assert (repeated.count, rolled_back.count) == (1, 0)


def test_publish_topics_requires_a_transaction() -> None:
    with pytest.raises(transaction.TransactionManagementError, match="inside the transaction that changes them"):
        publish_topics("session.1")


@pytest.mark.django_db
def test_topics_are_names_and_ids() -> None:
    topics = ("x" * 201, "", "account.ewa@example.org", "session.1 Ewa", "Session.1", "session..1", "session.1.")
    for topic in (*topics, "post.\n"):
        with pytest.raises(ValueError, match="topics never carry data") as refused:
            publish_topics("session.1", topic)
        assert len(topic) < 2 or topic not in str(refused.value)


async def test_listeners_reload_after_a_lost_connection(bus: Bus) -> None:
    """A change during a lost connection makes all listeners read again after the reconnect."""
    listener, unrelated = CountingListener(), CountingListener()
    bus.subscribe("session.1", listener)
    bus.subscribe("session.2", unrelated)
    sequence = bus.sequence
    with admin() as operator:
        operator.execute("SELECT pg_terminate_backend(%s)", [backend(bus)])
        await published("session.1")
    await listener.until_called()
    await unrelated.until_called()
    assert bus.changed_since(sequence, ["session.3"]), "a topic without listeners may have changed as well"
    before = listener.count
    await published("session.1")
    await listener.until_called(more_than=before)


@pytest.fixture
def short_heartbeat(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shorten the heartbeat and the timeout of the bus fixture, which is requested after this one."""
    monkeypatch.setattr(postgresql, "BEAT", BEAT / 10)
    monkeypatch.setattr(postgresql, "SILENCE", SILENCE / 2)


@pytest.mark.long(reason="waits for a silent connection")
@pytest.mark.parametrize("address", [""], ids=["postgresql"])
async def test_silent_connection_is_replaced(short_heartbeat: None, bus: Bus) -> None:
    """A frozen server process raises no error; the bus notices that its own notification is missing."""
    assert 2 * BEAT + SILENCE <= NOTICE_SECONDS
    listener = CountingListener()
    bus.subscribe("session.1", listener)
    frozen = backend(bus)
    os.kill(frozen, signal.SIGSTOP)
    try:
        await published("session.1")
        await listener.until(lambda: listener.count > 0, seconds=NOTICE_SECONDS)
    finally:
        os.kill(frozen, signal.SIGCONT)


async def test_ended_subscriptions_are_removed(bus: Bus) -> None:
    kept = CountingListener()
    bus.subscribe("kept", kept)
    for number in range(1000):
        stops = [bus.subscribe(topic, CountingListener()) for topic in ("kept", f"session.{number}")]
        for stop in stops:
            stop()
            stop()  # a second call does no harm
    assert {topic: len(group) for topic, group in bus.listeners.items()} == {"kept": 1}
    await published("kept")
    await kept.until(lambda: kept.count == 1)


def test_listeners_may_subscribe_and_unsubscribe_during_a_call() -> None:
    bus = Bus()
    calls: list[str] = []
    stops: list[Callable[[], None]] = []

    def first() -> None:
        calls.append("first")
        stops[1]()
        bus.subscribe("topic", lambda: calls.append("late"))

    stops.append(bus.subscribe("topic", first))
    stops.append(bus.subscribe("topic", lambda: calls.append("second")))
    bus.notify_listeners("topic")
    assert set(calls) <= {"first", "second"}
    calls.clear()
    stops[0]()
    bus.notify_listeners("topic")
    assert calls == ["late"]


async def test_ended_bus_closes_its_connection(address: str) -> None:
    async with listening(address) as bus:
        pid = backend(bus)
    with admin() as operator:
        alive = "SELECT count(*) FROM pg_stat_activity WHERE pid = %s"
        await until(lambda: operator.execute(alive, [pid]).fetchone() == (0,), "the server has closed the connection")


def test_changed_since_counts_only_the_given_topics() -> None:
    bus = Bus()
    assert not bus.changed_since(bus.sequence, ["a"])
    bus.notify_listeners("a")
    sequence = bus.sequence
    bus.notify_listeners("b")
    assert not bus.changed_since(sequence, ["a"])
    assert bus.changed_since(sequence, ["c", "b"])
    assert bus.changed_since(0, ["a"])
    assert not bus.changed_since(sequence, [])


def test_changed_since_counts_a_reload_for_every_topic() -> None:
    bus = Bus()
    bus.reload_all()
    assert bus.changed_since(0, ["a"]), "without any listener"
    sequence = bus.sequence
    bus.notify_listeners("b")
    bus.subscribe("b", lambda: None)
    bus.reload_all()
    assert bus.changed_since(sequence, ["a"]), "with listeners of other topics only"
    assert not bus.changed_since(bus.sequence, ["a"])


def test_changed_since_counts_forgotten_changes() -> None:
    bus = Bus()
    bus.notify_listeners("a")
    for _ in range(REMEMBERED):
        bus.notify_listeners("b")
    assert bus.changed_since(0, ["c"])
    assert not bus.changed_since(1, ["c"])
    assert len(bus.recent) == REMEMBERED
