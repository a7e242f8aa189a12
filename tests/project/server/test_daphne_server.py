"""Sockets on a real web process: origins that may open one, reasons for closing, and stopping the process."""

import asyncio
import os
import re
import signal
from collections import Counter
from collections.abc import Iterator
from functools import partial
from itertools import count

import pytest

from tests.conftest import PREFIX
from tests.e2e.server import Server
from tests.servers import (
    LOST,
    PING,
    PONG,
    TEXT,
    Socket,
    database,
    database_away,
    megabytes,
    request,
    site,
)
from tests.waiting import until


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory, django_db_modify_db_settings: None) -> Iterator[Server]:
    """One web process for the tests of this module."""
    with site(tmp_path_factory.mktemp("sockets"), f"{PREFIX}{os.getpid()}_sockets") as server:
        yield server


@pytest.fixture
def server(running: Server) -> Server:
    """The web process, started again if a test stopped it."""
    if running.process is None:
        running.start()
    return running


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


@pytest.mark.parametrize("kind", FLOODS)
async def test_flood_closes_only_its_own_socket(server: Server, kind: str) -> None:
    other, flooding = await Socket(server).live(), await Socket(server).live()
    before = megabytes(server)
    first, *others = FLOODS[kind]
    for frame in (first, *(others or [first]) * 5000):
        if isinstance(frame, bytes):
            flooding.writer.write(frame)
        else:
            flooding.raw(*frame)
    closing = asyncio.create_task(flooding.closed())  # read at once: a late reader is cut and loses the code
    await other.answers()
    assert await closing == 4005
    assert megabytes(server) - before < 10


async def test_changes_during_a_lost_listen_connection_arrive(server: Server) -> None:
    socket = await Socket(server).live()
    ended = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND query ~ %s"
    with database(server) as operator:

        def is_ended() -> bool:  # a new process may not listen yet
            return operator.execute(ended, ["^(NOTIFY|LISTEN) parterre"]).fetchall() == [(True,)]

        await until(is_ended, "the connection that listens is ended")
        operator.execute("UPDATE participants SET country = 'Chile' WHERE featured")  # without a notification
    await socket.until(b"Chile")


async def test_outage_of_the_database_is_a_pause(server: Server) -> None:
    """Uncached pages answer 503, sockets stay open, and pages are served afterwards."""
    socket = await Socket(server).live()
    pages = (f"/participants?query={number}" for number in count())  # uncached addresses
    with database_away(server):
        status, answer = await request(server, next(pages))
        assert status == 503
        assert b"Retry-After: 5" in answer or b"retry-after: 5" in answer
        assert b"Traceback" not in answer
        assert b"<h1>" in answer
        await socket.answers()

    async def is_served() -> bool:
        return (await request(server, next(pages)))[0] == 200

    await until(is_served, "pages are served again")
    await socket.answers()


async def test_stop_closes_all_sockets_and_exits_with_0(server: Server) -> None:
    """Sockets close with 1012, the exit code is 0, and the log has no traceback."""
    sockets = [await Socket(server).live() for _ in range(50)]
    begun = server.log.stat().st_size
    stopping = asyncio.create_task(asyncio.to_thread(server.stop))
    codes = Counter(await asyncio.gather(*(socket.closed() for socket in sockets)))
    assert codes == {1012: 50}
    assert await stopping == 0
    assert "Traceback" not in server.said(begun)
    assert re.search(r"drained: \d+ sockets, \d+ applications, 0 cancelled", server.said(begun))


async def test_killed_process_starts_again(server: Server) -> None:
    socket = await Socket(server).live()
    assert await asyncio.to_thread(server.end, signal.SIGKILL) == -signal.SIGKILL
    assert await socket.closed() == LOST
    await asyncio.to_thread(server.start)
    await (await Socket(server).live()).answers()
