"""Shared parts at work: read once, rendered once, encoded once, written to every socket that shows them.

What a part comes to hold is read in the same round, so that it is there before the change that shows it.

A version is a hash of the content, so it means the same in every process and after a restart. A change names the
version it starts from and the one it ends at; a browser that holds another asks for the whole.
"""

import asyncio
import contextvars
import logging
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Protocol, TypeVar

from apps.core.observability.times import Times
from components.rendering.live_part import LivePart, Socket, audiences, frame
from components.rendering.parts import Ref, read_ahead, reading_once

__all__ = ["LivePart", "LiveParts", "frame"]

log = logging.getLogger(__name__)
RETRY = 2.0  # seconds until a part that could not be read is tried again
IDLE_LIMIT = 500  # parts that nobody shows which a process keeps for page views

Result = TypeVar("Result")


class Topics(Protocol):
    """What the registry needs of the bus."""

    def subscribe(self, topic: str, listener: Callable[[], None]) -> Callable[[], None]:
        """Call `listener` on each change of `topic`; returns the function that ends it."""


class InThread(Protocol):
    """Runs a blocking function beside the event loop."""

    def __call__(self, function: Callable[[], Result], /) -> Awaitable[Result]:
        """Return what `function` returns."""


def _seen(ended: asyncio.Future[None]) -> None:
    """Take note of a failure, so that asyncio does not report again what was logged where it arose."""
    if not ended.cancelled():
        ended.exception()


def _renewed(lives: Sequence[LivePart]) -> list[bytes | Exception]:
    """Renew these parts, each for itself but with common reads; returns what became of each."""

    def work() -> list[bytes | Exception]:
        with reading_once():
            try:
                read_ahead(live.ref for live in lives)
            except Exception:
                log.exception("parts could not be read together")  # each tries for itself, and fails for itself
            return [_tried(live) for live in lives]

    return contextvars.Context().run(work)


