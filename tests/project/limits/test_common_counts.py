"""Limits of an account are shared by all processes through a real Valkey. Without Valkey each process counts alone."""

import asyncio
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from ipaddress import ip_network
from typing import Any

import pytest

from apps.core.buckets import Buckets
from apps.core.scale import common_counts
from apps.core.scale.common_counts import CommonCounts
from project.limits.connections import ConnectionLimits
from project.limits.rates import COMMANDS_ACCOUNT, PAGES, TAPS
from project.process.commands import Reactions
from tests.valkey import Valkey, serving
from tests.waiting import until

Two = tuple[ConnectionLimits, ConnectionLimits]
ACCOUNT, ADDRESS, VENUE = 7, "192.0.2.7", "198.51.100.9"
EXCHANGES = 20  # far more than are needed


@pytest.fixture
def server() -> Iterator[Valkey]:
    """A Valkey for this test."""
    with serving() as made:
        yield made


@pytest.fixture(autouse=True)
def frequent_exchanges(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the processes exchange their counts often."""
    monkeypatch.setattr(common_counts, "EVERY", 0.01)


@asynccontextmanager
async def counting(server: Valkey, limits: ConnectionLimits, site: str = "parterre") -> AsyncIterator[CommonCounts]:
    """Exchange the counts of these limits with the other processes."""
    made = CommonCounts(server.address, site, limits.common)
    running = asyncio.create_task(made.run())
    try:
        yield made
    finally:
        running.cancel()
        (ended,) = await asyncio.gather(running, return_exceptions=True)
        assert isinstance(ended, asyncio.CancelledError)


@pytest.fixture
async def processes(server: Valkey) -> AsyncIterator[Two]:
    """The limits of two processes."""
    first, second = ConnectionLimits(), ConnectionLimits()
    async with counting(server, first), counting(server, second):
        yield first, second


def commands(limits: ConnectionLimits) -> int:
    """Return the number of commands that the account may send at once."""
    count = 0
    while limits.account_commands(ACCOUNT):
        count += 1
    return count


async def test_concurrent_excess_is_owed_by_both_processes(processes: Two) -> None:
    """Both processes use the whole allowance before they exchange counts. The excess is owed: no more is allowed."""
    began = time.monotonic()
    assert commands(processes[0]) == commands(processes[1]) == COMMANDS_ACCOUNT.burst
    owing = -COMMANDS_ACCOUNT.burst / 2
    await until(lambda: all(limits.commands.of(ACCOUNT).left < owing for limits in processes), "both processes owe")
    owed = COMMANDS_ACCOUNT.burst - (time.monotonic() - began) * COMMANDS_ACCOUNT.per_second
    for limits in processes:
        assert limits.commands.of(ACCOUNT).wait() >= owed / COMMANDS_ACCOUNT.per_second
        assert not limits.account_commands(ACCOUNT)


async def test_venue_has_the_tenfold_limit_in_both_processes(processes: Two, settings: Any) -> None:
    settings.VENUE_ADDRESSES = (ip_network("198.51.100.0/24"),)
    for _ in range(1000):
        assert processes[0].pages.take(VENUE)
    await until(lambda: processes[1].pages.of(VENUE).left < PAGES.burst * 10 - 500, "the other process counts them")
    assert processes[1].pages.of(VENUE).left > PAGES.burst


async def test_processes_count_alone_without_valkey_and_log_it_once(
    processes: Two, server: Valkey, caplog: pytest.LogCaptureFixture
) -> None:
    server.stop()
    assert commands(processes[0]) == commands(processes[1]) == COMMANDS_ACCOUNT.burst
    away = "limits: Valkey is away"
    await until(lambda: caplog.text.count(away) == 2, "both processes log it")
    for _ in range(EXCHANGES):
        processes[0].commands.of(ACCOUNT + 1)
        await until(lambda: not processes[0].commands.asked_for, "the counts are exchanged")
    assert caplog.text.count(away) == 2, "once for each process"
    server.start()

    def is_counted() -> bool:
        processes[0].account_commands(ACCOUNT + 2)
        return processes[1].commands.of(ACCOUNT + 2).left < COMMANDS_ACCOUNT.burst - 1

    await until(is_counted, "the processes count together again")
    assert caplog.text.count("limits: counted over all processes again") == 2


async def test_unresponsive_valkey_delays_no_command(
    processes: Two, server: Valkey, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(common_counts, "PATIENCE", 10.0)  # longer than another program takes the processor
    server.freeze()
    began = time.perf_counter()
    assert commands(processes[0]) == COMMANDS_ACCOUNT.burst
    assert time.perf_counter() - began < common_counts.PATIENCE
    server.thaw()
    processes[0].account_commands(ACCOUNT + 1)
    await until(lambda: processes[1].commands.of(ACCOUNT + 1).left < COMMANDS_ACCOUNT.burst, "it is counted")


async def test_full_buckets_are_removed_from_valkey(server: Valkey) -> None:
    from redis.asyncio import Redis

    limits = ConnectionLimits()
    async with counting(server, limits), Redis.from_url(server.address) as client:
        limits.account_commands(ACCOUNT)
        keys = await until(lambda: client.keys("*"), "Valkey has a key")
        assert keys == [f"parterre:parterre/0:limit:commands:{ACCOUNT}".encode()]
        assert 0 < await client.pttl(keys[0]) <= 1000 / COMMANDS_ACCOUNT.per_second


async def test_valkey_stores_no_address(server: Valkey) -> None:
    from redis.asyncio import Redis

    limits = ConnectionLimits()
    async with counting(server, limits), Redis.from_url(server.address) as client:
        while limits.pages.take(ADDRESS):
            pass
        # Valkey keeps the key for ten seconds.
        (key,) = await until(lambda: client.keys("*"), "Valkey has a key", seconds=5)
    assert ADDRESS.encode() not in key


async def test_sites_count_separately(server: Valkey) -> None:
    first, other, second = ConnectionLimits(), ConnectionLimits(), ConnectionLimits()
    async with counting(server, first), counting(server, other, "another"), counting(server, second):
        assert commands(first) == COMMANDS_ACCOUNT.burst
        await until(lambda: second.commands.of(ACCOUNT).left < 1, "the second process of the site counts the commands")
        assert not second.account_commands(ACCOUNT)
        assert second.account_commands(ACCOUNT + 1), "another account has its own"
        other.commands.of(ACCOUNT)
        await until(lambda: not other.commands.asked_for, "the other site has exchanged its counts")
        assert commands(other) == COMMANDS_ACCOUNT.burst


def test_without_valkey_no_counts_are_collected() -> None:
    limits = ConnectionLimits()
    commands(limits)
    assert all(buckets.asked_for is None for buckets in limits.common.values())


def test_taps_are_counted_per_account() -> None:
    assert isinstance(Reactions().buckets, Buckets)
    assert Reactions().buckets.rate == TAPS
