"""An open page: loaded, kept current by its topics, with the layout that shows it."""

import asyncio
import logging
from collections.abc import Callable, Iterable, Mapping
from contextvars import copy_context
from functools import partial
from typing import Any, Protocol

from apps.accounts.actors import Viewer
from apps.core.observability import RequestContext, request_context
from components.routes import Target
from components.runtime.page import Page, Redirect
from components.runtime.rendering.layout import HookConnection, PageLayout, with_connection
from components.runtime.rendering.live_part import frame
from components.site import navigated, site
from project.http.page_cache import page_load
from project.observability.metrics import layouts, numbers
from project.process.web_process import process
from project.sockets.live_query import LiveQuery
from project.sockets.shown_parts import ShownParts

log = logging.getLogger(__name__)
Headers = Iterable[tuple[bytes, bytes]]
Stop = Callable[[], None]


class PageWindow(Protocol):
    """The part of a window (`window.py`) that its open page uses."""

    scope: dict[str, Any]
    language: str
    navigation_lock: asyncio.Lock
    parts: ShownParts

    @property
    def viewer(self) -> Viewer:
        """The viewer of this window, as last read."""

    def send(self, prepared: bytes) -> None:
        """Send an encoded frame."""

    def update(self, update: dict[str, Any]) -> None:
        """Send a layout update."""

    def close_failed(self) -> None:
        """Close the socket; the browser reconnects."""

    async def navigate(
        self, path: str, versions: Mapping[str, str], number: int = 0, *, own: Any = None
    ) -> Page | Redirect:
        """Load the page at `path`. Returns it, or a Redirect that the browser must load."""

    async def follow_parts(self, page: Any) -> None:
        """Follow the parts of this page if the window still shows it."""


class OpenPage:
    """The common part of a window's own page and the shared page; also the connection that components use."""

    viewer: Viewer
    posted: Mapping[str, Any] | None = None  # the answer to a command posted without JavaScript

    def __init__(self, scope: dict[str, Any], language: str) -> None:
        self.scope, self.language = scope, language
        self.target: Target
        self.page: Page
        self.sequence = 0  # the bus's sequence before the page was loaded
        self.layout: PageLayout | None = None
        self.page_stops: list[Stop] = []
        self.live_queries: set[LiveQuery] = set()
        self.show_page: Callable[[Page], None] | None = None
        self.reload_task: asyncio.Task[None] | None = None
        self.outdated_target: Target | None = None
        self.context = copy_context()  # log records of work that the bus starts carry the page's context

    def send(self, update: dict[str, Any]) -> None:
        """Send a layout update to the viewers of the page."""
        raise NotImplementedError

    def fail(self) -> None:
        """Close the sockets of the page after an error; their browsers reconnect and request everything."""
        raise NotImplementedError

    async def reload(self, target: Target) -> None:
        """Load the page again, and show it with its parts."""
        raise NotImplementedError

    async def load(self, target: Target) -> None:
        """Load the page and subscribe to its topics. Repeats the load if a topic changed during it."""
        headers: Headers = self.scope.get("headers", ())
        with request_context(RequestContext.of(headers, target.address, self.viewer.id)):
            while True:
                sequence = process.bus.sequence
                page = await page_load(target, self.viewer, self.language)
                if not process.bus.changed_since(sequence, page.topics):
                    break
        self._forget_page()
        self.target, self.page = target, page
        self.sequence = page.sequence  # a cached page is older: live queries then repeat reads that have changed since
        self.page_stops = [process.bus.subscribe(topic, lambda: self._page_changed(target)) for topic in page.topics]

    async def render(self, first: Page | None = None) -> None:
        """Render the page: first as it was at `first`, if given, then as it is now.

        Components may hold state from their first render, so a page that replaces the shared one repeats that render.
        """
        page, sequence = self.page, self.sequence
        if first is not None:
            self.page, self.sequence = first, first.sequence
        self.layout = PageLayout(with_connection(site(), HookConnection(self.scope, self)), self.send, self.fail)
        layouts.add(self.layout)
        with numbers.render.measure():
            await self.layout.__aenter__()
        await self.layout.finish_rendering()
        if first is not None:
            self.page, self.sequence = page, sequence
            if self.show_page is not None:
                self.show_page(page)
            await self.layout.finish_rendering()

    def is_as(self, other: "OpenPage") -> bool:
        """Whether this layout shows exactly the same as that of `other`."""
        assert self.layout is not None and other.layout is not None  # noqa: S101, PT018 - for mypy
        return self.layout.whole_model() == other.layout.whole_model()

    def frame(self, answer: Mapping[str, Any]) -> bytes:
        """Return the frame of the whole page, with the answer to a navigation (`components/site.py`)."""
        assert self.layout is not None  # noqa: S101 - for mypy
        model = self.layout.whole_model()
        return frame({"type": "layout-update", "path": "", "model": navigated(model, **answer) if answer else model})

    async def end(self) -> None:
        """End the layout, and stop following the page's topics and live queries."""
        if self.layout is not None:  # first, because an event handler in progress may still subscribe
            await self.layout.__aexit__(None, None, None)
            self.layout = self.show_page = None  # break a reference cycle here: the garbage collector runs rarely
        if self.reload_task is not None:
            self.reload_task.cancel()
            self.reload_task = None  # a task cancelled before its first step does not clear itself
        self._forget_page()
        for live_query in tuple(self.live_queries):
            self._live_query_end(live_query)

    def on_page(self, show: Callable[[Page], None]) -> None:
        """Register `show`, which is called when the page is loaded again after a change of its topics."""
        self.show_page = show
        show(self.page)  # the page may have been loaded again since the first render

    def follow(self, topics: tuple[str, ...], read: Callable[[], Any], show: Callable[[Any], None]) -> Stop:
        """Start a live query: call `show` with the result of `read` after each change of a topic.

        Returns a function that ends it.

        Viewers with equal reads share one read.
        """
        live_query = LiveQuery(topics, read, show, from_replica=not self.viewer.is_signed_in)
        self.live_queries.add(live_query)
        if process.bus.changed_since(self.sequence, topics):  # between the load of the page and now
            live_query.refresh()
        return partial(self._live_query_end, live_query)

    def _live_query_end(self, live_query: LiveQuery) -> None:
        self.live_queries.discard(live_query)
        live_query.end()

    def _page_changed(self, target: Target) -> None:
        self.outdated_target = target
        if self.reload_task is None:
            self.reload_task = asyncio.create_task(self._reload(), context=self.context)

    async def _reload(self) -> None:
        try:
            while (target := self.outdated_target) is not None:
                self.outdated_target = None  # a change from here on causes another turn
                await self.reload(target)
        except Exception:
            log.exception("page %s could not be loaded again", self.page.path)
            self.fail()
        finally:
            self.reload_task = None

    def _forget_page(self) -> None:
        for stop in self.page_stops:
            stop()
        self.page_stops = []
