"""One viewer's socket: it is accepted, its viewer is read, a page is shown, and its frames are handled.

No frame passes through Channels' shared thread: the receive loop is a coroutine, and database work runs in worker
threads. Every frame is validated before ReactPy receives it. Commands run one after the other; commands and page events
are rate-limited by name.
"""

import asyncio
import logging
import re
from collections.abc import Callable
from contextvars import copy_context
from dataclasses import replace
from functools import partial
from typing import Any

from apps.accounts.actors import Viewer
from apps.accounts.selectors.sessions import NO_SESSION
from apps.core.buckets import Bucket
from apps.core.commands import REGISTERED
from apps.core.observability import identify, security_count
from apps.core.texts import texts
from apps.core.threads import in_thread
from components.runtime.rendering.frames import frame
from project.http.middleware import NOTHING, Handshake, viewer_state
from project.http.viewer import session_by_key
from project.limits.connections import COME_BACK
from project.limits.rates import BAD_FRAME, BUSY, COMMANDS, COMMANDS_ADMIN, NEW_VERSION, RESTART, SIGNED_OUT, TOO_MANY
from project.observability.metrics import numbers
from project.process.commands import TOO_FAST, CommandRequest, command_run
from project.process.frames import BadFrame, DroppedEvent, LayoutEvent, PartRequest, Ping, frame_parse
from project.process.web_process import process
from project.sockets.window import Window
from project.visit import Visit

log = logging.getLogger(__name__)
HANDLER = re.compile(r"on[A-Z]")  # handlers of elements; page events have other names


def notice(sentence: str) -> dict[str, Any]:
    """Return a notice frame, which the browser shows in its status line for six seconds."""
    return {"type": "notice", "text": sentence}


class CommandQueue:
    """The commands of one socket; `send` writes a frame to it."""

    def __init__(self, send: Callable[[bytes], None]) -> None:
        self.send = send
        self.buckets: dict[str, Bucket] = {}
        # no deque: an empty one is ten times as large
        self.waiting: list[tuple[CommandRequest, Callable[[], dict[str, Any]]]] = []
        self.task: asyncio.Task[None] | None = None
        self.context = copy_context()  # log records of commands carry the socket's context

    def take(self, command_request: CommandRequest, visit: Visit) -> None:
        """Queue this command of the page of `visit`; its answer is sent even if the page has changed by then."""
        if command_request.name in REGISTERED and not self._is_free(command_request.name, visit.viewer):
            self.refuse(command_request.key, TOO_FAST, visit.language, again=True)
            return
        self.waiting.append((command_request, partial(command_run, command_request, visit)))
        if self.task is None:
            self.task = asyncio.create_task(self._run(), context=self.context)

    def is_allowed(self, target: str, viewer: Viewer, language: str) -> bool:
        """Whether the page event of this target may run now. Element handlers are limited by FRAMES alone."""
        name = target.rpartition(":")[2]
        if HANDLER.match(name) or self._is_free(name, viewer):
            return True
        self.refuse("", TOO_FAST, language)
        return False

    def _is_free(self, name: str, viewer: Viewer) -> bool:
        bucket = self.buckets.setdefault(name, Bucket(COMMANDS_ADMIN if viewer.is_admin else COMMANDS))
        unlimited = viewer.is_admin or viewer.id is None
        if bucket.take() and (unlimited or process.connection_limits.account_commands(viewer.id or 0)):
            return True
        security_count("limit reached", account=viewer.id, reason="commands")
        return False

    def refuse(self, key: str, sentence: str, language: str, **more: Any) -> None:
        """Send a refusal: as the answer to the command of this key, or as a notice without a key."""
        text = texts(language)(sentence)
        self.send(frame({"type": "answer", "key": key, "ok": False, "text": text, **more} if key else notice(text)))

    def end(self) -> None:
        """Stop, because the socket is closed. The browser sends unanswered commands again with the same key."""
        if self.task is not None:
            self.task.cancel()
            self.task = None  # a task cancelled before its first step does not clear itself

    async def _run(self) -> None:
        try:
            while self.waiting:
                await self._answer(*self.waiting.pop(0))
        finally:
            self.task = None

    async def _answer(self, command_request: CommandRequest, work: Callable[[], dict[str, Any]]) -> None:
        try:
            answer = await in_thread(work)
        except Exception:
            log.exception(
                "command %s failed without an answer", command_request.name
            )  # the browser sends the command again
        else:
            self.send(frame({"type": "answer", "key": command_request.key, **answer}))


