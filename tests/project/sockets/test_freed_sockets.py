"""Sockets of a real process without garbage collection: an ended connection leaves no garbage."""

import asyncio
import json
import os
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import pytest

from project.limits.rates import BAD_FRAME, NEW_VERSION, SIGNED_OUT
from tests.conftest import PREFIX
from tests.e2e.server import Server, demo_database
from tests.project.server.test_full_house import HALL, live_session
from tests.servers import CLOSE, PATIENCE, Socket, database, request

VIEWERS = 3  # repetitions of each kind of visit


class Uncollected(Server):
    """The site with garbage collection disabled."""

    module = "tests.project.sockets.uncollected"


@pytest.fixture
def server(tmp_path: Path, django_db_modify_db_settings: None) -> Iterator[Server]:
    """Start a process with the demo competition."""
    with demo_database(f"{PREFIX}{os.getpid()}_freed") as address:
        made = Uncollected(tmp_path, address, **HALL)
        try:
            made.start()
            yield made
        finally:
            made.kill()


async def navigates(server: Server, page: str) -> None:
    """Open the page, navigate to another page, and close the window."""
    viewer = await Socket(server).open(page)
    target = re.search(rb'"target":"([^"]*:onNavigate)"', await viewer.until(b'"layout-update"', PATIENCE))
    assert target
    event = {"path": "/participants", "versions": {}, "number": 1}
    viewer.send({"type": "layout-event", "target": target[1].decode(), "data": [event]})
    await viewer.until(b'"number":1')
    viewer.raw(CLOSE, b"\x03\xe9")
    await viewer.closed()
    viewer.writer.close()


async def opens_all(server: Server, page: str) -> None:
    """Open every row of the running order (parts of this window alone), and drop the connection."""
    viewer = await Socket(server).open(page)
    target = re.search(rb'"target":"([^"]*:order_open)"', await viewer.until(b'"layout-update"', PATIENCE))
    assert target
    viewer.send({"type": "layout-event", "target": target[1].decode(), "data": ["all"]})
    with database(server) as operator:
        last = "SELECT id, participant_id FROM session_participants WHERE session_id = %s ORDER BY order_number DESC"
        appearance = operator.execute(last, [page.rpartition("/")[2]]).fetchone()
    assert appearance
    await viewer.until(b'["performance_panel:%d:%d:' % appearance, PATIENCE)
    await viewer.answers()
    viewer.leave()


async def is_cut(server: Server, page: str) -> None:
    """Wait for the live page, and drop the connection."""
    (await Socket(server).live(page)).leave()


async def leaves_at_once(server: Server, page: str) -> None:
    """Drop the connection before the first layout update."""
    (await Socket(server).open(page)).leave()


async def sends_bad_frame(server: Server, page: str) -> None:
    """Send a malformed frame; the server closes the socket."""
    viewer = await Socket(server).live(page)
    viewer.send("{")
    assert await viewer.closed() == BAD_FRAME
    viewer.writer.close()


async def is_foreign(server: Server, page: str) -> None:
    """Send a foreign origin; the server refuses the handshake."""
    viewer = await Socket(server).open(page, origin="http://other.example")
    assert not viewer.accepted
    viewer.leave()


async def is_old(server: Server, page: str) -> None:
    """Send another protocol version; the server closes the socket."""
    viewer = await Socket(server).open(page, protocol="0")
    assert await viewer.closed() == NEW_VERSION
    viewer.writer.close()


async def was_signed_in(server: Server, page: str) -> None:
    """Open the socket of a form page made for a signed-in viewer; the server closes it."""
    viewer = await Socket(server).open(page, viewer_state="1-00")
    assert await viewer.closed() == SIGNED_OUT
    viewer.writer.close()


async def breaks_off(server: Server, _page: str) -> None:
    """Send half a handshake, and abort the connection."""
    _, writer = await asyncio.open_connection("127.0.0.1", server.port)
    writer.write(b"GET /live/ HTTP/1.1\r\nUpgrade: websocket\r\n")
    await writer.drain()
    writer.transport.abort()


async def reads(server: Server, page: str) -> None:
    """Request an uncached page and a missing page by HTTP."""
    assert (await request(server, f"{page}?x={uuid4().hex}"))[0] == 200
    assert (await request(server, f"/{uuid4().hex}"))[0] == 302


VISITS = (
    navigates, opens_all, is_cut, leaves_at_once, sends_bad_frame, is_foreign, is_old, was_signed_in, breaks_off,
    reads,
)  # fmt: skip


async def test_ended_connections_leave_no_garbage(server: Server) -> None:
    page = live_session(server)
    for visit in VISITS:
        await visit(server, page)
    await garbage_of(server)  # discard what is created once: imports, texts, the first connections
    for _attempt in range(3):  # what is left each time; on a busy machine a single connection may end by an exception
        for visit in VISITS * VIEWERS:
            await visit(server, page)
        left = await garbage_of(server)
        if left.total() < VIEWERS:
            return
    raise AssertionError(left)


async def garbage_of(server: Server) -> Counter[str]:
    """Wait until this request's connection is the only one. Return the objects that only a collection has freed."""
    garbage: Counter[str] = Counter()
    async with asyncio.timeout(PATIENCE):
        while True:
            _, answer = await request(server, "/garbage")
            counts = json.loads(answer.partition(b"\r\n\r\n")[2])
            garbage.update(counts["garbage"])
            if counts["alive"] == {"HTTPChannel": 1, "BoundedRequest": 1}:
                return garbage
