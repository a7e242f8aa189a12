"""The lag of an event loop, in processor time of its own process.

Processor time excludes other processes, so a busy machine fails no test. It includes all threads of the process,
because a thread that holds the GIL delays the loop too.
"""

import asyncio
import time

EVERY = 0.005  # seconds between two measurements


class Lag:
    """The longest processor time between two callbacks of the loop since the last call of `take`."""

    def __init__(self) -> None:
        self.worst, self.last = 0.0, time.process_time()
        self.timer: asyncio.TimerHandle | None = None

    def start(self) -> "Lag":
        self.worst, self.last = 0.0, time.process_time()
        self._beat()
        return self

    def stop(self) -> float:
        """Stop, and return the longest lag in seconds."""
        self._look()
        if self.timer is not None:
            self.timer.cancel()
        return self.take()

    def take(self) -> float:
        """Return the longest lag in seconds since the last call."""
        worst, self.worst = self.worst, 0.0
        return worst

    def _look(self) -> None:
        now = time.process_time()
        self.worst, self.last = max(self.worst, now - self.last), now

    def _beat(self) -> None:
        self._look()
        self.timer = asyncio.get_running_loop().call_later(EVERY, self._beat)