PONG = frame({"type": "pong"})
OUTDATED = frame({"type": "outdated"})  # the page reloads itself when it suits the user


class PageSocket(Window):
    """The ASGI application of one websocket."""

    def __init__(self, scope: dict[str, Any], receive: Callable[..., Any], send: Callable[..., Any]) -> None:
        super().__init__(scope)
        self.receive, self.asgi_send = receive, send
        self.commands = CommandQueue(self.send)

    async def run(self) -> None:
        """Serve until the socket is closed."""
        if (await self.receive())["type"] != "websocket.connect":
            return
        await self.asgi_send({"type": "websocket.accept"})  # accept first, so that a refusal has a close code
        if code := process.connection_limits.enter(self.visit.client):
            security_count("socket refused", reason=f"close code {code}")
            self.close(code, f"retry={COME_BACK}")
            return
        serving = asyncio.create_task(self._open())  # beside the receive loop, so that a socket that closes cancels it
        try:
            while (message := await self.receive())["type"] == "websocket.receive":
                await self._on_frame(message.get("text"))
        finally:
            process.connection_limits.leave(self.visit.client)
            serving.cancel()
            await asyncio.gather(serving, return_exceptions=True)
            await self._leave()

    async def _open(self) -> None:
        try:
            handshake = Handshake.of(self.scope["query_string"])
            if not handshake.is_understood:
                self.close(NEW_VERSION)
            elif seconds := process.render_admission.come_back() or process.connection_limits.search(
                self.visit.client, handshake.path
            ):
                self.close(BUSY, f"retry={seconds}")
            else:
                numbers.reconnects += handshake.is_reconnect
                async with process.render_admission.admission():
                    if await self._viewer_enter():
                        if handshake.viewer_state:
                            await self._viewer_state_watch(handshake.viewer_state)
                        else:
                            await self._show(handshake)
        except TimeoutError:
            log.warning("first page of a socket did not load in time; the browser reconnects")
            self.close_failed()
        except Exception:
            log.exception("a socket could not be opened")
            self.close_failed()

    async def _show(self, handshake: Handshake) -> None:
        await self.go(handshake.path, handshake.versions, follow_redirects=True)
        if handshake.is_outdated:
            self.send(OUTDATED)

    async def _viewer_state_watch(self, state: str) -> None:
        """Keep the socket of a form page while its viewer matches `state`, else make the browser load it again."""
        if state == viewer_state(self.viewer):
            self.update(NOTHING)
        else:
            self.signed_out()

    async def _viewer_enter(self) -> bool:
        """Read the session and register its account. Returns False at the account's limit of windows."""
        account_session = await session_by_key(self.visit.session_key)
        if not account_session.viewer.is_signed_in:
            return True
        if not process.connection_limits.account_enter(account_session.account):
            security_count("socket refused", account=account_session.account, reason=f"close code {TOO_MANY}")
            self.close(TOO_MANY)
            return False
        self.account_session = account_session
        identify(account_session.account)
        process.session_monitor.enter(self)
        return True

    def signed_out(self) -> None:
        """Close, because the session or the account has ended.

        The browser then loads the page as an anonymous visitor.
        """
        self.close(SIGNED_OUT)

    def rights_changed(self) -> None:
        """Close, because the account's rights have changed. The browser reconnects with the new rights."""
        self.close(RESTART)

    async def _leave(self) -> None:
        if self.account_session is not NO_SESSION:
            process.connection_limits.account_leave(self.account_session.account)
            process.session_monitor.leave(self)
        await self.leave_pages()
        self.commands.end()

    async def _on_frame(self, text: str | None) -> None:
        try:
            message = frame_parse(text)
        except BadFrame as error:
            security_count("socket closed", reason=f"bad frame: {error}")
            self.close(BAD_FRAME)
            return
        except DroppedEvent as event_error:
            self.commands.refuse(event_error.key, str(event_error), self.visit.language)
            return
        match message:
            case LayoutEvent() if self.knows(message):
                if self.commands.is_allowed(message.target, self.viewer, self.visit.language):
                    await self.page_event(message)
            case CommandRequest() if self.shown is not None:
                self.commands.take(message, replace(self.visit, address=self.shown.page.address, viewer=self.viewer))
            case PartRequest(key):
                self.parts.send_full(key)
            case Ping():
                self.socket.send_prepared(PONG)
