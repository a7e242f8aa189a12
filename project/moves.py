"""Where one viewer wants to go: one page is loaded at a time, and of those asked for meanwhile only the newest."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from project.frames import LayoutEvent

NAVIGATION = ":onNavigate"  # ends the target of a page's navigation (components/site.py)


class Moves:
    """Hands one navigation on at a time; whoever has handled it says `arrived`."""

    def __init__(self, deliver: Callable[[dict[str, Any]], Awaitable[None]]) -> None:
        self.deliver = deliver
        self.newest: LayoutEvent | None = None
        self.there = asyncio.Event()
        self.task: asyncio.Task[None] | None = None

    def ask(self, event: LayoutEvent) -> None:
        """Go there, unless the viewer thinks of something else before; what no client of ours sends is ignored."""
        match event.message["data"]:
            case [{"path": str()}]:
                self.newest = event
            case _:
                return
        if self.task is None:
            self.task = asyncio.create_task(self._run())

    def arrived(self) -> None:
        """The present navigation was handled, whatever came of it."""
        self.there.set()

    def end(self) -> None:
        """Go nowhere any more."""
        if self.task is not None:
            self.task.cancel()

    async def _run(self) -> None:
        try:
            while (event := self.newest) is not None:
                self.newest = None
                self.there.clear()
                await self.deliver(event.message)
                await self.there.wait()
        finally:
            self.task = None
