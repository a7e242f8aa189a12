"""Sockets of a real process: origins, malformed frames, floods, stalled readers, and a herd after a kill.

`HERD` viewers reconnect at once; `make soak` uses a thousand.
"""

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from functools import partial

import pytest

from components.routes import Access, table
from project.config import ROOT
from project.launcher.serve import files_allow
from project.limits.rates import BUSY, WAITING_OUT_HARD
from tests.conftest import PREFIX
from tests.e2e import content
from tests.e2e.server import Server, demo_database
from tests.servers import (
    CLOSE,
    LOST,
    PATIENCE,
    PING,
    PONG,
    TEXT,
    Socket,
    database,
    grown,
    megabytes,
    request,
)
from tests.timing import deadline, took_at_most
from tests.waiting import until

HERD = int(os.environ.get("HERD", "40"))
BACK_WITHIN = 8.0  # seconds
STALLED = 6
HALL = {"VENUE_ADDRESSES": "127.0.0.0/8", "DRAIN_SECONDS": "1"}


@pytest.fixture(scope="module")
def address(django_db_modify_db_settings: None) -> Iterator[str]:
    """A database with the demo competition."""
    with demo_database(f"{PREFIX}{os.getpid()}_house") as made:
        yield made


@pytest.fixture(scope="module")
def running(address: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A web process for which loopback addresses are the venue's."""
    folder = tmp_path_factory.mktemp("house")
    made = Server(folder, address, **HALL, DATABASE_URL=content.patient_address(address))
    try:
        yield made
    finally:
        made.kill()


@pytest.fixture
def server(running: Server) -> Server:
    """The web process, started again if a test stopped it."""
    if running.process is None:
        running.start()
    return running


def live_session(server: Server) -> str:
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


async def hear(viewer: Socket, received: list[bytes]) -> None:
    """Collect frames until the socket closes, and answer pings as a browser does."""
    with suppress(asyncio.IncompleteReadError):
        while (frame := await viewer.frame())[0] != CLOSE:
            kind, data = frame
            if kind == PING:
                viewer.raw(PONG, data)
            elif kind == TEXT:
                received.append(data)


async def stalled(server: Server, page: str) -> Socket:
    """Return a viewer that no longer reads, and takes no compressed frames, which would fill buffers slowly."""
    viewer = await Socket(server, window=4096, extensions="").live(page)
    viewer.writer.transport.pause_reading()
    return viewer


async def test_only_the_own_origin_opens_a_socket(server: Server) -> None:
    port = server.port
    foreign = [
        "null", "http://localhost", f"https://localhost:{port}", f"http://localhost:{port + 1}", f"ftp://localhost:{port}",
        f"http://localhost:{port}.evil.example", f"http://evil.example:{port}", f"http://user@localhost:{port}",
        f"http://LOCALHOST:{port}", f"http://www.localhost:{port}", f"http://127.0.0.1:{port}", f"http://localhost:{port}/",
    ]  # fmt: skip
    for origin in [*foreign, None]:
        assert not (await Socket(server).open(origin=origin)).accepted, origin
    assert (await Socket(server).open()).accepted
    for place in ("/live", "/live/site/", "/", "/reactpy/components.site/", "/live/../live"):
        assert not (await Socket(server).open(endpoint=place)).accepted, place


async def test_malformed_frames_close_only_their_own_socket(server: Server) -> None:
    other = await Socket(server).live()
    for kind, data, masked in ((1, b"\xff\xfe", True), (1, b"x" * 70_000, True), (1, b"{}", False), (3, b"x", True)):
        hostile = await Socket(server).live()
        hostile.raw(kind, data, masked=masked)
        assert await hostile.closed() in {LOST, 1002, 1007, 1009}, (kind, masked)
    binary = await Socket(server).live()
    binary.raw(2, b"\0\1")
    assert await binary.closed() == 4500
    await other.answers()


async def is_pong(socket: Socket) -> bool:
    """Return whether the next frame is a pong."""
    return (await socket.frame())[0] == PONG


async def test_heartbeat_may_be_fragmented_by_tcp_but_not_inside_a_message(server: Server) -> None:
    heartbeat = bytes((0x81, 0x80 | 15)) + bytes(4) + b'{"type":"ping"}'
    socket = await Socket(server).live()
    for piece in (heartbeat[:1], heartbeat[1:9], heartbeat[9:]):
        socket.writer.write(piece)
        await socket.writer.drain()
    await socket.until(b'"pong"')
    begun = await Socket(server).live()
    begun.writer.write(bytes((0x01, 0x80 | 1)) + bytes(4) + b"{")  # a text without its end
    begun.raw(PING, b"")
    await until(partial(is_pong, begun), "the pong arrives")
    begun.writer.write(heartbeat)
    assert await begun.closed() in {LOST, 1002}


PIECE, EMPTY = bytes((0x01, 0x80)) + bytes(4), bytes((0x00, 0x80)) + bytes(4)  # the first piece, and empty ones
FLOODS = {
    "messages": [(TEXT, b'{"type":"part-request","key":"x"}')],
    "heartbeats": [(TEXT, b'{"type":"ping"}')],
    "pings": [(PING, b"")],
    "pongs": [(PONG, b"")],
    "pieces": [PIECE, EMPTY],
}


async def test_flood_closes_only_its_own_socket(server: Server) -> None:
    other = await Socket(server).live()

    async def flood(kind: str) -> None:
        first, *others = FLOODS[kind]
        flooding = await Socket(server).live()
        for frame in (first, *(others or [first]) * 5000):
            if isinstance(frame, bytes):
                flooding.writer.write(frame)
            else:
                flooding.raw(*frame)
        closing = asyncio.create_task(flooding.closed())  # read at once: a late reader is cut and loses the code
        await other.answers()
        assert await closing == 4005, kind

    for kind in FLOODS:
        assert await grown(server, partial(flood, kind), 10) < 10, kind


async def test_stalled_readers_are_disconnected_and_delay_no_other(server: Server) -> None:
    page = live_session(server)
    part_request = {"type": "part-request", "key": f"session_order:{page.rpartition('/')[2]}:en"}
    other = await Socket(server).live(page)
    before, slowest, closed = megabytes(server), 0.0, await counted(server, "slow_closed_total")
    viewers = [await stalled(server, page) for _ in range(STALLED)]
    for sequence in range(30):
        for number, viewer in enumerate(viewers):
            viewer.send(part_request)
            if number % 2 and sequence % 10 == 0:  # half of them keep sending: upstream's Daphne never drops these
                viewer.send('{"type":"ping"}')
        begun = time.monotonic()
        await other.answers()
        slowest = max(slowest, time.monotonic() - begun)
    sent = time.monotonic()

    async def are_closed() -> bool:
        nonlocal sent
        if time.monotonic() - sent > 1:  # keep sending: the system may buffer more
            sent = time.monotonic()
            for viewer in viewers:
                viewer.send(part_request)
        return await counted(server, "slow_closed_total") - closed >= STALLED

    await until(are_closed, "the stalled readers are disconnected", seconds=40)  # at once, or after ten seconds
    for viewer in viewers:
        viewer.writer.transport.resume_reading()
    assert Counter([await viewer.closed() for viewer in viewers]) == {LOST: STALLED}
    took_at_most(2.0, slowest, "an answer to the other viewer")
    assert megabytes(server) - before < 40


async def counted(server: Server, name: str) -> float:
    _, answer = await request(server, "/metrics")
    [line] = [line for line in answer.decode().splitlines() if line.startswith(f"parterre_{name}")]
    return float(line.rpartition(" ")[2])


async def test_public_pages_are_shorter_than_the_limit_of_waiting_bytes(server: Server) -> None:
    """Bytes sent in one turn count as waiting, and a socket with a megabyte waiting is closed."""
    live = [each for each in table() if each.access is Access.PUBLIC and not (each.plain or each.redirects)]
    public = [route.pattern for route in live if "{" not in route.pattern]
    assert len(public) > 5
    for page in (live_session(server), *public):
        status, answer = await request(server, page)
        assert status == 200, page
        assert len(answer) < WAITING_OUT_HARD / 2, page


async def reconnected(server: Server, page: str, name: bytes) -> float:
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


async def test_killed_process_starts_again_and_serves_pages_and_a_herd(server: Server) -> None:
    page = live_session(server)
    there = await Socket(server).live()
    assert await asyncio.to_thread(server.end, signal.SIGKILL) == -signal.SIGKILL
    assert await there.closed() == LOST
    await asyncio.to_thread(server.start)
    name = performer(server)
    files_allow()  # this process holds the client end of every socket
    reconnecting = [asyncio.create_task(reconnected(server, page, name)) for _ in range(HERD)]
    slowest = 0.0
    while not all(task.done() for task in reconnecting):
        begun = time.monotonic()
        status, _ = await request(server, "/participants")
        assert status == 200
        slowest = max(slowest, time.monotonic() - begun)
    took = max(await asyncio.gather(*reconnecting))
    took_at_most(BACK_WITHIN, took, f"the reconnect of {HERD} viewers")
    took_at_most(BACK_WITHIN / 2, slowest, "a page")
