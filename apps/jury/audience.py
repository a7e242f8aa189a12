"""A stage's performances by the jury's published scores and by the audience's newest ranking."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

from apps.competition.selectors.public.stages import FieldAppearance
from apps.jury.comparison import MOST_SHOWN, Agreement, agreement, pairs_in_order, ranks_among
from apps.jury.selectors import JuryScores, jury_scores
from apps.ranking.selectors import ranking_get
from apps.ranking.selectors.results import RankedPerformance


@dataclass(frozen=True, slots=True)
class ComparedPerformance:
    """A performance with its two ranks among the compared ones; equal scores share a rank."""

    appearance: FieldAppearance
    jury_rank: int
    audience_rank: int

    @property
    def difference(self) -> int:
        """How many places higher the audience ranks it; below zero, how many places the jury does."""
        return self.jury_rank - self.audience_rank


@dataclass(frozen=True, slots=True)
class Comparison:
    """The performances that both the jury and the audience rank, by the jury's rank, then in the order of playing.

    The jury's rank is that of the stage's own score, as the audience's is, not of the cumulated one. `seed` names
    sheet and run. `covered` is the number of begun performances whose figures the viewer does not see (`as_seen`).
    """

    stage_id: int
    performances: tuple[ComparedPerformance, ...]
    seed: str
    begun: frozenset[int]  # appearances, also without a rank
    covered: int = 0

    @property
    def agreement(self) -> Agreement:
        """How far the two orders agree."""
        first = tuple(each.jury_rank for each in self.performances)
        return agreement(first, tuple(each.audience_rank for each in self.performances), self.seed)

    @property
    def pairs(self) -> tuple[int, int]:
        """How many pairs of performances the two put in the same order, and how many both order."""
        jury = [each.jury_rank for each in self.performances]
        return pairs_in_order(jury, [each.audience_rank for each in self.performances])

    @property
    def higher_with_audience(self) -> tuple[ComparedPerformance, ...]:
        """The performances with the largest differences in the audience's favor, the largest first."""
        found = (each for each in self.performances if each.difference > 0)
        return tuple(sorted(found, key=lambda each: (-each.difference, each.audience_rank)))[:MOST_SHOWN]

    @property
    def higher_with_jury(self) -> tuple[ComparedPerformance, ...]:
        """The performances with the largest differences in the jury's favor, the largest first."""
        found = (each for each in self.performances if each.difference < 0)
        return tuple(sorted(found, key=lambda each: (each.difference, each.jury_rank)))[:MOST_SHOWN]

    def of_appearance(self, appearance_id: int) -> ComparedPerformance | None:
        """Return this performance, None if one of the two does not rank it."""
        return next((each for each in self.performances if each.appearance.id == appearance_id), None)

    def as_seen(self, seen: Collection[int]) -> "Comparison":
        """Return the comparison for a member who sees the figures of the appearances `seen` only.

        Both ranks are counted among these. A member who sees everything that has begun gets the same comparison.
        """
        covered = self.begun - frozenset(seen)
        known = [each for each in self.performances if each.appearance.id in seen]
        if not covered and len(known) == len(self.performances):
            return self
        jury, audience = (
            ranks_among({each.appearance.id: getattr(each, rank) for each in known})
            for rank in ("jury_rank", "audience_rank")
        )
        performances = (
            ComparedPerformance(each.appearance, jury[each.appearance.id], audience[each.appearance.id])
            for each in known
        )
        return replace(self, performances=tuple(performances), covered=len(covered))


def comparisons_get(*, stage_ids: Collection[int]) -> Mapping[int, Comparison]:
    """Return the comparisons of the stages with a published sheet. One query, and four for each of them."""
    return {pk: _comparison(pk, sheet) for pk, sheet in jury_scores(stage_ids=stage_ids).items()}


def comparison_get(*, stage_id: int) -> Comparison | None:
    """Return the comparison of a stage, None without a published sheet. Five queries."""
    return comparisons_get(stage_ids=(stage_id,)).get(stage_id)


def _comparison(stage_id: int, sheet: JuryScores) -> Comparison:
    """Return the comparison. Of several performances of one participant the first one with a rank is compared."""
    ranking = ranking_get(stage_id=stage_id)
    ranked: dict[int, RankedPerformance] = {}
    for each in ranking.performances:
        if each.place.rank is not None and each.appearance.participant_id in sheet.scores:
            ranked.setdefault(each.appearance.participant_id, each)
    # the better score is the lower number of hundredths, mostly a negative one
    hundredths = 100 if sheet.lowest_wins else -100
    jury = ranks_among({pk: int(hundredths * sheet.scores[pk]) for pk in ranked})
    audience = ranks_among({pk: each.place.rank or 0 for pk, each in ranked.items()})
    found = [ComparedPerformance(each.appearance, jury[pk], audience[pk]) for pk, each in ranked.items()]
    found.sort(key=lambda each: (each.jury_rank, each.appearance.position))
    begun = frozenset(each.appearance.id for each in ranking.performances if each.appearance.has_begun)
    run_id = ranking.run.id if ranking.run else 0
    return Comparison(stage_id, tuple(found), f"{sheet.sheet_id}-{run_id}", begun)
