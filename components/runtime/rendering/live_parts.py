"""The registry of shared parts: each change is read, rendered and encoded once, then written to all sockets.

Sockets that show the same parts are a group. What one commit changes is one frame for each group, however many parts
change, and one pass over its sockets. New inner parts are read in the same round and are in the same frame.

A version is a hash of the content, so it is the same in every process and after a restart. A change names its start
and end version; a browser with another version requests the full content.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping, Sequence
from functools import partial
from typing import Protocol, TypeVar

from apps.core.observability import Times
from components.runtime.rendering.covers import NOTHING, Cover
from components.runtime.rendering.frames import PartsFrame, parts_frame
from components.runtime.rendering.live_part import GroupKey, LivePart, Renewal, Socket, SocketGroup, read_all
from components.runtime.rendering.parts import Ref

log = logging.getLogger(__name__)
RETRY = 2.0  # seconds until a failed read is retried
REST = 0.1  # seconds at most from a delivery to the next round; changes in between become one frame
IDLE_LIMIT = 500  # parts in a process above which it drops those that no socket shows

Returned = TypeVar("Returned")
Result = tuple[LivePart, Renewal | Exception | None]  # a part and the result of its read


class Topics(Protocol):
    """The interface of the bus that the registry uses."""

    def subscribe(self, topic: str, listener: Callable[[], None]) -> Callable[[], None]:
        """Call `listener` on each change of `topic`; return the function that unsubscribes it."""


class InThread(Protocol):
    """Runs a blocking function in a worker thread."""

    def __call__(self, function: Callable[[], Returned], /) -> Awaitable[Returned]:
        """Run `function` and return its result."""


def _failure_ignore(ended: asyncio.Future[None]) -> None:
    """Retrieve the exception, so that asyncio does not report it a second time."""
    if not ended.cancelled():
        ended.exception()


class LiveParts:
    """All shared parts of this process.

    `in_thread` reads parts that sockets show. `in_page_thread` reads parts that only a page view requests, and parts
    that failed: a part that waits, for example for a locked table, must not occupy the threads of shown parts.
    """

    def __init__(self, bus: Topics, in_thread: InThread, in_page_thread: InThread | None = None) -> None:
        self.bus, self.in_thread, self.in_page_thread = bus, in_thread, in_page_thread or in_thread
        self.live: dict[str, LivePart] = {}
        self.groups: dict[GroupKey, SocketGroup] = {}
        self.deliveries = self.bytes_out = 0  # of changes to the sockets that show them
        self.refresh = Times()  # of reading, rendering and encoding, including the wait for a thread
        self.next_round: list[LivePart] = []  # the parts with which the next round begins
        self.next_failed_round: list[LivePart] = []  # the same for the next round of failed parts
        self.rounds: set[asyncio.Task[None]] = set()
        self.rests_until = 0.0  # the loop's time

    async def current(self, ref: Ref, cover: Cover = NOTHING) -> LivePart:
        """Return the part, up to date. Concurrent callers share one read.

        The read includes the parts inside it, except new ones that `cover` hides if no socket shows the part.
        """
        while True:
            live = self.live.get(ref.key) or self._add(ref)
            live.is_requested = True
            if not (live.is_stale or live.refresh):
                return live
            await asyncio.shield(self._refresh_of(live, cover))  # the registry may drop the part during this wait

    async def complete(self, refs: Iterable[Ref], cover: Cover = NOTHING) -> list[LivePart]:
        """Return these parts and all uncovered parts inside them, up to date, each once, outer parts first."""
        found: dict[str, LivePart] = {}
        waiting = list(refs)
        for ref in waiting:  # the loop appends to it
            if ref.key not in found:
                live = found[ref.key] = await self.current(ref, cover)
                waiting += live.refs_shown(cover)
        return list(found.values())

    def expire(self, refs: Iterable[Ref]) -> None:
        """Mark these parts and all their inner parts as stale, so that the next page view reads the latest write."""
        for ref in refs:
            if (live := self.live.get(ref.key)) is not None:
                live.is_stale = True
                self.expire(live.inner_refs)

    def complete_if_fresh(self, keys: Iterable[str]) -> list[LivePart] | None:
        """Return the same as `complete` without a cover and without any read, None unless all of it is up to date."""
        found: dict[str, LivePart] = {}
        waiting = list(keys)
        for key in waiting:  # the loop appends to it
            live = self.live.get(key)
            if live is None or live.is_stale or live.refresh:
                return None
            if key not in found:
                live.is_requested, found[key] = True, live
                waiting += [ref.key for ref in live.inner_refs]
        return list(found.values())

    async def show(
        self,
        socket: Socket,
        refs: Iterable[Ref],
        versions: Mapping[str, str],
        former: SocketGroup | None = None,
        cover_now: Callable[[], Cover] | None = None,
    ) -> SocketGroup:
        """Send `socket` every later change of these parts and of all parts inside, and now what its browser lacks.

        `versions` are the versions in the browser, by key. The socket leaves the group `former`. Returns its new group.
        Parts that `cover_now` hides from this viewer are not sent; the cover may change during the reads.
        """
        named, cover = {ref.key: ref for ref in refs}, cover_now() if cover_now else NOTHING
        group = await self._group(named, cover, deflates=socket.deflates)
        while cover_now and cover != (cover := cover_now()):
            self._end_if_left(group)
            group = await self._group(named, cover, deflates=socket.deflates)
        if group is former:
            return group
        known: Collection[LivePart] = former.shown if former is not None else ()
        missing = [live for live in group.shown if live not in known and versions.get(live.ref.key) != live.version]
        missing = sorted((live for live in missing if live.version), key=_order)
        if former is not None:
            self.leave(former, socket)
        group.sockets.add(socket)
        if missing:
            socket.send_latest(missing, b"".join(live.full_frame(deflates=group.deflates) for live in missing))
        self._read_stale(group.shown)
        return group

    async def _group(self, refs: Mapping[str, Ref], cover: Cover, *, deflates: bool) -> SocketGroup:
        """Return the group whose sockets show these parts, with all parts read. It may be new, and without sockets."""
        key = frozenset(refs), deflates, cover
        group = self.groups.get(key)
        if group is not None and not any(live.is_stale or live.refresh for live in group.shown):
            return group
        is_complete = False
        while not is_complete:  # the registry may drop a part while another one is read
            lives = await self.complete(refs.values(), cover)
            is_complete = all(self.live.get(live.ref.key) is live for live in lives)
        group = self.groups.get(key)
        if group is None:
            group = self.groups[key] = SocketGroup(key, [self.live[each] for each in refs], deflates, cover)
            group.renew()
        return group

    def leave(self, group: SocketGroup, socket: Socket) -> None:
        """Stop sending the parts of this group to the socket."""
        group.sockets.discard(socket)
        self._end_if_left(group)

    def _end_if_left(self, group: SocketGroup) -> None:
        if not group.sockets and self.groups.get(group.key) is group:
            del self.groups[group.key]
            group.end()

    def check(self) -> None:
        """Read all shown parts again; drop parts that were neither shown nor requested since the last check."""
        for live in tuple(self.live.values()):
            if live.groups:
                self._read_soon(live)
            elif live.is_requested or live.is_in_use or live.refresh is not None:
                live.is_requested = False
            else:
                self._forget(live)

    def _add(self, ref: Ref) -> LivePart:
        if len(self.live) >= IDLE_LIMIT:
            self._forget_idle()
        live = self.live[ref.key] = LivePart(ref)
        live.stops = [self.bus.subscribe(topic, lambda: self._read_soon(live)) for topic in ref.topics]
        return live

    def _forget_idle(self) -> None:
        """Drop parts that no socket shows. Parameters come from addresses, so any client can request many parts."""
        for live in tuple(self.live.values()):
            if not live.is_in_use and live.refresh is None:
                self._forget(live)

    def _forget(self, live: LivePart) -> None:
        for stop in live.stops:
            stop()
        if live.timer is not None:
            live.timer.cancel()
        for inner in live.inner.values():
            inner.holders.discard(live)
        del self.live[live.ref.key]

    def _read_soon(self, live: LivePart) -> None:
        if asyncio.get_running_loop().time() < live.next_read:  # until then page views use the current content
            self._read_at(live, live.next_read)
            return
        live.is_stale = True
        if live.groups and live.refresh is None:
            # batch all parts that the same commit changes: one thread, shared reads, one write for each socket
            live.refresh = _future()
            next_round = self.next_failed_round if live.has_failed else self.next_round
            next_round.append(live)
            if len(next_round) == 1:
                self._begin_when_rested(next_round)

    def _read_begin(self, live: LivePart) -> None:
        """Note that the part is read now. This read replaces a scheduled one.

        The next read of a paced part is at a multiple of its pace, so parts that always change share a frame.
        """
        live.is_stale = False
        now, every = asyncio.get_running_loop().time(), live.ref.part.every
        live.next_read = every and now - now % every + every
        if live.timer is not None:
            live.timer.cancel()
            live.timer = None

    def _read_at(self, live: LivePart, when: float) -> None:
        """Schedule a read of the part at this time of the loop, unless an earlier one is scheduled."""
        if live.timer is not None:
            if live.timer.when() <= when:
                return
            live.timer.cancel()
        live.timer = asyncio.get_running_loop().call_at(when, self._timer_end, live)

    def _timer_end(self, live: LivePart) -> None:
        live.timer = None
        self._read_soon(live)

    def _refresh_of(self, live: LivePart, cover: Cover) -> asyncio.Future[None]:
        if live.refresh is None:
            live.refresh = _future()
            self._begin_round([live], cover)
        return live.refresh

    def _begin_when_rested(self, lives: list[LivePart]) -> None:
        """Begin the round at once, or after the rest of a delivery, so that writing takes at most half of the loop."""
        loop = asyncio.get_running_loop()
        if loop.time() < self.rests_until:
            loop.call_at(self.rests_until, self._begin_round, lives)
        else:
            self._begin_round(lives)

    def _begin_round(self, lives: list[LivePart], cover: Cover = NOTHING) -> None:
        task = asyncio.create_task(self._round(lives, cover))
        self.rounds.add(task)
        task.add_done_callback(self.rounds.discard)

    async def _round(self, lives: list[LivePart], cover: Cover) -> None:
        """Renew these parts until none is stale, and send the changes. `cover` is that of the requesting page."""
        if lives is self.next_round:
            self.next_round = []
        elif lives is self.next_failed_round:
            self.next_failed_round = []
        done: list[Result] = []
        try:
            while lives:
                results = await self._results(lives, [live for live, _ in done])
                done += results
                lives = self._unread_inner(results, cover)
                if not lives:
                    lives, done = self._deliver(done), []
        except BaseException as error:  # the thread pool refused the work, or the process ends
            for live in [*lives, *(live for live, _ in done)]:
                self._read_end(live, error)
            if not isinstance(error, Exception):
                raise

    async def _results(self, lives: list[LivePart], before: Sequence[LivePart]) -> list[Result]:
        """Read these parts, which the parts `before` contain; in `in_thread` if a socket shows any of them."""
        for live in lives:
            self._read_begin(live)
        is_watched = any(live.groups and not live.has_failed for live in (*lives, *before))
        in_thread = self.in_thread if is_watched else self.in_page_thread
        with self.refresh.measure():
            results = await in_thread(partial(read_all, lives))
        return list(zip(lives, results, strict=True))

    def _deliver(self, done: Sequence[Result]) -> list[LivePart]:
        """Apply and send the changes; return the parts that must be read again."""
        read = [(live, result) for live, result in done if not isinstance(result, Exception)]
        changes = {live: change for live, result in read if (change := live.take(result))}
        holders = [live for live, _ in read if live.follow_inner(lambda ref: self.live.get(ref.key) or self._add(ref))]
        added = {group: group.renew() for group in set[SocketGroup]().union(*(live.groups for live in holders))}
        self._send(changes, added)
        self._read_stale(set[LivePart]().union(*added.values()))
        return [live for live, result in done if not self._read_end(live, result)]

    def _unread_inner(self, results: Sequence[Result], cover: Cover) -> list[LivePart]:
        """Return the inner parts of these results that were not read yet. The same round reads them.

        Parts that are hidden from all sockets of the outer part wait until a viewer uncovers them; without sockets
        those that `cover` hides.
        """
        found = []
        for live, result in results:
            content = result if isinstance(result, Renewal) else live
            for ref in content.inner_refs:
                inner = self.live.get(ref.key) or self._add(ref)
                places = content.around.get(ref.key)
                is_hidden = places is not None and cover.hides(places)
                if live.groups:
                    is_hidden = ref.key in live.inner and not inner.groups
                if inner.is_stale and inner.refresh is None and not is_hidden:
                    inner.refresh = _future()
                    found.append(inner)
        return found

    def _read_end(self, live: LivePart, result: Renewal | BaseException | None) -> bool:
        """Resolve the part's future, unless the part must be read again; return whether it is done."""
        has_failed = isinstance(result, BaseException)
        if live.is_stale and not has_failed:
            return False
        if not has_failed and (refresh_after := live.refresh_after):
            self._read_at(live, asyncio.get_running_loop().time() + refresh_after)
        waiting, live.refresh = live.refresh, None
        live.has_failed = has_failed
        if live.has_failed:
            live.is_stale = True
            if live.groups:
                asyncio.get_running_loop().call_later(RETRY, self._read_soon, live)
        if waiting is not None and not waiting.done():
            if isinstance(result, BaseException):
                waiting.set_exception(result)
            else:
                waiting.set_result(None)
        return True

    def _send(self, changes: Mapping[LivePart, bytes], added: Mapping[SocketGroup, set[LivePart]]) -> None:
        """Write each socket one frame: the changes of parts that it shows, and the whole content of `added` parts.

        Then rest for the same time, at most REST.
        """
        begun = asyncio.get_running_loop().time()
        frames: dict[tuple[bytes, ...], PartsFrame] = {}
        for group in set(added).union(*(live.groups for live in changes)):
            new = {live for live in added.get(group, ()) if live.version}
            lives = sorted(new | (changes.keys() & group.shown), key=_order)
            contents = tuple(live.full if live in new else changes[live] for live in lives)
            if not contents:
                continue
            if contents not in frames:
                frames[contents] = parts_frame(contents)
            data, sockets = frames[contents].data(deflates=group.deflates), tuple(group.sockets)
            self.deliveries += len(sockets)
            self.bytes_out += len(sockets) * len(data)
            for socket in sockets:
                socket.send_latest(lives, data)
        ended = asyncio.get_running_loop().time()
        self.rests_until = ended + min(ended - begun, REST)

    def _read_stale(self, lives: Iterable[LivePart]) -> None:
        """Schedule a read of those of these parts that are stale."""
        for live in lives:
            if live.is_stale and live.refresh is None:
                self._read_soon(live)


def _order(live: LivePart) -> tuple[int, str]:
    """Return the order in a frame: inner parts, which are declared before their holders, come first."""
    return live.ref.part.number, live.ref.key


def _future() -> asyncio.Future[None]:
    made: asyncio.Future[None] = asyncio.get_running_loop().create_future()
    made.add_done_callback(_failure_ignore)
    return made
