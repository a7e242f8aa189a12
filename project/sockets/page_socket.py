"""One viewer's socket: it is accepted, its viewer found, the page loaded and rendered, and its frames handled.

No frame passes Channels' shared thread: the receive loop is this coroutine, and database work goes to the pool's
threads. Everything that arrives is checked before ReactPy sees it.
"""

import asyncio
import logging
from collections.abc import Callable, Mapping
from typing import Any

from apps.accounts.actors import Viewer
from apps.accounts.selectors import NO_SESSION, AccountSession
from apps.core.observability.client_addresses import address_key
from apps.core.observability.request_context import identify
from apps.core.observability.security_log import security_count
from components.page import Page, Redirect
from components.rendering.live_part import frame
from components.routes import Access, Target, find, home_target
from components.site import versions_and_number
from project.http.commands.posted_answers import posted_of
from project.http.handshake import NOTHING, SOCKET, Handshake, viewer_state
from project.http.language import language_of
from project.http.viewer import session_by_headers
from project.limits.close_codes import BAD_FRAME, BUSY, FAILED, NEW_VERSION, RESTART, SIGNED_OUT, TOO_MANY
from project.limits.connections import COME_BACK
from project.limits.rates import PAGE_WAIT
from project.observability.metrics import numbers
from project.process.command_run import CommandRequest
from project.process.web_process import process
from project.sockets.command_queue import CommandQueue
from project.sockets.frames import BadFrame, DroppedEvent, LayoutEvent, PartRequest, Ping, frame_parse
from project.sockets.navigation_queue import NAVIGATION, NavigationQueue
from project.sockets.own_page import OwnPage
from project.sockets.shown_parts import ShownParts
from project.sockets.strangers_page import StrangersPage, strangers_page

log = logging.getLogger(__name__)
PONG = frame({"type": "pong"})
OUTDATED = frame({"type": "outdated"})  # the page loads itself anew, in its own time


