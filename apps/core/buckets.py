"""Token buckets in memory: rate limits for an address, an account or a socket in this process."""

import time
from collections.abc import Hashable
from dataclasses import dataclass

from apps.core.observability import factor


@dataclass(frozen=True, slots=True)
class Rate:
    """A rate limit: `burst` tokens at once, refilled at `per_second`."""

    burst: float
    per_second: float


class Bucket:
    """A token bucket for one rate, on the monotonic clock."""

    __slots__ = ("at", "left", "rate", "taken")

    def __init__(self, rate: Rate) -> None:
        self.rate, self.left, self.at = rate, float(rate.burst), time.monotonic()
        self.taken = 0.0  # since the last exchange with other processes

    def take(self, tokens: float = 1) -> bool:
        """Take one token, or this many or a part of one; return whether they were there."""
        self._fill()
        if self.left < tokens:
            return False
        self.left -= tokens
        self.taken += tokens
        return True

    def fill_to(self, left: float) -> None:
        """Set the tokens left to the count shared by all processes, less those taken here since the last exchange."""
        self.left, self.at = left - self.taken, time.monotonic()

    def wait(self, tokens: float = 1) -> float:
        """Return the seconds until one more token, or this part of one, is available; 0 when it is available now."""
        self._fill()
        return max(0.0, (tokens - self.left) / self.rate.per_second)

    @property
    def is_full(self) -> bool:
        """Whether the bucket is full, so that it can be dropped."""
        self._fill()
        return self.left >= self.rate.burst

    def _fill(self) -> None:
        now = time.monotonic()
        self.left = min(self.rate.burst, self.left + (now - self.at) * self.rate.per_second)
        self.at = now


class Buckets:
    """One bucket per key: an address, an account, or an account and a command."""

    TIDY_ABOVE = 1000

    def __init__(self, rate: Rate) -> None:
        self.rate = rate
        self.buckets: dict[Hashable, Bucket] = {}
        self.asked_for: set[Hashable] | None = None  # keys used since the last exchange

    def take(self, address: Hashable) -> bool:
        """Take one token from this key's bucket; return whether there was one.

        A venue's address has ten times the rate.
        """
        return self.of(address).take()

    def of(self, address: Hashable) -> Bucket:
        """Return the bucket of this key. It is created when missing; full buckets are dropped above TIDY_ABOVE."""
        if len(self.buckets) > self.TIDY_ABOVE:
            self.buckets = {key: bucket for key, bucket in self.buckets.items() if not bucket.is_full}
        if address not in self.buckets:
            times = factor(address) if isinstance(address, str) else 1
            self.buckets[address] = Bucket(Rate(self.rate.burst * times, self.rate.per_second * times))
        if self.asked_for is not None:
            self.asked_for.add(address)
        return self.buckets[address]
