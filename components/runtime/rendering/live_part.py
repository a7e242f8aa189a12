"""One shared part in one process: its current content as frames, as HTML and as JSON."""

import asyncio
import contextvars
import hashlib
import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from typing import Any, Protocol

from apps.core.scale.replica import Reading, read_from_replica
from components.runtime.rendering.encoding import LayoutUpdate, encode
from components.runtime.rendering.parts import Ref, read_ahead, refs_in, shared_reads
from components.runtime.rendering.refusals import name_of
from components.runtime.rendering.serializer import Spot, inside_script, pieces
from components.runtime.rendering.tree import Node, NotPublic, difference, plain_tree

log = logging.getLogger(__name__)
LARGE = 1 << 16  # bytes of a part, or of a page's parts, above which a thread makes their HTML

Markup = tuple[tuple[str, ...], str, str]  # HTML and data, and the version that they show


class PublicText(str):
    """Public markup or data of a part. Safe to compress (BREACH), because it never contains any secret."""

    __slots__ = ()


def public_pieces(cut: Iterable[str]) -> tuple[str, ...]:
    """Return the pieces of a part, marked as public, including the unfilled content of its slots."""
    found = []
    for piece in cut:
        if isinstance(piece, Spot):
            piece.inside = public_pieces(piece.inside)
        found.append(piece if isinstance(piece, Spot) else PublicText(piece))
    return tuple(found)


class Socket(Protocol):
    """The interface of one viewer's socket that parts use."""

    def send_latest(self, lives: "Sequence[LivePart]", data: bytes) -> None:
        """Write complete frames, one for each of these parts. Under backpressure only their newest content is sent."""


def frame(message: dict[str, Any]) -> bytes:
    """Return a complete unmasked websocket text frame (RFC 6455, section 5.2)."""
    body = message.body if isinstance(message, LayoutUpdate) else encode(message)
    size = len(body)
    if size < 126:  # noqa: PLR2004 - the RFC's numbers
        return bytes((0x81, size)) + body
    if size < 1 << 16:
        return b"\x81\x7e" + size.to_bytes(2, "big") + body
    return b"\x81\x7f" + size.to_bytes(8, "big") + body


def payload(complete_frame: bytes) -> bytes:
    """Return the JSON in a frame that `frame` made."""
    extended = {126: 2, 127: 8}  # bytes of a length that its own byte does not hold
    return complete_frame[2 + extended.get(complete_frame[1], 0) :]


@dataclass(frozen=True, slots=True)
class Renewal:
    """A part's new content, read in a thread. Only the event loop applies it to the part (`LivePart.take`)."""

    version: str
    model: Node
    inner_refs: tuple[Ref, ...]  # the parts that its content contains
    full_frame: bytes
    change: bytes  # the frame for sockets that show the previous version
    markup: Markup | None  # of a large part only; a page view makes that of other parts


