"""One viewer's socket: it is accepted, its viewer found, the page loaded and rendered, and its frames handled.

No frame passes Channels' shared thread: the receive loop is this coroutine, and database work goes to the pool's
threads. Everything that arrives is checked before ReactPy sees it.
"""

import asyncio
import logging
from collections.abc import Callable, Mapping
from contextvars import copy_context
from functools import partial
from typing import Any

from apps.accounts.actors import Viewer
from apps.accounts.selectors import NO_SESSION, AccountSession
from apps.core.observability.client_addresses import address_key
from apps.core.observability.request_context import RequestContext, identify, request_context
from apps.core.observability.security_log import security_count
from components.page import Page, Redirect
from components.rendering.layout import HookConnection, PageLayout, with_connection
from components.rendering.live_part import frame
from components.routes import Access, Target, find, home_target
from components.site import site
from project.http.commands.posted_answers import posted_of
from project.http.csrf import CsrfTokens
from project.http.handshake import NOTHING, SOCKET, Handshake, viewer_state
from project.http.language import language_of
from project.http.page_cache import page_load
from project.http.viewer import session_by_headers
from project.limits.close_codes import BAD_FRAME, BUSY, FAILED, NEW_VERSION, RESTART, SIGNED_OUT, TOO_MANY
from project.limits.connections import COME_BACK
from project.limits.rates import PAGE_WAIT
from project.observability.metrics import layouts, numbers
from project.process.command_run import CommandRequest
from project.process.web_process import process
from project.sockets.command_queue import CommandQueue
from project.sockets.frames import BadFrame, DroppedEvent, LayoutEvent, PartRequest, Ping, frame_parse
from project.sockets.live_query import LiveQuery
from project.sockets.navigation_queue import NAVIGATION, NavigationQueue
from project.sockets.shown_parts import ShownParts

log = logging.getLogger(__name__)
PONG = frame({"type": "pong"})
Stop = Callable[[], None]


