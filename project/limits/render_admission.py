"""Admission control for first renders: a few at a time; sockets with a long wait are sent away with a retry time.

After a restart every window reconnects at once (a thundering herd). Without admission each window would wait for all of
the others.
"""

import asyncio
import math
import os
import time
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from project.limits.rates import COME_BACK_MOST, FIRST_RENDER_WAIT, FIRST_RENDERS_PER_CORE

ROUNDS = 16  # rounds of first renders in the estimate: enough to outlive a thundering herd, which arrives slowly
RECENT = 10.0  # seconds for which a first render counts in the estimate
FIRST_GUESS = 0.005  # seconds of a first render, before one is measured


class RenderAdmission:
    """Runs at most `slots` first renders at a time. A waiting socket is already accepted and may close at any time."""

    def __init__(self, slots: int | None = None) -> None:
        self.slots = slots or FIRST_RENDERS_PER_CORE * (os.cpu_count() or 1)
        self.semaphore = asyncio.Semaphore(self.slots)
        self.waiting = 0
        # the end and the duration of recent first renders, in seconds
        self.recent_renders: deque[tuple[float, float]] = deque(maxlen=ROUNDS * self.slots)

    @property
    def usual_seconds(self) -> float:
        """The estimated seconds of a first render: the mean of recent ones, without one round of the slowest.

        A short stall, such as the start of the process, delays every render in progress. With the slowest included, the
        estimate would refuse all sockets that arrive next.
        """
        since = time.monotonic() - RECENT
        usual = sorted(seconds for end, seconds in self.recent_renders if end > since)[: -self.slots]
        return math.fsum(usual) / len(usual) if usual else FIRST_GUESS

    def come_back(self) -> int:
        """Return the seconds after which a socket should reconnect; 0 when it may wait here.

        A socket may wait if a slot is expected within FIRST_RENDER_WAIT. The result is at most COME_BACK_MOST, since it
        is an estimate.
        """
        beyond = self.waiting * self.usual_seconds / self.slots - FIRST_RENDER_WAIT
        return min(math.ceil(beyond), COME_BACK_MOST) if beyond > 0 else 0

    @asynccontextmanager
    async def admission(self) -> AsyncIterator[None]:
        """Wait for a slot and hold it during the first render inside."""
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
