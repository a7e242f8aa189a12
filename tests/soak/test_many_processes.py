"""Eight processes with one database, a read replica and one Valkey behind nginx: many viewers, and successive faults.

Four of the processes connect to Valkey directly, and four through a relay that the test can cut.
"""

import asyncio
import os
import re
import time
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from itertools import cycle
from pathlib import Path

import psycopg
import pytest
from django.conf import settings
from pytest_django import DjangoDbBlocker

from apps.accounts.actors import Viewer
from apps.accounts.models import User
from apps.live.services import comment_add
from project.limits.rates import SIGNED_OUT
from tests.conftest import PREFIX
from tests.e2e import content
from tests.e2e.accounts import session_begin
from tests.e2e.server import Server
from tests.project.server.test_full_house import live_session
from tests.replica import ReplicaServer, replica_server
from tests.rolling import Site, behind, people
from tests.servers import LOST, Socket, request
from tests.soak.writers import Writer
from tests.valkey import Valkey, Way, serving, way

PROCESSES, VIEWERS, READERS = 8, int(os.environ.get("HOUSE", "800")), 1
WRITERS, EVERY = 4, 1.0  # seconds between two notes of one writer
PACE = 2.0  # seconds between two comments
CALM, MENDED = 1.0, 15.0  # seconds until every screen is current: after a change, and after a fault
UNDISTURBED = 6  # comments before the first fault
AWAY = 10.0  # seconds of an outage of Valkey, or of a connection to it
SIGN_OUT = 1.0  # seconds
DRAIN = 5.0
CHANGE = re.compile(rb"Heard number (\d{5})")


class House(Site):
    """A site with the delays of its screens. Comments are numbered; a screen that shows one shows all earlier ones."""

    def __init__(self, site: Site) -> None:
        super().__init__(site.proxy, site.processes)
        self.pages_every = 0.2  # leaves a fifth of two cores free
        self.written: dict[int, float] = {}  # the time of each comment
        self.delays: dict[int, list[float]] = defaultdict(list)  # seconds until each screen showed it
        self.on_all_screens: dict[int, asyncio.Event] = defaultdict(asyncio.Event)
        self.faults: list[tuple[str, float, float]] = []  # name, begin and end of each

    def screen(self) -> Callable[[bytes], None]:
        """Return the function that looks for comments in the frames of one viewer."""
        newest = 0

        def look(text: bytes) -> None:
            nonlocal newest
            last = max(map(int, CHANGE.findall(text)), default=0)
            for number in range(newest + 1, last + 1):
                self.delays[number].append(time.monotonic() - self.written[number])
                if len(self.delays[number]) == VIEWERS:
                    self.on_all_screens[number].set()
            newest = max(newest, last)

        return look

    async def comment(self, write: Callable[[int], None]) -> None:
        while True:
            number = len(self.written) + 1
            self.written[number] = time.monotonic()
            await asyncio.to_thread(write, number)
            await asyncio.sleep(PACE)  # the rate of comments

    async def all_current(self) -> None:
        """Wait until every screen shows a comment that is written after this call."""
        shown = self.on_all_screens[len(self.written) + 1]
        async with asyncio.timeout(MENDED * 4):
            await shown.wait()

    @asynccontextmanager
    async def fault(self, name: str) -> AsyncIterator[None]:
        """Record a fault during the block; then wait until all viewers are connected and every screen is current."""
        begun = time.monotonic()
        yield
        self.faults.append((name, begun, time.monotonic()))
        await self.all_there(VIEWERS)
        await self.all_current()

    def late(self) -> dict[str, tuple[float, float]]:
        """Return the longest delays of a screen by fault: since the change was made, and since the fault ended.

        Changes near no fault count as "calm".
        """
        longest: dict[str, tuple[float, float]] = defaultdict(lambda: (0.0, 0.0))
        for number, delays in self.delays.items():
            written, shown = self.written[number], self.written[number] + max(delays)
            near = [(name, end) for name, begun, end in self.faults if begun - CALM <= written <= end + MENDED]
            name, end = near[-1] if near else ("calm", written)
            behind, after = longest[name]
            longest[name] = max(behind, shown - written), max(after, shown - max(written, end))
        return dict(longest)


@pytest.fixture
def database(django_db_modify_db_settings: None) -> Iterator[str]:
    name = f"{PREFIX}{os.getpid()}_many"
    with content.database(name) as address:
        with psycopg.connect(address, autocommit=True) as operator:
            operator.execute(f'ALTER DATABASE "{name}" SET synchronous_commit = on')  # else a replica always lags
        yield address


@pytest.fixture
def replica(database: str) -> Iterator[ReplicaServer]:
    """Yield a replica of the server, made after the database."""
    with replica_server() as server:
        yield server


@pytest.fixture
def valkey() -> Iterator[Valkey]:
    with serving() as server:
        yield server


async def relay_of(processes: list[Server]) -> Server:
    """Return the process that is the bus relay, by the metrics of all processes."""
    metrics = [await request(each, "/metrics") for each in processes]
    [relay] = [each for each, (_, text) in zip(processes, metrics, strict=True) if b"\nparterre_bus_relay 1" in text]
    return relay


