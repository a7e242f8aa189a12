"""Hostile and silently lost clients cost the process no memory and delay no changes for others.

Each attack is measured on a real process: its resident memory, and the time from the commit of a change to its arrival
at a viewer. The same is measured without the attack, so that other load on the machine fails no test.
`HOSTILE` and `SILENT` are the numbers of sockets of the two attacks; `make soak` uses more.
"""

import asyncio
import os
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from statistics import median
from typing import Any

import psycopg
import pytest

from apps.core.bus.topics import CHANNEL
from project.limits.rates import PING_ANSWER, PING_EVERY
from tests.project.small import Small, small_site
from tests.servers import CLOSE, LOST, PING, PONG, SOON, TEXT, Socket, database, grown, megabytes, request
from tests.waiting import until

pytestmark = pytest.mark.django_db(transaction=True)

HALL = {"VENUE_ADDRESSES": "127.0.0.0/8", "DRAIN_SECONDS": "0"}  # limits per address are not measured
HOSTILE = {
    "not json": "{",
    "a list": "[1]",
    "deep": "[" * 20_000 + "]" * 20_000,
    "no target": '{"type":"layout-event"}',
    "unknown kind": '{"type":"x","target":"a","data":[]}',
    "number as target": '{"type":"layout-event","target":5,"data":[]}',
    "not a number": '{"type":"layout-event","target":"a","data":[NaN]}',
    "large number": '{"type":"layout-event","target":"a","data":[],"seq":18446744073709551616}',
    "a lone surrogate": '{"type":"layout-event","target":"\\ud800","data":[]}',
}
SOCKETS = int(os.environ.get("HOSTILE", "50"))
AT_ONCE, TIMES = 6, 22  # sockets at once; every second one sends a text this many times
GROWN_MOST = 8  # megabytes from before an attack to after it
QUIET = 8  # changes that are delivered without an attack, to compare with
SLOWER_MOST, FLOOR = 20, 0.02  # times the delivery without an attack, or this many seconds
HALF_OPEN = int(os.environ.get("SILENT", "60"))
HELD_EACH = 0.05  # megabytes that a socket may hold until it is closed
FASTER = 5  # the factor by which the intervals of pings are shortened
FOUND_WITHIN, DAPHNE_LOOKS_EVERY = 40.0, 2.0  # seconds


class Watcher:
    """A viewer that answers pings as a browser does, and measures how long changes take."""

    def __init__(self, viewer: Socket, operator: "psycopg.Connection") -> None:
        self.viewer, self.operator = viewer, operator
        self.changes: asyncio.Queue[bytes] = asyncio.Queue()

    async def follow(self) -> None:
        """Collect changes until the socket closes."""
        with suppress(asyncio.IncompleteReadError):
            while (frame := await self.viewer.frame())[0] != CLOSE:
                kind, data = frame
                if kind == PING:
                    self.viewer.raw(PONG, data)
                elif kind == TEXT and b'"turns:en"' in data:
                    self.changes.put_nowait(data)

    async def delivery(self) -> float:
        """Publish a change of the page, and return the seconds until it arrives."""
        begun = time.monotonic()
        await asyncio.to_thread(self.operator.execute, "SELECT pg_notify(%s, 'turns')", [CHANNEL])
        async with asyncio.timeout(SOON):
            await self.changes.get()
        return time.monotonic() - begun

    async def compare(self, attack: "asyncio.Future[Any]") -> None:
        """Compare the delivery of changes during the attack with the delivery afterwards."""
        attacked: list[float] = []
        while not attack.done():
            attacked.append(await self.delivery())
        await attack
        quiet = [await self.delivery() for _ in range(QUIET)]
        bound = SLOWER_MOST * max(FLOOR, median(quiet))
        assert len(attacked) >= QUIET // 2, "the attack was over before it was measured"
        assert median(attacked) < bound, (median(attacked), bound)


@asynccontextmanager
async def watching(server: Small) -> AsyncIterator[Watcher]:
    """Yield a viewer of the page with the changing part."""
    with database(server) as operator:
        watcher = Watcher(await Socket(server).live(), operator)
        following = asyncio.create_task(watcher.follow())
        yield watcher
        assert not following.done(), "the viewer stays connected"
        following.cancel()


async def attack_once(server: Small, text: str, times: int = 1) -> None:
    """Open a socket, send this text, and wait until the server closes the socket."""
    hostile = await Socket(server).live()
    for _ in range(times):
        hostile.send(text)
    assert await hostile.closed() in {4500, LOST}, text  # lost: the server closed it before reading everything


async def attack_all(server: Small, sockets: int) -> None:
    """Send all hostile texts in turn, from this many sockets, a few at a time."""
    texts = list(HOSTILE.values())
    waiting = iter(range(sockets))

    async def some() -> None:
        for number in waiting:
            await attack_once(server, texts[number % len(texts)], TIMES if number % 2 else 1)

    await asyncio.gather(*(some() for _ in range(AT_ONCE)))


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, django_db_setup: None) -> Iterator[Small]:
    """A process with intervals of pings that are shortened in proportion."""
    intervals = (f"PING_EVERY={PING_EVERY / FASTER}", f"PING_ANSWER={PING_ANSWER / FASTER}")
    with small_site(tmp_path_factory.mktemp("attacks"), *intervals, **HALL) as made:
        yield made


async def test_hostile_frames_cost_no_memory_and_no_delay(server: Small) -> None:
    """Memory and delivery during an attack are compared with those before and after it."""
    for text in HOSTILE.values():
        hostile = await Socket(server).live()
        hostile.send(text)
        assert await hostile.closed() == 4500, text
    async with watching(server) as watcher:
        await attack_all(server, SOCKETS)  # the first work allocates memory that stays

        async def attack() -> None:
            await watcher.compare(asyncio.ensure_future(attack_all(server, SOCKETS)))

        assert await grown(server, attack, GROWN_MOST) < GROWN_MOST


async def viewers(server: Small) -> float:
    _, answer = await request(server, "/metrics")
    return sum(float(line.split()[-1]) for line in answer.decode().splitlines() if line.startswith("parterre_viewers"))


async def go_silent(server: Small) -> list[int]:
    """Open sockets that stop reading, and wait until the server has closed them all.

    The sockets answer no ping. Return the megabytes of the process while it held them.
    """
    silent = [await Socket(server).live() for _ in range(HALF_OPEN)]
    for viewer in silent:
        viewer.writer.transport.pause_reading()
    held = [megabytes(server)]

    async def are_closed() -> bool:
        held.append(megabytes(server))
        return await viewers(server) <= 1

    await until(are_closed, "the silent sockets are closed")
    for viewer in silent:
        viewer.writer.transport.resume_reading()
    assert {await viewer.closed() for viewer in silent} == {LOST}
    return held


async def test_half_open_sockets_cost_little_memory_and_no_delay(server: Small) -> None:
    """Memory and delivery while sockets are silent are compared with those before and after."""
    assert PING_ANSWER < PING_EVERY
    assert PING_EVERY + PING_ANSWER + DAPHNE_LOOKS_EVERY <= FOUND_WITHIN
    async with watching(server) as watcher:
        await go_silent(server)  # the first work allocates memory that stays

        async def attack() -> list[int]:
            silent = asyncio.ensure_future(go_silent(server))
            await watcher.compare(silent)
            return silent.result()

        most = HALF_OPEN * HELD_EACH
        assert await grown(server, attack, most) < most
