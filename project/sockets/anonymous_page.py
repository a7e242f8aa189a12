"""Pages of anonymous visitors: all windows with the same address and language show one page, without a layout.

Only slots, effects and page events make a page differ between viewers. An anonymous visitor has no slots, and a window
that causes a page event first gets a page of its own (`window.py`). What all windows show is therefore the page as
rendered without effects, as one prepared frame, and its shared parts. A page whose components have effects is no such
page: each window gets a layout of its own.

A component may hold state from its first render, such as an open row. A page that is loaded again is therefore rendered
as it was first, then as it is now. A window that opens after a change joins the former page only if it looks the same.
"""

import asyncio
import contextvars
import logging
from collections.abc import Mapping
from typing import Any, Protocol

from apps.accounts.actors import ANONYMOUS
from components.routes import Target
from components.runtime.hooks import PageViewConnection
from components.runtime.page import Page
from components.runtime.rendering.layout import HookConnection, Rendered, rendered
from components.runtime.rendering.live_part import frame
from components.runtime.rendering.parts import Ref
from components.site import site
from project.http.page_cache import page_load
from project.observability.metrics import numbers
from project.sockets.open_page import OpenPage
from project.sockets.own_page import page_frame
from project.sockets.shown_parts import ShownParts

log = logging.getLogger(__name__)
SCOPE = {"type": "websocket", "headers": ()}  # without data of a browser, as for the page cache
Key = tuple[str, str]
_pages: dict[Key, "AnonymousPage"] = {}  # the page that new windows join, by address and language


class AnonymousWindow(Protocol):
    """The part of a window (`window.py`) that a page of anonymous visitors uses."""

    navigation_lock: asyncio.Lock
    parts: ShownParts

    def send(self, prepared: bytes) -> None:
        """Send an encoded frame."""

    def close_failed(self) -> None:
        """Close the socket; the browser reconnects."""

    async def follow_parts(self, page: Any) -> None:
        """Follow the parts of this page if the window still shows it."""


class AnonymousPage(OpenPage):
    """One page in one language and the windows that show it. It ends with the last window."""

    viewer = ANONYMOUS

    def __init__(self, target: Target, language: str, page: Page, former: "AnonymousPage | None") -> None:
        super().__init__(SCOPE, language)
        self.target = target
        self.key: Key = (target.address, language)
        self.context = contextvars.Context()  # without a viewer
        self.newest = page  # the cached page that this shows at first: windows with it may join
        self.former = former  # shows an older page; kept only while it may look the same
        self.first: Page  # as first rendered: the state of components comes from it
        self.rendered: Rendered
        self.whole: bytes  # the frame of the page
        self.windows: set[AnonymousWindow] = set()
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
        self, window: AnonymousWindow, versions: Mapping[str, str], answer: Mapping[str, Any]
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
        if _pages.get(self.key) is self:
            _pages[self.key], former.newest = former, self.page
        self.former = former  # other windows that wait for this opening join it too
        return former

    def leave(self, window: AnonymousWindow) -> None:
        """Remove a window that shows another page or is closed; end this page after the last one."""
        self.windows.discard(window)
        self._end_if_left()

    def _end_if_left(self) -> None:
        if self.windows or self.joining or self.ending is not None:
            return
        if _pages.get(self.key) is self:
            del _pages[self.key]
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
        if _pages.get(self.key) is self:
            del _pages[self.key]
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
    known = _pages.get((target.address, language))
    if known is None or known.newest is not page or known.has_failed:
        known = _pages[target.address, language] = AnonymousPage(target, language, page, known)
    return known
