"""Events of following, and the topics that they publish."""

from dataclasses import dataclass

from apps.core.events import topics_declare

TOPICS = topics_declare(
    {
        "participant.<id>.follows": "the number of members who follow a performer",
        "account.<id>.follows": "the performers that a member follows",
        "account.<id>.calendar_key": "the address of a member's private calendar",
    }
)


@dataclass(frozen=True, slots=True)
class FollowChanged:
    """A member began or ceased to follow a performer."""

    user_id: int
    participant_id: int

    @property
    def topics(self) -> tuple[str, ...]:
        """Return the topics to notify."""
        return (f"participant.{self.participant_id}.follows", f"account.{self.user_id}.follows")


@dataclass(frozen=True, slots=True)
class CalendarKeyChanged:
    """A member's private calendar has a new address, or none."""

    user_id: int

    @property
    def topics(self) -> tuple[str, ...]:
        """Return the topics to notify."""
        return (f"account.{self.user_id}.calendar_key",)