class PageSocket(CsrfTokens):
    """The ASGI application of one websocket; also the connection that components see."""

    def __init__(self, scope: dict[str, Any], receive: Callable[..., Any], send: Callable[..., Any]) -> None:
        self.scope, self.receive, self.asgi_send = scope, receive, send
        self.socket = scope["extensions"][SOCKET]
        self.account_session: AccountSession = NO_SESSION
        self.address = address_key(scope.get("client"))
        self.language = language_of(scope["headers"])
        self.page: Page
        self.posted: Mapping[str, Any] | None = None
        self.sequence = 0  # the bus's, before the page was loaded
        self.layout: PageLayout | None = None
        self.page_stops: list[Stop] = []
        self.live_queries: set[LiveQuery] = set()
        self.show_page: Callable[[Page], None] | None = None
        self.reload_task: asyncio.Task[None] | None = None
        self.outdated_target: Target | None = None
        self.navigation_queue: NavigationQueue
        self.commands = CommandQueue(self.socket.send_prepared)
        self.react = process.reactions.add
        self.navigation_lock = asyncio.Lock()
        self.parts = ShownParts(self.socket, self.navigation_lock)
        self.open_part = self.parts.open
        self.context = copy_context()  # what the bus starts is logged as this socket's too

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
            self._close_failed()
        except Exception:
            log.exception("a socket could not be opened")
            self._close_failed()

    async def _show(self, handshake: Handshake) -> None:
        await self._go(handshake.path, handshake.versions, follow_redirects=True)
        self.posted = await posted_of(handshake.path, self.viewer)
        root = with_connection(site(), HookConnection(self.scope, self))
        self.layout = PageLayout(root, self._update, self._close_failed)
        send, deliver = self.socket.send_prepared, self.layout.deliver
        self.navigation_queue = NavigationQueue(send, deliver, self.address, self.language)
        layouts.add(self.layout)
        with numbers.render.measure():
            await self.layout.__aenter__()
        await self.layout.finish_rendering()

    async def _viewer_state_watch(self, state: str) -> None:
        """Keep the socket of a page of forms while its viewer is as in `state`, else have the browser load it again."""
        if state == viewer_state(self.viewer):
            self._update(NOTHING)
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
        if self.layout is not None:  # before what is followed: an event in work may still subscribe
            self.navigation_queue.end()
            await self.layout.__aexit__(None, None, None)
            del self.navigation_queue
            self.layout = self.show_page = None  # they refer back to this, and nobody looks for cycles soon
        self.commands.end()
        if self.reload_task is not None:
            self.reload_task.cancel()
        self._forget_page()
        self.parts.end()
        for live_query in tuple(self.live_queries):
            self._live_query_end(live_query)

    async def navigate(self, path: str, versions: Mapping[str, str]) -> Page | Redirect:
        """Load the page at `path` and follow its parts; a Redirect is for the browser to load."""
        try:
            return await self._go(path, versions)
        except TimeoutError:
            return Redirect(path)  # which answers in any case
        finally:
            self.navigation_queue.finish()

    def on_page(self, show: Callable[[Page], None]) -> None:
        """Call `show` when the page was loaded again because one of its topics changed."""
        self.show_page = show
        show(self.page)  # it may have been loaded again since the first render

    def follow(self, topics: tuple[str, ...], read: Callable[[], Any], show: Callable[[Any], None]) -> Stop:
        """Show what `read` returns whenever a topic changes; viewers with equal reads share one."""
        live_query = LiveQuery(topics, read, show)
        self.live_queries.add(live_query)
        if process.bus.changed_since(self.sequence, topics):  # between the page's load and now
            live_query.refresh()
        return partial(self._live_query_end, live_query)

    def _live_query_end(self, live_query: LiveQuery) -> None:
        self.live_queries.discard(live_query)
        live_query.end()

    async def _go(self, path: str, versions: Mapping[str, str], *, follow_redirects: bool = False) -> Page | Redirect:
        async with asyncio.timeout(PAGE_WAIT), self.navigation_lock:
            target = await self._find(path)
            if isinstance(target, Redirect) or target.route.plain:
                if not follow_redirects:
                    return target if isinstance(target, Redirect) else Redirect(target.address)
                target = home_target()  # a socket opened for a page that is none: its HTML never asks for that
            self.page = await self._load(target)
            await self.parts.show(self.page.all_parts, versions)
            return self.page

    async def _find(self, path: str) -> Target | Redirect:
        target = find(path, self.viewer)
        if isinstance(target, Redirect) or target.route.access is Access.PUBLIC:
            return target
        account_session = await session_by_headers(self.scope["headers"])  # as it is now
        if account_session.account == self.account_session.account:
            self.account_session = account_session
        return find(path, account_session.viewer)

    async def _load(self, target: Target) -> Page:
        """Load the page, following its topics from before the read on."""
        with request_context(RequestContext.of(self.scope["headers"], target.address, self.viewer.id)):
            while True:
                sequence = process.bus.sequence
                page = await page_load(target, self.viewer, self.language)
                if not process.bus.changed_since(sequence, page.topics):
                    break
        self._forget_page()
        self.sequence = page.sequence  # it may have been kept since: leaves read again what has changed
        self.page_stops = [process.bus.subscribe(topic, lambda: self._page_changed(target)) for topic in page.topics]
        return page

    def _page_changed(self, target: Target) -> None:
        self.outdated_target = target
        if self.reload_task is None:
            self.reload_task = asyncio.create_task(self._reload(), context=self.context)

    async def _reload(self) -> None:
        try:
            while (target := self.outdated_target) is not None:
                self.outdated_target = None  # a change from here on asks for one more turn
                async with self.navigation_lock:
                    if self.page.address != target.address:
                        continue
                    self.page = await self._load(target)
                    await self.parts.show(self.page.all_parts, {})
                if self.show_page is not None:
                    self.show_page(self.page)
        except Exception:
            log.exception("a page could not be loaded again")
            self._close_failed()  # the browser comes back and asks for all of it
        finally:
            self.reload_task = None

    def _forget_page(self) -> None:
        for stop in self.page_stops:
            stop()
        self.page_stops = []

    def _close_failed(self) -> None:
        self._close(FAILED)

    def _close(self, code: int, reason: str = "") -> None:
        self.socket.sendCloseFrame(code=code, reasonUtf8=reason.encode() or None)

    def _update(self, update: dict[str, Any]) -> None:
        self.socket.send_prepared(numbers.update(frame(update)))

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
            case LayoutEvent() if self.layout is not None and self.layout.knows(message.target):
                await self._page_event(message)
            case CommandRequest() if self.layout is not None:
                self.commands.take(message, self.viewer, path=self.page.address, language=self.language)
            case PartRequest(key):
                self.parts.send_full(key)
            case Ping():
                self.socket.send_prepared(PONG)

    async def _page_event(self, event: LayoutEvent) -> None:
        if not self.commands.is_allowed(event.target, self.viewer, self.language):
            return
        if event.target.endswith(NAVIGATION):
            self.navigation_queue.ask(event, is_signed_in=self.viewer.is_signed_in)
        elif self.layout is not None:
            await self.layout.deliver(event.message)
