"""Limits of navigation: pages and searches over one socket, counted by window and by address."""

from project.limits.connections import ConnectionLimits
from project.limits.rates import SEARCHES, SEARCHES_SIGNED_IN, Bucket


class NavigationRate:
    """What one window may ask for; `address`, which is counted in `limits`, is empty where it is not known."""

    __slots__ = ("address", "limits", "searches")

    def __init__(self, limits: ConnectionLimits, address: str) -> None:
        self.limits, self.address = limits, address
        self.searches: Bucket | None = None

    def wait(self, *, is_search: bool, is_signed_in: bool) -> float:
        """Return seconds until the window may go on; 0 when it may now, which is counted then."""
        buckets = [self.limits.pages.of(self.address)] if self.address else []
        if is_search:
            if self.searches is None:
                self.searches = Bucket(SEARCHES_SIGNED_IN if is_signed_in else SEARCHES)
            buckets += [self.searches, *([self.limits.searches.of(self.address)] if self.address else [])]
        seconds = max((bucket.wait() for bucket in buckets), default=0.0)
        if not seconds:
            for bucket in buckets:
                bucket.take()
        return seconds
