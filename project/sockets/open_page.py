"""Open pages: loaded, loaded again after a change of their topics, and shown in windows.

`OwnPage` has a layout that one window shows: a signed-in viewer's, or an anonymous visitor's after a page event.

`AnonymousPage` has no layout: all windows of anonymous visitors with one address and language show it. Only slots,
effects and page events make a page differ between viewers. An anonymous visitor has no slots, and a window that causes
a page event first gets a page of its own. What these windows show is therefore the page as rendered without effects, as
one prepared frame, and its shared parts. If components have effects, each window gets its own page.

A component may hold state from its first render, such as an open row. An anonymous page that is loaded again is
therefore rendered as it was first, then as it is now; so is the own page that replaces it. A window that opens after a
change joins the former page only if it looks the same.
"""

import asyncio
import contextvars
import logging
from collections.abc import Callable, Mapping
from contextvars import copy_context
from functools import cached_property, partial
from typing import Any, Protocol

from apps.accounts.actors import ANONYMOUS, Viewer
from apps.core.observability import context_at, request_context
from apps.live.services import ReactionMessage
from components.routes import Target
from components.runtime.hooks import PageViewConnection, Read
from components.runtime.page import Page, Redirect
from components.runtime.rendering.frames import frame
from components.runtime.rendering.layout import HookConnection, PageLayout, Rendered, rendered, with_connection
from components.runtime.rendering.page_slots import SlotQuery, fills_read
from components.runtime.rendering.parts import Ref
from components.runtime.rendering.slots import Fills
from components.site import navigated, site
from project.http.middleware import csrf_token
from project.http.page_cache import page_load
from project.observability.metrics import layouts, numbers
from project.process.web_process import process
from project.sockets.followed import LiveQuery, ShownParts
from project.visit import Visit

log = logging.getLogger(__name__)
Stop = Callable[[], None]
Key = tuple[str, str]
SCOPE = {"type": "websocket", "headers": ()}  # of anonymous pages: without data of a browser, as for the page cache
anonymous_pages: dict[Key, "AnonymousPage"] = {}  # the page that new windows join, by address and language


class PageWindow(Protocol):
    """The part of a window (`window.py`) that its page uses."""

    scope: dict[str, Any]
    visit: Visit
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
    """The common part of `OwnPage` and `AnonymousPage`."""

    viewer: Viewer

    def __init__(self, language: str) -> None:
        self.language = language
        self.target: Target
        self.page: Page
        self.read_at = 0  # the bus's sequence before the page and its fills were read
        self.page_stops: list[Stop] = []
        self.reload_task: asyncio.Task[None] | None = None
        self.outdated_target: Target | None = None
        self.context = copy_context()  # log records of work that the bus starts carry the page's context

    def fail(self) -> None:
        """Close the sockets of the page after an error; their browsers reconnect and request everything."""
        raise NotImplementedError

    async def reload(self, target: Target) -> None:
        """Load the page again, and show it with its parts."""
        raise NotImplementedError

    async def load(self, target: Target) -> None:
        """Load the page and subscribe to its topics. Repeats the load if a topic changed during it."""
        with request_context(context_at(target.address, self.viewer.id)):
            while True:
                sequence = process.bus.sequence
                page = await page_load(target, self.viewer, self.language)
                if not process.bus.changed_since(sequence, page.topics):
                    break
        self._unsubscribe()
        self.target, self.page, self.read_at = target, page, sequence
        self.page_stops = [process.bus.subscribe(topic, lambda: self._page_changed(target)) for topic in page.topics]

    async def end(self) -> None:
        """Stop following the page's topics."""
        if self.reload_task is not None:
            self.reload_task.cancel()
            self.reload_task = None  # a task cancelled before its first step does not clear itself
        self._unsubscribe()

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

    def _unsubscribe(self) -> None:
        for stop in self.page_stops:
            stop()
        self.page_stops = []


