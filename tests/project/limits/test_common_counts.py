"""Limits of an account are shared by all processes through a real Valkey. Without Valkey each process counts alone."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from ipaddress import ip_network
from typing import Any

import pytest

from apps.core.buckets import Buckets
from apps.core.scale import common_counts
from apps.core.scale.common_counts import CommonCounts
from project.limits.connections import ConnectionLimits, NavigationRate
from project.limits.rates import COMMANDS_ACCOUNT, PAGES, TAPS
from project.process.commands import Reactions
from tests.valkey import Valkey, serving

ACCOUNT, ADDRESS, HALL = 7, "192.0.2.7", "198.51.100.9"
EXCHANGES = 20  # far more than are needed


@pytest.fixture
def server() -> Iterator[Valkey]:
    """A Valkey for this test."""
    with serving() as made:
        yield made


@pytest.fixture(autouse=True)
def haste(monkeypatch: pytest.MonkeyPatch) -> None:
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
async def two(server: Valkey) -> AsyncIterator[tuple[ConnectionLimits, ConnectionLimits]]:
    """The limits of two processes."""
    first, second = ConnectionLimits(), ConnectionLimits()
    async with counting(server, first), counting(server, second):
        yield first, second


async def until(holds: Callable[[], bool]) -> None:
    """Wait until the condition is true."""
    deadline = time.monotonic() + 20
    while not holds():
        assert time.monotonic() < deadline
        await asyncio.to_thread(time.sleep, 0.005)


def commands(limits: ConnectionLimits) -> int:
    """Return the number of commands that the account may send at once."""
    count = 0
    while limits.account_commands(ACCOUNT):
        count += 1
    return count


async def test_what_is_taken_in_one_process_is_gone_in_the_other(
    two: tuple[ConnectionLimits, ConnectionLimits],
) -> None:
    first, second = two
    assert commands(first) == COMMANDS_ACCOUNT.burst
    await until(lambda: second.commands.of(ACCOUNT).left < 1)
    assert not second.account_commands(ACCOUNT)
    assert second.account_commands(ACCOUNT + 1), "another account has its own"


async def test_whoever_is_everywhere_has_no_more_than_one_in_the_end(
    two: tuple[ConnectionLimits, ConnectionLimits],
) -> None:
    """Both processes use the whole allowance before they exchange counts. The excess is owed: no more is allowed."""
    began = time.monotonic()
    assert commands(two[0]) == commands(two[1]) == COMMANDS_ACCOUNT.burst
    await until(lambda: all(limits.commands.of(ACCOUNT).left < -COMMANDS_ACCOUNT.burst / 2 for limits in two))
    owed = COMMANDS_ACCOUNT.burst - (time.monotonic() - began) * COMMANDS_ACCOUNT.per_second
    for limits in two:
        assert limits.commands.of(ACCOUNT).wait() >= owed / COMMANDS_ACCOUNT.per_second
        assert not limits.account_commands(ACCOUNT)


async def test_navigations_of_an_address_are_counted_together(two: tuple[ConnectionLimits, ConnectionLimits]) -> None:
    first, second = (NavigationRate(limits, ADDRESS) for limits in two)
    while not first.wait(is_search=False, is_signed_in=False):
        pass
    await until(lambda: two[1].pages.of(ADDRESS).left < PAGES.burst / 2)
    before = two[1].pages.of(ADDRESS).left
    assert second.wait(is_search=False, is_signed_in=False) == 0 or before < 1


async def test_a_hall_has_ten_times_as_much_in_all_processes(
    two: tuple[ConnectionLimits, ConnectionLimits], settings: Any
) -> None:
    settings.VENUE_ADDRESSES = (ip_network("198.51.100.0/24"),)
    for _ in range(1000):
        assert two[0].pages.take(HALL)
    await until(lambda: two[1].pages.of(HALL).left < PAGES.burst * 10 - 500)
    assert two[1].pages.of(HALL).left > PAGES.burst


async def test_without_valkey_each_counts_alone_and_says_so_once(
    two: tuple[ConnectionLimits, ConnectionLimits], server: Valkey, caplog: pytest.LogCaptureFixture
) -> None:
    server.stop()
    assert commands(two[0]) == commands(two[1]) == COMMANDS_ACCOUNT.burst
    away = "limits: Valkey is away"
    await until(lambda: caplog.text.count(away) == 2)
    for _ in range(EXCHANGES):
        two[0].commands.of(ACCOUNT + 1)
        await until(lambda: not two[0].commands.asked_for)
    assert caplog.text.count(away) == 2, "once for each process"
    server.start()

    def other_is_heard() -> bool:
        two[0].account_commands(ACCOUNT + 2)
        return two[1].commands.of(ACCOUNT + 2).left < COMMANDS_ACCOUNT.burst - 1

    await until(other_is_heard)
    assert caplog.text.count("limits: counted over all processes again") == 2


async def test_a_valkey_that_answers_nobody_delays_nobody(
    two: tuple[ConnectionLimits, ConnectionLimits], server: Valkey, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(common_counts, "PATIENCE", 0.2)
    server.freeze()
    began = time.perf_counter()
    assert commands(two[0]) == COMMANDS_ACCOUNT.burst
    assert time.perf_counter() - began < 0.2
    server.thaw()
    two[0].account_commands(ACCOUNT + 1)
    await until(lambda: two[1].commands.of(ACCOUNT + 1).left < COMMANDS_ACCOUNT.burst)


async def test_nothing_is_kept_of_who_took_little_long_ago(server: Valkey) -> None:
    from redis.asyncio import Redis

    limits = ConnectionLimits()
    async with counting(server, limits), Redis.from_url(server.address) as client:
        limits.account_commands(ACCOUNT)

        async def keys() -> list[Any]:
            return await client.keys("*")

        while not (found := await keys()):
            pass
        assert found == [f"parterre:parterre/0:limit:commands:{ACCOUNT}".encode()]
        assert 0 < await client.pttl(found[0]) <= 1000 / COMMANDS_ACCOUNT.per_second


async def test_no_address_is_written_down(server: Valkey) -> None:
    from redis.asyncio import Redis

    limits = ConnectionLimits()
    async with counting(server, limits), Redis.from_url(server.address) as client:
        while limits.pages.take(ADDRESS):
            pass
        found: list[bytes] = []
        async with asyncio.timeout(5):  # Valkey keeps the key for ten seconds
            while not found:
                found = await client.keys("*")
    assert len(found) == 1
    assert ADDRESS.encode() not in found[0]


async def test_two_sites_do_not_count_together(server: Valkey) -> None:
    ours, theirs, again = ConnectionLimits(), ConnectionLimits(), ConnectionLimits()
    async with counting(server, ours), counting(server, theirs, "another"), counting(server, again):
        assert commands(ours) == COMMANDS_ACCOUNT.burst
        await until(lambda: again.commands.of(ACCOUNT).left < 1)
        theirs.commands.of(ACCOUNT)
        await until(lambda: not theirs.commands.asked_for)
        assert commands(theirs) == COMMANDS_ACCOUNT.burst


def test_without_valkey_nothing_is_noted_for_others() -> None:
    limits = ConnectionLimits()
    commands(limits)
    assert all(buckets.asked_for is None for buckets in limits.common.values())


def test_taps_are_an_accounts() -> None:
    assert isinstance(Reactions().buckets, Buckets)
    assert Reactions().buckets.rate == TAPS
