"""A sign-out or a change of rights reaches every window of the account within a second, on every process."""

import asyncio
import os
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator
from functools import partial

import pytest
from pytest_django.plugin import DjangoDbBlocker

from project.config import ROOT
from project.limits.rates import RESTART, SIGNED_OUT
from tests.conftest import PREFIX
from tests.e2e import content
from tests.e2e.accounts import LISTENER, session_begin
from tests.e2e.server import Server, demo_database
from tests.servers import SOON, Socket, request
from tests.timing import deadline

WITHIN = deadline(1.0, SOON)  # seconds after the commit


@pytest.fixture(scope="module")
def database(django_db_modify_db_settings: None) -> Iterator[tuple[str, str]]:
    """The name and the address of a database with the demo competition."""
    name = f"{PREFIX}{os.getpid()}_push"
    with demo_database(name) as address:
        yield name, address


@pytest.fixture(scope="module")
def servers(database: tuple[str, str], tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Server]]:
    """Two web processes on one database."""
    made = [Server(tmp_path_factory.mktemp("one"), database[1]), Server(tmp_path_factory.mktemp("two"), database[1])]
    try:
        for server in made:
            server.start()
        yield made
    finally:
        for server in made:
            server.kill()


@pytest.fixture
def desk(
    database: tuple[str, str], servers: list[Server], django_db_blocker: DjangoDbBlocker
) -> Iterator[content.Desk]:
    """A desk that calls services on that database in this process, which is a third one."""
    made = content.Desk(database[0], django_db_blocker.unblock)
    yield made
    made.leave()


def terminal(server: Server, *words: str) -> None:
    command = [sys.executable, "manage.py", *words]
    subprocess.run(command, cwd=ROOT, env=server.environment, check=True, stdout=subprocess.DEVNULL)


async def windows(servers: list[Server], key: str, path: str = "/") -> list[Socket]:
    """Open a window of this session on each process."""
    return [await Socket(server).live(path, cookie=f"session={key}") for server in servers]


async def codes(opened: list[Socket], change: Callable[[], Awaitable[object]]) -> list[int]:
    """Make the change, and return the codes with which the windows close before the periodic check."""
    closing = [asyncio.create_task(each.closed(60)) for each in opened]
    await change()
    return await asyncio.wait_for(asyncio.gather(*closing), WITHIN)


def in_thread(work: Callable[[], object]) -> Callable[[], Awaitable[object]]:
    return lambda: asyncio.to_thread(work)


async def test_rights_changed_at_a_terminal_reach_both_processes(servers: list[Server], desk: content.Desk) -> None:
    key = await asyncio.to_thread(lambda: desk.do(session_begin, LISTENER))
    for action, status in (("grant", 200), ("revoke", 302)):
        opened = await windows(servers, key)
        change = in_thread(partial(terminal, servers[0], "admin", action, LISTENER))
        assert await codes(opened, change) == [RESTART, RESTART]
        assert [(await request(each, "/admin", cookie=f"session={key}"))[0] for each in servers] == [status, status]


async def test_sign_out_closes_the_windows_of_the_session_in_both_processes(
    servers: list[Server], desk: content.Desk
) -> None:
    key = await asyncio.to_thread(lambda: desk.do(session_begin, LISTENER))
    other = await asyncio.to_thread(lambda: desk.do(session_begin, LISTENER))
    opened, staying = await windows(servers, key), await windows(servers, other)
    leave = partial(request, servers[0], "/sign-out", "POST", cookie=f"session={key}", origin=servers[0].address)
    assert await codes(opened, leave) == [SIGNED_OUT, SIGNED_OUT]
    for window in staying:
        await window.answers()
        window.leave()
