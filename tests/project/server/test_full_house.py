"""Real processes under load: stalled readers, a thundering herd, two processes, and a stop during a page view.

`HERD` viewers reconnect at once; `make soak` uses a thousand.
"""

import asyncio
import os
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from urllib.parse import urlencode

import psycopg
import pytest

from components.routes import Access, table
from project.config import ROOT
from project.database.embedded import DATABASE, SUPERUSER, Cluster, lock_share
from project.launcher.serve import files_allow
from project.limits.rates import BUSY, WAITING_OUT_HARD
from tests.conftest import PREFIX
from tests.e2e import content
from tests.e2e.server import Server, demo_database
from tests.servers import CLOSE, LOST, PATIENCE, PING, PONG, TEXT, Socket, database, megabytes, request
from tests.timing import deadline, took_at_most

HERD = int(os.environ.get("HERD", "200"))
BACK_WITHIN = 8.0  # seconds
STALLED = 6
HALL = {"VENUE_ADDRESSES": "127.0.0.0/8", "DRAIN_SECONDS": "1"}


@pytest.fixture(scope="module")
def address(django_db_modify_db_settings: None) -> Iterator[str]:
    """A database with the demo competition."""
    with demo_database(f"{PREFIX}{os.getpid()}_house") as made:
        yield made


@pytest.fixture
def server(address: str, tmp_path: Path) -> Iterator[Server]:
    """A web process for which loopback addresses are the venue's."""
    made = Server(tmp_path, address, **HALL, DATABASE_URL=content.patient_address(address))
    try:
        made.start()
        yield made
    finally:
        made.kill()


def live_session(server: Server) -> str:
    """Return the path of the live session's page."""
    with database(server) as operator:
        [(number,)] = operator.execute("SELECT id FROM sessions WHERE is_live").fetchall()
    return f"/sessions/{number}"


def perform(server: Server, order: int) -> None:
    """Set the performer with `manage.py`, as an operator does."""
    command = [sys.executable, "manage.py", "live", "perform", str(order)]
    subprocess.run(command, cwd=ROOT, env=server.environment, check=True, stdout=subprocess.DEVNULL)


def performer(server: Server) -> bytes:
    """Return the current performer's name."""
    query = "SELECT p.name FROM session_participants s JOIN participants p ON p.id = s.participant_id"
    with database(server) as operator:
        [(name,)] = operator.execute(f"{query} WHERE s.is_performing").fetchall()
    return str(name).encode()


async def hear(viewer: Socket, heard: list[bytes]) -> None:
    """Collect frames until the socket closes, and answer pings as a browser does."""
    with suppress(asyncio.IncompleteReadError):
        while (frame := await viewer.frame())[0] != CLOSE:
            kind, data = frame
            if kind == PING:
                viewer.raw(PONG, data)
            elif kind == TEXT:
                heard.append(data)


async def stalled(server: Server, page: str) -> Socket:
    """Return a viewer that no longer reads, and takes no compressed frames, which would fill buffers slowly."""
    viewer = await Socket(server, window=4096, extensions="").live(page)
    viewer.writer.transport.pause_reading()
    return viewer


async def test_stalled_readers_are_cut_and_cost_the_others_nothing(server: Server) -> None:
    page = live_session(server)
    want = {"type": "part-request", "key": f"session_order:{page.rpartition('/')[2]}:en"}
    honest = await Socket(server).live(page)
    before, slowest = megabytes(server), 0.0
    viewers = [await stalled(server, page) for _ in range(STALLED)]
    for sequence in range(30):
        for number, viewer in enumerate(viewers):
            viewer.send(want)
            if number % 2 and sequence % 10 == 0:  # half of them keep sending: upstream's Daphne never drops these
                viewer.send('{"type":"ping"}')
        begun = time.monotonic()
        await honest.answers()
        slowest = max(slowest, time.monotonic() - begun)
    asked = time.monotonic()
    async with asyncio.timeout(40):  # at once, or after ten seconds of patience
        while await counted(server, "slow_closed_total") < STALLED:
            if time.monotonic() - asked > 1:  # keep sending: the system may buffer more
                asked = time.monotonic()
                for viewer in viewers:
                    viewer.send(want)
    for viewer in viewers:
        viewer.writer.transport.resume_reading()
    assert Counter([await viewer.closed() for viewer in viewers]) == {LOST: STALLED}
    took_at_most(2.0, slowest, "an answer to the honest viewer")
    assert megabytes(server) - before < 40


async def counted(server: Server, name: str) -> float:
    """Return one metric of the process."""
    _, answer = await request(server, "/metrics")
    [line] = [line for line in answer.decode().splitlines() if line.startswith(f"parterre_{name}")]
    return float(line.rpartition(" ")[2])


