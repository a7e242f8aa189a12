"""Shared parts at work: read once, rendered once, encoded once, written to every socket that shows them.

A version is a hash of the content, so it means the same in every process and after a restart. A change names the
version it starts from and the one it ends at; a browser that holds another asks for the whole.
"""

import asyncio
import contextvars
import hashlib
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar

import orjson

from components.rendering.parts import Ref
from components.rendering.serializer import inside_script, to_html
from components.rendering.tree import Node, NotPublic, difference, frozen

log = logging.getLogger(__name__)
RETRY = 2.0  # seconds until a part that could not be read is tried again
IDLE_LIMIT = 500  # parts that nobody shows which a process keeps for page views

Result = TypeVar("Result")


class Socket(Protocol):
    """What the registry needs of one viewer's socket."""

    def send_part(self, live: "LivePart", data: bytes) -> None:
        """Hand on a complete frame of this part."""


class Topics(Protocol):
    """What the registry needs of the bus."""

    def subscribe(self, topic: str, listener: Callable[[], None]) -> Callable[[], None]:
        """Call `listener` on each change of `topic`; returns the function that ends it."""


class InThread(Protocol):
    """Runs a blocking function beside the event loop."""

    def __call__(self, function: Callable[[], Result], /) -> Awaitable[Result]:
        """Return what `function` returns."""


def frame(message: dict[str, Any]) -> bytes:
    """A complete unmasked websocket text frame (RFC 6455, section 5.2)."""
    body = orjson.dumps(message)
    size = len(body)
    if size < 126:  # noqa: PLR2004 - the RFC's numbers
        return bytes((0x81, size)) + body
    if size < 1 << 16:
        return b"\x81\x7e" + size.to_bytes(2, "big") + body
    return b"\x81\x7f" + size.to_bytes(8, "big") + body


@dataclass(eq=False, slots=True)
class LivePart:
    """The newest content of one part in this process, and the sockets that show it."""

    ref: Ref
    version: str = ""
    model: Node = ""
    html: str = ""
    data: str = ""  # the model as JSON that is safe inside <script>
    whole: bytes = b""
    stale: bool = True
    sockets: set[Socket] = field(default_factory=set)
    stops: list[Callable[[], None]] = field(default_factory=list)
    refreshing: asyncio.Task[None] | None = None

    def renew(self) -> bytes:
        """Read and render; returns the frame for those who show the old version, empty when nothing changed."""
        model = contextvars.Context().run(self._model)
        body = orjson.dumps(model)
        version = hashlib.blake2b(body, digest_size=9).hexdigest()
        if version == self.version:
            return b""
        key, before = self.ref.key, self.version
        whole = frame({"type": "part", "key": key, "to": version, "model": model})
        change = whole
        if before:
            operations = difference(self.model, model)
            change = frame({"type": "part", "key": key, "from": before, "to": version, "operations": operations})
        self.html, self.data, self.whole = to_html(model), inside_script(body.decode()), whole
        self.model, self.version = model, version
        return min(change, whole, key=len)

    def _model(self) -> Node:
        part = self.ref.part
        try:
            model = frozen(part.markup(*self.ref.parameters, language=self.ref.language))
        except NotPublic as error:
            raise NotPublic(f"{part.name}: {error}") from error
        if isinstance(model, str) or not model["tagName"]:
            raise NotPublic(f"{part.name}: a shared part is one element")
        return model


def _seen(task: asyncio.Task[None]) -> None:
    """Take note of a failure, so that asyncio does not report again what was logged where it arose."""
    if not task.cancelled():
        task.exception()


class LiveParts:
    """All parts that this process holds."""

    def __init__(self, bus: Topics, in_thread: InThread) -> None:
        self.bus, self.in_thread = bus, in_thread
        self.live: dict[str, LivePart] = {}
        self.deliveries = self.bytes_out = 0  # of changes to those who show them

    async def current(self, ref: Ref) -> LivePart:
        """The part, up to date; any number of callers cost one read."""
        while True:
            live = self.live.get(ref.key) or self._begin(ref)
            if not (live.stale or live.refreshing):
                return live
            await asyncio.shield(self._refreshing(live))  # meanwhile it may have been forgotten

    async def watch(self, ref: Ref, socket: Socket, held: str) -> LivePart:
        """From now on `socket` gets every change; it gets the whole at once unless it holds this version."""
        live = await self.current(ref)
        live.sockets.add(socket)
        if held != live.version:
            socket.send_part(live, live.whole)
        return live

    def check(self) -> None:
        """Read every part that somebody shows again."""
        for live in tuple(self.live.values()):
            if live.sockets:
                self._changed(live)

    def _begin(self, ref: Ref) -> LivePart:
        if len(self.live) >= IDLE_LIMIT:
            self._forget_idle()
        live = self.live[ref.key] = LivePart(ref)
        live.stops = [self.bus.subscribe(topic, lambda: self._changed(live)) for topic in ref.topics]
        return live

    def _forget_idle(self) -> None:
        """Drop the parts that nobody shows: parameters come from addresses, so strangers choose how many there are."""
        for key, live in list(self.live.items()):
            if not live.sockets and live.refreshing is None:
                for stop in live.stops:
                    stop()
                del self.live[key]

    def _changed(self, live: LivePart) -> None:
        live.stale = True
        if live.sockets:
            self._refreshing(live)

    def _refreshing(self, live: LivePart) -> asyncio.Task[None]:
        if live.refreshing is None:
            live.refreshing = asyncio.create_task(self._refresh(live))
            live.refreshing.add_done_callback(_seen)
        return live.refreshing

    async def _refresh(self, live: LivePart) -> None:
        try:
            while live.stale:
                live.stale = False
                change = await self._renewed(live)
                if change:
                    self.deliveries += len(live.sockets)
                    self.bytes_out += len(live.sockets) * len(change)
                    for socket in tuple(live.sockets):
                        socket.send_part(live, change)
        finally:
            live.refreshing = None

    async def _renewed(self, live: LivePart) -> bytes:
        try:
            return await self.in_thread(live.renew)
        except Exception:
            log.exception("part %s could not be read", live.ref.key)
            live.stale = True
            if live.sockets:
                asyncio.get_running_loop().call_later(RETRY, self._changed, live)
            raise