async def together(processes: list[Server], do: Callable[[Server], object]) -> None:
    """Call `do` with each of these processes, concurrently."""
    await asyncio.gather(*(asyncio.to_thread(do, each) for each in processes))


async def sign_out(house: House, page: str, cookie: str) -> float:
    """Sign out an account with an open page at each process. Return the seconds until the last one is closed."""
    address = house.proxy.address
    windows = [await Socket(each).live(page, cookie=cookie, origin=address) for each in house.processes]
    closing = [asyncio.create_task(each.closed()) for each in windows]
    begun = time.monotonic()
    await request(house.proxy, "/sign-out", "POST", cookie=cookie, origin=address)
    assert await asyncio.gather(*closing) == [SIGNED_OUT] * len(windows)
    return time.monotonic() - begun


async def cause_faults(house: House, valkey: Valkey, path: Way, replica: ReplicaServer) -> list[int]:
    """Cause one fault after another. Return the exit codes of the processes of the rolling restart."""
    processes = house.processes
    await house.all_current()
    house.delays.clear()  # discard those from before all viewers were connected
    for _ in range(UNDISTURBED):
        await house.all_current()
    relay = await relay_of(processes)
    async with house.fault("relay killed"):
        await asyncio.to_thread(relay.kill)
    await asyncio.to_thread(relay.start)
    async with house.fault("Valkey stopped"):
        valkey.stop()
        await asyncio.sleep(AWAY)  # the duration of the outage
        await asyncio.to_thread(valkey.start)
    async with house.fault("connection to Valkey cut"):
        path.cut()
        await asyncio.sleep(AWAY)
        await path.open()
    async with house.fault("replica lagging"):
        await asyncio.to_thread(replica.pause)
        await asyncio.sleep(AWAY)
        await asyncio.to_thread(replica.resume)
    async with house.fault("half of the processes killed"):
        await together(processes[::2], Server.kill)
    await together(processes[::2], Server.start)
    exits: list[int] = []
    async with house.fault("rolled"):
        exits += await house.roll(VIEWERS)
    return exits


async def test_eight_processes_recover_from_every_fault(
    database: str, replica: ReplicaServer, valkey: Valkey, tmp_path: Path, django_db_blocker: DjangoDbBlocker
) -> None:
    folders = [tmp_path / f"web-{number}" for number in range(PROCESSES)]
    for each in folders:
        each.mkdir()
    desk = content.Desk(psycopg.conninfo.conninfo_to_dict(database)["dbname"], django_db_blocker.unblock)
    async with way(valkey) as path:
        ways = cycle([valkey.address, path.address])
        more = {"DRAIN_SECONDS": str(DRAIN), "DATABASE_REPLICA_URL": replica.address(database)}
        processes = [Server(each, database, BUS_URL=next(ways), **more) for each in folders]
        with behind(tmp_path, processes) as site:
            house, page = House(site), live_session(processes[0])
            listeners = desk.do(lambda: list(User.objects.order_by("id").values_list("id", "username")))
            cookies = [f"{settings.SESSION_COOKIE_NAME}={desk.do(session_begin, name)}" for _, name in listeners]
            writers = [Writer(house, cookies[number], f"w{number}", EVERY) for number in range(WRITERS)]
            speakers = cycle(Viewer(*each) for each in listeners[:6])
            session = int(page.rpartition("/")[2])

            def write(number: int) -> None:
                text = f"Heard number {number:05d}"
                desk.do(comment_add, actor=next(speakers), session_id=session, content=text)

            async with people(house, page, viewers=VIEWERS, readers=READERS), asyncio.TaskGroup() as group:
                tasks = [
                    group.create_task(house.comment(write)),
                    *(group.create_task(each.write()) for each in writers),
                ]
                stopped = await cause_faults(house, valkey, path, replica)
                closed_after = await sign_out(house, page, cookies[-1])
                for task in tasks:
                    task.cancel()
    desk.leave()
    with psycopg.connect(database) as look:
        stored = Counter(text for (text,) in look.execute("SELECT message FROM error_logs").fetchall())
    acknowledged, late = [text for writer in writers for text in writer.acknowledged], house.late()
    screens = {name: f"{since_written:.2f} ({since_end:.2f}) s" for name, (since_written, since_end) in late.items()}
    print(  # noqa: T201 - what a soak measured
        f"{VIEWERS} viewers of {PROCESSES} processes, {len(house.written)} comments, behind (since its end) {screens};"
        f" {len(acknowledged)} notes acknowledged, {sum(writer.repeated for writer in writers)} repeated; pages"
        f" {house.pages}, handshakes {house.handshakes}, closed {house.closed}, signed out after {closed_after:.2f} s"
    )
    assert stopped == [0] * PROCESSES
    assert house.pages.keys() == {200}
    assert house.closed.keys() <= {1012, LOST}
    assert len(acknowledged) == len(set(acknowledged)) > WRITERS
    assert {text: stored[text] for text in acknowledged} == dict.fromkeys(acknowledged, 1), "none lost, none doubled"
    assert max(stored.values()) == 1
    assert late.keys() == {"calm", *(name for name, _, _ in house.faults)}
    assert late["calm"][0] < CALM
    assert late["rolled"][0] < MENDED
    assert max(after for _, after in late.values()) < MENDED
    assert closed_after < SIGN_OUT