class PageSocket:
    """The ASGI application of one websocket: the window, whoever looks at it, and the page that it shows.

    The page is its own, or that of all strangers until something happens on it.
    """

    def __init__(self, scope: dict[str, Any], receive: Callable[..., Any], send: Callable[..., Any]) -> None:
        self.scope, self.receive, self.asgi_send = scope, receive, send
        self.socket = scope["extensions"][SOCKET]
        self.send = self.socket.send_prepared
        self.account_session: AccountSession = NO_SESSION
        self.address = address_key(scope.get("client"))
        self.language = language_of(scope["headers"])
        self.shown: OwnPage | StrangersPage | None = None
        self.early_events: list[LayoutEvent] = []  # those that wait for a page of one's own
        self.taking_own: asyncio.Task[None] | None = None
        self.navigation_queue: NavigationQueue | None = None  # until this window goes somewhere
        self.commands = CommandQueue(self.send)
        self.navigation_lock = asyncio.Lock()
        self.parts = ShownParts(self.socket, self.navigation_lock)

    async def run(self) -> None:
        """Serve until the socket is gone."""
        if (await self.receive())["type"] != "websocket.connect":
            return
        await self.asgi_send({"type": "websocket.accept"})  # first: a refusal is a close code with a meaning
        if code := process.connection_limits.enter(self.address):
            security_count("socket refused", reason=f"close code {code}")
            self._close(code, f"retry={COME_BACK}" if code == BUSY else "")
            return
        serving = asyncio.create_task(self._open())  # beside the receive loop: a socket that leaves cancels it
        try:
            while (message := await self.receive())["type"] == "websocket.receive":
                await self._on_frame(message.get("text"))
        finally:
            process.connection_limits.leave(self.address)
            serving.cancel()
            await asyncio.gather(serving, return_exceptions=True)
            await self._leave()

    @property
    def viewer(self) -> Viewer:
        """The viewer of this socket, as the account is now."""
        return self.account_session.viewer

    async def _open(self) -> None:
        try:
            handshake = Handshake.of(self.scope["query_string"])
            if not handshake.is_understood:
                self._close(NEW_VERSION)
            elif seconds := process.render_admission.come_back() or process.connection_limits.search(
                self.address, handshake.path
            ):
                self._close(BUSY, f"retry={seconds}")
            else:
                numbers.reconnects += handshake.is_reconnect
                async with process.render_admission.admission():
                    if await self._viewer_enter():
                        if handshake.viewer_state:
                            await self._viewer_state_watch(handshake.viewer_state)
                        else:
                            await self._show(handshake)
        except TimeoutError:
            log.warning("a page did not come in time: the socket comes back")
            self.close_failed()
        except Exception:
            log.exception("a socket could not be opened")
            self.close_failed()

    async def _show(self, handshake: Handshake) -> None:
        await self._go(handshake.path, handshake.versions, follow_redirects=True)
        if handshake.is_outdated:
            self.send(OUTDATED)

    async def _viewer_state_watch(self, state: str) -> None:
        """Keep the socket of a page of forms while its viewer is as in `state`, else have the browser load it again."""
        if state == viewer_state(self.viewer):
            self.update(NOTHING)
        else:
            self.signed_out()

    async def _viewer_enter(self) -> bool:
        """Read the session; returns whether this account may have one more window here."""
        account_session = await session_by_headers(self.scope["headers"])
        if not account_session.viewer.is_signed_in:
            return True
        if not process.connection_limits.account_enter(account_session.account):
            security_count("socket refused", account=account_session.account, reason=f"close code {TOO_MANY}")
            self._close(TOO_MANY)
            return False
        self.account_session = account_session
        identify(account_session.account)
        process.session_monitor.enter(self)
        return True

    def signed_out(self) -> None:
        """Close, because the session or the account is gone; the browser then loads the page as a stranger."""
        self._close(SIGNED_OUT)

    def rights_changed(self) -> None:
        """Close, because the account may do other things now; the browser connects again with the new rights."""
        self._close(RESTART)

    async def _leave(self) -> None:
        if self.account_session is not NO_SESSION:
            process.connection_limits.account_leave(self.account_session.account)
            process.session_monitor.leave(self)
        if self.navigation_queue is not None:
            self.navigation_queue.end()
            self.navigation_queue = None  # it refers back to this, and nobody looks for cycles soon
        if self.taking_own is not None:
            self.taking_own.cancel()
            self.taking_own = None  # cancelled before its first step, it would not do so itself
        shown, self.shown = self.shown, None
        await self._leave_page(shown)
        self.commands.end()
        self.parts.end()

    async def _navigate(self, event: dict[str, Any]) -> None:
        """Go where an event of the page's navigation asks.

        Of somebody who is signed in, and of a stranger whose page stays, the layout does it and keeps its state.
        """
        request, shown = event["data"][0], self.shown
        path = request["path"]
        stays = self.viewer.is_signed_in or (shown is not None and shown.page.path == path.partition("?")[0])
        if isinstance(shown, OwnPage) and stays and shown.layout is not None:
            await shown.layout.deliver(event)
            return
        try:
            found = await self.navigate(path, *versions_and_number(request))
            if isinstance(found, Redirect) and self.shown is not None:
                self.send(self.shown.frame({"leave": found.to}))
        except Exception:
            log.exception("a page could not be loaded")  # the browser asks for it itself

    async def navigate(
        self, path: str, versions: Mapping[str, str], number: int = 0, *, own: OwnPage | None = None
    ) -> Page | Redirect:
        """Load the page at `path` and follow its parts; a Redirect is for the browser to load.

        `own` shows it by itself, and answers; else what is shown then has `number` as the answer.
        """
        try:
            return await self._go(path, versions, number, own=own)
        except TimeoutError:
            return Redirect(path)  # which answers in any case
        finally:
            if self.navigation_queue is not None:
                self.navigation_queue.finish()

    async def _go(
        self,
        path: str,
        versions: Mapping[str, str],
        number: int = 0,
        *,
        own: OwnPage | None = None,
        follow_redirects: bool = False,
    ) -> Page | Redirect:
        async with asyncio.timeout(PAGE_WAIT), self.navigation_lock:
            target = await self._find(path)
            if isinstance(target, Redirect) or target.route.plain:
                if not follow_redirects:
                    return target if isinstance(target, Redirect) else Redirect(target.address)
                target = home_target()  # a socket opened for a page that is none: its HTML never asks for that
            if own is not None:
                await own.load(target)
                await self.parts.show(own.page.all_parts, versions)
                return own.page
            answer = {"number": number} if number else {}
            is_public = target.route.access is Access.PUBLIC and not self.viewer.is_signed_in
            if not (is_public and await self._show_shared(target, versions, answer)):
                await self._show_own(target, versions, answer)
            assert self.shown is not None  # noqa: S101 - for mypy
            return self.shown.page

    async def _show_shared(self, target: Target, versions: Mapping[str, str], answer: Mapping[str, Any]) -> bool:
        """Show the page of all strangers; False for one that they cannot share."""
        page = await (await strangers_page(target, self.language)).join(self, versions, answer)
        if page is None:
            return False
        before, self.shown = self.shown, page
        if before is not page:
            await self._leave_page(before)
        return True

    async def _show_own(self, target: Target, versions: Mapping[str, str], answer: Mapping[str, Any]) -> None:
        """Show a page with a layout of its own; what is shown stays until all of it is there."""
        shared = self.shown if isinstance(self.shown, StrangersPage) and self.shown.target is target else None
        own = OwnPage(self)
        try:
            await own.load(target)
            await self.parts.show(own.page.all_parts, versions)
            own.posted = await posted_of(target.address, self.viewer)
            await own.render(shared.first if shared is not None else None)
            if self.shown is not None:
                await own.settle()
        except BaseException:
            await own.end()
            raise
        before, self.shown = self.shown, own
        own.is_silent = False
        if before is None or answer or not own.is_as(before):
            self.send(numbers.update(own.frame(answer)))
        await self._leave_page(before)

    def leave_strangers(self) -> None:
        """Have a page of one's own instead of that of all strangers, soon; it takes the events that wait."""
        if self.taking_own is None:
            self.taking_own = asyncio.create_task(self._leave_strangers())

    async def _leave_strangers(self) -> None:
        try:
            async with process.render_admission.admission(), asyncio.timeout(PAGE_WAIT), self.navigation_lock:
                if isinstance(self.shown, StrangersPage):  # it may have gone on meanwhile
                    await self._show_own(self.shown.target, {}, {})
            events, self.early_events = self.early_events, []
            for event in events:
                await self._deliver(event)
        except Exception:
            log.exception("a stranger got no page of their own")
            self.close_failed()
        finally:
            self.taking_own = None

    async def follow_parts(self, page: StrangersPage) -> None:
        """Follow the parts of this page of all strangers, which has others now, if it is still shown."""
        try:
            async with self.navigation_lock:
                if self.shown is page:
                    await self.parts.show(page.refs, {})
        except Exception:
            log.exception("the parts of a page could not be shown")
            self.close_failed()

    async def _leave_page(self, page: OwnPage | StrangersPage | None) -> None:
        if isinstance(page, StrangersPage):
            page.leave(self)
        elif page is not None:
            await page.end()

    async def _find(self, path: str) -> Target | Redirect:
        target = find(path, self.viewer)
        if isinstance(target, Redirect) or target.route.access is Access.PUBLIC:
            return target
        account_session = await session_by_headers(self.scope["headers"])  # as it is now
        if account_session.account == self.account_session.account:
            self.account_session = account_session
        return find(path, account_session.viewer)

    def close_failed(self) -> None:
        """Close, because something failed that is logged; the browser comes back and asks for all of it."""
        self._close(FAILED)

    def _close(self, code: int, reason: str = "") -> None:
        self.socket.sendCloseFrame(code=code, reasonUtf8=reason.encode() or None)

    def update(self, update: dict[str, Any]) -> None:
        """Send an update of the page's layout."""
        self.send(numbers.update(frame(update)))

    async def _on_frame(self, text: str | None) -> None:
        try:
            message = frame_parse(text)
        except BadFrame as error:
            security_count("socket closed", reason=f"bad frame: {error}")
            self._close(BAD_FRAME)
            return
        except DroppedEvent as event_error:
            self.commands.refuse(event_error.key, str(event_error), self.language)
            return
        match message:
            case LayoutEvent() if self._knows(message):
                await self._page_event(message)
            case CommandRequest() if self.shown is not None:
                self.commands.take(message, self.viewer, path=self.shown.page.address, language=self.language)
            case PartRequest(key):
                self.parts.send_full(key)
            case Ping():
                self.socket.send_prepared(PONG)

    async def _page_event(self, event: LayoutEvent) -> None:
        if not self.commands.is_allowed(event.target, self.viewer, self.language):
            return
        if event.target.endswith(NAVIGATION):
            if self.navigation_queue is None:
                self.navigation_queue = NavigationQueue(self.send, self._navigate, self.address, self.language)
            self.navigation_queue.ask(event, is_signed_in=self.viewer.is_signed_in)
        elif self.taking_own is not None or isinstance(self.shown, StrangersPage):
            self.early_events.append(event)
            self.leave_strangers()
        else:
            await self._deliver(event)

    def _knows(self, event: LayoutEvent) -> bool:
        layout = self.shown.layout if self.shown is not None else None
        return layout is not None and layout.knows(event.target)

    async def _deliver(self, event: LayoutEvent) -> None:
        if isinstance(self.shown, OwnPage) and self.shown.layout is not None and self._knows(event):
            await self.shown.layout.deliver(event.message)
