"""Events of following, and the topics that they publish."""

from dataclasses import dataclass

from apps.core.events import topics_declare

TOPICS = topics_declare(
    {
        "participant.<id>.follows": "the number of members who follow a performer",
        "account.<id>.follows": "the performers that a member follows",
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
