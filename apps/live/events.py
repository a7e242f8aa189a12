"""Events of session comments and reactions, and of all texts about performances, and the topics that they publish."""

from dataclasses import dataclass

from apps.core.events import topics_declare

TOPICS = topics_declare(
    {
        "session.<id>.comments": "one session's comments",
        "session.<id>.reactions": "one session's counts of reactions",
        "participant.<id>.words": "the comments and posts about one participant's performances",
        "stage.<id>.words": "the comments and posts about the performances of one stage",
        "account.<id>.words": "which performances one person has written about",
    }
)
Performances = tuple[tuple[int, int], ...]  # of each the participant's and the stage's id


def words_topics(performances: Performances) -> tuple[str, ...]:
    """Return the topics of comments and posts about these performances."""
    participants = {participant_id for participant_id, _ in performances}
    stages = {stage_id for _, stage_id in performances}
    return (
        *(f"participant.{pk}.words" for pk in sorted(participants)),
        *(f"stage.{pk}.words" for pk in sorted(stages)),
    )


def own_words_topic(author_id: int) -> str:
    """Return the topic of what one person has written about performances."""
    return f"account.{author_id}.words"


@dataclass(frozen=True, slots=True)
class CommentsChanged:
    """Comments on these sessions, and about these performances, were added, deleted, hidden or restored."""

    session_ids: tuple[int, ...]
    performances: Performances = ()
    author_id: int | None = None  # who added one

    @property
    def topics(self) -> tuple[str, ...]:
        """Return the topics to notify."""
        own = () if self.author_id is None else (own_words_topic(self.author_id),)
        return (*(f"session.{pk}.comments" for pk in self.session_ids), *words_topics(self.performances), *own)


@dataclass(frozen=True, slots=True)
class ReactionsChanged:
    """The audience of these sessions reacted."""

    session_ids: tuple[int, ...]

    @property
    def topics(self) -> tuple[str, ...]:
        """Return the topics to notify."""
        return tuple(f"session.{pk}.reactions" for pk in self.session_ids)
