"""Reads from a real streaming replica that lags, stops and returns: no read is older than a published change."""

import asyncio
import logging
from collections.abc import AsyncIterator, Iterator

import pytest
from django.conf import settings
from django.db import DatabaseError, connection, transaction

from apps.core.bus.listeners import Bus
from apps.core.bus.topics import publish_topics
from apps.core.models import Counter
from apps.core.scale import replica as replica_module
from apps.core.scale.replica import Replica, read_from_replica, replica_read
from apps.core.threads import in_thread
from components.runtime.rendering.live_part import LivePart
from components.runtime.rendering.parts import PublicPart
from project.database.parameters import replica_findings, session_parameters
from tests.rendering import renew_all
from tests.replica import ReplicaServer, replica_server
from tests.waiting import wait_until

pytestmark = pytest.mark.django_db(transaction=True)
KEY, TOPIC = "value", "session.1"
EACH = 3  # changes in each state of the replica
PATIENCE = 0.5  # seconds: the WAL of other tests is replayed too, when there is time


@pytest.fixture(scope="module")
def server(django_db_setup: None) -> Iterator[ReplicaServer]:
    """A replica of the server with the test database."""
    with replica_server() as made:
        yield made


@pytest.fixture
def known(server: ReplicaServer, monkeypatch: pytest.MonkeyPatch, transactional_db: None) -> Iterator[Replica]:
    """The state of the replica in this process, newly created."""
    monkeypatch.setattr(settings, "REPLICA_DATABASE", server.settings())
    made = Replica()
    monkeypatch.setattr(replica_module, "replica", made)
    monkeypatch.setattr(replica_module, "PATIENCE", PATIENCE)
    monkeypatch.setattr("apps.core.bus.listeners.replica", made)
    Counter.objects.create(key=KEY, value=0, expires_at="2100-01-01T00:00Z")
    yield made
    made.stop()


def value() -> int:
    return int(Counter.objects.get(key=KEY).value)


