"""How a process stops: one by one, in no order, everything that runs to its end, and no longer than is borne."""

import asyncio
import logging
from types import SimpleNamespace
from typing import Any

import pytest

from project import daphne_server
from project.codes import RESTART
from project.daphne_server import Bounded, Draining
from tests.project.moves import until

SOCKETS = 40
SPREAD = 0.4  # seconds


class Stopping:
    """A server with open sockets and running applications, and what happened to it in which order."""

    def __init__(self) -> None:
        self.happened: list[Any] = []
        self.moments: list[float] = []
        self.server: Any = Draining.__new__(Draining)
        self.server.ready, self.server.spread = True, SPREAD
        self.server.ports = [SimpleNamespace(stopListening=lambda: self.happened.append(("deaf", self.server.ready)))]
        self.server.stopped = self._stopped
        self.server.connections = {self._socket(number): {} for number in range(SOCKETS)}

    def _socket(self, number: int) -> Any:
        made: Any = Bounded.__new__(Bounded)
        made.state = Bounded.STATE_OPEN

        def close(code: int) -> None:
            self.happened.append((number, code))
            self.moments.append(asyncio.get_running_loop().time())

        made.sendCloseFrame = close
        return made

    async def _stopped(self) -> None:
        self.happened.append("stopped")

    def runs(self, work: Any) -> "asyncio.Task[None]":
        """Let one of the connections have an application that does this."""
        task: asyncio.Task[None] = asyncio.ensure_future(work)
        next(iter(self.server.connections.values()))["application_instance"] = task
        return task


async def test_sockets_are_closed_over_the_spread_in_no_order_after_nobody_comes_in_any_more() -> None:
    stopping = Stopping()
    began = asyncio.get_running_loop().time()
    await stopping.server.drain()
    first, *closed, last = stopping.happened
    assert (first, last) == (("deaf", False), "stopped")
    assert {code for _, code in closed} == {RESTART}
    numbers = [number for number, _ in closed]
    assert sorted(numbers) == list(range(SOCKETS)) != numbers
    for place, moment in enumerate(stopping.moments):  # later on a busy machine, never sooner
        assert moment - began >= place * SPREAD / SOCKETS * 0.99


async def test_what_runs_is_waited_for_and_what_is_held_is_let_go_last() -> None:
    stopping = Stopping()

    async def work() -> None:
        await until(lambda: len(stopping.moments) == SOCKETS)  # all are closed, and it still runs
        stopping.happened.append("done")

    stopping.runs(work())
    await stopping.server.drain()
    assert stopping.happened[-2:] == ["done", "stopped"]


async def test_what_never_ends_is_ended(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    monkeypatch.setattr(daphne_server, "LATE", 0.01)
    stopping = Stopping()
    endless = stopping.runs(asyncio.Event().wait())
    with caplog.at_level(logging.INFO):
        await stopping.server.drain()
    with pytest.raises(asyncio.CancelledError):
        await endless
    assert f"drained: {SOCKETS} sockets, 1 applications, 1 cancelled" in caplog.text
    assert stopping.happened[-1] == "stopped"