class OwnPage(OpenPage):
    """A page with a layout that only `window` shows; also the connection that the hooks of its components use."""

    posted: Mapping[str, Any] | None = None  # the answer to a command posted without JavaScript

    def __init__(self, window: PageWindow) -> None:
        super().__init__(window.visit.language)
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

    @cached_property
    def token(self) -> str:
        """The CSRF token of this viewer's forms, made on first use, because few pages need one."""
        return csrf_token(self.window.visit.csrf_secret)[0]

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

    async def show_parts(self, versions: Mapping[str, str]) -> None:
        """Send the page's parts that the viewer's fills do not cover; `versions` are those in the browser, by key."""
        fills = {query: (self.read_at, found) for query, found in zip(self.page.slots, self.page.fills, strict=False)}
        await self.window.parts.show(self.page.all_parts, versions, fills)

    async def render(self, first: Page | None = None) -> None:
        """Render the page: first as it was at `first`, if given, then as it is now.

        Components may hold state from their first render, so a page that replaces one of anonymous visitors repeats it.
        """
        page, sequence = self.page, self.sequence
        if first is not None:
            self.page, self.sequence = first, first.sequence
        shown = self.page
        self.layout = PageLayout(with_connection(site(), HookConnection(self.window.scope, self)), self.send, self.fail)
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
            await self.show_parts({})
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
        from_replica = not self.viewer.is_signed_in
        return self._follow(topics, LiveQuery(topics, read, lambda data, _: show(data), from_replica=from_replica))

    def follow_fills(self, query: SlotQuery, show: Callable[[Fills], None]) -> Stop:
        """Do the same with the fills of a slot query, and send exactly the parts that they do not cover."""

        def show_and_cover(fills: Fills, sequence: int) -> None:
            self.window.parts.fill(query, (sequence, fills), partial(show, fills))

        topics = query.topics_of(self.viewer)
        read = Read(fills_read, (("query", query), ("viewer", self.viewer)))
        return self._follow(topics, LiveQuery(topics, read, show_and_cover))

    def _follow(self, topics: tuple[str, ...], live_query: LiveQuery) -> Stop:
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

    async def react(self, taps: ReactionMessage) -> tuple[int, str] | None:
        """Store these taps.

        Returns the number stored and the reason why others are refused; None if the outcome is unknown.
        """
        return await process.reactions.add(taps)


def page_frame(model: dict[str, Any], answer: Mapping[str, Any]) -> bytes:
    """Return the frame of a whole page, with the answer to a navigation (`components/site.py`)."""
    return frame({"type": "layout-update", "path": "", "model": navigated(model, **answer) if answer else model})


