"""An evening with a full house: hundreds follow, the performer moves, connections are lost, clients fall silent."""

import asyncio
import json
import os
import re
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import PREFIX
from tests.e2e import content
from tests.e2e.server import Server
from tests.project.server.test_full_house import HALL, live_session, perform
from tests.servers import PING, PONG, TEXT, Socket, database, megabytes, request

VIEWERS = 300
SECONDS = int(os.environ.get("EVENING", "180"))
GROWTH = 25  # megabytes
EVERYBODY_HAS = 15  # parts at least: those of the page, and means of every row that was on stage
BEAT = 25  # seconds between two heartbeats of a browser


@pytest.fixture
def server(django_db_modify_db_settings: None, tmp_path: Path) -> Iterator[Server]:
    """A web process with the demo competition."""
    with content.database(f"{PREFIX}{os.getpid()}_soak") as address:
        made = Server(tmp_path, address, **HALL)
        try:
            made.start()
            yield made
        finally:
            made.kill()


def truth(page: bytes) -> dict[str, str]:
    """The versions that a page view names."""
    return dict(re.findall(r'data-part="([^"]+)" data-version="([^"]+)"', page.decode()))


def is_current(versions: dict[str, str], wanted: dict[str, str]) -> bool:
    """Whether this viewer has all that a page view shows, but for the row that is open for whoever comes now."""
    here = {key: version for key, version in wanted.items() if key in versions}
    return len(here) >= EVERYBODY_HAS and here.items() <= versions.items()


async def follow(viewer: Socket, versions: dict[str, str]) -> None:
    """Keep this viewer's versions as the browser does; a change that starts from another one is a lost change."""
    beat = time.monotonic()
    while True:
        kind, data = await viewer.frame()
        message = json.loads(data) if kind == TEXT else {}
        if kind == PING:
            viewer.raw(PONG, data)
        if message.get("type") == "part":
            assert "model" in message or versions.get(message["key"]) == message["from"], "a change was lost"
            versions[message["key"]] = message["to"]
        if time.monotonic() - beat > BEAT:
            viewer.send('{"type":"ping"}')
            beat = time.monotonic()


async def test_an_evening(server: Server) -> None:
    page = live_session(server)
    house = [(await Socket(server).open(page), dict[str, str]()) for _ in range(VIEWERS)]
    following = [asyncio.create_task(follow(viewer, versions)) for viewer, versions in house]
    ended = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND query ~ %s"
    began, before, changes = time.monotonic(), 0, 0
    while time.monotonic() - began < SECONDS:
        await asyncio.to_thread(perform, server, 1 + changes % 11)
        changes += 1
        if changes == 3:  # what is made on first use is made
            before = megabytes(server)
        if changes % 50 == 0:
            with database(server) as operator:
                operator.execute(ended, ["^(NOTIFY|LISTEN) parterre"])
        assert not [task for task in following if task.done()]
    async with asyncio.timeout(20):
        while True:
            _, answer = await request(server, page)
            if all(is_current(versions, truth(answer)) for _, versions in house):
                break
    assert megabytes(server) - before < GROWTH
