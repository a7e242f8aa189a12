"""One shared part in one process: its current content as frames, as HTML and as JSON; and the sockets that show it."""

import asyncio
import contextvars
import hashlib
import logging
from collections.abc import Callable, Iterable, Sequence
from copy import copy
from dataclasses import dataclass, field
from typing import Protocol

from apps.core.scale.replica import Reading, read_from_replica
from components.runtime.rendering.covers import NOTHING, Around, Cover
from components.runtime.rendering.encoding import encode
from components.runtime.rendering.frames import PartsFrame, parts_frame
from components.runtime.rendering.parts import Ref, read_ahead, refs_in, shared_reads
from components.runtime.rendering.refusals import name_of
from components.runtime.rendering.serializer import Spot, inside_script, pieces
from components.runtime.rendering.tree import Node, NotPublic, difference, plain_tree

log = logging.getLogger(__name__)
VERSION_BYTES = 4  # of a version; each is twice in the frame of a change, and only compared with its neighbours
LARGE = 1 << 16  # bytes of a part, or of a page's parts, above which a thread makes their HTML

Markup = tuple[tuple[str, ...], str, str]  # HTML and data, and the version that they show
GroupKey = tuple[frozenset[str], bool, Cover]  # the named parts, `deflates`, and what is withheld


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

    deflates: bool  # whether it takes compressed frames

    def send_latest(self, lives: "Sequence[LivePart]", data: bytes) -> None:
        """Write complete frames that contain these parts. Under backpressure only their newest content is sent."""


@dataclass(frozen=True, slots=True)
class Renewal:
    """A part's new content, read in a thread. Only the event loop applies it to the part (`LivePart.take`)."""

    version: str
    model: Node
    inner_refs: tuple[Ref, ...]  # the parts that its content contains
    around: Around  # the slots around those that are only in slots
    full: bytes  # JSON: [key, version, model]
    change: bytes  # JSON: [key, version, change, previous version] (`tree.py`); `full` if that is shorter
    markup: Markup | None  # of a large part only; a page view makes that of other parts


