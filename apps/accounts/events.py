"""What happens to accounts, and the topics that tell of it.

- `account.<id>`: its sessions, its rights, its password or its profile are others; open windows of it are looked at
  again, and its own pages are loaded again.
- `profiles`: somebody's username or picture is another; named by every part that shows people of the audience.
- `default_avatars`: those without a picture look different; every shared part is read again.
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


@dataclass(frozen=True, slots=True)
class ProfileChanged:
    """What others see of an account is something else, or the account is gone."""

    account_id: int

    @property
    def topics(self) -> tuple[str, ...]:
        """The account's own topic, and that of everything that shows people."""
        return (f"account.{self.account_id}", "profiles")


@dataclass(frozen=True, slots=True)
class DefaultAvatarsChanged:
    """Other pictures stand for those who have none."""

    @property
    def topics(self) -> tuple[str, ...]:
        """The one topic that all shared parts follow."""
        return ("default_avatars",)
