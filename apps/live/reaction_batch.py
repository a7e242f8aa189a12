"""Reactions of this process, written in batches.

A tap is answered when it is stored; when the process stops, what waits is written first. A browser without an answer
sends the same message again with the same key.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from contextvars import Context
from typing import Protocol

from apps.live.services import Taps, reactions_store

TICK = 1 / 3  # seconds between two writes
log = logging.getLogger(__name__)
Waiting = tuple[Taps, "asyncio.Future[str | None]"]


class InThread(Protocol):
    """Runs a blocking function beside the event loop."""

    def __call__(self, function: Callable[[], list[str]], /) -> Awaitable[list[str]]:
        """Return what `function` returns."""


class Batcher:
    """Collects messages and writes them every TICK seconds, in their order."""

    def __init__(self, in_thread: InThread) -> None:
        self.in_thread = in_thread
        self.waiting: list[Waiting] = []
        self.writing: asyncio.Task[None] | None = None
        self.stopping = asyncio.Event()

    async def add(self, taps: Taps) -> str | None:
        """Return, once the message is stored, an empty text, or why it was refused.

        None when the process ends or the database is away: the same message may be sent again.
        """
        if self.stopping.is_set():
            return None
        stored: asyncio.Future[str | None] = asyncio.get_running_loop().create_future()
        self.waiting.append((taps, stored))
        if self.writing is None:
            # in an empty context: it writes what several people have sent
            self.writing = asyncio.get_running_loop().create_task(self._run(), context=Context())
        return await asyncio.shield(stored)  # a cancelled caller does not cancel the write

    async def stop(self) -> None:
        """Write what waits, without delay, and take nothing more."""
        self.stopping.set()
        if self.writing is not None:
            await self.writing

    async def _run(self) -> None:
        try:
            while self.waiting:
                await self._pause()
                batch, self.waiting = self.waiting, []
                await self._write(batch)
        finally:
            self.writing = None

    async def _pause(self) -> None:
        """Wait for more messages, unless the process ends."""
        try:
            async with asyncio.timeout(TICK):
                await self.stopping.wait()
        except TimeoutError:
            return

    async def _write(self, batch: Sequence[Waiting]) -> None:
        messages = [taps for taps, _ in batch]
        refusals: Sequence[str | None] = [None] * len(batch)
        try:
            refusals = await self.in_thread(lambda: reactions_store(messages=messages))
        except Exception:
            log.exception("%d messages of reactions could not be stored", len(batch))
        for (_, stored), refusal in zip(batch, refusals, strict=True):
            stored.set_result(refusal)
