"""Draining a process: sockets close one by one in random order, running work ends, and the time is limited."""

import asyncio
import logging
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from project.config import ROOT
from project.limits.rates import RESTART
from project.server import daphne_server as draining
from project.server.daphne_server import EXIT_CODE, BoundedSocket, DrainingServer, drain
from tests import waiting
from tests.project.moves import until
from tests.project.small import small_site_in_thread
from tests.servers import PATIENCE, Socket, request

SOCKETS = 40
SPREAD = 0.4  # seconds


class Stopping:
    """A server with open sockets and running applications, and a record of the events while it stops."""

    def __init__(self) -> None:
        self.events: list[Any] = []
        self.moments: list[float] = []
        self.server: Any = DrainingServer.__new__(DrainingServer)
        self.server.ready, self.server.spread, self.server.proxy_forwarded_address_header = True, SPREAD, None
        self.server.ports = [SimpleNamespace(stopListening=lambda: self.events.append(("deaf", self.server.ready)))]
        self.server.on_stop = self._stopped
        self.server.connections = {self._socket(number): {} for number in range(SOCKETS)}

    def _socket(self, number: int) -> Any:
        made: Any = BoundedSocket.__new__(BoundedSocket)
        made.state = BoundedSocket.STATE_OPEN

        def close(code: int) -> None:
            self.server.connections[made]["disconnected"] = 0.0
            self.events.append((number, code))
            self.moments.append(asyncio.get_running_loop().time())

        made.sendCloseFrame = close
        return made

    async def _stopped(self) -> None:
        self.events.append("stopped")

    def runs(self, work: Any) -> "asyncio.Task[None]":
        """Give one of the connections an application that runs this work."""
        task: asyncio.Task[None] = asyncio.ensure_future(work)
        next(iter(self.server.connections.values()))["application_instance"] = task
        return task


async def test_sockets_close_in_random_order_over_the_spread_before_the_port() -> None:
    stopping = Stopping()
    began = asyncio.get_running_loop().time()
    await drain(stopping.server)
    *closed, deaf, last = stopping.events
    assert (deaf, last) == (("deaf", False), "stopped")
    assert {code for _, code in closed} == {RESTART}
    numbers = [number for number, _ in closed]
    assert sorted(numbers) == list(range(SOCKETS)) != numbers
    for place, moment in enumerate(stopping.moments):  # later on a busy machine, never sooner
        assert moment - began >= place * SPREAD / SOCKETS * 0.99


async def test_drain_waits_for_running_applications() -> None:
    stopping = Stopping()

    async def work() -> None:
        await until(lambda: len(stopping.moments) == SOCKETS)  # all sockets are closed
        stopping.events.append("done")

    stopping.runs(work())
    await drain(stopping.server)
    assert stopping.events.index("done") < stopping.events.index("stopped")


async def test_drain_cancels_endless_applications(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(draining, "LATE", 0.01)
    stopping = Stopping()
    endless = stopping.runs(asyncio.Event().wait())
    with caplog.at_level(logging.INFO):
        await drain(stopping.server)
    with pytest.raises(asyncio.CancelledError):
        await endless
    assert f"drained: {SOCKETS} sockets, 1 applications, 1 cancelled" in caplog.text
    assert stopping.events[-1] == "stopped"


async def head_of(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, path: str) -> bytes:
    """Send a request over a keep-alive connection, and return the head of the answer."""
    writer.write(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
    async with asyncio.timeout(PATIENCE):
        head = await reader.readuntil(b"\r\n\r\n")
        await reader.readexactly(int(head.lower().partition(b"content-length: ")[2].split(b"\r\n")[0]))
    return head.lower()


@pytest.mark.django_db(transaction=True)
async def test_draining_process_answers_each_connection_once_and_opens_no_socket(tmp_path: Path) -> None:
    async with small_site_in_thread(tmp_path, DRAIN_SECONDS="600") as small:
        viewers = [await Socket(small).live() for _ in range(2)]
        kept = [await asyncio.open_connection("127.0.0.1", small.port) for _ in range(2)]
        for each in kept:
            assert b"connection:" not in await head_of(*each, "/login")
        assert small.process
        small.process.terminate()

        async def is_draining() -> bool:
            status, answer = await request(small, "/readyz")
            return status == 503 and answer.endswith(b"\r\n\r\ndraining\n")

        await waiting.until(is_draining, "the process is draining")
        for reader, writer in (*kept, await asyncio.open_connection("127.0.0.1", small.port)):
            head = await head_of(reader, writer, "/login")
            assert head.startswith(b"http/1.1 200 ")
            assert b"\r\nconnection: close\r\n" in head
            assert await reader.read() == b"", "the connection is closed"
        refused = await Socket(small).open("/")
        assert refused.head.startswith(b"HTTP/1.1 503 ")
        closing = [asyncio.create_task(viewer.closed()) for viewer in viewers]
        first, _ = await asyncio.wait(closing, return_when="FIRST_COMPLETED")
        assert {task.result() for task in first} == {RESTART}
    assert "Traceback" not in small.text


def test_endless_thread_does_not_keep_the_process() -> None:
    script = """
import threading
import project.asgi
from project.server import daphne_server
daphne_server.exit_later(0.1)
threading.Thread(target=threading.Event().wait).start()
"""
    ended = subprocess.run([sys.executable, "-c", script], cwd=ROOT, timeout=PATIENCE, check=False)
    assert ended.returncode == EXIT_CODE
