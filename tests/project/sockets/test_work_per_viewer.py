"""The work that a change causes for each further viewer, counted in Python functions of the project.

A count does not depend on the machine. Before sockets were grouped by the parts that they show, it was 27.
"""

import asyncio
import sys
from collections import Counter
from collections.abc import Awaitable, Callable
from functools import partial
from types import FrameType
from typing import Any

import pytest

from apps.accounts.actors import OPERATOR
from apps.competition.services.live import performer_set
from apps.core.threads import in_thread
from project.config import ROOT
from project.http.middleware import SOCKET, public_origin
from project.process.web_process import process
from project.sockets.page_socket import PageSocket
from tests.components.conftest import busy_session_with
from tests.components.runtime.rendering.boards import unframed
from tests.project.moves import until
from tests.project.server.test_bounded import Pipe, socket_on
from tests.serving import serving

pytestmark = pytest.mark.django_db(transaction=True)

FEW, MANY = 10, 56  # viewers; more between them than there are parts, about 30
NEEDED = {"BoundedSocket.send_latest", "BoundedSocket.send_prepared"}
PACKAGES = tuple(f"{ROOT}/{package}/" for package in ("apps", "components", "project"))


class Viewers:
    """Anonymous viewers of one page, each with a real socket class on a pipe that takes everything."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.pipes: list[Pipe] = []
        self.incoming: list[asyncio.Queue[dict[str, Any]]] = []
        self.serving: list[asyncio.Task[None]] = []

    async def grow(self, number: int) -> None:
        """Add viewers up to `number`, and wait until each has its page."""
        while len(self.pipes) < number:
            pipe, incoming = Pipe(), asyncio.Queue[dict[str, Any]]()
            socket, _ = socket_on(pipe)
            query = f"protocol=3&path={self.path}".encode()
            headers = [(b"origin", public_origin().encode())]
            scope = {"type": "websocket", "path": "/ws", "client": ["127.0.0.1", 0]}
            scope |= {"query_string": query, "headers": headers}
            incoming.put_nowait({"type": "websocket.connect"})
            socket_page = PageSocket(scope | {"extensions": {SOCKET: socket}}, incoming.get, self._accepted)
            self.serving.append(asyncio.create_task(socket_page.run()))
            await until(lambda pipe=pipe: any(b'"layout-update"' in data for data in pipe.read))  # type: ignore[misc]
            self.pipes.append(pipe)
            self.incoming.append(incoming)

    async def leave(self) -> None:
        for incoming in self.incoming:
            incoming.put_nowait({"type": "websocket.disconnect", "code": 1001})
        await asyncio.gather(*self.serving)

    @staticmethod
    async def _accepted(_message: dict[str, Any]) -> None:
        """Ignore the acceptance."""


async def delivered(viewers: Viewers, change: Callable[[], Awaitable[None]], name: str) -> "Counter[str]":
    """Change something; return the calls in this thread until all viewers have the change, by function."""
    calls: Counter[str] = Counter()

    def count(frame: FrameType, event: str, _: object) -> None:
        if event == "call" and frame.f_code.co_filename.startswith(PACKAGES):
            calls[frame.f_code.co_qualname] += 1

    for live in process.parts.live.values():  # no paced part waits, and no part is read for another reason
        live.next_read = 0.0
        if live.timer is not None:
            live.timer.cancel()
            live.timer = None
    before = [len(pipe.read) for pipe in viewers.pipes]
    sys.setprofile(count)
    try:
        await change()
        await until(lambda: all(map(int.__lt__, before, (len(pipe.read) for pipe in viewers.pipes))))
        await until(lambda: not any(live.refresh for live in process.parts.live.values()))
    finally:
        sys.setprofile(None)
    assert {len(pipe.read) - number for pipe, number in zip(viewers.pipes, before, strict=True)} == {1}, "one frame"
    assert {unframed(pipe.read[-1])[1] for pipe in viewers.pipes} == {b""}
    assert all(name.encode() in pipe.read[-1] for pipe in viewers.pipes)
    return calls


async def test_change_of_performer_costs_one_frame_and_two_calls_for_each_viewer() -> None:
    session = await in_thread(lambda: busy_session_with(12))
    viewers = Viewers(f"/sessions/{session.session.pk}")
    counted: dict[int, Counter[str]] = {}
    async with serving():
        for number in (FEW, MANY):
            await viewers.grow(number)
            for appearance in session.appearances[3:7]:  # each has its own parts; the first change fills caches
                name = await in_thread(lambda appearance=appearance: appearance.participant.second_name)
                counted[number] = await delivered(viewers, partial(_perform, appearance.pk), name)
        await viewers.leave()
    more = counted[MANY] - counted[FEW]
    # a group that is renewed once more calls some functions once for each part, of which there are about 30
    by_viewer = {name: count for name, count in more.items() if count > (MANY - FEW) * 0.9}
    assert by_viewer == dict.fromkeys(NEEDED, MANY - FEW), more.most_common(10)


async def _perform(appearance: int) -> None:
    await in_thread(lambda: performer_set(actor=OPERATOR, appearance_id=appearance))
