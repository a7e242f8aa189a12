"""Admission to first renders: a few at a time, and a time to come back for sockets that would wait too long.

After a restart every window connects at once; without this each of them would wait for all.
"""

import asyncio
import math
import os
import time
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from project.limits.rates import COME_BACK_MOST, FIRST_RENDER_WAIT, FIRST_RENDERS_PER_CORE

ROUNDS = (
    16  # rounds of first renders from which the next are guessed: enough to outlive a herd's arrival, which is slow
)
RECENT = 10.0  # seconds for which a first render says how long the next ones take
FIRST_GUESS = 0.005  # seconds of a first render


class RenderAdmission:
    """At most `slots` first renders at a time. A socket that waits is accepted already, and may leave at any time."""

    def __init__(self, slots: int | None = None) -> None:
        self.slots = slots or FIRST_RENDERS_PER_CORE * (os.cpu_count() or 1)
        self.semaphore = asyncio.Semaphore(self.slots)
        self.waiting = 0
        # when first renders ended, and their seconds
        self.recent_renders: deque[tuple[float, float]] = deque(maxlen=ROUNDS * self.slots)

    @property
    def usual_seconds(self) -> float:
        """Seconds of a first render, by those that ended in the last seconds without one round of the slowest.

        Without the slowest, because what delays one for a moment, such as a process that has only begun, delays all
        that render then, and would turn away every socket that comes meanwhile.
        """
        since = time.monotonic() - RECENT
        usual = sorted(seconds for end, seconds in self.recent_renders if end > since)[: -self.slots]
        return math.fsum(usual) / len(usual) if usual else FIRST_GUESS

    def come_back(self) -> int:
        """Return seconds after which to come back, 0 when there is room.

        That is when a slot will be free within FIRST_RENDER_WAIT, at most COME_BACK_MOST, since it is only a guess.
        """
        beyond = self.waiting * self.usual_seconds / self.slots - FIRST_RENDER_WAIT
        return min(math.ceil(beyond), COME_BACK_MOST) if beyond > 0 else 0

    @asynccontextmanager
    async def admission(self) -> AsyncIterator[None]:
        """Wait for a slot, and use it for the first render inside."""
        self.waiting += 1
        try:
            await self.semaphore.acquire()
        finally:
            self.waiting -= 1
        start = time.monotonic()
        try:
            yield
        finally:
            self.semaphore.release()
            end = time.monotonic()
            self.recent_renders.append((end, end - start))
