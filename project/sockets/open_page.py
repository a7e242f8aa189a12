"""A page that is open: loaded, kept true by its topics, and the layout that shows it."""

import asyncio
import logging
from collections.abc import Callable, Iterable, Mapping
from contextvars import copy_context
from functools import partial
from typing import Any, Protocol

from apps.accounts.actors import Viewer
from apps.core.observability import RequestContext, request_context
from components.page import Page, Redirect
from components.rendering.layout import HookConnection, PageLayout, with_connection
from components.rendering.live_part import frame
from components.routes import Target
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
    """The window that shows an open page (`window.py`), as far as the page needs it."""

    scope: dict[str, Any]
    language: str
    navigation_lock: asyncio.Lock
    parts: ShownParts

    @property
    def viewer(self) -> Viewer:
        """The viewer of this window, as the account is at the moment."""

    def send(self, prepared: bytes) -> None:
        """Send a prepared frame."""

    def update(self, update: dict[str, Any]) -> None:
        """Send an update of the layout."""

    def close_failed(self) -> None:
        """Close the socket; the browser reconnects."""

    async def navigate(
        self, path: str, versions: Mapping[str, str], number: int = 0, *, own: Any = None
    ) -> Page | Redirect:
        """Load the page at `path`; a Redirect is for the browser to load."""

    async def follow_parts(self, page: Any) -> None:
        """Follow the parts of this page if it is still shown."""


class OpenPage:
    """What an open page of one window has in common with one of many strangers; the connection that components see."""

    viewer: Viewer
    posted: Mapping[str, Any] | None = None  # what a command has answered that came without a script

    def __init__(self, scope: dict[str, Any], language: str) -> None:
        self.scope, self.language = scope, language
        self.target: Target
        self.page: Page
        self.sequence = 0  # the bus's, before the page was loaded
        self.layout: PageLayout | None = None
        self.page_stops: list[Stop] = []
        self.live_queries: set[LiveQuery] = set()
        self.show_page: Callable[[Page], None] | None = None
        self.reload_task: asyncio.Task[None] | None = None
        self.outdated_target: Target | None = None
        self.context = copy_context()  # what the bus starts is logged as whose page this is

    def send(self, update: dict[str, Any]) -> None:
        """Send an update of the layout to whoever sees the page."""
        raise NotImplementedError

    def fail(self) -> None:
        """The page can no longer be shown: whoever sees it comes back and asks for all of it."""
        raise NotImplementedError

    async def reload(self, target: Target) -> None:
        """Load the page again, and show it with its parts."""
        raise NotImplementedError

    async def load(self, target: Target) -> None:
        """Load the page, following its topics from before the read on."""
        headers: Headers = self.scope.get("headers", ())
        with request_context(RequestContext.of(headers, target.address, self.viewer.id)):
            while True:
                sequence = process.bus.sequence
                page = await page_load(target, self.viewer, self.language)
                if not process.bus.changed_since(sequence, page.topics):
                    break
        self._forget_page()
        self.target, self.page = target, page
        self.sequence = page.sequence  # it may have been kept since: leaves read again what has changed
        self.page_stops = [process.bus.subscribe(topic, lambda: self._page_changed(target)) for topic in page.topics]

    async def render(self, first: Page | None = None) -> None:
        """Begin to show the page, as it was at `first` and then as it is: components may remember how they began."""
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
        """Whether this shows the very same as `other`."""
        assert self.layout is not None and other.layout is not None  # noqa: S101, PT018 - for mypy
        return self.layout.whole_model() == other.layout.whole_model()

    def frame(self, answer: Mapping[str, Any]) -> bytes:
        """Return the frame of the whole page as it is now, with the answer to a navigation (`components/site.py`)."""
        assert self.layout is not None  # noqa: S101 - for mypy
        model = self.layout.whole_model()
        return frame({"type": "layout-update", "path": "", "model": navigated(model, **answer) if answer else model})

    async def end(self) -> None:
        """Show nothing more."""
        if self.layout is not None:  # before what is followed: an event in work may still subscribe
            await self.layout.__aexit__(None, None, None)
            self.layout = self.show_page = None  # they refer back to this, and nobody looks for cycles soon
        if self.reload_task is not None:
            self.reload_task.cancel()
            self.reload_task = None  # cancelled before its first step, it would not do so itself
        self._forget_page()
        for live_query in tuple(self.live_queries):
            self._live_query_end(live_query)

    def on_page(self, show: Callable[[Page], None]) -> None:
        """Call `show` when the page was loaded again because one of its topics changed."""
        self.show_page = show
        show(self.page)  # it may have been loaded again since the first render

    def follow(self, topics: tuple[str, ...], read: Callable[[], Any], show: Callable[[Any], None]) -> Stop:
        """Show what `read` returns whenever a topic changes; viewers with equal reads share one."""
        live_query = LiveQuery(topics, read, show, from_replica=not self.viewer.is_signed_in)
        self.live_queries.add(live_query)
        if process.bus.changed_since(self.sequence, topics):  # between the page's load and now
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
                self.outdated_target = None  # a change from here on asks for one more turn
                await self.reload(target)
        except Exception:
            log.exception("a page could not be loaded again")
            self.fail()
        finally:
            self.reload_task = None

    def _forget_page(self) -> None:
        for stop in self.page_stops:
            stop()
        self.page_stops = []
