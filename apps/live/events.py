"""Events of session comments and reactions, and the topics that they publish."""

from dataclasses import dataclass

from apps.core.events import topics_declare

TOPICS = topics_declare(
    {
        "session.<id>.comments": "one session's comments",
        "session.<id>.reactions": "one session's counts of reactions",
    }
)


@dataclass(frozen=True, slots=True)
class CommentsChanged:
    """Comments on these sessions were added, deleted, hidden or restored."""

    session_ids: tuple[int, ...]

    @property
    def topics(self) -> tuple[str, ...]:
        """Return the topics to notify."""
        return tuple(f"session.{pk}.comments" for pk in self.session_ids)


@dataclass(frozen=True, slots=True)
class ReactionsChanged:
    """The audience of these sessions reacted."""

    session_ids: tuple[int, ...]

    @property
    def topics(self) -> tuple[str, ...]:
        """Return the topics to notify."""
        return tuple(f"session.{pk}.reactions" for pk in self.session_ids)