@dataclass(eq=False, slots=True)
class LivePart:
    """The current content of one part in this process, and the sockets that show it.

    `sockets` contains every socket that shows this part, directly or inside another part.
    """

    ref: Ref
    version: str = ""
    model: Node = ""
    full_frame: bytes = b""
    is_stale: bool = True
    has_failed: bool = False  # whether the last read failed
    is_requested: bool = True
    inner_refs: tuple[Ref, ...] = ()  # the parts that its content contains
    inner: dict[str, "LivePart"] = field(default_factory=dict)  # the followed inner parts, by key
    holders: set["LivePart"] = field(default_factory=set)  # the parts that contain this one
    sockets: set[Socket] = field(default_factory=set)  # all sockets that show it
    direct_sockets: set[Socket] = field(default_factory=set)  # the sockets of pages that name it themselves
    stops: list[Callable[[], None]] = field(default_factory=list)
    refresh: asyncio.Future[None] | None = None
    next_read: float = 0.0  # the loop's time from which on a change is read immediately
    timer: asyncio.TimerHandle | None = None  # reads a change that came earlier, or content that has expired
    markup: Markup = ((), "", "")

    @property
    def is_in_use(self) -> bool:
        """Whether a socket or another part in this process shows it."""
        return bool(self.sockets or self.direct_sockets or self.holders)

    @property
    def refresh_after(self) -> float:
        """The seconds after which the part's content expires without a change; 0 for never."""
        attributes = self.model.get("attributes", {}) if isinstance(self.model, dict) else {}
        return float(attributes.get("data-refresh-after", 0))

    @property
    def pieces(self) -> tuple[str, ...]:
        """The part as HTML, cut at its slots and inner parts."""
        return self._markup_of_version()[0]

    @property
    def data(self) -> str:
        """The model as JSON that is safe inside `<script>`."""
        return self._markup_of_version()[1]

    def _markup_of_version(self) -> Markup:
        """Return the HTML pieces, the data and their version.

        They are made on demand: most changes are only sent as frames and never rendered to HTML.
        """
        if self.markup[2] != self.version:
            self.markup = _markup(self.model, encode(self.model), self.version)
        return self.markup

    def renew(self) -> bytes:
        """Read, render and apply the new content; return the frame for sockets with the old version, empty if none."""
        return self.take(self.read())

    def take(self, renewal: Renewal | None) -> bytes:
        """Apply new content and return the frame for sockets with the previous version, empty without a change."""
        if renewal is None:
            return b""
        self.version, self.model, self.inner_refs = renewal.version, renewal.model, renewal.inner_refs
        self.full_frame = renewal.full_frame
        self.markup = renewal.markup or self.markup
        return renewal.change

    def read(self, reading: Reading | None = None) -> Renewal | None:
        """Read and render the part and return its new content, None when it has not changed."""
        for attempt in (reading or Reading()).attempts():
            with attempt:
                model, inner_refs = self._model()
        body = encode(model)
        version = hashlib.blake2b(body, digest_size=9).hexdigest()
        if version == self.version:
            return None
        key, before = self.ref.key, self.version
        full_frame = frame({"type": "part", "key": key, "to": version, "model": model})
        change = full_frame
        if before:
            operations = difference(self.model, model)
            change = frame({"type": "part", "key": key, "from": before, "to": version, "operations": operations})
        markup = _markup(model, body, version) if len(body) > LARGE else None
        return Renewal(version, model, inner_refs, full_frame, min(change, full_frame, key=len), markup)

    def _model(self) -> tuple[Node, tuple[Ref, ...]]:
        part = self.ref.part
        try:
            model = plain_tree(part.markup(*self.ref.parameters, language=self.ref.language), name_of(part.markup))
            inner_refs = refs_in(model, part)
        except NotPublic as error:
            raise NotPublic(f"{part.name}: {error}") from error
        if isinstance(model, str) or not model["tagName"]:
            raise NotPublic(f"{part.name}: a shared part is one element")
        return model, inner_refs

    def show_to(self, socket: Socket, versions: Mapping[str, str], read: "Callable[[LivePart], None]") -> None:
        """Register the socket for this part and its inner parts, and send the content that its browser lacks.

        `read` schedules a read of a stale part.
        """
        if socket in self.sockets:
            return
        for inner in self.inner.values():  # inner parts first, so that the browser does not request them
            inner.show_to(socket, versions, read)
        self.sockets.add(socket)
        if self.version and versions.get(self.ref.key) != self.version:
            socket.send_latest((self,), self.full_frame)
        if self.is_stale and self.refresh is None:
            read(self)

    def hide_from(self, socket: Socket) -> None:
        """Unregister the socket from this part and its inner parts, unless its page or another part shows them."""
        if socket in self.direct_sockets or any(socket in holder.sockets for holder in self.holders):
            return
        self.sockets.discard(socket)
        for inner in self.inner.values():
            inner.hide_from(socket)

    def follow_inner(
        self, find: "Callable[[Ref], LivePart]", versions: Mapping[str, str], read: "Callable[[LivePart], None]"
    ) -> None:
        """Follow exactly the parts that the content contains now; send new ones to the sockets that show this part."""
        refs = {ref.key: ref for ref in self.inner_refs}
        for key in self.inner.keys() - refs.keys():
            inner = self.inner.pop(key)
            inner.holders.discard(self)
            for socket in self.sockets:
                inner.hide_from(socket)
        for key in [each for each in refs if each not in self.inner]:
            inner = self.inner[key] = find(refs[key])
            inner.holders.add(self)
            for socket in self.sockets:
                inner.show_to(socket, versions, read)


def _markup(model: Node, body: bytes, version: str) -> Markup:
    return public_pieces(pieces(model)), PublicText(inside_script(body.decode())), version


def is_large(parts: Iterable[LivePart]) -> bool:
    """Return whether a thread writes a page with these parts, because it would block the event loop."""
    return sum(len(part.full_frame) for part in parts) > LARGE


def copies(parts: Iterable[LivePart]) -> list[LivePart]:
    """Return copies of these parts for a thread, so that the event loop cannot change them there."""
    return [copy(part) for part in parts]


def audiences(changed: Iterable[LivePart]) -> dict[tuple[LivePart, ...], set[Socket]]:
    """Return the sockets grouped by exactly which of these parts they show.

    It uses set operations: a loop over viewers would cause a cache miss for each of them.
    """
    found: dict[tuple[LivePart, ...], set[Socket]] = {}
    for live in changed:
        split: dict[tuple[LivePart, ...], set[Socket]] = {(live,): live.sockets.difference(*found.values())}
        for lives, sockets in found.items():
            split[(*lives, live)] = sockets & live.sockets
            split[lives] = sockets - live.sockets
        found = {lives: sockets for lives, sockets in split.items() if sockets}
    return found


def read_all(lives: Sequence[LivePart]) -> list[Renewal | Exception | None]:
    """Read these parts with shared reads and return the new content of each, or the exception of a failed read.

    Run in an empty contextvars context, so that hooks cannot see a viewer.
    """

    def work() -> list[Renewal | Exception | None]:
        with shared_reads(), read_from_replica() as reading:
            try:
                for attempt in reading.attempts():
                    with attempt:
                        read_ahead(live.ref for live in lives)
            except Exception:
                log.exception("parts could not be read together")  # each part is then read by itself
            return [_read_or_error(live, reading) for live in lives]

    return contextvars.Context().run(work)


def _read_or_error(live: LivePart, reading: Reading) -> Renewal | Exception | None:
    try:
        return live.read(reading)
    except Exception as error:
        log.exception("part %s could not be read", live.ref.key)
        return error
