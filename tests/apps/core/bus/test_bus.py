"""Test the live bus on PostgreSQL, by either transport: no message before the commit, and lost messages are noticed."""

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable

import pytest
from channels.db import database_sync_to_async
from django.conf import settings
from django.db import transaction

from apps.core.bus import postgresql
from apps.core.bus.listeners import REMEMBERED, Bus
from apps.core.bus.postgresql import BEAT, SILENCE
from apps.core.bus.topics import publish_topics
from tests.apps.core.bus.hearing import Heard, admin, backend, listening, parameters, published

pytestmark = pytest.mark.django_db(transaction=True)
NOTICED_WITHIN = 30.0  # seconds


async def test_a_topic_is_heard_after_the_commit_only(bus: Bus) -> None:
    heard = Heard()
    bus.subscribe("session.1", heard)
    may_go_on, inside = asyncio.Event(), asyncio.Event()
    loop = asyncio.get_running_loop()

    def slow() -> None:
        with transaction.atomic():
            publish_topics("session.1")
            loop.call_soon_threadsafe(inside.set)
            asyncio.run_coroutine_threadsafe(may_go_on.wait(), loop).result(10)

    writing = asyncio.create_task(database_sync_to_async(slow, thread_sensitive=False)())
    await inside.wait()
    other = Heard()
    bus.subscribe("session.2", other)
    await published("session.2")
    await other.until(lambda: other.count == 1)
    assert heard.count == 0
    may_go_on.set()
    await writing
    await heard.until(lambda: heard.count == 1)


async def test_a_rolled_back_change_is_never_heard(bus: Bus) -> None:
    heard, after = Heard(), Heard()
    bus.subscribe("session.1", heard)
    bus.subscribe("after", after)
    await published("session.1", fail=True)
    await published("after")
    await after.until(lambda: after.count == 1)
    assert heard.count == 0


async def test_one_transaction_is_heard_once_for_each_topic(bus: Bus) -> None:
    heard, other = Heard(), Heard()
    bus.subscribe("session.1", heard)
    bus.subscribe("sessions", other)
    await published(*["session.1"] * 50, "sessions")
    await other.until(lambda: other.count == 1)
    assert heard.count == 1


@pytest.mark.django_db(transaction=True)
def test_publishing_needs_a_transaction() -> None:
    with pytest.raises(transaction.TransactionManagementError, match="inside the transaction that changes them"):
        publish_topics("session.1")


@pytest.mark.parametrize(
    "topic",
    ["x" * 201, "", "account.ewa@example.org", "session.1 Ewa", "Session.1", "session..1", "session.1.", "post.\n"],
)
def test_topics_are_names_and_ids(topic: str) -> None:
    with transaction.atomic(), pytest.raises(ValueError, match="topics never carry data") as refused:
        publish_topics("session.1", topic)
    assert len(topic) < 2 or topic not in str(refused.value)


