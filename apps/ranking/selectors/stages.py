"""Reads of the rankings of several stages: their sizes, and which stage the link Ranking leads to."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime

from apps.competition.selectors.public.sessions import live_session
from apps.competition.selectors.public.stages import stage_names
from apps.ranking.models import RankingRun


@dataclass(frozen=True, slots=True)
class RankingSize:
    """The marks that count in a stage's newest ranking, and their listeners; `final_at` is the time of closing."""

    marks: int
    raters: int
    final_at: datetime | None


def ranking_sizes(*, stage_ids: Collection[int]) -> Mapping[int, RankingSize]:
    """Return the sizes of the newest rankings of these stages that have one, by stage. One query."""
    newest = RankingRun.objects.filter(stage_id__in=stage_ids).order_by("stage_id", "-id").distinct("stage_id")
    rows = newest.values_list("stage_id", "marks", "raters", "final_at")
    return {stage_id: RankingSize(marks, raters, final_at) for stage_id, marks, raters, final_at in rows}


def ranking_stage() -> int | None:
    """Return the stage that is live, else the last one with marks that count, else the first; None without stages.

    Three queries, one while a session is live.
    """
    if (live := live_session()) is not None:
        return live.stage_id
    ids = [stage.id for stage in stage_names()]
    sizes = ranking_sizes(stage_ids=ids)
    marked = (pk for pk in reversed(ids) if pk in sizes and sizes[pk].marks)
    return next(marked, ids[0] if ids else None)