async def came_back(server: Server, page: str, name: bytes) -> float:
    """Return the seconds until a reconnecting viewer sees the current performer, with retries while it is busy."""
    begun, viewer = time.monotonic(), Socket(server)
    async with asyncio.timeout(deadline(30.0, 4 * PATIENCE)):
        while True:
            await viewer.open(page)
            try:
                await viewer.until(name, seconds=deadline(30.0, 4 * PATIENCE))
            except AssertionError as closed:
                if f"closed with {BUSY}" not in str(closed):
                    raise
            else:
                return time.monotonic() - begun
            finally:
                viewer.leave()


async def test_a_herd_that_comes_back_is_current_while_pages_are_served(server: Server) -> None:
    page = live_session(server)
    await asyncio.to_thread(server.kill)
    await asyncio.to_thread(server.start)
    name = performer(server)
    files_allow()  # this process holds the client end of every socket
    returning = [asyncio.create_task(came_back(server, page, name)) for _ in range(HERD)]
    slowest = 0.0
    while not all(task.done() for task in returning):
        begun = time.monotonic()
        status, _ = await request(server, "/participants")
        assert status == 200
        slowest = max(slowest, time.monotonic() - begun)
    took = max(await asyncio.gather(*returning))
    took_at_most(BACK_WITHIN, took, f"the way back of {HERD}")
    took_at_most(BACK_WITHIN / 2, slowest, "a page")


async def test_a_change_through_one_process_shows_on_both(server: Server, address: str, tmp_path: Path) -> None:
    folder = tmp_path / "second"
    folder.mkdir()
    other = Server(folder, address, **HALL)
    await asyncio.to_thread(other.start)
    try:
        page = live_session(server)
        here, there = await Socket(server).live(page), await Socket(other).live(page)
        for order in (3, 5):
            await asyncio.to_thread(perform, server, order)
            name = performer(server)
            for viewer in (here, there):
                await viewer.until(name)
    finally:
        await asyncio.to_thread(other.kill)


async def test_a_restart_of_the_database_is_a_pause(tmp_path: Path) -> None:
    """PostgreSQL restarts: sockets stay open, pages answer 503, and changes made afterwards arrive."""
    with lock_share(tmp_path / "own"):
        cluster = Cluster(tmp_path / "own")
        where = urlencode({"host": str(cluster.sockets)})
        server = Server(tmp_path, f"postgresql://{SUPERUSER}@/{DATABASE}?{where}", **HALL)
        try:
            await asyncio.to_thread(server.start)
            page, heard = live_session(server), []
            viewer = await Socket(server).live(page)
            staying = asyncio.create_task(hear(viewer, heard))
            await asyncio.to_thread(cluster.stop)
            assert (await request(server, "/participants?q=away"))[0] == 503
            viewer.send('{"type":"ping"}')
            await asyncio.to_thread(cluster.launch)
            known = len(heard)
            await asyncio.to_thread(perform, server, 5)
            name = performer(server)
            async with asyncio.timeout(60):
                while not any(name in each for each in heard[known:]):
                    if staying.done():  # its page could not be read again: reconnect, as browsers do
                        staying = asyncio.create_task(hear(await Socket(server).open(page), heard))
                    await request(server, "/healthz")
            assert any(b'"pong"' in each for each in heard), "whoever was there stayed while the database was away"
            async with asyncio.timeout(60):
                while (await request(server, "/participants?q=back"))[0] != 200:
                    continue
        finally:
            await asyncio.to_thread(server.kill)


async def test_a_stop_lets_a_page_in_work_finish(server: Server) -> None:
    viewers = [await Socket(server).live() for _ in range(100)]
    with psycopg.connect(server.environment["OWNER_DATABASE_URL"]) as operator:
        operator.execute("LOCK TABLE participants IN ACCESS EXCLUSIVE MODE")
        working = asyncio.create_task(request(server, "/participants?q=late"))
        with database(server) as watching:
            waits = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = %s"
            async with asyncio.timeout(PATIENCE):
                while watching.execute(waits, [operator.info.dbname]).fetchone() == (0,):
                    await request(server, "/healthz")
        stopping = asyncio.create_task(asyncio.to_thread(server.stop))
        await asyncio.wait([asyncio.create_task(viewer.closed()) for viewer in viewers], return_when="FIRST_COMPLETED")
    status, _ = await working
    assert status == 200, "what had begun was answered"
    assert await stopping == 0


async def test_no_page_is_so_long_that_its_reader_would_be_cut(server: Server) -> None:
    """Bytes sent in one turn count as waiting, and a socket with a megabyte waiting is closed."""
    live = [each for each in table() if each.access is Access.PUBLIC and not (each.plain or each.redirects)]
    public = [route.pattern for route in live if "{" not in route.pattern]
    assert len(public) > 5
    for page in (live_session(server), *public):
        status, answer = await request(server, page)
        assert status == 200, page
        assert len(answer) < WAITING_OUT_HARD / 2, page