async def test_a_lost_connection_is_caught_up_with(bus: Bus) -> None:
    """A change during a lost connection makes all listeners read again after the reconnect."""
    heard, unrelated = Heard(), Heard()
    bus.subscribe("session.1", heard)
    bus.subscribe("session.2", unrelated)
    sequence = bus.sequence
    with admin() as beside:
        beside.execute("SELECT pg_terminate_backend(%s)", [backend(bus)])
        await published("session.1")
    await heard.until(lambda: heard.count > 0)
    await unrelated.until(lambda: unrelated.count > 0)
    assert bus.changed_since(sequence, ["session.3"]), "a topic without listeners may have changed as well"
    before = heard.count
    await published("session.1")
    await heard.until(lambda: heard.count > before)


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shorten the heartbeat and the timeout of the bus fixture, which is requested after this one."""
    monkeypatch.setattr(postgresql, "BEAT", BEAT / 10)
    monkeypatch.setattr(postgresql, "SILENCE", SILENCE / 2)


@pytest.mark.long
@pytest.mark.parametrize("address", [""], ids=["postgresql"])
async def test_a_silent_connection_is_noticed(impatient: None, bus: Bus) -> None:
    """A frozen server process raises no error; the bus notices that its own notification is missing."""
    assert 2 * BEAT + SILENCE <= NOTICED_WITHIN
    heard = Heard()
    bus.subscribe("session.1", heard)
    frozen = backend(bus)
    os.kill(frozen, signal.SIGSTOP)
    try:
        await published("session.1")
        await heard.until(lambda: heard.count > 0, seconds=NOTICED_WITHIN)
    finally:
        os.kill(frozen, signal.SIGCONT)


async def test_a_thousand_subscriptions_leave_nothing(bus: Bus) -> None:
    kept = Heard()
    bus.subscribe("kept", kept)
    for number in range(1000):
        stops = [bus.subscribe(topic, Heard()) for topic in ("kept", f"session.{number}")]
        for stop in stops:
            stop()
            stop()  # twice does no harm
    assert {topic: len(group) for topic, group in bus.listeners.items()} == {"kept": 1}
    await published("kept")
    await kept.until(lambda: kept.count == 1)


async def test_listeners_may_come_and_go_while_they_are_told(bus: Bus) -> None:
    heard: list[str] = []
    stops: list[Callable[[], None]] = []

    def first() -> None:
        heard.append("first")
        stops[1]()
        bus.subscribe("topic", lambda: heard.append("late"))

    stops.append(bus.subscribe("topic", first))
    stops.append(bus.subscribe("topic", lambda: heard.append("second")))
    bus.notify_listeners("topic")
    assert set(heard) <= {"first", "second"}
    heard.clear()
    stops[0]()
    bus.notify_listeners("topic")
    assert heard == ["late"]


async def test_two_processes_hear_the_same(bus: Bus) -> None:
    heard = Heard()
    bus.subscribe("session.1", heard)
    program = (
        "import os, django; django.setup()\n"
        "from django.db import connection, transaction\n"
        "connection.settings_dict['NAME'] = os.environ['NAME']\n"
        "from apps.core.bus import publish_topics\n"
        "with transaction.atomic(): publish_topics('session.1')\n"
        "connection.close_pool()\n"
    )
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "project.settings", "NAME": parameters()["dbname"]}
    command = [sys.executable, "-c", program]
    await asyncio.to_thread(subprocess.run, command, cwd=settings.ROOT, env=environment, check=True)
    await heard.until(lambda: heard.count == 1)


async def test_a_bus_that_ends_leaves_no_connection(address: str) -> None:
    async with listening(address) as made:
        pid = backend(made)
    with admin() as beside:
        alive = "SELECT count(*) FROM pg_stat_activity WHERE pid = %s"
        until = time.monotonic() + 10
        while beside.execute(alive, [pid]).fetchone() != (0,):  # the server takes a moment to see it
            assert time.monotonic() < until


class TestChangedSince:
    """Test whether a reader missed a change; this needs no database."""

    def test_nothing_happened(self) -> None:
        bus = Bus()
        assert not bus.changed_since(bus.sequence, ["a"])

    def test_only_its_own_topics_count(self) -> None:
        bus = Bus()
        bus.notify_listeners("a")
        sequence = bus.sequence
        bus.notify_listeners("b")
        assert not bus.changed_since(sequence, ["a"])
        assert bus.changed_since(sequence, ["c", "b"])
        assert bus.changed_since(0, ["a"])
        assert not bus.changed_since(sequence, [])

    def test_a_reload_counts_for_everything(self) -> None:
        bus = Bus()
        bus.reload_all()
        assert bus.changed_since(0, ["a"]), "without any listener"
        sequence = bus.sequence
        bus.notify_listeners("b")
        bus.subscribe("b", lambda: None)
        bus.reload_all()
        assert bus.changed_since(sequence, ["a"]), "with listeners of other topics only"
        assert not bus.changed_since(bus.sequence, ["a"])

    def test_what_is_forgotten_counts(self) -> None:
        bus = Bus()
        bus.notify_listeners("a")
        for _ in range(REMEMBERED):
            bus.notify_listeners("b")
        assert bus.changed_since(0, ["c"])
        assert not bus.changed_since(1, ["c"])
        assert len(bus.recent) == REMEMBERED
