"""The page of one window with its own layout: of a signed-in viewer, or of an anonymous visitor after an event."""

import asyncio
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Protocol

from apps.accounts.actors import Viewer
from apps.live.services import Taps
from components.routes import Target
from components.runtime.page import Page, Redirect
from components.runtime.rendering.layout import HookConnection, PageLayout, with_connection
from components.runtime.rendering.live_part import frame
from components.runtime.rendering.parts import Ref
from components.site import navigated, site
from project.http.middleware import CsrfTokens
from project.observability.metrics import layouts, numbers
from project.process.web_process import process
from project.sockets.live_query import LiveQuery
from project.sockets.open_page import OpenPage, Stop
from project.sockets.shown_parts import ShownParts


class PageWindow(Protocol):
    """The part of a window (`window.py`) that its page uses."""

    scope: dict[str, Any]
    language: str
    navigation_lock: asyncio.Lock
    parts: ShownParts

    @property
    def viewer(self) -> Viewer:
        """The viewer of this window, as last read."""

    def update(self, update: dict[str, Any]) -> None:
        """Send a layout update."""

    def close_failed(self) -> None:
        """Close the socket; the browser reconnects."""

    async def navigate(
        self, path: str, versions: Mapping[str, str], number: int = 0, *, own: Any = None
    ) -> Page | Redirect:
        """Load the page at `path`. Returns it, or a Redirect that the browser must load."""


class OwnPage(CsrfTokens, OpenPage):
    """A page with a layout that only `window` shows; also the connection that the hooks of its components use."""

    posted: Mapping[str, Any] | None = None  # the answer to a command posted without JavaScript

    def __init__(self, window: PageWindow) -> None:
        super().__init__(window.scope, window.language)
        self.window = window
        self.is_silent = True  # until the window shows it
        self.sequence = 0  # the bus's before the page was read
        self.layout: PageLayout | None = None
        self.live_queries: set[LiveQuery] = set()
        self.show_page: Callable[[Page], None] | None = None

    @property
    def viewer(self) -> Viewer:  # type: ignore[override]  # as the account is now
        """The viewer of this window."""
        return self.window.viewer

    def send(self, update: dict[str, Any]) -> None:
        """Send an update to the window. A page not yet shown only sends notices to developers."""
        if not self.is_silent or update["type"] == "notice":
            self.window.update(update)

    def fail(self) -> None:
        """Close the window's socket; the browser reconnects."""
        self.window.close_failed()

    async def load(self, target: Target) -> None:
        """Load the page and subscribe to its topics."""
        await super().load(target)
        self.sequence = self.page.sequence  # a cached page is older: live queries repeat reads that have changed since

    async def render(self, first: Page | None = None) -> None:
        """Render the page: first as it was at `first`, if given, then as it is now.

        Components may hold state from their first render, so a page that replaces one of anonymous visitors repeats it.
        """
        page, sequence = self.page, self.sequence
        if first is not None:
            self.page, self.sequence = first, first.sequence
        shown = self.page
        self.layout = PageLayout(with_connection(site(), HookConnection(self.scope, self)), self.send, self.fail)
        layouts.add(self.layout)
        with numbers.render.measure():
            await self.layout.__aenter__()
        await self.layout.finish_rendering()
        if first is not None and self.page is first:
            self.page, self.sequence = page, sequence
        if self.page is not shown and self.show_page is not None:
            self.show_page(self.page)
            await self.layout.finish_rendering()

    async def reload(self, target: Target) -> None:
        """Load the page again, unless the window has navigated to another."""
        async with self.window.navigation_lock:
            if self.page.address != target.address:
                return
            await self.load(target)
            await self.window.parts.show(self.page.all_parts, {})
        if self.show_page is not None:
            self.show_page(self.page)

    async def settle(self) -> None:
        """Wait until the layout shows all data that was due when this was called."""
        assert self.layout is not None  # noqa: S101 - for mypy
        for live_query in tuple(self.live_queries):
            await live_query.current()
        await self.layout.finish_rendering()

    def model(self) -> dict[str, Any]:
        """Return the model of the whole page."""
        assert self.layout is not None  # noqa: S101 - for mypy
        return self.layout.whole_model()

    def frame(self, answer: Mapping[str, Any]) -> bytes:
        """Return the frame of the whole page, with the answer to a navigation."""
        return page_frame(self.model(), answer)

    def knows(self, target: str) -> bool:
        """Return whether an event for `target` has a handler."""
        return self.layout is not None and self.layout.knows(target)

    async def end(self) -> None:
        """End the layout, and stop following the page's topics and live queries."""
        if self.layout is not None:  # first, because an event handler in progress may still subscribe
            await self.layout.__aexit__(None, None, None)
            self.layout = self.show_page = None  # break a reference cycle here: the garbage collector runs rarely
        await super().end()
        for live_query in tuple(self.live_queries):
            self._live_query_end(live_query)

    def on_page(self, show: Callable[[Page], None]) -> None:
        """Register `show`, which is called when the page is loaded again after a change of its topics."""
        self.show_page = show

    def follow(self, topics: tuple[str, ...], read: Callable[[], Any], show: Callable[[Any], None]) -> Stop:
        """Start a live query: call `show` with the result of `read` after each change of a topic.

        Returns a function that ends it. Viewers with equal reads share one read.
        """
        live_query = LiveQuery(topics, read, show, from_replica=not self.viewer.is_signed_in)
        self.live_queries.add(live_query)
        if process.bus.changed_since(self.sequence, topics):  # between the load of the page and now
            live_query.refresh()
        return partial(self._live_query_end, live_query)

    def _live_query_end(self, live_query: LiveQuery) -> None:
        self.live_queries.discard(live_query)
        live_query.end()

    async def navigate(self, path: str, versions: Mapping[str, str]) -> Page | Redirect:
        """Load the page at `path` and follow its parts. Returns the page, or a Redirect that the browser must load."""
        return await self.window.navigate(path, versions, own=self)

    def open_part(self, ref: Ref) -> Callable[[], None]:
        """Show this part in addition to those of the page. Returns a function that closes it."""
        return self.window.parts.open_part(ref)

    async def react(self, taps: Taps) -> tuple[int, str] | None:
        """Store these taps.

        Returns the number stored and the reason why others are refused; None if the outcome is unknown.
        """
        return await process.reactions.add(taps)


def page_frame(model: dict[str, Any], answer: Mapping[str, Any]) -> bytes:
    """Return the frame of a whole page, with the answer to a navigation (`components/site.py`)."""
    return frame({"type": "layout-update", "path": "", "model": navigated(model, **answer) if answer else model})
