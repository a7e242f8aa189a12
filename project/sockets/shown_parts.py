"""The shared parts that one viewer's window shows: those of its page, and those that its components have opened."""

import asyncio
import logging
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any

from components.runtime.rendering.live_part import LivePart
from components.runtime.rendering.parts import Ref
from project.limits.rates import FAILED
from project.process.web_process import process

log = logging.getLogger(__name__)


class ShownParts:
    """Follows shared parts for `socket`. `lock` serialises changes of the page and of its parts."""

    def __init__(self, socket: Any, lock: asyncio.Lock) -> None:
        self.socket, self.lock = socket, lock
        self.page_refs: tuple[Ref, ...] = ()
        self.opened_refs: tuple[Ref, ...] = ()  # one entry for each opening, even for parts of the page
        self.live: dict[str, LivePart] = {}
        self.is_outdated = False  # whether opened parts are not yet followed
        self.follow_task: asyncio.Task[None] | None = None

    @property
    def refs(self) -> tuple[Ref, ...]:
        """The parts of the page, and those that this window has opened."""
        return (*self.page_refs, *self.opened_refs)

    async def show(self, page_refs: Iterable[Ref], versions: Mapping[str, str]) -> None:
        """Follow exactly these parts and the opened ones. `versions` are the parts' versions in the browser, by key."""
        self.page_refs = tuple(page_refs)
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

    def open_part(self, ref: Ref) -> Callable[[], None]:
        """Show this part in addition to those of the page. Returns a function that closes it."""
        is_new = ref not in self.refs
        self.opened_refs += (ref,)
        if is_new:
            self._follow_soon()
        return partial(self._close_part, ref)

    def end(self) -> None:
        """Unfollow all parts, because the socket is closed."""
        if self.follow_task is not None:
            self.follow_task.cancel()
            self.follow_task = None  # a task cancelled before its first step does not clear itself
        for live in self.live.values():
            process.parts.leave(live, self.socket)

    def _close_part(self, ref: Ref) -> None:
        opened_refs = list(self.opened_refs)
        opened_refs.remove(ref)
        self.opened_refs = tuple(opened_refs)
        if ref not in self.refs:
            self._follow_soon()

    def _follow_soon(self) -> None:
        self.is_outdated = True
        if self.follow_task is None:
            self.follow_task = asyncio.create_task(self._follow())

    async def _follow(self) -> None:
        """Follow the current parts. Closes the socket if one cannot be read."""
        try:
            while self.is_outdated:
                self.is_outdated = False
                async with self.lock:
                    await self.show(self.page_refs, {})
        except Exception:
            log.exception("an opened part could not be shown: one of %s", [ref.key for ref in self.opened_refs])
            self.socket.sendCloseFrame(code=FAILED)  # the browser reconnects
        finally:
            self.follow_task = None
