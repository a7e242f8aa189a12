"""One viewer's window: the page it shows, shared by all anonymous visitors or its own, and its navigations.

One page loads at a time, and only the newest waiting navigation is kept.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from typing import Any

from apps.accounts.actors import Viewer
from apps.accounts.selectors.sessions import NO_SESSION, AccountSession
from apps.core.texts import texts
from components.routes import Access, Target, find, home_target, is_search
from components.runtime.page import Page, Redirect
from components.runtime.rendering.frames import frame
from components.site import versions_and_number
from project.http.middleware import SOCKET
from project.http.page_cache import page_load
from project.http.posted_commands import posted_of
from project.http.viewer import session_by_key
from project.limits.connections import NavigationRate
from project.limits.rates import FAILED, PAGE_WAIT
from project.observability.metrics import numbers
from project.process.frames import LayoutEvent
from project.process.web_process import process
from project.sockets.followed import ShownParts
from project.sockets.open_page import AnonymousPage, OwnPage, anonymous_page
from project.visit import Visit

log = logging.getLogger(__name__)
UNNOTICED = 0.3  # seconds of a wait below which the browser shows no notice
SENTENCE = "That was a little fast. What you asked for comes in a moment."
NAVIGATION = ":onNavigate"  # suffix of the target of a page's navigation (components/site.py)
Deliver = Callable[[dict[str, Any]], Awaitable[None]]


class NavigationQueue:
    """Passes one navigation at a time to `deliver`; the window calls `finish` after each.

    A request above the rate limit of its window or address waits, and `send` writes a frame with a notice. A newer
    request replaces a waiting one.
    """

    def __init__(self, send: Callable[[bytes], None], deliver: Deliver, visit: Visit) -> None:
        self.send, self.deliver, self.language = send, deliver, visit.language
        self.rate = NavigationRate(process.connection_limits, visit.client)
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


class Window:
    """Shows a page to one viewer.

    An anonymous visitor gets the shared page, until an event on it requires a page with a layout of its own.
    """

    def __init__(self, scope: dict[str, Any]) -> None:
        self.scope = scope
        self.socket = scope["extensions"][SOCKET]
        self.send = self.socket.send_prepared
        self.visit = Visit.of(scope)
        self.account_session: AccountSession = NO_SESSION
        self.shown: OwnPage | AnonymousPage | None = None
        self.early_events: list[LayoutEvent] = []  # events that wait for a page with its own layout
        self.taking_own: asyncio.Task[None] | None = None
        self.navigation_queue: NavigationQueue | None = None  # None until the first navigation
        self.navigation_lock = asyncio.Lock()
        self.parts = ShownParts(self.socket, self.navigation_lock)

    @property
    def viewer(self) -> Viewer:
        """The viewer of this socket, as last read."""
        return self.account_session.viewer

    def close_failed(self) -> None:
        """Close after an error that is already logged. The browser reconnects and requests everything."""
        self.close(FAILED)

    def close(self, code: int, reason: str = "") -> None:
        """Close the socket with a close code of `project/limits/rates.py`."""
        self.socket.sendCloseFrame(code=code, reasonUtf8=reason.encode() or None)

    def update(self, update: dict[str, Any]) -> None:
        """Send a layout update of the page."""
        self.send(numbers.update(frame(update)))

    async def page_event(self, event: LayoutEvent) -> None:
        """Handle an event of the page. On the shared page the event waits until the window has its own page."""
        if event.target.endswith(NAVIGATION):
            if self.navigation_queue is None:
                self.navigation_queue = NavigationQueue(self.send, self._navigate, self.visit)
            self.navigation_queue.ask(event, is_signed_in=self.viewer.is_signed_in)
        elif self.taking_own is not None or isinstance(self.shown, AnonymousPage):
            self.early_events.append(event)
            self.leave_anonymous_page()
        else:
            await self._deliver(event)

    async def _navigate(self, event: dict[str, Any]) -> None:
        """Navigate as an event of the page requests.

        The current layout navigates, and keeps its state, for a signed-in viewer and for an anonymous visitor who stays
        on the same path.
        """
        request, shown = event["data"][0], self.shown
        path = request["path"]
        stays = self.viewer.is_signed_in or (shown is not None and shown.page.path == path.partition("?")[0])
        if isinstance(shown, OwnPage) and stays and shown.layout is not None:
            await shown.layout.deliver(event)
            return
        try:
            page = await self.navigate(path, *versions_and_number(request))
            if isinstance(page, Redirect) and self.shown is not None:
                self.send(self.shown.frame({"leave": page.to}))
        except Exception:
            log.exception("page %s could not be loaded over the socket", path)  # the browser requests the page itself

    async def navigate(
        self, path: str, versions: Mapping[str, str], number: int = 0, *, own: OwnPage | None = None
    ) -> Page | Redirect:
        """Load the page at `path` and follow its parts. Returns the page, or a Redirect that the browser must load.

        With `own`, that page loads the new one and answers. Otherwise the frame of the new page carries `number` as the
        answer. A load that exceeds PAGE_WAIT becomes a Redirect.
        """
        try:
            return await self.go(path, versions, number, own=own)
        except TimeoutError:
            return Redirect(path)  # an ordinary page view, which always has a response
        finally:
            if self.navigation_queue is not None:
                self.navigation_queue.finish()

    async def go(
        self,
        path: str,
        versions: Mapping[str, str],
        number: int = 0,
        *,
        own: OwnPage | None = None,
        follow_redirects: bool = False,
    ) -> Page | Redirect:
        """Load and show a page as `navigate` does, but raise TimeoutError after PAGE_WAIT.

        With `follow_redirects`, a path without a live page shows the home page.
        """
        async with asyncio.timeout(PAGE_WAIT), self.navigation_lock:
            target = await self._redirected(await self._find(path))
            if isinstance(target, Redirect) or target.route.plain:
                if not follow_redirects:
                    return target if isinstance(target, Redirect) else Redirect(target.address)
                target = home_target()  # such a path has no live page, and its HTML never opens a socket
            if own is not None:
                await own.load(target)
                await own.show_parts(versions)
                return own.page
            answer = {"number": number} if number else {}
            is_public = target.route.access is Access.PUBLIC and not self.viewer.is_signed_in
            if not (is_public and await self._show_shared(target, versions, answer)):
                await self._show_own(target, versions, answer)
            assert self.shown is not None  # noqa: S101 - for mypy
            return self.shown.page

    async def _show_shared(self, target: Target, versions: Mapping[str, str], answer: Mapping[str, Any]) -> bool:
        """Show the page that all anonymous visitors share. Returns False if it has failed, or needs a layout."""
        page = await (await anonymous_page(target, self.visit.language)).join(self, versions, answer)
        if page is None:
            return False
        before, self.shown = self.shown, page
        if before is not page:
            await self._leave_page(before)
        return True

    async def _show_own(self, target: Target, versions: Mapping[str, str], answer: Mapping[str, Any]) -> None:
        """Show a page with its own layout. The current page stays until the new one is complete."""
        shared = self.shown if isinstance(self.shown, AnonymousPage) and self.shown.target is target else None
        own = OwnPage(self)
        try:
            await own.load(target)
            await own.show_parts(versions)
            own.posted = await posted_of(target.address, self.viewer)
            await own.render(shared.first if shared is not None else None)
            if self.shown is not None:
                await own.settle()
        except BaseException:
            await own.end()
            raise
        before, self.shown = self.shown, own
        own.is_silent = False
        if before is None or answer or own.model() != before.model():
            self.send(numbers.update(own.frame(answer)))
        await self._leave_page(before)

    def leave_anonymous_page(self) -> None:
        """Replace the shared page by one with its own layout, in a task. It receives the waiting events."""
        if self.taking_own is None:
            self.taking_own = asyncio.create_task(self._leave_anonymous_page())

    async def _leave_anonymous_page(self) -> None:
        try:
            async with process.render_admission.admission(), asyncio.timeout(PAGE_WAIT), self.navigation_lock:
                if isinstance(self.shown, AnonymousPage):  # the window may have navigated since
                    await self._show_own(self.shown.target, {}, {})
            events, self.early_events = self.early_events, []
            for event in events:
                await self._deliver(event)
        except Exception:
            log.exception("no page with its own layout could be shown to an anonymous visitor")
            self.close_failed()
        finally:
            self.taking_own = None

    async def follow_parts(self, page: AnonymousPage) -> None:
        """Follow the new parts of this shared page, if the window still shows it."""
        try:
            async with self.navigation_lock:
                if self.shown is page:
                    await self.parts.show(page.refs, {})
        except Exception:
            log.exception("parts of page %s could not be shown", page.page.path)
            self.close_failed()

    async def leave_pages(self) -> None:
        """End the page, its navigations and its parts."""
        if self.navigation_queue is not None:
            self.navigation_queue.end()
            self.navigation_queue = None  # break a reference cycle here: the garbage collector runs rarely
        if self.taking_own is not None:
            self.taking_own.cancel()
            self.taking_own = None  # a task cancelled before its first step does not clear itself
        shown, self.shown = self.shown, None
        await self._leave_page(shown)
        self.parts.end()

    async def _leave_page(self, page: OwnPage | AnonymousPage | None) -> None:
        if isinstance(page, AnonymousPage):
            page.leave(self)
        elif page is not None:
            await page.end()

    async def _find(self, path: str) -> Target | Redirect:
        target = find(path, self.viewer)
        if isinstance(target, Redirect) or target.route.access is Access.PUBLIC:
            return target
        account_session = await session_by_key(self.visit.session_key)  # reads the account and session again
        if account_session.account == self.account_session.account:
            self.account_session = account_session
        return find(path, account_session.viewer)

    async def _redirected(self, target: Target | Redirect) -> Target | Redirect:
        """Return the target that this one leads to (`Page.redirect`), or the same; the page is shown in place."""
        if isinstance(target, Redirect) or not target.route.redirects:
            return target
        page = await page_load(target, self.viewer, self.visit.language)
        return find(page.redirect, self.viewer) if page.redirect else target

    def knows(self, event: LayoutEvent) -> bool:
        """Whether the shown page has a handler for this event."""
        return self.shown is not None and self.shown.knows(event.target)

    async def _deliver(self, event: LayoutEvent) -> None:
        if isinstance(self.shown, OwnPage) and self.shown.layout is not None and self.knows(event):
            await self.shown.layout.deliver(event.message)
