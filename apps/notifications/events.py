"""Events of notifications, and the topics that they publish."""

from dataclasses import dataclass

from apps.core.events import topics_declare

TOPICS = topics_declare(
    {
        "notifications": "new notifications of any member; processes then look for those of their own windows",
        "account.<id>.call_alerts": "the sessions whose next performer a member wants to be notified of",
        "account.<id>.notifications": "the notifications of a member, and how they want to get them",
    }
)


@dataclass(frozen=True, slots=True)
class NotificationsMade:
    """Notifications were created, for as many members as follow a performer."""

    @property
    def topics(self) -> tuple[str, ...]:
        """Return the topic that each process follows once."""
        return ("notifications",)


@dataclass(frozen=True, slots=True)
class NotificationsChanged:
    """A member changed the choices, or has seen notifications."""

    user_id: int

    @property
    def topics(self) -> tuple[str, ...]:
        """Return the member's topic."""
        return (f"account.{self.user_id}.notifications",)


@dataclass(frozen=True, slots=True)
class CallAlertChanged:
    """A member wants to be notified of the next performer of a session, or no longer."""

    user_id: int

    @property
    def topics(self) -> tuple[str, ...]:
        """Return the member's topic."""
        return (f"account.{self.user_id}.call_alerts",)
