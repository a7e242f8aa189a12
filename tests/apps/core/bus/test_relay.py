"""Test the relay, the one process that listens for all: after each failure every listener reads again."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, suppress
from pathlib import Path
from typing import Any

import pytest
from django.db import connection

from apps.core.bus.listeners import Bus
from apps.core.scale import relay, valkey
from apps.core.scale.valkey import GROUP, Carrier
from project.database.roles import serving_role
from tests.apps.core.bus.hearing import Heard, admin, backend, listening, parameters, published
from tests.project.relay import relay as way_to_database
from tests.valkey import Valkey, way

pytestmark = pytest.mark.django_db(transaction=True)
TAKEN_OVER_WITHIN = 5.0  # seconds
SOON = 0.5


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shorten the timeout after which a silent relay is noticed."""
    monkeypatch.setattr(valkey, "SILENCE", SOON)


@pytest.fixture
async def buses(server: Valkey) -> AsyncIterator[list[Bus]]:
    """Return the buses of three processes; the first is the relay."""
    async with AsyncExitStack() as stack:
        made = [await stack.enter_async_context(listening(server.address)) for _ in range(3)]
        assert [elected(bus) for bus in made] == [True, False, False]
        yield made


def elected(bus: Bus) -> bool:
    """Return whether this process is the relay."""
    return bus.relay is not None and bus.relay.is_elected


def carrier(bus: Bus) -> Carrier:
    """Return the bus's connection to Valkey."""
    assert bus.relay
    return bus.relay.carrier


def listener(bus: Bus, topic: str = "session.1") -> Heard:
    """Return a listener that is subscribed to this topic."""
    heard = Heard()
    bus.subscribe(topic, heard)
    return heard


async def until(holds: Callable[[], bool], seconds: float = 20) -> None:
    """Wait until this holds, and let the event loop run."""
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline
        await asyncio.to_thread(time.sleep, 0.005)


async def all_hear(buses: list[Bus]) -> None:
    """Check that a new publication reaches every process."""
    await until(lambda: all(bus.connected.is_set() for bus in buses))
    heard = [listener(bus, "after") for bus in buses]
    await published("after")
    for each in heard:
        await each.until(lambda each=each: each.count > 0)


async def test_only_the_relay_listens_to_the_database(buses: list[Bus]) -> None:
    with admin() as beside:
        rows = beside.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND query ~ '^(LISTEN|NOTIFY) '"
        ).fetchone()
    assert rows == (1,)
    await all_hear(buses)


async def test_a_killed_relay_is_followed_by_another_and_everybody_reads_again(buses: list[Bus]) -> None:
    heard, sequence = [listener(bus) for bus in buses], [bus.sequence for bus in buses]
    began = time.monotonic()
    with admin() as beside:
        beside.execute("SELECT pg_terminate_backend(%s)", [backend(buses[0])])
        await published("session.1")
    for each in heard:
        await each.until(lambda each=each: each.count > 0)
    assert time.monotonic() - began < TAKEN_OVER_WITHIN
    # unpublished topics count as changed too, even if the relay forwarded the message before it ended
    await until(
        lambda: all(bus.changed_since(number, ["session.3"]) for bus, number in zip(buses, sequence, strict=True))
    )
    await all_hear(buses)
    assert sum(elected(bus) for bus in buses) == 1


@pytest.mark.parametrize("role", ["none", serving_role()])
async def test_a_relay_that_ends_is_followed_by_another(server: Valkey, role: str) -> None:
    """A session that has set a role does not see its own entry."""
    options = f"-c role={role}"
    async with AsyncExitStack() as first:
        await first.enter_async_context(listening(server.address, options=options))
        async with listening(server.address, options=options) as second:
            heard = listener(second)
            await first.aclose()
            began = time.monotonic()
            await heard.until(lambda: heard.count > 0)
            assert time.monotonic() - began < TAKEN_OVER_WITHIN
            assert elected(second)
            await all_hear([second])


