"""Who may open how many windows: sockets and handshakes counted by address and by account, in this process."""

from collections import Counter
from typing import Any

from project.codes import BUSY, TOO_MANY
from project.limits import ACTIONS_ACCOUNT, HANDSHAKES, SOCKETS_PER_ACCOUNT, SOCKETS_PER_ADDRESS, Bucket, Rate, factor

COME_BACK = 10  # seconds
TIDY_ABOVE = 1000  # buckets


class Door:
    """Counts who is in; every `True` is followed by its `leave`."""

    def __init__(self) -> None:
        self.addresses: Counter[str] = Counter()
        self.accounts: Counter[int] = Counter()
        self.knocks: dict[str, Bucket] = {}
        self.acts: dict[int, Bucket] = {}

    def enter(self, address: str) -> int:
        """Let a socket from this address in; returns 0, or the close code that says why not."""
        if not address:  # a unix socket whose proxy names nobody: nothing to count by
            return 0
        times = factor(address)
        if not self._bucket(address, times).take():
            return BUSY
        if self.addresses[address] >= SOCKETS_PER_ADDRESS * times:
            return TOO_MANY
        self.addresses[address] += 1
        return 0

    def leave(self, address: str) -> None:
        """A socket from this address is gone."""
        _less(self.addresses, address)

    def account_enter(self, account: int) -> bool:
        """Whether this account may have one more window here."""
        if self.accounts[account] >= SOCKETS_PER_ACCOUNT:
            return False
        self.accounts[account] += 1
        return True

    def account_acts(self, account: int) -> bool:
        """Whether this account may ask for one more named action now."""
        if account not in self.acts:
            self.acts[account] = Bucket(ACTIONS_ACCOUNT)
        return self.acts[account].take()

    def account_leave(self, account: int) -> None:
        """A window of this account is gone."""
        _less(self.accounts, account)
        if account not in self.accounts:
            self.acts.pop(account, None)

    def _bucket(self, address: str, times: int) -> Bucket:
        if len(self.knocks) > TIDY_ABOVE:
            self.knocks = {key: bucket for key, bucket in self.knocks.items() if not bucket.is_full}
        if address not in self.knocks:
            self.knocks[address] = Bucket(Rate(HANDSHAKES.burst * times, HANDSHAKES.per_second * times))
        return self.knocks[address]


def _less(counter: Counter[Any], key: str | int) -> None:
    counter[key] -= 1
    if counter[key] <= 0:
        del counter[key]
