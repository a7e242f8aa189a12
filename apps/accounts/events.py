"""What happens to accounts, and the topics that tell of it.

- `account.<id>`: its sessions, its rights or its password are others; open windows of it are looked at again.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class AccountChanged:
    """An account's sessions, rights or password are others than before."""

    account_id: int

    @property
    def topics(self) -> tuple[str, ...]:
        """The account's own topic."""
        return (f"account.{self.account_id}",)
