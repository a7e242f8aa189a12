"""Reads of rankings as they were computed last: the same for everybody."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from decimal import Decimal

from apps.competition.selectors import FieldAppearance, stage_field
from apps.core.database.paging import NumberedPage, page_of
from apps.ranking.enums import NotCounted
from apps.ranking.limits import RANKED_SHOWN
from apps.ranking.models import RankingRow, RankingRun
from apps.ratings.selectors import RecommendationCounts, recommendation_counts

_ROW = ("rank", "lowest", "highest", "score", "score_from", "score_to", "raters", "mean")


@dataclass(frozen=True, slots=True)
class Place:
    """What a ranking says of a performance; without enough raters there is no rank, score or interval."""

    rank: int | None = None
    lowest: int | None = None  # the best rank of the interval
    highest: int | None = None
    score: Decimal | None = None
    score_from: Decimal | None = None
    score_to: Decimal | None = None
    raters: int = 0
    mean: Decimal | None = None
    is_shared: bool = False  # whether others have the same rank


@dataclass(frozen=True, slots=True)
class RankedPerformance:
    """A performance with its place, and how many say that the performer should advance."""

    appearance: FieldAppearance
    place: Place
    recommendations: RecommendationCounts


@dataclass(frozen=True, slots=True)
class Run:
    """When a ranking was made and of what; `failed_at` is when a later computation failed."""

    id: int
    method: int
    digest: str
    made_at: datetime
    final_at: datetime | None
    failed_at: datetime | None
    raters: int
    marks: int
    not_counted: Mapping[NotCounted, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Ranking:
    """A page of a stage's ranking: ranked performances, then the others; `run` is None before the first computation."""

    run: Run | None
    has_ranks: bool  # whether any performance has one
    page: NumberedPage[RankedPerformance]


def ranking_get(*, stage_id: int, number: int = 1) -> Ranking:
    """Return a page of a stage's ranking as it was computed last. Four queries."""
    run = run_get(stage_id=stage_id)
    places = _places(run.id) if run else {}
    placed = [
        (each, places.get(each.id, Place()))
        for each in stage_field(stage_id=stage_id)
        if each.has_begun or each.id in places
    ]
    placed.sort(key=lambda each: (each[1].rank is None, each[1].rank or 0, -each[1].raters))
    page = page_of(placed, total=len(placed), number=number, size=RANKED_SHOWN, read=_ranked)
    return Ranking(run, bool(placed and placed[0][1].rank), page)


def _ranked(placed: Sequence[tuple[FieldAppearance, Place]]) -> tuple[RankedPerformance, ...]:
    recommended = recommendation_counts(appearance_ids=[each.id for each, _ in placed])
    return tuple(
        RankedPerformance(each, place, recommended.get(each.id, RecommendationCounts())) for each, place in placed
    )


def places_of_participant(*, participant_id: int) -> Mapping[int, Place]:
    """Return the places of a participant's performances in the newest ranking of each stage, by appearance. One query.

    Those without a rank are left out.
    """
    newest = RankingRun.objects.order_by("stage_id", "-id").distinct("stage_id").values("pk")
    found = RankingRow.objects.filter(appearance__participant=participant_id, run__in=newest, rank__isnull=False)
    return {pk: Place(*row) for pk, *row in found.values_list("appearance_id", *_ROW)}


def run_get(*, stage_id: int) -> Run | None:
    """Return the newest run of a stage, or None before the first. One query."""
    columns = ("id", "method", "digest", "made_at", "final_at", "failed_at", "raters", "marks")
    found = RankingRun.objects.filter(stage_id=stage_id).order_by("-id").values(*columns, *NotCounted.values)
    if (row := found.first()) is None:
        return None
    not_counted = {reason: row[reason.value] for reason in NotCounted}
    return Run(**{name: row[name] for name in columns}, not_counted=not_counted)


def _places(run_id: int) -> dict[int, Place]:
    """Return the places of a run, by appearance. One query."""
    found = RankingRow.objects.filter(run_id=run_id).values_list("appearance_id", *_ROW)
    places = {pk: Place(*row) for pk, *row in found}
    ranks = Counter(place.rank for place in places.values())
    return {
        pk: replace(place, is_shared=place.rank is not None and ranks[place.rank] > 1) for pk, place in places.items()
    }
