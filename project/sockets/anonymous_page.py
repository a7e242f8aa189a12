"""The open page of all strangers: one layout, however many windows show it, until one of them does something there.

A stranger's page hangs on nobody but slots, which a stranger leaves empty, and page events. So all who have opened the
same address in the same language see the same, and one layout in each process is theirs; its updates are written to
all of them as one prepared frame. Whoever causes a page event gets a page of their own first (`window.py`).

A component may remember how the page was when its window opened, such as whose row was open then. So whoever comes
after a change of the page joins the others only if the page looks to them as a new one would.
"""

import asyncio
import contextvars
import logging
from collections.abc import Mapping
from typing import Any

from apps.accounts.actors import ANONYMOUS
from components.page import Page
from components.rendering.live_part import frame
from components.rendering.parts import Ref
from components.routes import Target
from project.http.page_cache import page_load
from project.observability.metrics import numbers
from project.sockets.open_page import OpenPage, PageWindow
from project.sockets.opened_parts import OpenedParts

log = logging.getLogger(__name__)
SCOPE = {"type": "websocket", "headers": ()}  # as for the page cache: nothing of any browser
Key = tuple[str, str]
_pages: dict[Key, "AnonymousPage"] = {}  # by address and language


class AnonymousPage(OpenedParts, OpenPage):
    """One page in one language, and the windows that show it; it ends with the last of them."""

    viewer, token = ANONYMOUS, ""

    def __init__(self, target: Target, language: str, page: Page, former: "AnonymousPage | None") -> None:
        OpenPage.__init__(self, SCOPE, language)
        OpenedParts.__init__(self)
        self.target = target
        self.key: Key = (target.address, language)
        self.context = contextvars.Context()  # nobody's
        self.newest = page  # the page whose first picture is what this shows: who has got it may join
        self.former = former  # which shows an older page, until it is known whether that makes a difference
        self.first: Page  # as it was first rendered: what a component remembers is of that
        self.windows: set[PageWindow] = set()
        self.notices: list[bytes] = []
        self.joining = 0
        self.late_followers: set[asyncio.Task[None]] = set()
        self.has_failed = False
        self.whole: bytes = b""  # the frame of the whole layout; empty when it has changed since
        self.opening = asyncio.create_task(self._open(), context=self.context)
        self.ending: asyncio.Task[None] | None = None

    async def _open(self) -> None:
        await self.load(self.target)
        self.first = self.newest = self.page
        await self.render()

    @property
    def refs(self) -> tuple[Ref, ...]:
        """The parts that each window follows: those of the page, and those that its components have opened."""
        return (*self.page.all_parts, *self.opened_refs)

    async def join(
        self, window: PageWindow, versions: Mapping[str, str], answer: Mapping[str, Any]
    ) -> "AnonymousPage | None":
        """Have the window show this page, or the former if that looks the same; None for one that has failed.

        The browser has these `versions` of parts; `answer` is what its navigation waits for.
        """
        self.joining += 1
        try:
            await asyncio.shield(self.opening)
            if (former := self._former()) is not None:
                return await former.join(window, versions, answer)
            refs = None
            while not self.has_failed and refs != self.refs:  # others may come while these are looked for
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
        """Return the page that shows the very same since before, if there is one: who comes now may join it."""
        former, self.former = self.former, None
        if former is None or not former.windows:  # it may be opening still, or have failed to
            return None
        if former.has_failed or not self.is_as(former):
            return None
        if _pages.get(self.key) is self:
            _pages[self.key], former.newest = former, self.page
        self.former = former  # whoever else waits for this opening goes there too
        return former

    def leave(self, window: PageWindow) -> None:
        """The window shows something else, or is gone."""
        self.windows.discard(window)
        self._end_if_left()

    def _end_if_left(self) -> None:
        if self.windows or self.joining or self.ending is not None:
            return
        if _pages.get(self.key) is self:
            del _pages[self.key]
        self.ending = asyncio.create_task(self.end())

    async def end(self) -> None:
        """Show nothing more."""
        await asyncio.gather(self.opening, return_exceptions=True)
        await super().end()
        self.end_opening()  # after the layout, which closes what it has opened

    def frame(self, answer: Mapping[str, Any]) -> bytes:
        """Return the frame of the whole page as it is now; made once for all who ask for no answer."""
        if answer:
            return super().frame(answer)
        if not self.whole:
            self.whole = super().frame(answer)
        return self.whole

    def send(self, update: dict[str, Any]) -> None:
        """Write an update to all windows; what is said to those who develop, to whoever comes as well."""
        if update["type"] == "notice":
            self.notices.append(frame(update))
        self.whole = b""
        if self.windows:
            prepared = frame(update)
            for window in self.windows:
                window.send(numbers.update(prepared))

    def fail(self) -> None:
        """Close all windows: their browsers come back, and nobody joins any more."""
        self.has_failed = True
        if _pages.get(self.key) is self:
            del _pages[self.key]
        for window in tuple(self.windows):
            window.close_failed()

    async def reload(self, target: Target) -> None:
        """Load the page again, and show it with its parts in all windows."""
        refs = self.refs
        await self.load(target)
        if self.refs != refs:
            await self.follow_refs()
        if self.show_page is not None:
            self.show_page(self.page)

    async def follow_refs(self) -> None:
        """Have all windows follow the parts of now; one that is on its way elsewhere keeps nobody waiting."""
        for window in tuple(self.windows):
            if window.navigation_lock.locked():
                late = asyncio.create_task(window.follow_parts(self), context=self.context)
                self.late_followers.add(late)
                late.add_done_callback(self.late_followers.discard)
            else:
                await window.follow_parts(self)


async def anonymous_page(target: Target, language: str) -> AnonymousPage:
    """Return the page of all strangers who see what a page view of this moment would show; it may still be opening."""
    page = await page_load(target, ANONYMOUS, language)
    known = _pages.get((target.address, language))
    if known is None or known.newest is not page or known.has_failed:
        known = _pages[target.address, language] = AnonymousPage(target, language, page, known)
    return known
