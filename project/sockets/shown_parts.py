"""The shared parts that one viewer's window shows: those of its page, and those opened since."""

import asyncio
import logging
from collections.abc import Mapping
from typing import Any

from components.runtime.rendering.live_part import LivePart
from components.runtime.rendering.parts import Ref
from project.limits.rates import FAILED
from project.process.web_process import process
from project.sockets.opened_parts import OpenedParts

log = logging.getLogger(__name__)


class ShownParts(OpenedParts):
    """Follows shared parts for `socket`. `lock` serialises changes of the page and of its parts."""

    def __init__(self, socket: Any, lock: asyncio.Lock) -> None:
        super().__init__()
        self.socket, self.lock = socket, lock
        self.page_refs: tuple[Ref, ...] = ()
        self.live: dict[str, LivePart] = {}

    @property
    def refs(self) -> tuple[Ref, ...]:
        """The parts of the page, and those that this window has opened."""
        return (*self.page_refs, *self.opened_refs)

    async def show(self, page_refs: tuple[Ref, ...], versions: Mapping[str, str]) -> None:
        """Follow exactly these parts and the opened ones. `versions` are the parts' versions in the browser, by key."""
        self.page_refs = page_refs
        refs = {ref.key: ref for ref in self.refs}
        for key, ref in refs.items():
            if key not in self.live:  # one by one, so that a socket that closes in between leaves every part it follows
                self.live[key] = await process.parts.watch(ref, self.socket, versions)
        for key in self.live.keys() - refs.keys():
            process.parts.leave(self.live.pop(key), self.socket)

    def send_full(self, key: str) -> None:
        """Send the whole part of this key if it is shown: the browser lacks the base version of a change."""
        live = process.parts.live.get(key)
        if live is not None and self.socket in live.sockets:
            self.socket.send_latest((live,), live.full_frame)

    def end(self) -> None:
        """Unfollow all parts, because the socket is closed."""
        self.end_opening()
        for live in self.live.values():
            process.parts.leave(live, self.socket)

    async def follow_refs(self) -> None:
        """Follow the current parts. Closes the socket if one cannot be read."""
        try:
            async with self.lock:
                await self.show(self.page_refs, {})
        except Exception:
            log.exception("an opened part could not be shown: one of %s", [ref.key for ref in self.opened_refs])
            self.socket.sendCloseFrame(code=FAILED)  # the browser reconnects
