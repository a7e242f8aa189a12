"""Shared parts at work: read once, rendered once, encoded once, written to every socket that shows them.

A version is a hash of the content, so it means the same in every process and after a restart. A change names the
version it starts from and the one it ends at; a browser that holds another asks for the whole.
"""

import asyncio
import contextvars
import logging
from collections.abc import Awaitable, Callable, Iterable, Sequence
from functools import partial
from typing import Protocol, TypeVar

from apps.core.times import Times
from components.rendering.live_part import LivePart, Socket, frame
from components.rendering.parts import Ref, reading_once

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

    def fresh(self, keys: Sequence[str]) -> list[LivePart] | None:
        """The parts of these keys if all of them are up to date, without asking anybody."""
        found = [live for key in keys if (live := self.live.get(key)) and not (live.stale or live.refreshing)]
        for live in found:
            live.asked_for = True
        return found if len(found) == len(keys) else None

    async def watch(self, ref: Ref, socket: Socket, held: str) -> LivePart:
        """From now on `socket` gets every change; it gets the whole at once unless it holds this version."""
        live = await self.current(ref)
        live.sockets.add(socket)
        if held != live.version:
            socket.send_latest((live,), live.whole)
        return live

    def check(self) -> None:
        """Read every part that somebody shows again; forget what nobody has shown or asked for since the last look."""
        for live in tuple(self.live.values()):
            if live.sockets:
                self._changed(live)
            elif live.asked_for or live.refreshing is not None:
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
            if not live.sockets and live.refreshing is None:
                self._forget(live)

    def _forget(self, live: LivePart) -> None:
        for stop in live.stops:
            stop()
        if live.later is not None:
            live.later.cancel()
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
        try:
            while lives:
                for live in lives:
                    self._begun(live)
                selected_video = any(live.sockets and not live.failed for live in lives)
                in_thread = self.in_thread if selected_video else self.in_page_thread
                with self.refresh.measured():
                    results = await in_thread(partial(_renewed, lives))
                self._send([(live, data) for live, data in zip(lives, results, strict=True) if isinstance(data, bytes)])
                lives = [live for live, result in zip(lives, results, strict=True) if not self._ended(live, result)]
        except BaseException as error:  # what the thread or its pool refuses; or the process ends
            for live in lives:
                self._ended(live, error)
            if not isinstance(error, Exception):
                raise

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
        for lives, sockets in _audiences(changed).items():
            data = b"".join(changed[live] for live in lives)
            for socket in sockets:
                socket.send_latest(lives, data)


def _audiences(changed: Iterable[LivePart]) -> dict[tuple[LivePart, ...], set[Socket]]:
    """Who shows exactly which of these parts.

    By whole sets: a loop over viewers would fetch each one's objects from memory, which costs more than it computes.
    """
    found: dict[tuple[LivePart, ...], set[Socket]] = {}
    for live in changed:
        split: dict[tuple[LivePart, ...], set[Socket]] = {(live,): live.sockets.difference(*found.values())}
        for lives, sockets in found.items():
            split[(*lives, live)] = sockets & live.sockets
            split[lives] = sockets - live.sockets
        found = {lives: sockets for lives, sockets in split.items() if sockets}
    return found


def _future() -> asyncio.Future[None]:
    made: asyncio.Future[None] = asyncio.get_running_loop().create_future()
    made.add_done_callback(_seen)
    return made
