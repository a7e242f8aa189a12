"""What the reads of the ranking return: a run, the places of performances, and the table of a stage."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from decimal import Decimal

from django.utils import timezone

from apps.competition.selectors.public.stages import FieldAppearance
from apps.core.database.paging import NumberedPage, page_of
from apps.ranking.enums import NotCounted, TableOrder
from apps.ranking.limits import LONGEST, RANKED_SHOWN
from apps.ratings.selectors.counts import RecommendationCounts


@dataclass(frozen=True, slots=True)
class Place:
    """A performance's place in a ranking; without enough raters it has no rank, score or interval."""

    rank: int | None = None
    lowest: int | None = None  # best rank of the interval
    highest: int | None = None
    score: Decimal | None = None
    score_from: Decimal | None = None
    score_to: Decimal | None = None
    raters: int = 0
    mean: Decimal | None = None
    late: int | None = None  # of the raters (`late.py`); None with version 1
    is_shared: bool = False  # whether another performance has the same rank


@dataclass(frozen=True, slots=True)
class RankedPerformance:
    """A performance with its place and its counts of recommendations to advance.

    `closed_as` is the performer's name in the files of a closed ranking if that is another one now, else empty.
    """

    appearance: FieldAppearance
    place: Place
    recommendations: RecommendationCounts
    closed_as: str = ""

    @property
    def is_covered(self) -> bool:
        """Whether its figures are covered for the viewer (`Ranking.as_seen`)."""
        return self.place is COVERED

    @property
    def is_to_come(self) -> bool:
        """Whether it has not begun and has no place."""
        return self.place is TO_COME


@dataclass(frozen=True, slots=True)
class Run:
    """A computed run: when it was made, how many marks it has, and when a later computation failed (`failed_at`).

    `number` and `sheets` are None with version 1; `digest` is the commitment since version 2. `missing` is the number
    of sheets whose accounts were deleted after the closing.
    """

    id: int
    method: int
    number: int | None
    digest: str
    sheets: int | None
    made_at: datetime
    final_at: datetime | None
    failed_at: datetime | None
    counting_since: datetime | None
    raters: int
    marks: int
    missing: int = 0
    blind: int | None = None  # of the marks, made blind; None if that was not counted
    changed_from: int | None = None  # method's version before, if it changed while the ranking was open
    not_counted: Mapping[NotCounted, int] = field(default_factory=dict)

    @property
    def is_being_counted(self) -> bool:
        """Whether a long computation of the next run began less than LONGEST ago, and has not ended.

        `counting_since` stays after a process that was killed: the worker ends computations after LONGEST. A clock
        that jumped, so that it is far in the past or the future, makes this false.
        """
        if self.counting_since is None or self.final_at is not None:
            return False
        return abs(timezone.now() - self.counting_since) < timedelta(seconds=LONGEST)


COVERED = Place()  # of a performance whose figures the viewer does not see
TO_COME = Place()  # of a performance that has not begun


@dataclass(frozen=True, slots=True)
class Ranking:
    """A stage's ranking: its performances in the order of playing; `run` is None before the first computation."""

    run: Run | None
    performances: tuple[RankedPerformance, ...]  # that have begun, or have a place
    has_ranks: bool  # whether any performance has a rank
    to_come: tuple[RankedPerformance, ...] = ()  # that have neither begun nor a place, in the order of playing

    @property
    def is_partly_covered(self) -> bool:
        """Whether figures of some performances are covered for the viewer (`as_seen`)."""
        return any(each.is_covered for each in self.performances)

    def page(self, number: int = 1, order: TableOrder = TableOrder.RANKING) -> NumberedPage[RankedPerformance]:
        """Return a page of all performances, in the order of playing or of the ranking.

        The ranking's order is by rank, followed by those with too few raters, the covered ones, and those to come.
        """
        if order is TableOrder.RUNNING:
            ordered = sorted((*self.performances, *self.to_come), key=lambda each: each.appearance.position)
        else:
            placed = [(each.place, each) for each in self.performances]
            placed.sort(key=lambda each: (each[0] is COVERED, each[0].rank is None, each[0].rank or 0, -each[0].raters))
            ordered = [*(each for _, each in placed), *self.to_come]
        return page_of(ordered, total=len(ordered), number=number, size=RANKED_SHOWN, read=tuple)

    def as_seen(self, seen: frozenset[int]) -> "Ranking":
        """Return the ranking for a member who sees the figures of the performances `seen` only.

        Ranks are counted among these and have no range, because a range counts all performances of the stage. The
        others are COVERED, or to come before they begin. Returns the same ranking for a member who sees all.
        """
        known = {each.appearance.id: each.place for each in self.performances if each.appearance.id in seen}
        if len(known) == len(self.performances):
            return self
        ranks = sorted(place.rank for place in known.values() if place.rank)
        places = {pk: _among(ranks, place) if place.rank else place for pk, place in known.items()}
        nothing = RecommendationCounts()
        ahead = [
            RankedPerformance(each.appearance, TO_COME, nothing)
            for each in self.performances
            if each.appearance.id not in places and not each.appearance.has_begun
        ]
        return replace(
            self,
            performances=tuple(
                replace(each, place=places[each.appearance.id])
                if each.appearance.id in places
                else replace(each, place=COVERED, recommendations=nothing)
                for each in self.performances
                if each.appearance.id in places or each.appearance.has_begun
            ),
            to_come=tuple(sorted((*self.to_come, *ahead), key=lambda each: each.appearance.position)),
        )


def _among(ranks: Sequence[int], place: Place) -> Place:
    """Return the place with its rank among these sorted ranks."""
    rank = place.rank or 0
    return replace(place, rank=ranks.index(rank) + 1, lowest=None, highest=None, is_shared=ranks.count(rank) > 1)
