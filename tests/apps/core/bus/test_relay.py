"""Test the relay, the one process that listens for all: after each failure every listener reads its data again."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, suppress
from pathlib import Path
from typing import Any

import pytest
from django.db import connection

from apps.core.bus.listeners import Bus
from apps.core.scale import relay, valkey
from apps.core.scale.valkey import GROUP, Carrier
from project.database.roles import serving_role
from tests.apps.core.bus.helpers import CountingListener, admin, backend, listening, parameters, published
from tests.project.relay import relay as database_relay
from tests.valkey import Valkey, way
from tests.waiting import until

pytestmark = pytest.mark.django_db(transaction=True)
ELECTION_SECONDS = 5.0
SOON = 0.5


@pytest.fixture
def short_silence(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shorten the timeout after which a silent relay is noticed."""
    monkeypatch.setattr(valkey, "SILENCE", SOON)


@pytest.fixture
async def buses(server: Valkey) -> AsyncIterator[list[Bus]]:
    """Return the buses of three processes; the first is the relay."""
    async with AsyncExitStack() as stack:
        running = [await stack.enter_async_context(listening(server.address)) for _ in range(3)]
        assert [elected(bus) for bus in running] == [True, False, False]
        yield running


def elected(bus: Bus) -> bool:
    return bus.relay is not None and bus.relay.is_elected


def carrier(bus: Bus) -> Carrier:
    """Return the bus's connection to Valkey."""
    assert bus.relay
    return bus.relay.carrier


def subscribed(bus: Bus, topic: str = "session.1") -> CountingListener:
    listener = CountingListener()
    bus.subscribe(topic, listener)
    return listener


async def check_delivery(buses: list[Bus]) -> None:
    """Check that a new publication reaches every process."""
    await until(lambda: all(bus.connected.is_set() for bus in buses), "all buses are connected")
    listeners = [subscribed(bus, "after") for bus in buses]
    await published("after")
    for listener in listeners:
        await listener.until_called()


async def test_killed_relay_is_replaced_and_all_listeners_reload(buses: list[Bus]) -> None:
    listeners, sequence = [subscribed(bus) for bus in buses], [bus.sequence for bus in buses]
    listening_sessions = (
        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND query ~ '^(LISTEN|NOTIFY) '"
    )
    began = time.monotonic()
    with admin() as operator:
        assert operator.execute(listening_sessions).fetchone() == (1,), "only the relay listens to the database"
        operator.execute("SELECT pg_terminate_backend(%s)", [backend(buses[0])])
        await published("session.1")
    for listener in listeners:
        await listener.until_called()
    assert time.monotonic() - began < ELECTION_SECONDS
    # topics without a publication count as changed too, even if the relay forwarded the message before it ended
    for bus, number in zip(buses, sequence, strict=True):
        await until(lambda bus=bus, number=number: bus.changed_since(number, ["session.3"]), "the bus has reloaded")
    await check_delivery(buses)
    assert sum(elected(bus) for bus in buses) == 1


@pytest.mark.parametrize("role", ["none", serving_role()])
async def test_ended_relay_is_replaced(server: Valkey, role: str) -> None:
    """Test both roles: a session that has set a role does not see its own entry in `pg_stat_activity`."""
    options = f"-c role={role}"
    async with AsyncExitStack() as first:
        await first.enter_async_context(listening(server.address, options=options))
        async with listening(server.address, options=options) as second:
            listener = subscribed(second)
            await first.aclose()
            began = time.monotonic()
            await listener.until_called()
            assert time.monotonic() - began < ELECTION_SECONDS
            assert elected(second)
            await check_delivery([second])


