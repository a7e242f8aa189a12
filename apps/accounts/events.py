"""Events of accounts, and the topics that they publish."""

from dataclasses import dataclass

from apps.core.events import topics_declare

TOPICS = topics_declare(
    {
        "account.<id>": "one account's sessions, rights, password or profile; its open windows are checked",
        "profiles": "anybody's username or picture; every part that shows people of the audience depends on it",
        "site_contact": "who runs the site, on the pages Contact and Privacy",
        "default_avatars": "the default pictures; every shared part depends on it",
    }
)


@dataclass(frozen=True, slots=True)
class AccountChanged:
    """An account's sessions, rights or password changed."""

    account_id: int

    @property
    def topics(self) -> tuple[str, ...]:
        """Return the topic of the account."""
        return (f"account.{self.account_id}",)


@dataclass(frozen=True, slots=True)
class ProfileChanged:
    """An account's public profile changed, or the account was deleted."""

    account_id: int

    @property
    def topics(self) -> tuple[str, ...]:
        """Return the topics of the account and of all parts that show people."""
        return (f"account.{self.account_id}", "profiles")


@dataclass(frozen=True, slots=True)
class DefaultAvatarsChanged:
    """The default pictures changed."""

    @property
    def topics(self) -> tuple[str, ...]:
        """Return the topic that all shared parts depend on."""
        return ("default_avatars",)


@dataclass(frozen=True, slots=True)
class SiteContactChanged:
    """Who runs the site changed."""

    @property
    def topics(self) -> tuple[str, ...]:
        """Return the topic of the pages that show it."""
        return ("site_contact",)
