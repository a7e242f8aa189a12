"""What happens to accounts, and the topics that tell of it.

- `account.<id>`: its sessions, rights, password or profile changed; its open windows are checked, and its own pages
  loaded again.
- `profiles`: somebody's username or picture changed; every part that shows people of the audience follows it.
- `default_avatars`: the default pictures changed; every shared part follows it.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class AccountChanged:
    """An account's sessions, rights or password changed."""

    account_id: int

    @property
    def topics(self) -> tuple[str, ...]:
        """The account's own topic."""
        return (f"account.{self.account_id}",)


@dataclass(frozen=True, slots=True)
class ProfileChanged:
    """An account's public profile changed, or the account is gone."""

    account_id: int

    @property
    def topics(self) -> tuple[str, ...]:
        """The account's own topic, and that of all that shows people."""
        return (f"account.{self.account_id}", "profiles")


@dataclass(frozen=True, slots=True)
class DefaultAvatarsChanged:
    """The default pictures changed."""

    @property
    def topics(self) -> tuple[str, ...]:
        """The one topic that all shared parts follow."""
        return ("default_avatars",)
