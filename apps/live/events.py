"""Events of comments and reactions, and the topics they notify.

Topics: `session.<id>.comments` its comments; `session.<id>.reactions` the counts of reactions.
"""

from dataclasses import dataclass


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
