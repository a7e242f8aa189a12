"""Events of the ranking.

Topics: `ranking.<stage>` what a stage's ranking says, and whether it is closed; `stage.<id>.ratings` (of the ratings)
asks for another computation.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class RankingChanged:
    """A stage's ranking was computed, closed or opened again, or could not be computed."""

    stage_id: int

    @property
    def topics(self) -> tuple[str, ...]:
        """Return the topic to notify."""
        return (f"ranking.{self.stage_id}",)


@dataclass(frozen=True, slots=True)
class RankingOutdated:
    """What a stage's ranking is made of changed: somebody was let out, or the ranking opened again."""

    stage_id: int

    @property
    def topics(self) -> tuple[str, ...]:
        """Return the topics to notify: also the lists of who does not count."""
        return (f"stage.{self.stage_id}.ratings", f"ranking.{self.stage_id}")
