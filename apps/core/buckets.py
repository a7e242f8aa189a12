"""Token buckets in memory: how often an address, an account or a socket may do something in this process."""

import time
from collections.abc import Hashable
from dataclasses import dataclass

from apps.core.observability import factor


@dataclass(frozen=True, slots=True)
class Rate:
    """`burst` at once, and `per_second` after that."""

    burst: float
    per_second: float


class Bucket:
    """Counts against a rate, on the monotonic clock."""

    __slots__ = ("at", "left", "rate", "taken")

    def __init__(self, rate: Rate) -> None:
        self.rate, self.left, self.at = rate, float(rate.burst), time.monotonic()
        self.taken = 0  # since other processes were told

    def take(self) -> bool:
        """Take one; returns whether it was allowed."""
        self._fill()
        if self.left < 1:
            return False
        self.left -= 1
        self.taken += 1
        return True

    def fill_to(self, left: float) -> None:
        """Have so many left, which all processes know of, less those that were taken since they were told."""
        self.left, self.at = left - self.taken, time.monotonic()

    def wait(self) -> float:
        """Return seconds until one more is allowed; 0 when it is now."""
        self._fill()
        return max(0.0, (1 - self.left) / self.rate.per_second)

    @property
    def is_full(self) -> bool:
        """Whether nothing was taken for so long that the bucket may be forgotten."""
        self._fill()
        return self.left >= self.rate.burst

    def _fill(self) -> None:
        now = time.monotonic()
        self.left = min(self.rate.burst, self.left + (now - self.at) * self.rate.per_second)
        self.at = now


class Buckets:
    """A bucket for each address, account, or account and command."""

    TIDY_ABOVE = 1000

    def __init__(self, rate: Rate) -> None:
        self.rate = rate
        self.buckets: dict[Hashable, Bucket] = {}
        self.asked_for: set[Hashable] | None = None  # since other processes were told, when they are

    def take(self, address: Hashable) -> bool:
        """Take one from this key's bucket; returns whether it was allowed. A hall's address has ten times as much."""
        return self.of(address).take()

    def of(self, address: Hashable) -> Bucket:
        """Return the bucket of this address."""
        if len(self.buckets) > self.TIDY_ABOVE:
            self.buckets = {key: bucket for key, bucket in self.buckets.items() if not bucket.is_full}
        if address not in self.buckets:
            times = factor(address) if isinstance(address, str) else 1
            self.buckets[address] = Bucket(Rate(self.rate.burst * times, self.rate.per_second * times))
        if self.asked_for is not None:
            self.asked_for.add(address)
        return self.buckets[address]
