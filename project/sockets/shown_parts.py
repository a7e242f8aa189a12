"""The shared parts that one viewer's window shows: those that its page lists, and those that were opened since."""

import asyncio
import logging
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from components.rendering.live_part import LivePart
from components.rendering.parts import Ref
from project.limits.close_codes import FAILED
from project.process.web_process import process

log = logging.getLogger(__name__)


class ShownParts:
    """Follows parts for `socket`; `lock` is held while pages and parts change."""

    def __init__(self, socket: Any, lock: asyncio.Lock) -> None:
        self.socket, self.lock = socket, lock
        self.page_refs: tuple[Ref, ...] = ()
        self.live: dict[str, LivePart] = {}
        self.opened_refs: tuple[Ref, ...] = ()
        self.is_outdated = False
        self.task: asyncio.Task[None] | None = None

    async def show(self, page_refs: tuple[Ref, ...], versions: Mapping[str, str]) -> None:
        """Follow these of a page and what was opened; what was shown stays. The browser has these `versions`."""
        self.page_refs = page_refs
        refs = {ref.key: ref for ref in (*page_refs, *self.opened_refs)}
        for key, ref in refs.items():
            if key not in self.live:  # one by one: whoever leaves meanwhile finds all that is followed
                self.live[key] = await process.parts.watch(ref, self.socket, versions)
        for key in self.live.keys() - refs.keys():
            process.parts.leave(self.live.pop(key), self.socket)

    def open(self, ref: Ref) -> Callable[[], None]:
        """Follow this part too, until the returned function is called."""
        self.opened_refs += (ref,)
        self._schedule()
        return partial(self._close, ref)

    def send_full(self, key: str) -> None:
        """Send the part of this key, if it is shown here: the browser lacks what a change starts from."""
        live = process.parts.live.get(key)
        if live is not None and self.socket in live.sockets:
            self.socket.send_latest((live,), live.full_frame)

    def end(self) -> None:
        """Follow nothing more: the socket is closed."""
        if self.task is not None:
            self.task.cancel()
            self.task = None  # cancelled before its first step, it would not do so itself
        for live in self.live.values():
            process.parts.leave(live, self.socket)

    def _close(self, ref: Ref) -> None:
        opened_refs = list(self.opened_refs)
        opened_refs.remove(ref)
        self.opened_refs = tuple(opened_refs)
        self._schedule()

    def _schedule(self) -> None:
        self.is_outdated = True
        if self.task is None:
            self.task = asyncio.create_task(self._run())

    async def _run(self) -> None:
        try:
            while self.is_outdated:
                self.is_outdated = False
                async with self.lock:
                    await self.show(self.page_refs, {})
        except Exception:
            log.exception("an opened part could not be shown")
            self.socket.sendCloseFrame(code=FAILED)  # the browser comes back
        finally:
            self.task = None
