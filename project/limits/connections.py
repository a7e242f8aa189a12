"""Limits by address and by account.

Sockets, handshakes and polls are counted in this process. Pages, searches and commands are also counted across
processes when there is a Valkey.
"""

import time
from collections import Counter
from math import ceil
from typing import Any, NamedTuple

from apps.core.buckets import Bucket, Buckets
from apps.core.observability import factor
from components.routes import is_search
from project.limits.rates import (
    COMMANDS,
    COMMANDS_ACCOUNT,
    COMMANDS_ADMIN,
    CROWDED,
    HANDSHAKES,
    PAGES,
    POLL_EVERY,
    POLL_EVERY_MOST,
    POLLS,
    SEARCHES,
    SEARCHES_ADDRESS,
    SEARCHES_SIGNED_IN,
    SOCKETS_PER_ACCOUNT,
    SOCKETS_PER_ADDRESS,
    SUGGESTION,
)

COME_BACK = 60  # seconds after which a page without a socket tries one again; three times that while it polls


class Turn(NamedTuple):
    """The decision about one poll: whether it is answered, and the seconds until the next one of its page."""

    is_answered: bool
    after: int

    @property
    def refused_for(self) -> int:
        """The seconds for which the poll is refused; 0 if it is answered."""
        return 0 if self.is_answered else self.after


UNLIMITED = Turn(is_answered=True, after=0)


class ConnectionLimits:
    """Counts open sockets by address and by account. Each successful `enter` is followed by one `leave`."""

    def __init__(self) -> None:
        self.addresses: Counter[str] = Counter()
        self.accounts: Counter[int] = Counter()
        self.polled_at = float("-inf")  # monotonic time of the last poll of an open page without a socket
        self.handshakes, self.polls = Buckets(HANDSHAKES), Buckets(POLLS)
        self.next_polls: dict[str, float] = {}  # monotonic time of the next free poll, by address
        self.pages, self.searches = Buckets(PAGES), Buckets(SEARCHES_ADDRESS)
        self.commands = Buckets(COMMANDS_ACCOUNT)
        self.posts, self.posts_admin = Buckets(COMMANDS), Buckets(COMMANDS_ADMIN)  # by account and command

    @property
    def common(self) -> dict[str, Buckets]:
        """The buckets that all processes share when there is a Valkey, by name."""
        names = ("pages", "searches", "commands", "posts", "posts_admin")
        return {name: getattr(self, name) for name in names}

    def enter(self, address: str) -> int:
        """Admit a socket from this address. Returns 0, or the close code CROWDED."""
        if not address:  # a unix socket, and its proxy sent no address: there is no key to count by
            return 0
        if not self.handshakes.take(address) or self.addresses[address] >= SOCKETS_PER_ADDRESS * factor(address):
            return CROWDED
        self.addresses[address] += 1
        return 0

    def search(self, address: str, path: str) -> int:
        """Count this page view if it is a search. Returns 0, or the seconds after which the browser may ask again."""
        if not address or not is_search(path):
            return 0
        bucket = self.searches.of(address)
        return 0 if bucket.take() else ceil(bucket.wait())

    def suggest(self, address: str) -> int:
        """Count a query while typing, a quarter of a search. Returns 0, or the seconds until the next may come."""
        bucket = self.searches.of(address) if address else None
        return ceil(bucket.wait(SUGGESTION)) if bucket is not None and not bucket.take(SUGGESTION) else 0

    def poll(self, address: str) -> Turn:
        """Count a poll of this address, and give its page the next free time.

        The times of an address are spaced by the rate POLLS, so that the pages of a crowd slow down together.
        """
        now = self.polled_at = time.monotonic()
        if not address:
            return UNLIMITED
        bucket = self.polls.of(address)
        if len(self.next_polls) > Buckets.TIDY_ABOVE:
            self.next_polls = {key: at for key, at in self.next_polls.items() if at > now}
        at = max(now + POLL_EVERY, self.next_polls.get(address, 0.0))
        self.next_polls[address] = min(at + 1 / bucket.rate.per_second, now + POLL_EVERY_MOST)
        return Turn(bucket.take(), round(at - now))

    def leave(self, address: str) -> None:
        """Release one socket of this address."""
        _less(self.addresses, address)

    def account_enter(self, account: int) -> bool:
        """Count one more window of this account. Returns False at the limit."""
        if self.accounts[account] >= SOCKETS_PER_ACCOUNT:
            return False
        self.accounts[account] += 1
        return True

    def account_commands(self, account: int) -> bool:
        """Take one command from this account's bucket. Returns False when the bucket is empty."""
        return self.commands.take(account)

    def post_command(self, account: int, name: str, *, is_admin: bool) -> bool:
        """Take one command of this name, posted without a socket. Returns False at a limit.

        Administrators have a larger bucket for each command, and no limit across commands.
        """
        posts = self.posts_admin if is_admin else self.posts
        return posts.take((account, name)) and (is_admin or self.account_commands(account))

    def account_leave(self, account: int) -> None:
        """Release one window of this account."""
        _less(self.accounts, account)


def _less(counter: Counter[Any], key: str | int) -> None:
    counter[key] -= 1
    if counter[key] <= 0:
        del counter[key]


class NavigationRate:
    """The rate limits of one window's navigations. `address` is empty when it is unknown, and is then not counted."""

    __slots__ = ("address", "limits", "searches")

    def __init__(self, limits: ConnectionLimits, address: str) -> None:
        self.limits, self.address = limits, address
        self.searches: Bucket | None = None

    def wait(self, *, is_search: bool, is_signed_in: bool) -> float:
        """Return the seconds until the window may navigate; 0 means now, and counts the navigation."""
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