@dataclass(eq=False, slots=True, repr=False)  # they contain each other
class LivePart:
    """The current content of one part in this process, and the groups of sockets that show it."""

    ref: Ref
    version: str = ""
    model: Node = ""
    full: bytes = b""  # JSON: [key, version, model]
    is_stale: bool = True
    has_failed: bool = False  # whether the last read failed
    is_requested: bool = True
    inner_refs: tuple[Ref, ...] = ()  # the parts that its content contains
    around: Around = field(default_factory=dict)  # the slots around those that are only in slots
    followed_around: Around = field(default_factory=dict)  # the same for the parts in `inner`
    inner: dict[str, "LivePart"] = field(default_factory=dict)  # the followed inner parts, by key
    holders: set["LivePart"] = field(default_factory=set)  # the parts that contain this one
    groups: set["SocketGroup"] = field(default_factory=set)  # show it, directly or inside another part
    stops: list[Callable[[], None]] = field(default_factory=list)
    refresh: asyncio.Future[None] | None = None
    next_read: float = 0.0  # the loop's time from which on a change is read immediately
    timer: asyncio.TimerHandle | None = None  # reads a change that came earlier, or content that has expired
    markup: Markup = ((), "", "")
    _full_frame: PartsFrame | None = None

    @property
    def is_in_use(self) -> bool:
        """Whether a socket or another part in this process shows it."""
        return bool(self.groups or self.holders)

    def full_frame(self, *, deflates: bool) -> bytes:
        """Return the frame of the whole content, made once for each version."""
        if self._full_frame is None:
            self._full_frame = parts_frame([self.full])
        return self._full_frame.data(deflates=deflates)

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
        """Read, render and apply the new content; return the change from the old version, empty if none."""
        return self.take(self.read())

    def take(self, renewal: Renewal | None) -> bytes:
        """Apply new content and return the change from the previous version, empty if nothing has changed."""
        if renewal is None:
            return b""
        self.version, self.model = renewal.version, renewal.model
        self.inner_refs, self.around = renewal.inner_refs, renewal.around
        self.full, self._full_frame = renewal.full, None
        self.markup = renewal.markup or self.markup
        return renewal.change

    def read(self, reading: Reading | None = None) -> Renewal | None:
        """Read and render the part and return its new content, None when it has not changed."""
        for attempt in (reading or Reading()).attempts():
            with attempt:
                model, (inner_refs, around) = self._model()
        body = encode(model)
        version = hashlib.blake2b(body, digest_size=VERSION_BYTES).hexdigest()
        if version == self.version:
            return None
        key, before = self.ref.key, self.version
        full = b'[%b,"%b",%b]' % (encode(key), version.encode(), body)
        changed = difference(self.model, model) if before else []
        change = encode([key, version, *changed, before]) if changed else full
        markup = _markup(model, body, version) if len(body) > LARGE else None
        return Renewal(version, model, inner_refs, around, full, min(change, full, key=len), markup)

    def _model(self) -> tuple[Node, tuple[tuple[Ref, ...], Around]]:
        part = self.ref.part
        try:
            model = plain_tree(part.markup(*self.ref.parameters, language=self.ref.language), name_of(part.markup))
            inner = refs_in(model, part)
        except NotPublic as error:
            raise NotPublic(f"{part.name}: {error}") from error
        if isinstance(model, str) or not model["tagName"]:
            raise NotPublic(f"{part.name}: a shared part is one element")
        return model, inner

    def refs_shown(self, cover: Cover) -> Iterable[Ref]:
        """Return the inner parts that a viewer with this cover sees."""
        if not cover or not self.around:
            return self.inner_refs
        return [ref for ref in self.inner_refs if not self._is_hidden(ref.key, self.around, cover)]

    def inner_shown(self, cover: Cover) -> Iterable["LivePart"]:
        """Return the followed inner parts that sockets with this cover show."""
        if not cover or not self.followed_around:
            return self.inner.values()
        return [live for key, live in self.inner.items() if not self._is_hidden(key, self.followed_around, cover)]

    @staticmethod
    def _is_hidden(key: str, around: Around, cover: Cover) -> bool:
        places = around.get(key)
        return places is not None and cover.hides(places)

    def is_sent_to(self, socket: Socket) -> bool:
        """Return whether this socket shows the part."""
        return any(socket in group.sockets for group in self.groups)

    def follow_inner(self, find: "Callable[[Ref], LivePart]") -> bool:
        """Follow exactly the parts that the content contains now.

        Return whether they, or the slots around them, are others than before.
        """
        refs = {ref.key: ref for ref in self.inner_refs}
        if refs.keys() == self.inner.keys() and self.around == self.followed_around:
            return False
        self.followed_around = self.around
        for key in self.inner.keys() - refs.keys():
            self.inner.pop(key).holders.discard(self)
        for key in refs.keys() - self.inner.keys():
            inner = self.inner[key] = find(refs[key])
            inner.holders.add(self)
        return True


@dataclass(eq=False, slots=True, repr=False)  # they contain each other
class SocketGroup:
    """The sockets whose pages name the same parts, of viewers with the same cover.

    They show these parts and all parts inside them that are not covered, in the same versions, so one frame serves all
    of them.
    """

    key: GroupKey
    named: Sequence[LivePart]
    deflates: bool  # whether these sockets take compressed frames
    cover: Cover = NOTHING  # hides parts inside the named ones
    shown: set[LivePart] = field(default_factory=set)  # the named parts, and all parts inside them that are not hidden
    sockets: set[Socket] = field(default_factory=set)

    def renew(self) -> set[LivePart]:
        """Show exactly the parts that the named ones contain now and that are not covered; return the new ones."""
        shown = dict.fromkeys(self.named)
        waiting = list(shown)
        for live in waiting:  # the loop appends to it
            new = dict.fromkeys([inner for inner in live.inner_shown(self.cover) if inner not in shown])
            shown |= new
            waiting += new
        before, self.shown = self.shown, set(shown)
        for live in before - self.shown:
            live.groups.discard(self)
        added = self.shown - before
        for live in added:
            live.groups.add(self)
        return added

    def end(self) -> None:
        """Show nothing, because the last socket has left."""
        for live in self.shown:
            live.groups.discard(self)


def _markup(model: Node, body: bytes, version: str) -> Markup:
    return public_pieces(pieces(model)), PublicText(inside_script(body.decode())), version


def is_large(parts: Iterable[LivePart]) -> bool:
    """Return whether a thread writes a page with these parts, because it would block the event loop."""
    return sum(len(part.full) for part in parts) > LARGE


def copies(parts: Iterable[LivePart]) -> list[LivePart]:
    """Return copies of these parts for a thread, so that the event loop cannot change them there."""
    return [copy(part) for part in parts]


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
