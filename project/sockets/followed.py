"""What a window follows: live queries, each a read repeated when its topics change, and shared parts."""

import asyncio
import logging
from collections.abc import Callable, Iterable, Mapping
from contextvars import copy_context
from functools import partial
from typing import Any

from apps.core.scale.replica import replica_read
from apps.core.threads import in_thread
from components.runtime.rendering.live_part import SocketGroup
from components.runtime.rendering.parts import Ref
from project.limits.rates import FAILED
from project.process.web_process import once, process

log = logging.getLogger(__name__)
PACE = 0.2  # seconds between two reads: on a busy evening ratings change faster than a viewer can read
RETRY = 2.0  # seconds until a failed read is repeated


class LiveQuery:
    """Reads again after each change of its topics.

    Runs one read at a time, retries after errors, and never misses the last change.
    """

    def __init__(
        self, topics: Iterable[str], read: Callable[[], Any], show: Callable[[Any], None], *, from_replica: bool = False
    ) -> None:
        self.read, self.show, self.from_replica = read, show, from_replica  # `from_replica` allows the read replica
        self.stops = [process.bus.subscribe(topic, self.refresh) for topic in topics]
        self.is_due = self.is_behind = False  # `is_behind` until the due read is shown
        self.task: asyncio.Task[None] | None = None
        self.shown: asyncio.Future[None] | None = None  # completed when the due read is shown
        self.context = copy_context()  # log records of reads that the bus starts carry the socket's context

    def refresh(self) -> None:
        """Schedule a read."""
        self.is_due = self.is_behind = True
        if self.task is None:
            self.task = asyncio.create_task(self._run(), context=self.context)

    async def current(self) -> None:
        """Wait until the due read, if any, is shown or has failed."""
        if self.is_behind:
            self.shown = self.shown or asyncio.get_running_loop().create_future()
            await asyncio.shield(self.shown)

    def end(self) -> None:
        """Unsubscribe and stop reading."""
        for stop in self.stops:
            stop()
        self.stops = []  # break a reference cycle
        if self.task is not None:
            self.task.cancel()
            self.task = None  # a task cancelled before its first step does not clear itself

    async def _run(self) -> None:
        try:
            while self.is_due:
                self.is_due = False
                pause = await self._show()
                self.is_behind = self.is_due
                self._complete()
                await asyncio.sleep(pause)
        finally:
            self.task = None
            self._complete()

    def _complete(self) -> None:
        if self.shown is not None:
            self.shown.set_result(None)
            self.shown = None

    async def _show(self) -> float:
        """Read and show the result. Returns the seconds until the next read may start."""
        try:
            read = partial(replica_read, self.read) if self.from_replica else self.read
            self.show(await once((self.read, self.from_replica, process.bus.sequence), lambda: in_thread(read)))
        except Exception:
            log.exception("live query %s failed; the next try is in %d s", getattr(self.read, "read", self.read), RETRY)
            self.is_due = True
            return RETRY
        return PACE


class ShownParts:
    """Follows shared parts for `socket`. `lock` serialises changes of the page and of its parts."""

    def __init__(self, socket: Any, lock: asyncio.Lock) -> None:
        self.socket, self.lock = socket, lock
        self.page_refs: tuple[Ref, ...] = ()
        self.opened_refs: tuple[Ref, ...] = ()  # one entry for each opening, even for parts of the page
        self.group: SocketGroup | None = None
        self.has_ended = False
        self.is_outdated = False  # whether opened parts are not yet followed
        self.follow_task: asyncio.Task[None] | None = None

    @property
    def refs(self) -> tuple[Ref, ...]:
        """The parts of the page, and those that this window has opened."""
        return (*self.page_refs, *self.opened_refs)

    async def show(self, page_refs: Iterable[Ref], versions: Mapping[str, str]) -> None:
        """Follow exactly these parts and the opened ones. `versions` are the parts' versions in the browser, by key."""
        self.page_refs = tuple(page_refs)
        self.group = await process.parts.show(self.socket, self.refs, versions, self.group)
        if self.has_ended:
            self.end()

    def send_full(self, key: str) -> None:
        """Send the whole part of this key if it is shown: the browser lacks the base version of a change."""
        live = process.parts.live.get(key)
        if live is not None and self.group is not None and live in self.group.shown:
            self.socket.send_latest((live,), live.full_frame(deflates=self.socket.deflates))

    def open_part(self, ref: Ref) -> Callable[[], None]:
        """Show this part in addition to those of the page. Returns a function that closes it."""
        is_new = ref not in self.refs
        self.opened_refs += (ref,)
        if is_new:
            self._follow_soon()
        return partial(self._close_part, ref)

    def end(self) -> None:
        """Unfollow all parts, because the socket is closed; also those that `show` is still waiting for."""
        self.has_ended = True
        if self.follow_task is not None:
            self.follow_task.cancel()
            self.follow_task = None  # a task cancelled before its first step does not clear itself
        if self.group is not None:
            process.parts.leave(self.group, self.socket)

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
