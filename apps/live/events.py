"""What the audience does during a session, and whose screens it makes out of date.

Topics: `session.<id>.comments` the newest comments; `session.<id>.comments.deleted` the older ones, which only a
deletion changes; `session.<id>.reactions` the counts of reactions.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class CommentAdded:
    """Somebody said something about a session."""

    session_id: int

    @property
    def topics(self) -> tuple[str, ...]:
        """Return the topics to notify."""
        return (f"session.{self.session_id}.comments",)


@dataclass(frozen=True, slots=True)
class CommentsDeleted:
    """Comments on these sessions are gone."""

    session_ids: tuple[int, ...]

    @property
    def topics(self) -> tuple[str, ...]:
        """Return the topics to notify."""
        return tuple(
            topic for pk in self.session_ids for topic in (f"session.{pk}.comments", f"session.{pk}.comments.deleted")
        )


@dataclass(frozen=True, slots=True)
class ReactionsChanged:
    """The audience of these sessions reacted, or took back what it had shown."""

    session_ids: tuple[int, ...]

    @property
    def topics(self) -> tuple[str, ...]:
        """Return the topics to notify."""
        return tuple(f"session.{pk}.reactions" for pk in self.session_ids)
