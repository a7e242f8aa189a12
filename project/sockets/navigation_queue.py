"""The navigations of one socket: one page loads at a time, and only the newest waiting request is kept."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

from apps.core.texts import texts
from components.routes import is_search
from components.runtime.rendering.live_part import frame
from project.limits.connections import NavigationRate
from project.process.frames import LayoutEvent
from project.process.web_process import process

UNNOTICED = 0.3  # seconds of a wait below which the browser shows no notice
SENTENCE = "That was a little fast. What you asked for comes in a moment."
NAVIGATION = ":onNavigate"  # suffix of the target of a page's navigation (components/site.py)
Deliver = Callable[[dict[str, Any]], Awaitable[None]]


class NavigationQueue:
    """Passes one navigation at a time to `deliver`; the window calls `finish` after each.

    A request above the rate limit of its window or address waits, and `send` writes a frame with a notice. A newer
    request replaces a waiting one.
    """

    def __init__(self, send: Callable[[bytes], None], deliver: Deliver, address: str, language: str) -> None:
        self.send, self.deliver, self.language = send, deliver, language
        self.rate = NavigationRate(process.connection_limits, address)
        self.next_request: tuple[str, LayoutEvent] | None = None  # with its path
        self.is_signed_in = False
        self.newer_request: asyncio.Event | None = None  # set by a request that arrives while an older one waits
        self.completion = asyncio.Event()
        self.task: asyncio.Task[None] | None = None

    def ask(self, event: LayoutEvent, *, is_signed_in: bool) -> None:
        """Queue the navigation of `event` in place of any waiting one.

        Ignores data that the site's client never sends.
        """
        match event.message["data"]:
            case [{"path": str(path)}]:
                self.next_request, self.is_signed_in = (path, event), is_signed_in
                if self.newer_request is not None:
                    self.newer_request.set()
            case _:
                return
        if self.task is None:
            self.task = asyncio.create_task(self._run())

    def finish(self) -> None:
        """Mark the current navigation as handled, even if it failed."""
        self.completion.set()

    def end(self) -> None:
        """Stop, because the socket is closed."""
        if self.task is not None:
            self.task.cancel()
            self.task = None  # a task cancelled before its first step does not clear itself

    async def _run(self) -> None:
        try:
            while self.next_request is not None:
                path, event = self.next_request
                if seconds := self.rate.wait(is_search=is_search(path), is_signed_in=self.is_signed_in):
                    await self._wait(seconds)
                    continue
                self.next_request = None
                self.completion.clear()
                await self.deliver(event.message)
                await self.completion.wait()
        finally:
            self.task = None

    async def _wait(self, seconds: float) -> None:
        """Wait `seconds`, or until a newer request arrives. Above UNNOTICED, send a notice to the browser."""
        if seconds > UNNOTICED:
            self.send(frame({"type": "wait", "text": texts(self.language)(SENTENCE)}))
        self.newer_request = asyncio.Event()
        with suppress(TimeoutError):
            await asyncio.wait_for(self.newer_request.wait(), seconds)
        self.newer_request = None
