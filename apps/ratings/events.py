"""Events of ratings, and the topics that they publish."""

from dataclasses import dataclass

from apps.core.events import topics_declare

TOPICS = topics_declare(
    {
        "ratings.latest": "the newest approved ratings of all",
        "ratings.waiting": "the ratings that wait for a moderator",
        "session_participant.<id>.waiting": "how many ratings of one performance wait for a moderator",
        "session_participant.<id>.ratings": "the approved ratings of one performance, with their figures",
        "participant.<id>.ratings": "the approved ratings of all of one participant's performances, with their figures",
        "piece.<id>": "the approved marks of one piece in all performances",
        "session_participant.<id>.recommendations": "how many recommend the performer of one performance to advance",
        "participant.<id>.recommendations": "the recommendations of all of one participant's performances",
        "account.<id>.ratings": "one person's own ratings, marks that are not submitted, and recommendations",
        "author.<id>.ratings": "one person's approved ratings",
        "ratings.approval": "whether piece ratings of proven accounts are approved at once",
        "account.<id>.deciding": "what one moderator decides together in the queue of ratings",
        "stage.<id>.ratings": "all that one stage's ranking is made of",
    }
)


@dataclass(frozen=True, slots=True)
class RatingsChanged:
    """Ratings were added, changed, approved or deleted; the ids are those of their authors and performances.

    `piece_ids` are the programs of the performances.
    """

    user_ids: tuple[int, ...]
    appearance_ids: tuple[int, ...]
    participant_ids: tuple[int, ...]
    stage_ids: tuple[int, ...]
    piece_ids: tuple[int, ...]
    public: bool  # approved ratings were added or removed
    waiting: bool  # ratings that wait for a moderator were added or removed

    @property
    def topics(self) -> tuple[str, ...]:
        """Return the topics to notify."""
        topics = [f"account.{pk}.ratings" for pk in self.user_ids]
        topics += [f"stage.{pk}.ratings" for pk in self.stage_ids]
        if self.waiting:
            topics.append("ratings.waiting")
            topics += [f"session_participant.{pk}.waiting" for pk in self.appearance_ids]
        if self.public:
            topics.append("ratings.latest")
            topics += [f"session_participant.{pk}.ratings" for pk in self.appearance_ids]
            topics += [f"participant.{pk}.ratings" for pk in self.participant_ids]
            topics += [f"author.{pk}.ratings" for pk in self.user_ids]
            topics += [f"piece.{pk}" for pk in self.piece_ids]
        return tuple(topics)


@dataclass(frozen=True, slots=True)
class DraftChanged:
    """A member struck marks that are not submitted."""

    user_id: int

    @property
    def topics(self) -> tuple[str, ...]:
        """Return the topics to notify."""
        return (f"account.{self.user_id}.ratings",)


@dataclass(frozen=True, slots=True)
class DecidingChanged:
    """A moderator chose what is decided together."""

    user_id: int

    @property
    def topics(self) -> tuple[str, ...]:
        """Return the topics to notify."""
        return (f"account.{self.user_id}.deciding",)


@dataclass(frozen=True, slots=True)
class ApprovalSettingChanged:
    """An administrator changed whether piece ratings of proven accounts are approved at once."""

    topics = ("ratings.approval",)


@dataclass(frozen=True, slots=True)
class RecommendationsChanged:
    """Recommendations were added, changed or withdrawn."""

    user_ids: tuple[int, ...]
    appearance_ids: tuple[int, ...]
    participant_ids: tuple[int, ...]
    stage_ids: tuple[int, ...]

    @property
    def topics(self) -> tuple[str, ...]:
        """Return the topics to notify."""
        return (
            *(f"account.{pk}.ratings" for pk in self.user_ids),
            *(f"stage.{pk}.ratings" for pk in self.stage_ids),
            *(f"session_participant.{pk}.recommendations" for pk in self.appearance_ids),
            *(f"participant.{pk}.recommendations" for pk in self.participant_ids),
        )
