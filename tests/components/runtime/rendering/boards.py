"""The data source and the socket for tests of shared parts."""

import asyncio
import json
import threading
from collections.abc import Sequence
from typing import Any

from components.runtime.markup import html
from components.runtime.rendering.live_part import LivePart, SocketGroup
from components.runtime.rendering.live_parts import LiveParts
from components.runtime.rendering.parts import PublicPart, Ref
from tests.rendering import named, patch
from tests.wire import RSV1, inflated


class Board:
    """A part's data source: a text that tests change, and an event, `open`, that delays reads."""

    def __init__(self) -> None:
        self.text, self.reads, self.failing = "first", 0, False
        self.open = threading.Event()
        self.open.set()
        self.entered = threading.Semaphore(0)

    def markup(self, *_parameters: Any, language: str) -> Any:  # noqa: ARG002 - how parts are called
        """Return the part's markup, with the text as it was when the read began."""
        self.reads += 1
        text = self.text
        self.entered.release()
        assert self.open.wait(20)
        if self.failing:
            raise RuntimeError("the read failed")
        return html.p({"class": "board"}, text, html.span("x" * 200))

    async def begun(self) -> None:
        """Wait until one more read has begun."""
        assert await asyncio.to_thread(self.entered.acquire, timeout=20)


class Screen:
    """A socket that applies frames to its models as the browser does."""

    def __init__(self, *, deflates: bool = False) -> None:
        self.writes = 0
        self.deflates = deflates
        self.refs: tuple[Ref, ...] = ()
        self.group: SocketGroup | None = None
        self.frames: list[dict[str, Any]] = []
        self.held: dict[str, tuple[str, Any]] = {}

    def send_latest(self, lives: Sequence[LivePart], data: bytes) -> None:
        """Apply the frames. A change must start from the held version."""
        self.writes += 1
        keys = []
        while data:
            content, data = unframed(data)
            for part in map(named, json.loads(content)):
                keys.append(part["key"])
                self.apply(part)
        assert keys == [live.ref.key for live in lives]

    async def watch(self, parts: LiveParts, ref: Ref, versions: dict[str, str] | None = None) -> LivePart:
        """Show this part in addition to those that are shown."""
        self.refs += (ref,)
        self.group = await parts.show(self, self.refs, versions or {}, self.group)
        return parts.live[ref.key]

    async def leave(self, parts: LiveParts, ref: Ref) -> None:
        self.refs = tuple(shown for shown in self.refs if shown != ref)
        assert self.group is not None
        if self.refs:
            self.group = await parts.show(self, self.refs, {}, self.group)
        else:
            parts.leave(self.group, self)

    def apply(self, message: dict[str, Any]) -> None:
        self.frames.append(message)
        model = message.get("model")
        if model is None:
            version, model = self.held[message["key"]]
            assert version == message["from"]
            model = patch(model, message["change"])
        self.held[message["key"]] = (message["to"], model)

    def text(self, ref: Ref) -> str:
        return str(self.held[ref.key][1]["children"][0])


def unframed(data: bytes) -> tuple[bytes, bytes]:
    """Return the content of the first text frame, inflated if it is compressed, and the remaining bytes."""
    assert data[0] in (0x81, 0x81 | RSV1)
    size, start = data[1], 2
    if size > 125:
        start = 4 if size == 126 else 10
        size = int.from_bytes(data[2:start], "big")
    assert len(data) >= start + size
    content = data[start : start + size]
    return inflated(content) if data[0] & RSV1 else content, data[start + size :]


async def settled(parts: LiveParts) -> None:
    """Wait until no part is being read."""
    async with asyncio.timeout(20):
        while running := [live.refresh for live in parts.live.values() if live.refresh]:
            await asyncio.wait(running)


def ref(board: Board, *parameters: Any) -> Ref:
    """Return the reference to a part of this board, with these parameters."""
    part = PublicPart("board", board.markup, lambda *values: ("board", *(f"board.{value}" for value in values)))
    return Ref(part, parameters, "en")


def changed(parts: LiveParts, topic: str = "board") -> None:
    """Notify the registry of a change of this topic."""
    parts.bus.notify_listeners(topic)