class AnonymousPage(OpenPage):
    """One page in one language and the windows that show it. It ends with the last window."""

    viewer = ANONYMOUS

    def __init__(self, target: Target, language: str, page: Page, former: "AnonymousPage | None") -> None:
        super().__init__(language)
        self.target = target
        self.key: Key = (target.address, language)
        self.context = contextvars.Context()  # without a viewer
        self.newest = page  # the cached page that this shows at first: windows with it may join
        self.former = former  # shows an older page; kept only while it may look the same
        self.first: Page  # as first rendered: the state of components comes from it
        self.rendered: Rendered
        self.whole: bytes  # the frame of the page
        self.windows: set[PageWindow] = set()
        self.joining = 0
        self.late_followers: set[asyncio.Task[None]] = set()
        self.has_failed = False
        self.opening = asyncio.create_task(self._open(), context=self.context)
        self.ending: asyncio.Task[None] | None = None

    async def _open(self) -> None:
        await self.load(self.target)
        self.first = self.newest = self.page
        await self._render()

    async def _render(self) -> None:
        """Render the page as it was first, and again as it is now if it has been loaded again."""
        connection = PageViewConnection(self.first, ANONYMOUS)

        def show_newer() -> None:
            connection.page = self.page
            if connection.show_page is not None:
                connection.show_page(self.page)

        with numbers.render.measure():
            self.rendered = await rendered(
                site(), HookConnection(SCOPE, connection), show_newer if self.page is not self.first else None
            )
        notices = b"".join(map(frame, self.rendered.notices))
        self.whole = notices + page_frame(self.rendered.model, {})

    @property
    def refs(self) -> tuple[Ref, ...]:
        """Return the parts that each window follows: those of the page as it was first, and as it is now."""
        return tuple(dict.fromkeys((*self.first.all_parts, *self.page.all_parts)))

    async def join(
        self, window: PageWindow, versions: Mapping[str, str], answer: Mapping[str, Any]
    ) -> "AnonymousPage | None":
        """Show this page in the window, or the former page if that looks the same; return the page.

        Return None if the page failed or has effects. The browser holds these `versions` of parts; `answer` is the
        answer to its navigation.
        """
        self.joining += 1
        try:
            await asyncio.shield(self.opening)
            if self.rendered.has_effects:
                return None
            if (former := self._former()) is not None:
                return await former.join(window, versions, answer)
            page = None
            while not self.has_failed and page is not self.page:  # it may be loaded again during `show`
                page = self.page
                await window.parts.show(self.refs, versions)
            if self.has_failed:
                return None
            self.windows.add(window)
            window.send(numbers.update(page_frame(self.rendered.model, answer) if answer else self.whole))
            return self
        finally:
            self.joining -= 1
            self._end_if_left()

    def _former(self) -> "AnonymousPage | None":
        """Return the former page if it still has windows and looks the same, else None."""
        former, self.former = self.former, None
        if former is None or not former.windows:  # it may still be opening, or its opening failed
            return None
        if former.has_failed or former.whole != self.whole:
            return None
        if anonymous_pages.get(self.key) is self:
            anonymous_pages[self.key], former.newest = former, self.page
        self.former = former  # other windows that wait for this opening join it too
        return former

    def leave(self, window: PageWindow) -> None:
        """Remove a window that shows another page or is closed; end this page after the last one."""
        self.windows.discard(window)
        self._end_if_left()

    def _end_if_left(self) -> None:
        if self.windows or self.joining or self.ending is not None:
            return
        if anonymous_pages.get(self.key) is self:
            del anonymous_pages[self.key]
        self.ending = asyncio.create_task(self.end())

    async def end(self) -> None:
        """Wait for the opening, then stop following the page's topics."""
        await asyncio.gather(self.opening, return_exceptions=True)
        await super().end()

    def model(self) -> dict[str, Any]:
        """Return the model of the whole page."""
        return self.rendered.model

    def frame(self, answer: Mapping[str, Any]) -> bytes:
        """Return the frame of the whole page, with the answer to a navigation."""
        return page_frame(self.rendered.model, answer)

    def knows(self, target: str) -> bool:
        """Return whether an event for `target` has a handler, in the page that a window with the event gets."""
        return target in self.rendered.targets

    def fail(self) -> None:
        """Close all windows, so that their browsers reconnect, and accept no further window."""
        self.has_failed = True
        if anonymous_pages.get(self.key) is self:
            del anonymous_pages[self.key]
        for window in tuple(self.windows):
            window.close_failed()

    async def reload(self, target: Target) -> None:
        """Load the page again and show it with its parts in all windows."""
        refs = self.refs
        await self.load(target)
        before = self.whole
        await self._render()
        if self.refs != refs:
            await self._follow_refs()
        if self.whole != before:
            for window in self.windows:
                window.send(numbers.update(self.whole))

    async def _follow_refs(self) -> None:
        """Make all windows follow the current parts; a window that is navigating follows later, in its own task."""
        for window in tuple(self.windows):
            if window.navigation_lock.locked():
                late = asyncio.create_task(window.follow_parts(self), context=self.context)
                self.late_followers.add(late)
                late.add_done_callback(self.late_followers.discard)
            else:
                await window.follow_parts(self)


async def anonymous_page(target: Target, language: str) -> AnonymousPage:
    """Return the shared page that shows what a page view now would show. It may still be opening."""
    page = await page_load(target, ANONYMOUS, language)
    known = anonymous_pages.get((target.address, language))
    if known is None or known.newest is not page or known.has_failed:
        known = anonymous_pages[target.address, language] = AnonymousPage(target, language, page, known)
    return known
