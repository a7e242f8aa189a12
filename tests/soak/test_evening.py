"""A long session with hundreds of viewers, performer changes and lost database connections: no change is lost."""

import asyncio
import json
import os
import re
import time

from tests.e2e.server import Server
from tests.project.server.test_full_house import live_session, perform
from tests.rendering import named
from tests.servers import PING, PONG, TEXT, Socket, database, megabytes, request

VIEWERS = 300
SECONDS = int(os.environ.get("EVENING", "180"))
GROWTH = 25  # megabytes
SHARED_PARTS = 15  # the least number of parts of a viewer: of the page, and the means of each row that was on stage
BEAT = 25  # seconds between two heartbeats of a browser
HEARTBEAT = '{"type":"ping"}'


def versions_in(page: bytes) -> dict[str, str]:
    """Return the versions of the parts in the HTML of a page view."""
    return dict(re.findall(r'data-part="([^"]+)" data-version="([^"]+)"', page.decode()))


class Viewer:
    """A viewer that tracks the versions of its parts, and the parts that it has requested."""

    def __init__(self, socket: Socket) -> None:
        self.socket = socket
        self.versions: dict[str, str] = {}
        self.requested: set[str] = set()

    async def follow(self) -> None:
        """Track the versions as the browser does. A change from another version shows that a change was lost."""
        beat = time.monotonic()
        while True:
            kind, data = await self.socket.frame()
            message = json.loads(data) if kind == TEXT else {}
            if kind == PING:
                self.socket.raw(PONG, data)
            for part in map(named, message if isinstance(message, list) else ()):
                key = part["key"]
                assert "model" in part or self.versions.get(key) == part["from"], "a change was lost"
                assert key not in self.requested or self.versions[key] == part["to"], "the version was not current"
                self.versions[key] = part["to"]
                self.requested.discard(key)
            # Frames come in order: a requested part without a frame before the pong is no longer shown.
            if isinstance(message, dict) and message.get("type") == "pong":
                for key in self.requested:
                    del self.versions[key]
                self.requested.clear()
            if time.monotonic() - beat > BEAT:
                self.socket.send(HEARTBEAT)
                beat = time.monotonic()

    def is_current(self, newest: dict[str, str]) -> bool:
        """Return whether the viewer has all parts of a page view, except the row that is open for new viewers."""
        shown = {key: version for key, version in newest.items() if key in self.versions}
        return len(shown) >= SHARED_PARTS and shown.items() <= self.versions.items()

    def request(self, newest: dict[str, str]) -> None:
        """Request the parts that are not current. The server sends those that this viewer still shows."""
        self.requested = {key for key, version in newest.items() if self.versions.get(key, version) != version}
        for key in self.requested:
            self.socket.send(json.dumps({"type": "part-request", "key": key}))
        self.socket.send(HEARTBEAT)


async def test_no_change_is_lost_during_an_evening(server: Server) -> None:
    page = live_session(server)
    viewers = [Viewer(await Socket(server).open(page)) for _ in range(VIEWERS)]
    following = [asyncio.create_task(viewer.follow()) for viewer in viewers]
    kill = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND query ~ %s"
    began, before, changes = time.monotonic(), 0, 0
    while time.monotonic() - began < SECONDS:
        await asyncio.to_thread(perform, server, 1 + changes % 11)
        changes += 1
        if changes == 3:  # caches and lazy imports are filled
            before = megabytes(server)
        if changes % 50 == 0:
            with database(server) as operator:
                operator.execute(kill, ["^(NOTIFY|LISTEN) parterre"])
        assert not [task for task in following if task.done()]
    await all_current(server, page, viewers, following)
    assert megabytes(server) - before < GROWTH


async def all_current(server: Server, page: str, viewers: list[Viewer], following: list[asyncio.Task[None]]) -> None:
    """Wait until all viewers are current. After 10 s, request their outdated parts, which must be no longer shown."""
    begun, has_requested = time.monotonic(), False
    while True:
        _, answer = await request(server, page)
        newest = versions_in(answer)
        for task in following:
            if task.done():
                task.result()
        if not (late := [viewer for viewer in viewers if not viewer.is_current(newest)]):
            return
        waited = time.monotonic() - begun
        assert waited < 20, [(key, late[0].versions.get(key), version) for key, version in newest.items()]
        if waited > 10 and not has_requested:
            has_requested = True
            for viewer in late:
                viewer.request(newest)
