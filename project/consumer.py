"""One viewer's socket: accepts, finds out who it is, loads the page, keeps the layout, hands events on.

No frame passes Channels' shared thread: the receive loop is this coroutine, and database work goes to the pool's
threads. Everything that arrives is checked before ReactPy sees it.
"""

import asyncio
import logging
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import parse_qs

from reactpy.types import Connection, Location

from apps.accounts.actors import STRANGER, Viewer
from apps.core.context import RequestContext, request_context
from components.page import Page, Redirect
from components.rendering.layout import PageLayout, connected
from components.rendering.live_parts import LivePart, frame
from components.routes import Access, Target, find
from components.site import site
from project.daphne_server import SOCKET
from project.frames import BadFrame, LayoutEvent, Want, parsed
from project.language import language_of
from project.loading import once, page_load
from project.process import process
from project.threads import in_thread
from project.viewer import viewer_of

log = logging.getLogger(__name__)
FAILED, NEW_VERSION, BAD_FRAME = 1011, 4003, 4500
PROTOCOL = "1"  # of frames; a browser that speaks another reloads its page
PONG = frame({"type": "pong"})
Stop = Callable[[], None]


class PageSocket:
    """The ASGI application of one websocket; also the carrier that components see."""

    def __init__(self, scope: dict[str, Any], receive: Callable[..., Any], send: Callable[..., Any]) -> None:
        self.scope, self.receive, self.asgi_send = scope, receive, send
        self.socket = scope["extensions"][SOCKET]
        self.viewer: Viewer = STRANGER
        self.language = language_of(scope["headers"])
        self.page: Page
        self.turn = 0  # the bus's, before the page was loaded
        self.layout: PageLayout | None = None
        self.live: dict[str, LivePart] = {}
        self.page_stops: list[Stop] = []
        self.followed: set[Stop] = set()
        self.show_page: Callable[[Page], None] | None = None
        self.reloading: asyncio.Task[None] | None = None
        self.outdated: Target | None = None
        self.moving = asyncio.Lock()

    async def run(self) -> None:
        """Serve until the socket is gone."""
        if (await self.receive())["type"] != "websocket.connect":
            return
        await self.asgi_send({"type": "websocket.accept"})
        # the viewer's first picture is made beside the receive loop, so that a socket that leaves cancels it
        serving = asyncio.create_task(self._open())
        try:
            while (message := await self.receive())["type"] == "websocket.receive":
                await self._received(message.get("text"))
        finally:
            serving.cancel()
            await asyncio.gather(serving, return_exceptions=True)
            await self._leave()

    async def _open(self) -> None:
        try:
            query = parse_qs(self.scope["query_string"].decode("ascii", "replace"))
            if query.get("protocol", [PROTOCOL]) != [PROTOCOL]:
                self.socket.sendCloseFrame(code=NEW_VERSION)
                return
            held = dict(pair.rsplit("~", 1) for pair in query.get("held", [""])[0].split(",") if "~" in pair)
            self.viewer = await viewer_of(self.scope["headers"])
            path = query.get("path", ["/"])[0] + query.get("qs", [""])[0]
            await self._go(path, held, follow_redirects=True)
            connection = Connection(self.scope, Location(self.page.place, ""), self)
            self.layout = PageLayout(connected(site(), connection), self._update, self._failed)
            await self.layout.__aenter__()
        except Exception:
            log.exception("a socket could not be opened")
            self._failed()

    async def _leave(self) -> None:
        if self.layout is not None:  # first: an event in work may still subscribe
            await self.layout.__aexit__(None, None, None)
        if self.reloading is not None:
            self.reloading.cancel()
        self._forget_page()
        for live in self.live.values():
            live.sockets.discard(self)
        for stop in tuple(self.followed):
            stop()

    async def navigate(self, path: str, held: Mapping[str, str]) -> Page | Redirect:
        """Load the page at `path` and follow its parts; a Redirect is for the browser to load."""
        return await self._go(path, held)

    def on_page(self, show: Callable[[Page], None]) -> None:
        """Call `show` when the page was loaded again because one of its topics changed."""
        self.show_page = show
        show(self.page)  # it may have been loaded again since the first render

    def follow(self, topics: tuple[str, ...], read: Callable[[], Any], show: Callable[[Any], None]) -> Stop:
        """Show what `read` returns whenever a topic changes; viewers with equal reads share one."""
        follower = _Follower(read, show)
        stops = [process.bus.subscribe(topic, follower.changed) for topic in topics]

        def stop() -> None:
            self.followed.discard(stop)
            follower.end()
            for each in stops:
                each()

        self.followed.add(stop)
        if process.bus.changed_since(self.turn, topics):  # between the page's load and now
            follower.changed()
        return stop

    def send_part(self, live: LivePart, data: bytes) -> None:
        """Hand on a part's frame; a slow socket only takes a note and gets the whole newest one later."""
        self.socket.send_latest(live, data)

    async def _go(self, path: str, held: Mapping[str, str], *, follow_redirects: bool = False) -> Page | Redirect:
        async with self.moving:
            target = await self._find(path)
            if isinstance(target, Redirect) or target.route.plain:
                there = target if isinstance(target, Redirect) else Redirect(target.path)
                if not follow_redirects:
                    return there
                target = _home(self.viewer)  # a socket opened for a page that is none: its HTML never asks for that
            self.page = await self._load(target)
            await self._show_parts(held)
            return self.page

    async def _find(self, path: str) -> Target | Redirect:
        target = find(path, self.viewer)
        if isinstance(target, Redirect) or target.route.access is Access.PUBLIC:
            return target
        self.viewer = await viewer_of(self.scope["headers"])  # as it is now, not as it was when the socket opened
        return find(path, self.viewer)

    async def _load(self, target: Target) -> Page:
        """Load the page, following its topics from before the read on."""
        with request_context(self._context(target.path)):
            while True:
                turn = process.bus.turn
                page = await page_load(target, self.viewer, self.language, turn)
                if not process.bus.changed_since(turn, page.topics):
                    break
        self._forget_page()
        self.turn = turn
        self.page_stops = [process.bus.subscribe(topic, lambda: self._page_changed(target)) for topic in page.topics]
        return page

    async def _show_parts(self, held: Mapping[str, str]) -> None:
        """Follow the page's parts; those that it shares with the page before stay as they are."""
        wanted = {ref.key: ref for ref in self.page.parts}
        for key, ref in wanted.items():
            if key not in self.live:  # one by one: whoever leaves meanwhile finds all that is followed
                self.live[key] = await process.parts.watch(ref, self, str(held.get(key, "")))
        for key in self.live.keys() - wanted.keys():
            self.live.pop(key).sockets.discard(self)

    def _page_changed(self, target: Target) -> None:
        self.outdated = target
        if self.reloading is None:
            self.reloading = asyncio.create_task(self._reload())

    async def _reload(self) -> None:
        try:
            while (target := self.outdated) is not None:
                self.outdated = None  # a change from here on asks for one more turn
                async with self.moving:
                    if self.page.path != target.path:
                        continue
                    self.page = await self._load(target)
                    await self._show_parts({})
                if self.show_page is not None:
                    self.show_page(self.page)
        except Exception:
            log.exception("a page could not be loaded again")
            self._failed()  # the browser comes back and asks for all of it
        finally:
            self.reloading = None

    def _forget_page(self) -> None:
        for stop in self.page_stops:
            stop()
        self.page_stops = []

    def _context(self, path: str) -> RequestContext:
        return RequestContext.of(self.scope["headers"], path, self.viewer.id)

    def _failed(self) -> None:
        self.socket.sendCloseFrame(code=FAILED)

    def _update(self, update: dict[str, Any]) -> None:
        self.socket.send_prepared(frame(update))

    async def _received(self, text: str | None) -> None:
        try:
            message = parsed(text)
        except BadFrame as error:
            log.info("bad frame: %s", error)
            self.socket.sendCloseFrame(code=BAD_FRAME)
            return
        match message:
            case LayoutEvent(target, event):
                if self.layout is not None and self.layout.knows(target):
                    await self.layout.deliver(event)
            case Want(key):
                if key in self.live:
                    self.send_part(self.live[key], self.live[key].whole)
            case _:
                self.socket.send_prepared(PONG)


class _Follower:
    """Reads again after each change, one read at a time, and never misses the last one."""

    def __init__(self, read: Callable[[], Any], show: Callable[[Any], None]) -> None:
        self.read, self.show = read, show
        self.again = False
        self.task: asyncio.Task[None] | None = None

    def changed(self) -> None:
        self.again = True
        if self.task is None:
            self.task = asyncio.create_task(self._run())

    def end(self) -> None:
        if self.task is not None:
            self.task.cancel()

    async def _run(self) -> None:
        try:
            while self.again:
                self.again = False
                self.show(await once((self.read, process.bus.turn), lambda: in_thread(self.read)))
        except Exception:
            log.exception("a leaf could not be read again")
        finally:
            self.task = None


def _home(viewer: Viewer) -> Target:
    target = find("/", viewer)
    if isinstance(target, Redirect):
        raise TypeError("the home page is for everybody")
    return target
