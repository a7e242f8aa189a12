"""Events of the ranking, and the topics that they publish."""

from dataclasses import dataclass

from apps.core.events import topics_declare

TOPICS = topics_declare(
    {
        "ranking.<id>": "one stage's ranking, and whether it is closed",
    }
)


@dataclass(frozen=True, slots=True)
class RankingChanged:
    """A stage's ranking was computed, closed or opened again, could not be computed, or is being computed for long."""

    stage_id: int

    @property
    def topics(self) -> tuple[str, ...]:
        """Return the topic to notify."""
        return (f"ranking.{self.stage_id}",)


@dataclass(frozen=True, slots=True)
class RankingOutdated:
    """A stage's ranking needs a new computation: a decision changed, or the ranking was opened again."""

    stage_id: int

    @property
    def topics(self) -> tuple[str, ...]:
        """Return the topics of the ranking's input and of the ranking with its unusual marks."""
        return (f"stage.{self.stage_id}.ratings", f"ranking.{self.stage_id}")
