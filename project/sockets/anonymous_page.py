"""Shared open page of anonymous visitors: one layout for all windows with the same address and language.

Only slots and page events make a page differ between viewers, and an anonymous visitor has no slots. One layout in each
process therefore serves all windows, and each update is sent to them as one prepared frame. A window that causes a page
event first gets a page of its own (`window.py`).

A component may keep state from the time when its window opened, such as an open row. A window that opens after a change
of the page therefore joins the former layout only if a new layout would look the same.
"""

import asyncio
import contextvars
import logging
from collections.abc import Mapping
from typing import Any

from apps.accounts.actors import ANONYMOUS
from components.routes import Target
from components.runtime.page import Page
from components.runtime.rendering.live_part import frame
from components.runtime.rendering.parts import Ref
from project.http.page_cache import page_load
from project.observability.metrics import numbers
from project.sockets.open_page import OpenPage, PageWindow
from project.sockets.opened_parts import OpenedParts

log = logging.getLogger(__name__)
SCOPE = {"type": "websocket", "headers": ()}  # without data of a browser, as for the page cache
Key = tuple[str, str]
_pages: dict[Key, "AnonymousPage"] = {}  # by address and language


class AnonymousPage(OpenedParts, OpenPage):
    """One page in one language and the windows that show it. It ends with the last window."""

    viewer, token = ANONYMOUS, ""

    def __init__(self, target: Target, language: str, page: Page, former: "AnonymousPage | None") -> None:
        OpenPage.__init__(self, SCOPE, language)
        OpenedParts.__init__(self)
        self.target = target
        self.key: Key = (target.address, language)
        self.context = contextvars.Context()  # without a viewer
        self.newest = page  # the cached page that this shows at first: windows with it may join
        self.former = former  # shows an older page; kept only while it may look the same
        self.first: Page  # as first rendered: the state of components comes from it
        self.windows: set[PageWindow] = set()
        self.notices: list[bytes] = []
        self.joining = 0
        self.late_followers: set[asyncio.Task[None]] = set()
        self.has_failed = False
        self.whole: bytes = b""  # cached frame of the whole layout, empty after a change
        self.opening = asyncio.create_task(self._open(), context=self.context)
        self.ending: asyncio.Task[None] | None = None

    async def _open(self) -> None:
        await self.load(self.target)
        self.first = self.newest = self.page
        await self.render()

    @property
    def refs(self) -> tuple[Ref, ...]:
        """Return the parts that each window follows: those of the page, and those that its components have opened."""
        return (*self.page.all_parts, *self.opened_refs)

    async def join(
        self, window: PageWindow, versions: Mapping[str, str], answer: Mapping[str, Any]
    ) -> "AnonymousPage | None":
        """Show this page in the window, or the former page if that looks the same; return the page, None if it failed.

        The browser holds these `versions` of parts; `answer` is the answer to its navigation.
        """
        self.joining += 1
        try:
            await asyncio.shield(self.opening)
            if (former := self._former()) is not None:
                return await former.join(window, versions, answer)
            refs = None
            while not self.has_failed and refs != self.refs:  # components may open parts during `show`
                refs = self.refs
                await window.parts.show(refs, versions)
            if self.has_failed:
                return None
            self.windows.add(window)
            window.send(b"".join([*self.notices, numbers.update(self.frame(answer))]))
            return self
        finally:
            self.joining -= 1
            self._end_if_left()

    def _former(self) -> "AnonymousPage | None":
        """Return the former page if it still has windows and looks the same, else None."""
        former, self.former = self.former, None
        if former is None or not former.windows:  # it may still be opening, or its opening failed
            return None
        if former.has_failed or not self.is_as(former):
            return None
        if _pages.get(self.key) is self:
            _pages[self.key], former.newest = former, self.page
        self.former = former  # other windows that wait for this opening join it too
        return former

    def leave(self, window: PageWindow) -> None:
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
        """Wait for the opening, then close the layout and the parts that it opened."""
        await asyncio.gather(self.opening, return_exceptions=True)
        await super().end()
        self.end_opening()  # after the layout, which closes what it has opened

    def frame(self, answer: Mapping[str, Any]) -> bytes:
        """Return the current frame of the whole page; without an `answer` it is made once and cached."""
        if answer:
            return super().frame(answer)
        if not self.whole:
            self.whole = super().frame(answer)
        return self.whole

    def send(self, update: dict[str, Any]) -> None:
        """Send an update to all windows; notices to developers are kept for windows that join later."""
        if update["type"] == "notice":
            self.notices.append(frame(update))
        self.whole = b""
        if self.windows:
            prepared = frame(update)
            for window in self.windows:
                window.send(numbers.update(prepared))

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
        if self.refs != refs:
            await self.follow_refs()
        if self.show_page is not None:
            self.show_page(self.page)

    async def follow_refs(self) -> None:
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
