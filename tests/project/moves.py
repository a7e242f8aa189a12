"""Small steps that tests of sockets share."""

import asyncio
from collections.abc import Callable
from typing import Any

from tests.project.pages import Board


async def entered(board: Board) -> None:
    """Wait until a held read has begun."""
    assert await asyncio.to_thread(board.entered.acquire, timeout=20)


async def until(holds: Callable[[], bool]) -> None:
    """Run the event loop until the condition is true."""
    async with asyncio.timeout(20):
        while not holds():
            await loop_turn()


async def loop_turn() -> None:
    """Let all other callbacks that are ready run once."""
    waiting = asyncio.Event()
    asyncio.get_running_loop().call_soon(waiting.set)
    await waiting.wait()


async def close_code(screen: Any) -> int:
    """Wait until the server closes this screen's socket, and return the code."""
    await until(lambda: screen.closed is not None)
    return int(screen.closed)


def navigation_target(screen: Any) -> str:
    """Return the target of the page's navigation handler."""
    return str(screen._navigation["eventHandlers"]["onNavigate"]["target"])
