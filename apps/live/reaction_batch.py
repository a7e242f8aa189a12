"""Write the reactions of this process in batches.

A message is answered when it is stored. A stopping process first writes the queued messages. A browser without an
answer sends the same message again with the same idempotency key.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from contextvars import Context
from typing import Protocol

from apps.live.services import ReactionMessage, reactions_store

TICK = 1 / 3  # seconds between two writes
log = logging.getLogger(__name__)
Waiting = tuple[ReactionMessage, "asyncio.Future[str | None]"]


class InThread(Protocol):
    """Runs a blocking function beside the event loop."""

    def __call__(self, function: Callable[[], list[str]], /) -> Awaitable[list[str]]:
        """Return the result of `function`."""


class Batcher:
    """Queues messages and writes them every TICK seconds, in their order."""

    def __init__(self, in_thread: InThread) -> None:
        self.in_thread = in_thread
        self.waiting: list[Waiting] = []
        self.writing: asyncio.Task[None] | None = None
        self.stopping = asyncio.Event()

    async def add(self, taps: ReactionMessage) -> str | None:
        """Return an empty text when the message is stored, or the reason for a refusal.

        Return None when the process stops or the database is unavailable; the caller may send the same message again.
        """
        if self.stopping.is_set():
            return None
        stored: asyncio.Future[str | None] = asyncio.get_running_loop().create_future()
        self.waiting.append((taps, stored))
        if self.writing is None:
            # in an empty context, because it writes the messages of several accounts
            self.writing = asyncio.get_running_loop().create_task(self._run(), context=Context())
        return await asyncio.shield(stored)  # a cancelled caller does not cancel the write

    async def stop(self) -> None:
        """Write the queued messages without delay, and accept no more."""
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
        """Wait for more messages, unless the process stops."""
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
