"""Fixtures: the browser's code in one node process for the whole run, and a registry of live parts."""

import asyncio
import json
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings

from apps.core.bus.listeners import Bus
from components.runtime.rendering.live_parts import LiveParts
from tests.components.runtime.rendering.boards import Board

CLIENT = settings.ROOT / "components" / "client"
SCRIPT = Path(__file__).with_name("browser.mjs")


class Browser:
    """Calls the browser's code in its node process."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self.process = process

    def __call__(self, ask: str, **case: Any) -> Any:
        """Return its answer. Raises AssertionError with the browser's error message."""
        assert self.process.stdin
        assert self.process.stdout
        self.process.stdin.write(json.dumps({"ask": ask, **case}) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        assert line, "the browser's code ended"
        answer = json.loads(line)
        assert "error" not in answer, answer.get("error")
        return answer.get("answer")


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Yield a node process with React, jsdom and the site's client."""
    node = Path(sys.executable).with_name("node")
    command = [str(node), str(SCRIPT), str(CLIENT)]
    pipes: Any = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True, "encoding": "utf-8"}
    with subprocess.Popen(command, **pipes) as process:
        yield Browser(process)
        assert process.stdin
        process.stdin.close()


@pytest.fixture
def board() -> Board:
    return Board()


@pytest.fixture
async def parts(board: Board) -> AsyncIterator[LiveParts]:
    """Yield a registry of live parts; open reads and timers end with it."""

    async def in_thread(function: Callable[[], Any]) -> Any:
        return await asyncio.to_thread(function)

    registry = LiveParts(Bus(), in_thread)
    yield registry
    board.open.set()
    for live in registry.live.values():
        if live.timer is not None:
            live.timer.cancel()
    tasks = [live.refresh for live in registry.live.values() if live.refresh]
    await asyncio.gather(*tasks, return_exceptions=True)