def _tried(live: LivePart) -> bytes | Exception:
    try:
        return live.renew_here()
    except Exception as error:
        log.exception("part %s could not be read", live.ref.key)
        return error


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
        self.due: list[LivePart] = []  # what the next round begins with
        self.due_failed: list[LivePart] = []  # and what the next one of parts that failed
        self.rounds: set[asyncio.Task[None]] = set()

    async def current(self, ref: Ref) -> LivePart:
        """The part, up to date; any number of callers cost one read."""
        while True:
            live = self.live.get(ref.key) or self._begin(ref)
            live.asked_for = True
            if not (live.stale or live.refreshing):
                return live
            await asyncio.shield(self._refreshing(live))  # meanwhile it may have been forgotten

    async def complete(self, refs: Iterable[Ref]) -> list[LivePart]:
        """These parts and all that they hold, up to date, each once, the outer ones first."""
        found: dict[str, LivePart] = {}
        waiting = list(refs)
        for ref in waiting:  # it grows
            if ref.key not in found:
                live = found[ref.key] = await self.current(ref)
                waiting += live.holds
        return list(found.values())

    def fresh(self, keys: Iterable[str]) -> list[LivePart] | None:
        """As `complete`, if all of it is up to date, without asking anybody."""
        found: dict[str, LivePart] = {}
        waiting = list(keys)
        for key in waiting:  # it grows
            live = self.live.get(key)
            if live is None or live.stale or live.refreshing:
                return None
            if key not in found:
                live.asked_for, found[key] = True, live
                waiting += [ref.key for ref in live.holds]
        return list(found.values())

    async def watch(self, ref: Ref, socket: Socket, held: Mapping[str, str]) -> LivePart:
        """From now on `socket` gets every change of the part and of what it holds; of what it does not hold, the whole.

        `held` are the versions that the browser has, by key.
        """
        live = await self.current(ref)
        live.direct.add(socket)
        try:
            await self.complete(live.holds)
        except BaseException:
            live.direct.discard(socket)
            raise
        live.show_to(socket, held, self._changed)
        return live

    def leave(self, live: LivePart, socket: Socket) -> None:
        """The socket's page no longer names the part."""
        live.direct.discard(socket)
        live.hide_from(socket)

    def check(self) -> None:
        """Read every part that somebody shows again; forget what nobody has shown or asked for since the last look."""
        for live in tuple(self.live.values()):
            if live.sockets:
                self._changed(live)
            elif live.asked_for or live.is_wanted or live.refreshing is not None:
                live.asked_for = False
            else:
                self._forget(live)

    def _begin(self, ref: Ref) -> LivePart:
        if len(self.live) >= IDLE_LIMIT:
            self._forget_idle()
        live = self.live[ref.key] = LivePart(ref)
        live.stops = [self.bus.subscribe(topic, lambda: self._changed(live)) for topic in ref.topics]
        return live

    def _forget_idle(self) -> None:
        """Drop the parts that nobody shows: parameters come from addresses, so strangers choose how many there are."""
        for live in tuple(self.live.values()):
            if not live.is_wanted and live.refreshing is None:
                self._forget(live)

    def _forget(self, live: LivePart) -> None:
        for stop in live.stops:
            stop()
        if live.later is not None:
            live.later.cancel()
        for inner in live.inner.values():
            inner.holders.discard(live)
        del self.live[live.ref.key]

    def _changed(self, live: LivePart) -> None:
        if live.due and asyncio.get_running_loop().time() < live.due:  # until then page views take what there is
            self._change_at(live, live.due)
            return
        live.stale = True
        if live.sockets and live.refreshing is None:
            # with all others that the same commit changes: one thread, common reads, one write for each socket
            live.refreshing = _future()
            due = self.due_failed if live.failed else self.due
            due.append(live)
            if len(due) == 1:
                self._begin_round(due)

    def _begun(self, live: LivePart) -> None:
        """Take note that the part is read now: whatever was to be shown later is shown by this."""
        live.stale = False
        live.due = live.ref.part.every and asyncio.get_running_loop().time() + live.ref.part.every
        if live.later is not None:
            live.later.cancel()
            live.later = None

    def _change_at(self, live: LivePart, when: float) -> None:
        """Read the part at this time of the loop, unless it is to be read before."""
        if live.later is not None:
            if live.later.when() <= when:
                return
            live.later.cancel()
        live.later = asyncio.get_running_loop().call_at(when, self._change_later, live)

    def _change_later(self, live: LivePart) -> None:
        live.later = None
        self._changed(live)

    def _refreshing(self, live: LivePart) -> asyncio.Future[None]:
        if live.refreshing is None:
            live.refreshing = _future()
            self._begin_round([live])
        return live.refreshing

    def _begin_round(self, lives: list[LivePart]) -> None:
        task = asyncio.create_task(self._round(lives))
        self.rounds.add(task)
        task.add_done_callback(self.rounds.discard)

    async def _round(self, lives: list[LivePart]) -> None:
        """Renew these parts until none is stale, and send what changed."""
        if lives is self.due:
            self.due = []
        elif lives is self.due_failed:
            self.due_failed = []
        done: list[tuple[LivePart, bytes | Exception]] = []
        try:
            while lives:
                done += await self._results(lives, [live for live, _ in done])
                lives = self._unread(lives)
                if not lives:
                    lives, done = self._delivered(done), []
        except BaseException as error:  # what the thread or its pool refuses; or the process ends
            for live in [*lives, *(live for live, _ in done)]:
                self._ended(live, error)
            if not isinstance(error, Exception):
                raise

    async def _results(
        self, lives: list[LivePart], before: Sequence[LivePart]
    ) -> list[tuple[LivePart, bytes | Exception]]:
        """Read these, which those `before` hold; among what is watched, if anybody shows any of it."""
        for live in lives:
            self._begun(live)
        is_watched = any(live.sockets and not live.failed for live in (*lives, *before))
        in_thread = self.in_thread if is_watched else self.in_page_thread
        with self.refresh.measured():
            results = await in_thread(partial(_renewed, lives))
        return list(zip(lives, results, strict=True))

    def _delivered(self, done: Sequence[tuple[LivePart, bytes | Exception]]) -> list[LivePart]:
        """Send what changed, inner parts before those that show them; returns what is to be read once more."""
        changes = [(live, data) for live, data in done if isinstance(data, bytes)]
        sent = {live.ref.key: live.version for live, data in changes if data is live.whole}
        for live, _ in changes:
            live.follow_inner(lambda ref: self.live.get(ref.key) or self._begin(ref), sent, self._changed)
        self._send(changes[::-1])
        return [live for live, result in done if not self._ended(live, result)]

    def _unread(self, lives: Sequence[LivePart]) -> list[LivePart]:
        """What these name and nobody has read yet: the same round reads it."""
        found = []
        for ref in (ref for live in lives for ref in live.holds):
            inner = self.live.get(ref.key) or self._begin(ref)
            if inner.stale and inner.refreshing is None:
                inner.refreshing = _future()
                found.append(inner)
        return found

    def _ended(self, live: LivePart, result: bytes | BaseException) -> bool:
        """Tell those who wait for the part, unless it is to be read once more; returns whether it is done."""
        if isinstance(result, bytes) and live.stale:
            return False
        if isinstance(result, bytes) and (again := live.again):
            self._change_at(live, asyncio.get_running_loop().time() + again)
        waiting, live.refreshing = live.refreshing, None
        live.failed = isinstance(result, BaseException)
        if live.failed:
            live.stale = True
            if live.sockets:
                asyncio.get_running_loop().call_later(RETRY, self._changed, live)
        if waiting is not None and not waiting.done():
            if isinstance(result, BaseException):
                waiting.set_exception(result)
            else:
                waiting.set_result(None)
        return True

    def _send(self, changes: Sequence[tuple[LivePart, bytes]]) -> None:
        """Write to every socket once, however many of its parts changed."""
        changed = {live: data for live, data in changes if data}
        for live, data in changed.items():
            self.deliveries += len(live.sockets)
            self.bytes_out += len(live.sockets) * len(data)
        for lives, sockets in audiences(changed).items():
            data = b"".join(changed[live] for live in lives)
            for socket in sockets:
                socket.send_latest(lives, data)


def _future() -> asyncio.Future[None]:
    made: asyncio.Future[None] = asyncio.get_running_loop().create_future()
    made.add_done_callback(_seen)
    return made
