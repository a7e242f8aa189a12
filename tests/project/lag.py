"""The lag of an event loop, in processor time of its own process.

A loop that waits for the processor on a busy machine computes nothing meanwhile, so other processes make no test red.
What any thread of the process computes counts, since a thread that holds Python's lock holds up the loop too.
"""

import asyncio
import time

EVERY = 0.005  # seconds between two beats


class Lag:
    """The longest time that this process has computed between two beats of the loop, since it was asked last."""

    def __init__(self) -> None:
        self.worst, self.last = 0.0, time.process_time()
        self.timer: asyncio.TimerHandle | None = None

    def start(self) -> "Lag":
        """Begin to beat in the loop that runs now."""
        self.worst, self.last = 0.0, time.process_time()
        self._beat()
        return self

    def stop(self) -> float:
        """End, and return the longest time in seconds."""
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
