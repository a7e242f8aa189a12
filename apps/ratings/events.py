"""Events of ratings, and the topics they notify.

Topics: `ratings.latest` the newest approved ratings of all; `session_participant.<id>.ratings` and
`participant.<id>.ratings` the approved ratings of a performance and of all of a participant's, with their figures;
`session_participant.<id>.recommendations` and `participant.<id>.recommendations` how many want them to advance;
`account.<id>.ratings` one's own ratings and recommendations; `ratings.waiting` what waits for a moderator;
`stage.<id>.ratings` all that a stage's ranking is made of.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class RatingsChanged:
    """Ratings were given, changed, approved or deleted: whose, of which performances, and who could see them."""

    user_ids: tuple[int, ...]
    session_participant_ids: tuple[int, ...]
    participant_ids: tuple[int, ...]
    stage_ids: tuple[int, ...]
    public: bool  # ratings that everybody sees came or went
    waiting: bool  # ratings that wait for a moderator came or went

    @property
    def topics(self) -> tuple[str, ...]:
        """Return the topics to notify."""
        topics = [f"account.{pk}.ratings" for pk in self.user_ids]
        topics += [f"stage.{pk}.ratings" for pk in self.stage_ids]
        if self.waiting:
            topics.append("ratings.waiting")
        if self.public:
            topics.append("ratings.latest")
            topics += [f"session_participant.{pk}.ratings" for pk in self.session_participant_ids]
            topics += [f"participant.{pk}.ratings" for pk in self.participant_ids]
        return tuple(topics)


@dataclass(frozen=True, slots=True)
class RecommendationsChanged:
    """Recommendations were given, changed or withdrawn."""

    user_ids: tuple[int, ...]
    session_participant_ids: tuple[int, ...]
    participant_ids: tuple[int, ...]
    stage_ids: tuple[int, ...]

    @property
    def topics(self) -> tuple[str, ...]:
        """Return the topics to notify."""
        return (
            *(f"account.{pk}.ratings" for pk in self.user_ids),
            *(f"stage.{pk}.ratings" for pk in self.stage_ids),
            *(f"session_participant.{pk}.recommendations" for pk in self.session_participant_ids),
            *(f"participant.{pk}.recommendations" for pk in self.participant_ids),
        )
