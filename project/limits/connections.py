"""Limits by address and by account: sockets and handshakes in this process, searches and commands also in all."""

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
    TOO_MANY,
)

COME_BACK = 10  # seconds


class ConnectionLimits:
    """Counts open sockets; each `enter` that lets one in is followed by its `leave`."""

    def __init__(self) -> None:
        self.addresses: Counter[str] = Counter()
        self.accounts: Counter[int] = Counter()
        self.handshakes = Buckets(HANDSHAKES)
        self.pages, self.searches = Buckets(PAGES), Buckets(SEARCHES_ADDRESS)
        self.commands = Buckets(COMMANDS_ACCOUNT)
        self.posts, self.posts_admin = Buckets(COMMANDS), Buckets(COMMANDS_ADMIN)  # by account and command

    @property
    def common(self) -> dict[str, Buckets]:
        """What is counted over all processes where there is a Valkey, by name."""
        names = ("pages", "searches", "commands", "posts", "posts_admin")
        return {name: getattr(self, name) for name in names}

    def enter(self, address: str) -> int:
        """Let a socket from this address in; returns 0, or the close code that says why not."""
        if not address:  # a unix socket whose proxy names nobody: nothing to count by
            return 0
        if not self.handshakes.take(address):
            return BUSY
        if self.addresses[address] >= SOCKETS_PER_ADDRESS * factor(address):
            return TOO_MANY
        self.addresses[address] += 1
        return 0

    def search(self, address: str, path: str) -> int:
        """Count a page of this address that is a search; returns 0, or the seconds after which to ask for it again."""
        if not address or not is_search(path):
            return 0
        bucket = self.searches.of(address)
        return 0 if bucket.take() else ceil(bucket.wait())

    def poll(self, address: str) -> int:
        """Count a poll of this address as one of its pages; returns 0, or the seconds after which to poll again."""
        bucket = self.pages.of(address) if address else None
        return ceil(bucket.wait()) if bucket is not None and not bucket.take() else 0

    def leave(self, address: str) -> None:
        """Count a socket from this address no longer."""
        _less(self.addresses, address)

    def account_enter(self, account: int) -> bool:
        """Count one more window of this account; returns whether it may have it."""
        if self.accounts[account] >= SOCKETS_PER_ACCOUNT:
            return False
        self.accounts[account] += 1
        return True

    def account_commands(self, account: int) -> bool:
        """Whether this account may give one more command now."""
        return self.commands.take(account)

    def post_command(self, account: int, name: str, *, is_admin: bool) -> bool:
        """Whether this account may post one more command of this name now, without a socket."""
        posts = self.posts_admin if is_admin else self.posts
        return posts.take((account, name)) and (is_admin or self.account_commands(account))

    def account_leave(self, account: int) -> None:
        """Count a window of this account no longer."""
        _less(self.accounts, account)


def _less(counter: Counter[Any], key: str | int) -> None:
    counter[key] -= 1
    if counter[key] <= 0:
        del counter[key]


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