def is_replica() -> bool:
    """Return whether raw queries of the default connection go to the replica."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_is_in_recovery()")
        return bool(cursor.fetchone()[0])


def write(number: int) -> None:
    """Store the number and publish the change. It commits synchronously, so that the replica receives it at once."""
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("SET LOCAL synchronous_commit = on")
        Counter.objects.filter(key=KEY).update(value=number)
        publish_topics(TOPIC)


def caught_up(server: ReplicaServer) -> None:
    wait_until(server.has_all, "the replica has replayed everything")


def read_again() -> None:
    wait_until(lambda: replica_read(is_replica), "a read goes to the replica")
    connection.close()


@pytest.fixture
async def bus(known: Replica) -> AsyncIterator[Bus]:
    """A bus that listens to the primary."""
    made = Bus()
    running = asyncio.create_task(made.run(session_parameters("bus")))
    await asyncio.wait_for(made.connected.wait(), 20)
    yield made
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)


async def change_and_read(bus: Bus, numbers: range) -> list[int]:
    """Change, wait for the notification and read, for each of these numbers. Return the values that were read."""
    notified = asyncio.Event()
    stop = bus.subscribe(TOPIC, notified.set)
    values = []
    for number in numbers:
        notified.clear()
        await in_thread(lambda: write(number))  # noqa: B023 - it ends before the next iteration
        await asyncio.wait_for(notified.wait(), 20)
        values.append(await in_thread(lambda: replica_read(value)))
    stop()
    return values


async def test_reads_include_each_published_change_while_the_replica_lags_or_stops(
    bus: Bus, known: Replica, server: ReplicaServer, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING)
    at = iter(range(1, 10_000, EACH))

    async def phase() -> tuple[int, int]:
        before = dict(known.reads)
        numbers = range(first := next(at), first + EACH)
        assert await change_and_read(bus, numbers) == list(numbers)
        return known.reads[True] - before[True], known.reads[False] - before[False]

    await asyncio.to_thread(caught_up, server)
    from_replica, _ = await phase()
    assert from_replica > EACH // 2, "the replica is nearly always in time"
    await asyncio.to_thread(server.pause)
    assert await phase() == (0, EACH), "a lagging replica is not read"
    await asyncio.to_thread(server.resume)
    await asyncio.to_thread(caught_up, server)
    from_replica, _ = await phase()
    assert from_replica > EACH // 2
    await asyncio.to_thread(server.stop)
    assert await phase() == (0, EACH), "a stopped replica is not read"
    await asyncio.to_thread(server.start)
    await asyncio.to_thread(caught_up, server)
    await asyncio.to_thread(read_again)
    from_replica, _ = await phase()
    assert from_replica > EACH // 2, "the replica is read again"


async def test_raw_queries_and_models_are_read_from_the_replica_only_inside_the_read(
    known: Replica, server: ReplicaServer
) -> None:
    await asyncio.to_thread(caught_up, server)
    assert await in_thread(lambda: replica_read(is_replica))
    assert await in_thread(lambda: replica_read(value)) == 0
    assert not await in_thread(is_replica)


async def test_read_is_repeated_at_the_primary_if_the_replica_stops(known: Replica, server: ReplicaServer) -> None:
    await asyncio.to_thread(caught_up, server)
    at_replica = []

    def read() -> int:
        at_replica.append(is_replica())
        if at_replica == [True]:
            server.stop()
        try:
            return value()
        except Exception as error:
            raise AssertionError("a handler has caught the failure of the replica") from error

    try:
        assert await in_thread(lambda: replica_read(read)) == 0
        assert at_replica == [True, False]
    finally:
        await asyncio.to_thread(server.start)


async def test_part_read_before_the_replica_failed_keeps_its_change(known: Replica, server: ReplicaServer) -> None:
    await asyncio.to_thread(caught_up, server)
    reads: list[tuple[str, bool]] = []

    def markup(name: str, *, language: str) -> dict[str, object]:
        reads.append((name, is_replica()))
        if reads == [("one", True)]:
            server.stop()
        return {"tagName": "p", "children": [f"{name} {value()} {language}"]}

    part = PublicPart("of_a_test", markup, lambda *_: (TOPIC,))
    lives = [LivePart(part(name, language="en")) for name in ("none", "one", "two")]
    reads.clear()
    try:
        first = await in_thread(lambda: renew_all(lives[:1]))
        reads.clear()
        frames = await in_thread(lambda: renew_all(lives[1:]))
    finally:
        await asyncio.to_thread(server.start)
    assert all(isinstance(each, bytes) and each for each in (*first, *frames)), frames
    assert reads == [("one", True), ("one", False), ("two", False)]


async def test_unusable_replica_is_a_finding(
    known: Replica, server: ReplicaServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert await in_thread(replica_findings) == []
    monkeypatch.setattr(settings, "REPLICA_DATABASE", {**server.settings(), "HOST": connection.settings_dict["HOST"]})
    [sentence] = await in_thread(replica_findings)
    assert sentence.endswith("is no standby, and is not read.")
    assert not await in_thread(lambda: replica_read(is_replica))
    monkeypatch.setattr(settings, "REPLICA_DATABASE", {**server.settings(), "NAME": "missing"})
    [sentence] = await in_thread(replica_findings)
    assert "does not answer: " in sentence
    assert 'database "missing" does not exist' in sentence


async def test_write_during_a_replica_read_fails(known: Replica, server: ReplicaServer) -> None:
    await asyncio.to_thread(caught_up, server)

    def stray() -> None:
        with read_from_replica() as reading:
            for attempt in reading.attempts():
                with attempt:
                    Counter.objects.filter(key=KEY).update(value=7)

    with pytest.raises(DatabaseError, match="read-only transaction"):
        await in_thread(stray)
    assert await in_thread(value) == 0


async def test_read_after_one_at_the_primary_is_not_older(known: Replica, server: ReplicaServer) -> None:
    """An unpublished change was read from the primary: from then on, the replica must have replayed it."""
    await asyncio.to_thread(caught_up, server)
    assert await in_thread(lambda: replica_read(value)) == 0
    await asyncio.to_thread(server.pause)
    try:
        await in_thread(lambda: Counter.objects.filter(key=KEY).update(value=1))
        assert await in_thread(lambda: replica_read(value)) == 0, "the change is not published"
        known.require_up_to_date()
        assert await in_thread(lambda: replica_read(value)) == 1
        await in_thread(lambda: Counter.objects.filter(key=KEY).update(value=2))
        assert await in_thread(lambda: replica_read(value)) == 2
    finally:
        await asyncio.to_thread(server.resume)


async def test_lag_and_its_end_are_logged_once(
    known: Replica, server: ReplicaServer, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(replica_module, "LOGGED_AFTER", 0.0)
    await asyncio.to_thread(caught_up, server)
    await asyncio.to_thread(server.pause)
    await in_thread(lambda: write(1))
    for _ in range(3):
        known.require_up_to_date()
        await in_thread(lambda: replica_read(value))
    await asyncio.to_thread(server.resume)
    await asyncio.to_thread(caught_up, server)
    for _ in range(3):
        await in_thread(lambda: replica_read(value))
    assert [each.message for each in caplog.records if "read replica" in each.message] == [
        "read replica: behind by more than 0 s; reads go to the primary",
        "read replica: caught up",
    ]
