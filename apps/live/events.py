"""What the audience does during a session, and whose screens it makes out of date.

Topics: `session.<id>.comments` what was said about it; `session.<id>.reactions` the counts of reactions.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class CommentsChanged:
    """Somebody said something about these sessions, or what was said is gone, hidden or restored."""

    session_ids: tuple[int, ...]

    @property
    def topics(self) -> tuple[str, ...]:
        """Return the topics to notify."""
        return tuple(f"session.{pk}.comments" for pk in self.session_ids)


@dataclass(frozen=True, slots=True)
class ReactionsChanged:
    """The audience of these sessions reacted, or took back what it had shown."""

    session_ids: tuple[int, ...]

    @property
    def topics(self) -> tuple[str, ...]:
        """Return the topics to notify."""
        return tuple(f"session.{pk}.reactions" for pk in self.session_ids)
