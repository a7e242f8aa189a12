"""The herd at the door: at most a few first renders at a time, and a date for whoever would wait too long."""

import asyncio
import math
import os
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from project.limits import FIRST_RENDER_WAIT, FIRST_RENDERS_PER_CORE

NEW_WEIGHT = 0.1  # of the latest first render in the running mean
FIRST_GUESS = 0.005  # seconds of a first render


class Admission:
    """Waiting costs a socket nothing but silence: it is accepted, and may leave at any time."""

    def __init__(self, slots: int | None = None) -> None:
        self.slots = slots or FIRST_RENDERS_PER_CORE * (os.cpu_count() or 1)
        self.gate = asyncio.Semaphore(self.slots)
        self.waiting = 0
        self.mean = FIRST_GUESS

    def come_back(self) -> int:
        """Seconds after which to come back, 0 when there is room."""
        expected = self.waiting * self.mean / self.slots
        return math.ceil(expected) if expected > FIRST_RENDER_WAIT else 0

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """Wait for one's turn, and hold it for the first render."""
        self.waiting += 1
        try:
            await self.gate.acquire()
        finally:
            self.waiting -= 1
        begun = time.monotonic()
        try:
            yield
        finally:
            self.gate.release()
            self.mean += (time.monotonic() - begun - self.mean) * NEW_WEIGHT
