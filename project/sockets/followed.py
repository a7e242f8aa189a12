"""What a window follows: live queries, each a read repeated when its topics change, and shared parts."""

import asyncio
import logging
from collections.abc import Callable, Iterable, Mapping
from contextvars import copy_context
from functools import partial
from typing import Any

from apps.core.scale.replica import replica_read
from apps.core.threads import in_thread
from components.runtime.rendering.covers import NOTHING, Cover
from components.runtime.rendering.live_part import SocketGroup
from components.runtime.rendering.page_slots import SlotQuery
from components.runtime.rendering.parts import Ref, refs_of
from components.runtime.rendering.slots import Fills
from project.limits.rates import FAILED
from project.process.web_process import once, process

log = logging.getLogger(__name__)
PACE = 0.2  # seconds between two reads: on a busy evening ratings change faster than a viewer can read
RETRY = 2.0  # seconds until a failed read is repeated
ReadFills = tuple[int, Fills]  # the bus's sequence when the read began, and the fills
PageFills = Mapping[SlotQuery, ReadFills]
NO_FILLS: PageFills = {}


class LiveQuery:
    """Reads again after each change of its topics.

    Runs one read at a time, retries after errors, and never misses the last change. `show` gets the result and the
    bus's sequence when its read began.
    """

    def __init__(
        self,
        topics: Iterable[str],
        read: Callable[[], Any],
        show: Callable[[Any, int], None],
        *,
        from_replica: bool = False,
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
            sequence = process.bus.sequence
            self.show(await once((self.read, self.from_replica, sequence), lambda: in_thread(read)), sequence)
        except Exception:
            log.exception("live query %s failed; the next try is in %d s", getattr(self.read, "read", self.read), RETRY)
            self.is_due = True
            return RETRY
        return PACE


class ShownParts:
    """Follows shared parts for `socket`, except those that the viewer's fills cover.

    `lock` serialises changes of the page, of its parts and of the cover.
    """

    def __init__(self, socket: Any, lock: asyncio.Lock) -> None:
        self.socket, self.lock = socket, lock
        self.page_refs: tuple[Ref, ...] = ()
        self.opened_refs: tuple[Ref, ...] = ()  # one entry for each opening, even for parts of the page
        self.fills: dict[SlotQuery, ReadFills] = {}  # of the page's slot queries, each as last read
        self.cover: Cover = NOTHING
        self.filling_refs: tuple[Ref, ...] = ()  # the parts that the fills bring
        self.waiting: list[Callable[[], None]] = []  # show fills whose parts are not sent yet
        self.group: SocketGroup | None = None
        self.has_ended = False
        self.is_outdated = False  # whether opened parts or another cover are not yet followed
        self.follow_task: asyncio.Task[None] | None = None

    @property
    def refs(self) -> tuple[Ref, ...]:
        """The parts of the page, those that fill this viewer's slots, and those that this window has opened."""
        return (*self.page_refs, *self.filling_refs, *self.opened_refs)

    async def show(self, page_refs: Iterable[Ref], versions: Mapping[str, str], fills: PageFills = NO_FILLS) -> None:
        """Follow exactly these parts and the opened ones, except what `fills` cover.

        `versions` are the parts' versions in the browser, by key. A live query may have read newer fills than the page.
        """
        self.page_refs = tuple(page_refs)
        self.fills = {query: self._newest(query, read) for query, read in fills.items()}
        self._cover_renew()
        await self._show(versions)

    async def _show(self, versions: Mapping[str, str]) -> None:
        cover_now = (lambda: self.cover) if self.fills else None
        self.group = await process.parts.show(self.socket, self.refs, versions, self.group, cover_now)
        if self.has_ended:
            self.end()

    def fill(self, query: SlotQuery, read: ReadFills, show: Callable[[], None]) -> None:
        """Take over what a live query has read: leave the parts that it covers now, and follow those that it shows.

        `show` shows the fills. It is called after the parts that they show were sent, so that no slot is empty.
        """
        if query in self.fills:  # else it belongs to the page before
            self.fills[query] = self._newest(query, read)
            if self._cover_renew():
                self._follow_soon()
        if self.follow_task is None:
            show()
        else:
            self.waiting.append(show)

    def _newest(self, query: SlotQuery, read: ReadFills) -> ReadFills:
        """Return `read`, or what is known of this query if that was read later, by its live query.

        Both may begin between a commit and its topic; the topic then causes another read.
        """
        known = self.fills.get(query)
        return known if known is not None and query.topics and known[0] > read[0] else read

    def _cover_renew(self) -> bool:
        """Compute what is covered now, and which parts fill slots; return whether that is different."""
        before = self.cover, self.filling_refs
        fills = {name: fill for _, read in self.fills.values() for name, fill in read.items()}
        self.cover, self.filling_refs = Cover.of(fills), refs_of(fills)
        return (self.cover, self.filling_refs) != before

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
        """Follow the current parts that are not covered. Closes the socket if one cannot be read."""
        try:
            while self.is_outdated:
                self.is_outdated = False
                async with self.lock:
                    await self._show({})
            waiting, self.waiting = self.waiting, []
            for show in waiting:
                show()
        except Exception:
            log.exception("an opened part could not be shown: one of %s", [ref.key for ref in self.opened_refs])
            self.socket.sendCloseFrame(code=FAILED)  # the browser reconnects
        finally:
            self.follow_task = None
