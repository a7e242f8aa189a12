"""One shared part in one process: its newest content, as frames, as HTML and as data."""

import asyncio
import contextvars
import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import orjson

from components.rendering.parts import Ref, reading_once
from components.rendering.serializer import inside_script, pieces
from components.rendering.tree import Node, NotPublic, difference, frozen


class Socket(Protocol):
    """What a part needs of one viewer's socket."""

    def send_latest(self, lives: "Sequence[LivePart]", data: bytes) -> None:
        """Write complete frames, one of each of these parts; a slow reader is owed only their newest content."""


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
    whole: bytes = b""
    stale: bool = True
    failed: bool = False  # when it was last read
    asked_for: bool = True
    sockets: set[Socket] = field(default_factory=set)
    stops: list[Callable[[], None]] = field(default_factory=list)
    refreshing: asyncio.Future[None] | None = None
    due: float = 0.0  # the loop's time from which on a change is read at once
    later: asyncio.TimerHandle | None = None  # reads a change that came earlier, or what has grown old by itself
    drawn: tuple[tuple[str, ...], str, str] = ((), "", "")  # HTML and data, and the version that they show

    @property
    def again(self) -> float:
        """Seconds after which the part has grown old by itself; 0 for never."""
        return float(self.model.get("attributes", {}).get("data-again", 0)) if isinstance(self.model, dict) else 0.0

    @property
    def pieces(self) -> tuple[str, ...]:
        """The part as HTML, cut where it has slots and holds other parts."""
        return self._drawn()[0]

    @property
    def html(self) -> str:
        """The part as HTML with empty slots, without what it holds."""
        return "".join(self.pieces)

    @property
    def data(self) -> str:
        """The model as JSON that is safe inside <script>."""
        return self._drawn()[1]

    def _drawn(self) -> tuple[tuple[str, ...], str, str]:
        """Made when a page view asks for it: most changes are only sent."""
        if self.drawn[2] != self.version:
            self.drawn = (pieces(self.model), inside_script(orjson.dumps(self.model).decode()), self.version)
        return self.drawn

    def renew(self) -> bytes:
        """Read and render in nobody's context: what yields a viewer finds none. Returns as `renew_here`."""
        return contextvars.Context().run(self._renew_alone)

    def _renew_alone(self) -> bytes:
        with reading_once():
            return self.renew_here()

    def renew_here(self) -> bytes:
        """Read and render; returns the frame for those who show the old version, empty when nothing changed."""
        model = self._model()
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
        self.whole, self.model, self.version = whole, model, version
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
