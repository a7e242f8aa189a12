"""Draining a process: sockets close one by one in random order, running work ends, and the time is limited."""

import asyncio
import logging
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from django.db import connection

from project.config import ROOT
from project.limits.rates import RESTART
from project.server import daphne_server as draining
from project.server.daphne_server import EXIT_CODE, BoundedSocket, DrainingServer, drain
from tests.e2e import content
from tests.project.moves import until
from tests.project.small import Small
from tests.servers import PATIENCE, Socket, request

SOCKETS = 40
SPREAD = 0.4  # seconds


class Stopping:
    """A server with open sockets and running applications, and a record of the events while it stops."""

    def __init__(self) -> None:
        self.happened: list[Any] = []
        self.moments: list[float] = []
        self.server: Any = DrainingServer.__new__(DrainingServer)
        self.server.ready, self.server.spread, self.server.proxy_forwarded_address_header = True, SPREAD, None
        self.server.ports = [SimpleNamespace(stopListening=lambda: self.happened.append(("deaf", self.server.ready)))]
        self.server.on_stop = self._stopped
        self.server.connections = {self._socket(number): {} for number in range(SOCKETS)}

    def _socket(self, number: int) -> Any:
        made: Any = BoundedSocket.__new__(BoundedSocket)
        made.state = BoundedSocket.STATE_OPEN

        def close(code: int) -> None:
            self.server.connections[made]["disconnected"] = 0.0
            self.happened.append((number, code))
            self.moments.append(asyncio.get_running_loop().time())

        made.sendCloseFrame = close
        return made

    async def _stopped(self) -> None:
        self.happened.append("stopped")

    def runs(self, work: Any) -> "asyncio.Task[None]":
        """Give one of the connections an application that runs this work."""
        task: asyncio.Task[None] = asyncio.ensure_future(work)
        next(iter(self.server.connections.values()))["application_instance"] = task
        return task


async def test_sockets_are_closed_over_the_spread_in_no_order_before_nobody_is_heard_any_more() -> None:
    stopping = Stopping()
    began = asyncio.get_running_loop().time()
    await drain(stopping.server)
    *closed, deaf, last = stopping.happened
    assert (deaf, last) == (("deaf", False), "stopped")
    assert {code for _, code in closed} == {RESTART}
    numbers = [number for number, _ in closed]
    assert sorted(numbers) == list(range(SOCKETS)) != numbers
    for place, moment in enumerate(stopping.moments):  # later on a busy machine, never sooner
        assert moment - began >= place * SPREAD / SOCKETS * 0.99


async def test_what_runs_is_waited_for_and_what_is_held_is_let_go_last() -> None:
    stopping = Stopping()

    async def work() -> None:
        await until(lambda: len(stopping.moments) == SOCKETS)  # all sockets are closed
        stopping.happened.append("done")

    stopping.runs(work())
    await drain(stopping.server)
    assert stopping.happened.index("done") < stopping.happened.index("stopped")


async def test_what_never_ends_is_ended(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    monkeypatch.setattr(draining, "LATE", 0.01)
    stopping = Stopping()
    endless = stopping.runs(asyncio.Event().wait())
    with caplog.at_level(logging.INFO):
        await drain(stopping.server)
    with pytest.raises(asyncio.CancelledError):
        await endless
    assert f"drained: {SOCKETS} sockets, 1 applications, 1 cancelled" in caplog.text
    assert stopping.happened[-1] == "stopped"


async def asked(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, path: str) -> bytes:
    """Send a request over a keep-alive connection, and return the head of the answer."""
    writer.write(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
    async with asyncio.timeout(PATIENCE):
        head = await reader.readuntil(b"\r\n\r\n")
        await reader.readexactly(int(head.lower().partition(b"content-length: ")[2].split(b"\r\n")[0]))
    return head.lower()


@pytest.mark.django_db(transaction=True)
async def test_a_process_that_drains_answers_pages_once_more_and_takes_no_socket(tmp_path: Path) -> None:
    small = Small(tmp_path, content.address(connection.settings_dict["NAME"]), DRAIN_SECONDS="600")
    try:
        await asyncio.to_thread(small.start)
        viewers = [await Socket(small).live() for _ in range(2)]
        kept = [await asyncio.open_connection("127.0.0.1", small.port) for _ in range(2)]
        for each in kept:
            assert b"connection:" not in await asked(*each, "/login")
        assert small.process
        small.process.terminate()
        async with asyncio.timeout(PATIENCE):
            while b"draining" not in (await request(small, "/readyz"))[1]:
                continue
        for reader, writer in (*kept, await asyncio.open_connection("127.0.0.1", small.port)):
            head = await asked(reader, writer, "/login")
            assert head.startswith(b"http/1.1 200 ")
            assert b"\r\nconnection: close\r\n" in head
            assert await reader.read() == b"", "nothing more is asked over it"
        refused = await Socket(small).open("/")
        assert refused.head.startswith(b"HTTP/1.1 503 ")
        first, _ = await asyncio.wait(
            [asyncio.create_task(viewer.closed()) for viewer in viewers], return_when="FIRST_COMPLETED"
        )
        assert {task.result() for task in first} == {RESTART}
    finally:
        await asyncio.to_thread(small.leave)
    assert "Traceback" not in small.text


def test_a_thread_that_never_ends_keeps_no_process() -> None:
    script = """
import threading
import project.asgi
from project.server import daphne_server
daphne_server.exit_later(0.1)
threading.Thread(target=threading.Event().wait).start()
"""
    ended = subprocess.run([sys.executable, "-c", script], cwd=ROOT, timeout=PATIENCE, check=False)
    assert ended.returncode == EXIT_CODE