async def test_a_relay_that_holds_the_lock_and_says_nothing_is_ousted(
    impatient: None, buses: list[Bus], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Simulate a relay on a lost machine: PostgreSQL would keep its session for hours."""

    async def nothing(*_words: Any) -> None:
        return

    monkeypatch.setattr(carrier(buses[0]), "say", nothing)
    monkeypatch.setattr(carrier(buses[0]), "echo", lambda: asyncio.sleep(0, result=False))  # no new candidacy
    heard = listener(buses[1])
    await published("session.1")
    await heard.until(lambda: heard.count > 0)
    await until(lambda: elected(buses[1]) or elected(buses[2]))
    assert not elected(buses[0])
    await all_hear(buses)


@pytest.mark.long
async def test_a_relay_whose_way_to_the_database_is_silent_gives_way(
    impatient: None, server: Valkey, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(relay, "BEAT", SOON)
    async with (
        way_to_database(tmp_path) as database,
        listening(server.address, host=str(tmp_path)) as first,
        listening(server.address) as second,
    ):
        heard = listener(second)
        database.freeze()
        await published("session.1")
        await heard.until(lambda: elected(second) and heard.count > 0)
        await all_hear([first, second])


async def test_valkey_that_stops_and_comes_back_is_caught_up_with(buses: list[Bus], server: Valkey) -> None:
    heard = [listener(bus) for bus in buses]
    server.stop()
    await until(lambda: not any(bus.connected.is_set() for bus in buses))
    await published("session.1")
    before = [each.count for each in heard]
    server.start()
    for each, count in zip(heard, before, strict=True):
        await each.until(lambda each=each, count=count: each.count > count)
    await all_hear(buses)
    assert sum(elected(bus) for bus in buses) == 1


async def test_valkey_that_answers_nobody_is_noticed(impatient: None, buses: list[Bus], server: Valkey) -> None:
    heard = listener(buses[1])
    server.freeze()
    await until(lambda: not any(bus.connected.is_set() for bus in buses))
    await published("session.1")
    before = heard.count
    server.thaw()
    await heard.until(lambda: heard.count > before)
    await all_hear(buses)


async def test_valkey_may_come_later_than_the_site(server: Valkey, caplog: pytest.LogCaptureFixture) -> None:
    server.stop()
    made = Bus()
    running = asyncio.create_task(made.run(parameters(), server.address))
    try:
        heard = listener(made)
        await until(lambda: "bus: connection lost: Valkey" in caplog.text)
        assert not made.connected.is_set()
        server.start()
        await heard.until(lambda: heard.count > 0)
        await all_hear([made])
    finally:
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)


@pytest.mark.parametrize("how", ["cut", "freeze"])
async def test_a_process_that_is_cut_off_from_valkey_catches_up(impatient: None, server: Valkey, how: str) -> None:
    async with listening(server.address) as whole, way(server) as between, listening(between.address) as apart:
        heard, others = listener(apart), listener(whole)
        getattr(between, how)()
        await until(lambda: not apart.connected.is_set())
        before = heard.count
        await published("session.1")
        await others.until(lambda: others.count == 1)
        await (between.open() if how == "cut" else asyncio.to_thread(between.thaw))
        await heard.until(lambda: heard.count > before)
        assert others.count == 1, "who was not cut off has lost nothing"
        await all_hear([whole, apart])


async def test_a_relay_that_is_cut_off_from_valkey_is_followed_by_another(server: Valkey) -> None:
    async with way(server) as between, listening(between.address) as apart, listening(server.address) as whole:
        assert elected(apart)
        heard = listener(whole)
        between.cut()
        await published("session.1")
        began = time.monotonic()
        await heard.until(lambda: elected(whole) and heard.count > 0)
        assert time.monotonic() - began < TAKEN_OVER_WITHIN
        assert not elected(apart)
        await between.open()
        await all_hear([whole, apart])


async def test_a_lost_message_is_a_gap_and_everybody_reads_again(
    buses: list[Bus], monkeypatch: pytest.MonkeyPatch
) -> None:
    """No later message reveals the gap: the relay repeats its last number with the heartbeat."""
    say, lost = carrier(buses[0]).say, asyncio.Event()

    async def lose_one(term: str, number: int, topics: list[str]) -> None:
        if topics and not lost.is_set():
            lost.set()
            return
        await say(term, number, topics)

    monkeypatch.setattr(carrier(buses[0]), "say", lose_one)
    heard, unrelated = [listener(bus) for bus in buses], [listener(bus, "session.2") for bus in buses]
    await published("session.1")
    for each in (*heard, *unrelated):
        await each.until(lambda each=each: each.count > 0)
    assert lost.is_set()
    assert elected(buses[0]), "the relay itself is as it was"
    await all_hear(buses)


async def test_what_is_said_twice_is_heard_once(buses: list[Bus], monkeypatch: pytest.MonkeyPatch) -> None:
    say = carrier(buses[0]).say

    async def twice(term: str, number: int, topics: list[str]) -> None:
        await say(term, number, topics)
        await say(term, number, topics)

    monkeypatch.setattr(carrier(buses[0]), "say", twice)
    heard, connections = [listener(bus) for bus in buses], [bus.connections for bus in buses]
    await published("session.1")
    await all_hear(buses)
    assert [each.count for each in heard] == [1, 1, 1]
    assert [bus.connections for bus in buses] == connections, "and is nothing to read again for"


@pytest.mark.parametrize(
    "nonsense", [{"term": "an earlier relay", "number": 7, "topics": ["x"]}, {"term": 1}, {"topics": {}}, ["x"]]
)
async def test_what_another_says_makes_everybody_read_again_and_no_more(buses: list[Bus], nonsense: Any) -> None:
    heard = [listener(bus) for bus in buses]
    beside = carrier(buses[0])
    await beside.layer.group_send(GROUP, nonsense)
    for each in heard:
        await each.until(lambda each=each: each.count > 0)
    await all_hear(buses)


async def test_a_bus_ends_also_while_it_leaves_valkey(server: Valkey, monkeypatch: pytest.MonkeyPatch) -> None:
    async with asyncio.timeout(20), listening(server.address) as bus:
        place = carrier(bus)
        group_send, leaving = place.layer.group_send, asyncio.Event()

        async def flush() -> None:
            """Behave like the channel layer: it takes a cancellation for the end of its own receiver."""
            leaving.set()
            with suppress(asyncio.CancelledError):
                await asyncio.Event().wait()

        monkeypatch.setattr(place.layer, "flush", flush)
        await group_send(GROUP, {"term": 1})
        await leaving.wait()


async def test_two_sites_at_one_valkey_do_not_hear_each_other(server: Valkey) -> None:
    other = Carrier(f"{server.address}7", str(connection.settings_dict["NAME"]))
    async with listening(server.address) as bus:
        term, connections = carrier(bus).term, bus.connections
        await other.say("theirs", 1, ["session.1"])
        await other.layer.flush()
        await all_hear([bus])
        assert (carrier(bus).term, bus.connections) == (term, connections)
