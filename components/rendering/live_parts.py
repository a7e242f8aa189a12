"""Shared parts at work: read once, rendered once, encoded once, written to every socket that shows them.

What a part comes to hold is read in the same round, so that it is there before the change that shows it.

A version is a hash of the content, so it means the same in every process and after a restart. A change names the
version it starts from and the one it ends at; a browser that holds another asks for the whole.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Protocol, TypeVar

from apps.core.observability import Times
from components.rendering.live_part import LivePart, Renewal, Socket, audiences, read_all
from components.rendering.parts import Ref

log = logging.getLogger(__name__)
RETRY = 2.0  # seconds until a part that could not be read is tried again
REST = 0.1  # seconds at most from a delivery to the next round; what changes meanwhile is one frame
IDLE_LIMIT = 500  # parts that nobody shows which a process keeps for page views

Returned = TypeVar("Returned")
Result = tuple[LivePart, Renewal | Exception | None]  # what reading a part came to


class Topics(Protocol):
    """What the registry needs of the bus."""

    def subscribe(self, topic: str, listener: Callable[[], None]) -> Callable[[], None]:
        """Call `listener` on each change of `topic`; returns the function that ends it."""


class InThread(Protocol):
    """Runs a blocking function beside the event loop."""

    def __call__(self, function: Callable[[], Returned], /) -> Awaitable[Returned]:
        """Return what `function` returns."""


def _failure_ignore(ended: asyncio.Future[None]) -> None:
    """Retrieve a failure, so that asyncio does not report again what was logged where it arose."""
    if not ended.cancelled():
        ended.exception()


class LiveParts:
    """All parts that this process holds.

    `in_thread` reads what somebody watches; `in_page_thread` what is only asked for by a page, and what failed: a part
    that waits for something, such as a locked table, must not take the threads of those that are watched.
    """

    def __init__(self, bus: Topics, in_thread: InThread, in_page_thread: InThread | None = None) -> None:
        self.bus, self.in_thread, self.in_page_thread = bus, in_thread, in_page_thread or in_thread
        self.live: dict[str, LivePart] = {}
        self.deliveries = self.bytes_out = 0  # of changes to those who show them
        self.refresh = Times()  # of reading, rendering and encoding, with the wait for a thread
        self.next_round: list[LivePart] = []  # what the next round begins with
        self.next_failed_round: list[LivePart] = []  # and what the next one of parts that failed
        self.rounds: set[asyncio.Task[None]] = set()
        self.rests_until = 0.0  # the loop's time

    async def current(self, ref: Ref) -> LivePart:
        """Return the part, up to date; any number of callers cost one read."""
        while True:
            live = self.live.get(ref.key) or self._add(ref)
            live.is_requested = True
            if not (live.is_stale or live.refresh):
                return live
            await asyncio.shield(self._refresh_of(live))  # meanwhile it may have been forgotten

    async def complete(self, refs: Iterable[Ref]) -> list[LivePart]:
        """Return these parts and all that they hold, up to date, each once, the outer ones first."""
        found: dict[str, LivePart] = {}
        waiting = list(refs)
        for ref in waiting:  # it grows
            if ref.key not in found:
                live = found[ref.key] = await self.current(ref)
                waiting += live.inner_refs
        return list(found.values())

    def expire(self, refs: Iterable[Ref]) -> None:
        """Mark these parts and all that they hold as stale, so that the next page view reads what was just written."""
        for ref in refs:
            if (live := self.live.get(ref.key)) is not None:
                live.is_stale = True
                self.expire(live.inner_refs)

    def complete_if_fresh(self, keys: Iterable[str]) -> list[LivePart] | None:
        """As `complete`, if all of it is up to date, without asking anybody."""
        found: dict[str, LivePart] = {}
        waiting = list(keys)
        for key in waiting:  # it grows
            live = self.live.get(key)
            if live is None or live.is_stale or live.refresh:
                return None
            if key not in found:
                live.is_requested, found[key] = True, live
                waiting += [ref.key for ref in live.inner_refs]
        return list(found.values())

    async def watch(self, ref: Ref, socket: Socket, versions: Mapping[str, str]) -> LivePart:
        """From now on `socket` gets every change of the part and of what it holds; of what it does not hold, the whole.

        `versions` are those that the browser has, by key.
        """
        live = await self.current(ref)
        live.direct_sockets.add(socket)
        try:
            await self.complete(live.inner_refs)
        except BaseException:
            live.direct_sockets.discard(socket)
            raise
        live.show_to(socket, versions, self._read_soon)
        return live

    def leave(self, live: LivePart, socket: Socket) -> None:
        """The socket's page no longer names the part."""
        live.direct_sockets.discard(socket)
        live.hide_from(socket)

    def check(self) -> None:
        """Read every part that a socket shows again; forget what was not shown or asked for since the last check."""
        for live in tuple(self.live.values()):
            if live.sockets:
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
        """Drop parts that no socket shows: parameters come from addresses, so strangers choose how many there are."""
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
        if asyncio.get_running_loop().time() < live.next_read:  # until then page views take what there is
            self._read_at(live, live.next_read)
            return
        live.is_stale = True
        if live.sockets and live.refresh is None:
            # with all others that the same commit changes: one thread, common reads, one write for each socket
            live.refresh = _future()
            next_round = self.next_failed_round if live.has_failed else self.next_round
            next_round.append(live)
            if len(next_round) == 1:
                self._begin_when_rested(next_round)

    def _read_begin(self, live: LivePart) -> None:
        """Take note that the part is read now: whatever was to be shown later is shown by this."""
        live.is_stale = False
        live.next_read = live.ref.part.every and asyncio.get_running_loop().time() + live.ref.part.every
        if live.timer is not None:
            live.timer.cancel()
            live.timer = None

    def _read_at(self, live: LivePart, when: float) -> None:
        """Read the part at this time of the loop, unless it is to be read before."""
        if live.timer is not None:
            if live.timer.when() <= when:
                return
            live.timer.cancel()
        live.timer = asyncio.get_running_loop().call_at(when, self._timer_end, live)

    def _timer_end(self, live: LivePart) -> None:
        live.timer = None
        self._read_soon(live)

    def _refresh_of(self, live: LivePart) -> asyncio.Future[None]:
        if live.refresh is None:
            live.refresh = _future()
            self._begin_round([live])
        return live.refresh

    def _begin_when_rested(self, lives: list[LivePart]) -> None:
        """Begin the round at once, or after a delivery has rested: writing never takes more than half of the loop."""
        loop = asyncio.get_running_loop()
        if loop.time() < self.rests_until:
            loop.call_at(self.rests_until, self._begin_round, lives)
        else:
            self._begin_round(lives)

    def _begin_round(self, lives: list[LivePart]) -> None:
        task = asyncio.create_task(self._round(lives))
        self.rounds.add(task)
        task.add_done_callback(self.rounds.discard)

    async def _round(self, lives: list[LivePart]) -> None:
        """Renew these parts until none is stale, and send what changed."""
        if lives is self.next_round:
            self.next_round = []
        elif lives is self.next_failed_round:
            self.next_failed_round = []
        done: list[Result] = []
        try:
            while lives:
                results = await self._results(lives, [live for live, _ in done])
                done += results
                lives = self._unread_inner(results)
                if not lives:
                    lives, done = self._deliver(done), []
        except BaseException as error:  # what the thread or its pool refuses; or the process ends
            for live in [*lives, *(live for live, _ in done)]:
                self._read_end(live, error)
            if not isinstance(error, Exception):
                raise

    async def _results(self, lives: list[LivePart], before: Sequence[LivePart]) -> list[Result]:
        """Read these, which those `before` hold; among what is watched, if anybody shows any of it."""
        for live in lives:
            self._read_begin(live)
        is_watched = any(live.sockets and not live.has_failed for live in (*lives, *before))
        in_thread = self.in_thread if is_watched else self.in_page_thread
        with self.refresh.measure():
            results = await in_thread(partial(read_all, lives))
        return list(zip(lives, results, strict=True))

    def _deliver(self, done: Sequence[Result]) -> list[LivePart]:
        """Take over and send what changed, inner parts before those that show them; returns what is to be read anew."""
        changes = [(live, live.take(result)) for live, result in done if not isinstance(result, Exception)]
        sent = {live.ref.key: live.version for live, data in changes if data}
        held = {live: frozenset(live.sockets) for live, data in changes if data and data is not live.full_frame}
        for live, _ in changes:
            live.follow_inner(lambda ref: self.live.get(ref.key) or self._add(ref), sent, self._read_soon)
        for number, (live, _) in enumerate(changes):
            if live in held and not live.sockets <= held[live]:  # some have nothing that the change could start from
                changes[number] = (live, live.full_frame)
        self._send(sorted(changes, key=lambda change: change[0].ref.part.number))  # a part holds those before it
        return [live for live, result in done if not self._read_end(live, result)]

    def _unread_inner(self, results: Sequence[Result]) -> list[LivePart]:
        """Return the parts that these name now and that were not read yet; the same round reads them."""
        found = []
        named = (result.inner_refs if isinstance(result, Renewal) else live.inner_refs for live, result in results)
        for ref in (ref for refs in named for ref in refs):
            inner = self.live.get(ref.key) or self._add(ref)
            if inner.is_stale and inner.refresh is None:
                inner.refresh = _future()
                found.append(inner)
        return found

    def _read_end(self, live: LivePart, result: Renewal | BaseException | None) -> bool:
        """Tell those who wait for the part, unless it is to be read once more; returns whether it is done."""
        has_failed = isinstance(result, BaseException)
        if live.is_stale and not has_failed:
            return False
        if not has_failed and (refresh_after := live.refresh_after):
            self._read_at(live, asyncio.get_running_loop().time() + refresh_after)
        waiting, live.refresh = live.refresh, None
        live.has_failed = has_failed
        if live.has_failed:
            live.is_stale = True
            if live.sockets:
                asyncio.get_running_loop().call_later(RETRY, self._read_soon, live)
        if waiting is not None and not waiting.done():
            if isinstance(result, BaseException):
                waiting.set_exception(result)
            else:
                waiting.set_result(None)
        return True

    def _send(self, changes: Sequence[tuple[LivePart, bytes]]) -> None:
        """Write to every socket once, however many of its parts changed, then rest for as long as that took."""
        begun = asyncio.get_running_loop().time()
        changed = {live: data for live, data in changes if data}
        for live, data in changed.items():
            self.deliveries += len(live.sockets)
            self.bytes_out += len(live.sockets) * len(data)
        for lives, sockets in audiences(changed).items():
            data = b"".join(changed[live] for live in lives)
            for socket in sockets:
                socket.send_latest(lives, data)
        ended = asyncio.get_running_loop().time()
        self.rests_until = ended + min(ended - begun, REST)


def _future() -> asyncio.Future[None]:
    made: asyncio.Future[None] = asyncio.get_running_loop().create_future()
    made.add_done_callback(_failure_ignore)
    return made