async def test_silent_relay_that_holds_the_lock_is_replaced(
    short_silence: None, buses: list[Bus], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Simulate a relay on a lost machine: PostgreSQL would keep its session for hours."""

    async def say_none(*_arguments: Any) -> None:
        return

    monkeypatch.setattr(carrier(buses[0]), "say", say_none)
    monkeypatch.setattr(carrier(buses[0]), "echo", lambda: asyncio.sleep(0, result=False))  # no new candidacy
    listener = subscribed(buses[1])
    await published("session.1")
    await listener.until_called()
    await until(lambda: elected(buses[1]) or elected(buses[2]), "another relay is elected")
    assert not elected(buses[0])
    await check_delivery(buses)


@pytest.mark.long(reason="waits for a silent connection")
async def test_relay_with_a_silent_database_connection_is_replaced(
    short_silence: None, server: Valkey, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(relay, "BEAT", SOON)
    async with (
        database_relay(tmp_path) as database,
        listening(server.address, host=str(tmp_path)) as first,
        listening(server.address) as second,
    ):
        listener = subscribed(second)
        database.freeze()
        await published("session.1")
        await listener.until(lambda: elected(second) and listener.count > 0)
        await check_delivery([first, second])


async def test_listeners_reload_after_a_restart_of_valkey(buses: list[Bus], server: Valkey) -> None:
    listeners = [subscribed(bus) for bus in buses]
    server.stop()
    await until(lambda: not any(bus.connected.is_set() for bus in buses), "the buses are disconnected")
    await published("session.1")
    before = [listener.count for listener in listeners]
    server.start()
    for listener, count in zip(listeners, before, strict=True):
        await listener.until_called(more_than=count)
    await check_delivery(buses)
    assert sum(elected(bus) for bus in buses) == 1


async def test_listeners_reload_after_valkey_was_frozen(short_silence: None, buses: list[Bus], server: Valkey) -> None:
    listener = subscribed(buses[1])
    server.freeze()
    await until(lambda: not any(bus.connected.is_set() for bus in buses), "the buses are disconnected")
    await published("session.1")
    before = listener.count
    server.thaw()
    await listener.until_called(more_than=before)
    await check_delivery(buses)


async def test_valkey_may_start_after_the_site(server: Valkey, caplog: pytest.LogCaptureFixture) -> None:
    server.stop()
    bus = Bus()
    running = asyncio.create_task(bus.run(parameters(), server.address))
    try:
        listener = subscribed(bus)
        await until(lambda: "bus: connection lost: Valkey" in caplog.text, "the failed connection is logged")
        assert not bus.connected.is_set()
        server.start()
        await listener.until_called()
        await check_delivery([bus])
    finally:
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)


@pytest.mark.parametrize("how", ["cut", "freeze"])
async def test_process_cut_off_from_valkey_reloads(short_silence: None, server: Valkey, how: str) -> None:
    async with listening(server.address) as connected, way(server) as proxy, listening(proxy.address) as cut_off:
        listener, others = subscribed(cut_off), subscribed(connected)
        getattr(proxy, how)()
        await until(lambda: not cut_off.connected.is_set(), "the bus is disconnected")
        before = listener.count
        await published("session.1")
        await others.until(lambda: others.count == 1)
        await (proxy.open() if how == "cut" else asyncio.to_thread(proxy.thaw))
        await listener.until_called(more_than=before)
        assert others.count == 1, "the connected bus does not reload"
        await check_delivery([connected, cut_off])


async def test_relay_cut_off_from_valkey_is_replaced(server: Valkey) -> None:
    async with way(server) as proxy, listening(proxy.address) as cut_off, listening(server.address) as connected:
        assert elected(cut_off)
        listener = subscribed(connected)
        proxy.cut()
        await published("session.1")
        began = time.monotonic()
        await listener.until(lambda: elected(connected) and listener.count > 0)
        assert time.monotonic() - began < ELECTION_SECONDS
        assert not elected(cut_off)
        await proxy.open()
        await check_delivery([connected, cut_off])


async def test_lost_message_makes_all_listeners_reload(buses: list[Bus], monkeypatch: pytest.MonkeyPatch) -> None:
    """No later message reveals the gap: the relay repeats its last number with the heartbeat."""
    say, lost = carrier(buses[0]).say, asyncio.Event()

    async def lose_one(term: str, number: int, topics: list[str]) -> None:
        if topics and not lost.is_set():
            lost.set()
            return
        await say(term, number, topics)

    monkeypatch.setattr(carrier(buses[0]), "say", lose_one)
    listeners, unrelated = [subscribed(bus) for bus in buses], [subscribed(bus, "session.2") for bus in buses]
    await published("session.1")
    for listener in (*listeners, *unrelated):
        await listener.until_called()
    assert lost.is_set()
    assert elected(buses[0]), "the relay stays elected"
    await check_delivery(buses)


async def test_repeated_message_is_delivered_once(buses: list[Bus], monkeypatch: pytest.MonkeyPatch) -> None:
    say = carrier(buses[0]).say

    async def twice(term: str, number: int, topics: list[str]) -> None:
        await say(term, number, topics)
        await say(term, number, topics)

    monkeypatch.setattr(carrier(buses[0]), "say", twice)
    listeners, connections = [subscribed(bus) for bus in buses], [bus.connections for bus in buses]
    await published("session.1")
    await check_delivery(buses)
    assert [listener.count for listener in listeners] == [1, 1, 1]
    assert [bus.connections for bus in buses] == connections, "no bus reloads"


async def test_invalid_messages_make_all_listeners_reload(buses: list[Bus]) -> None:
    listeners = [subscribed(bus) for bus in buses]
    for message in ({"term": "an earlier relay", "number": 7, "topics": ["x"]}, {"term": 1}, {"topics": {}}, ["x"]):
        counts = [listener.count for listener in listeners]
        await carrier(buses[0]).layer.group_send(GROUP, message)
        for listener, count in zip(listeners, counts, strict=True):
            await listener.until_called(more_than=count)
        await check_delivery(buses)


async def test_bus_can_be_cancelled_while_it_leaves_valkey(server: Valkey, monkeypatch: pytest.MonkeyPatch) -> None:
    async with asyncio.timeout(20), listening(server.address) as bus:
        bus_carrier = carrier(bus)
        group_send, leaving = bus_carrier.layer.group_send, asyncio.Event()

        async def flush() -> None:
            """Behave like the channel layer: it takes a cancellation for the end of its own receiver."""
            leaving.set()
            with suppress(asyncio.CancelledError):
                await asyncio.Event().wait()

        monkeypatch.setattr(bus_carrier.layer, "flush", flush)
        await group_send(GROUP, {"term": 1})
        await leaving.wait()


async def test_sites_that_share_a_valkey_are_isolated(server: Valkey) -> None:
    other = Carrier(f"{server.address}7", str(connection.settings_dict["NAME"]))
    async with listening(server.address) as bus:
        term, connections = carrier(bus).term, bus.connections
        await other.say("theirs", 1, ["session.1"])
        await other.layer.flush()
        await check_delivery([bus])
        assert (carrier(bus).term, bus.connections) == (term, connections)
