"""Limits by address and by account.

Sockets and handshakes are counted in this process. Pages, searches and commands are also counted across processes when
there is a Valkey.
"""

import time
from collections import Counter
from math import ceil
from typing import Any

from apps.core.buckets import Bucket, Buckets
from apps.core.observability import factor
from components.routes import is_search
from project.limits.rates import (
    BUSY,
    COMMANDS,
    COMMANDS_ACCOUNT,
    COMMANDS_ADMIN,
    HANDSHAKES,
    PAGES,
    SEARCHES,
    SEARCHES_ADDRESS,
    SEARCHES_SIGNED_IN,
    SOCKETS_PER_ACCOUNT,
    SOCKETS_PER_ADDRESS,
    SUGGESTION,
    TOO_MANY,
)

COME_BACK = 10  # seconds


class ConnectionLimits:
    """Counts open sockets by address and by account. Each successful `enter` is followed by one `leave`."""

    def __init__(self) -> None:
        self.addresses: Counter[str] = Counter()
        self.accounts: Counter[int] = Counter()
        self.polled_at = float("-inf")  # monotonic time of the last poll of an open page without a socket
        self.handshakes = Buckets(HANDSHAKES)
        self.pages, self.searches = Buckets(PAGES), Buckets(SEARCHES_ADDRESS)
        self.commands = Buckets(COMMANDS_ACCOUNT)
        self.posts, self.posts_admin = Buckets(COMMANDS), Buckets(COMMANDS_ADMIN)  # by account and command

    @property
    def common(self) -> dict[str, Buckets]:
        """The buckets that all processes share when there is a Valkey, by name."""
        names = ("pages", "searches", "commands", "posts", "posts_admin")
        return {name: getattr(self, name) for name in names}

    def enter(self, address: str) -> int:
        """Admit a socket from this address. Returns 0, or the close code of the refusal."""
        if not address:  # a unix socket, and its proxy sent no address: there is no key to count by
            return 0
        if not self.handshakes.take(address):
            return BUSY
        if self.addresses[address] >= SOCKETS_PER_ADDRESS * factor(address):
            return TOO_MANY
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

    def poll(self, address: str) -> int:
        """Count a poll as one page of this address. Returns 0, or the seconds until the next poll may come."""
        self.polled_at = time.monotonic()
        bucket = self.pages.of(address) if address else None
        return ceil(bucket.wait()) if bucket is not None and not bucket.take() else 0

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
