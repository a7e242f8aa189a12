"""The shared parts that one viewer's window shows: those that its page lists, and those that were opened since."""

import asyncio
import logging
from collections.abc import Mapping
from typing import Any

from components.rendering.live_part import LivePart
from components.rendering.parts import Ref
from project.limits.rates import FAILED
from project.process.web_process import process
from project.sockets.opened_parts import OpenedParts

log = logging.getLogger(__name__)


class ShownParts(OpenedParts):
    """Follows parts for `socket`; `lock` is held while pages and parts change."""

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
        """Follow these of a page and what was opened; what was shown stays. The browser has these `versions`."""
        self.page_refs = page_refs
        refs = {ref.key: ref for ref in self.refs}
        for key, ref in refs.items():
            if key not in self.live:  # one by one: whoever leaves meanwhile finds all that is followed
                self.live[key] = await process.parts.watch(ref, self.socket, versions)
        for key in self.live.keys() - refs.keys():
            process.parts.leave(self.live.pop(key), self.socket)

    def send_full(self, key: str) -> None:
        """Send the part of this key, if it is shown here: the browser lacks what a change starts from."""
        live = process.parts.live.get(key)
        if live is not None and self.socket in live.sockets:
            self.socket.send_latest((live,), live.full_frame)

    def end(self) -> None:
        """Follow nothing more: the socket is closed."""
        self.end_opening()
        for live in self.live.values():
            process.parts.leave(live, self.socket)

    async def follow_refs(self) -> None:
        """Follow the parts of now; one that cannot be read closes the socket."""
        try:
            async with self.lock:
                await self.show(self.page_refs, {})
        except Exception:
            log.exception("an opened part could not be shown")
            self.socket.sendCloseFrame(code=FAILED)  # the browser comes back
