"""Histograms of durations."""

import threading
import time
from bisect import bisect_left
from collections.abc import Iterator
from contextlib import contextmanager

BOUNDS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)  # seconds


class Times:
    """A histogram of durations in seconds."""

    def __init__(self) -> None:
        self.counts = [0] * (len(BOUNDS) + 1)
        self.total = 0.0
        self.lock = threading.Lock()  # queries are timed in worker threads

    def observe(self, seconds: float) -> None:
        """Count one."""
        index = bisect_left(BOUNDS, seconds)
        with self.lock:
            self.counts[index] += 1
            self.total += seconds

    @contextmanager
    def measure(self) -> Iterator[None]:
        """Count the time that the work inside takes, failed or not."""
        begun = time.perf_counter()
        try:
            yield
        finally:
            self.observe(time.perf_counter() - begun)
