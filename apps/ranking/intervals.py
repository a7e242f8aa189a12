"""The runs that intervals began with: they are kept, so that an interval can show what has moved since the former one.

At most INTERVALS_KEPT intervals of a stage are stored, and as many runs; closing the ranking deletes them.
"""

from collections.abc import Set as AbstractSet

from apps.competition.selectors.public.sessions import session_get
from apps.ranking.limits import INTERVALS_KEPT
from apps.ranking.models import RankingInterval, RankingRun


def interval_begin(*, session_id: int) -> None:
    """Store that an interval of this session begins, with the newest run of its stage. At most four queries.

    It stores none while the ranking is closed. It takes no lock on the runs, because a computation that is being stored
    would delay the administrator: the newest run is deleted by none but the second next computation.
    """
    session = session_get(session_id=session_id)
    if session is None:
        return
    runs = RankingRun.objects.filter(stage_id=session.stage_id).order_by("-pk")
    run_id, is_final = runs.values_list("pk", "is_final").first() or (None, False)
    if is_final:
        return
    RankingInterval.objects.create(stage_id=session.stage_id, session_id=session_id, run_id=run_id)
    of_stage = RankingInterval.objects.filter(stage_id=session.stage_id)
    of_stage.exclude(pk__in=of_stage.order_by("-pk").values("pk")[:INTERVALS_KEPT]).delete()


def interval_undo(*, session_id: int) -> None:
    """Delete the newest interval of this session: its beginning was undone."""
    newest = RankingInterval.objects.filter(session_id=session_id).order_by("-pk").values("pk")[:1]
    RankingInterval.objects.filter(pk__in=newest).delete()


def kept_runs(*, stage_id: int) -> AbstractSet[int]:
    """Return the ids of the runs that this stage's intervals began with. One query."""
    found = RankingInterval.objects.filter(stage_id=stage_id, run__isnull=False)
    return set(found.values_list("run_id", flat=True))


def intervals_end(*, stage_id: int) -> None:
    """Delete the intervals of a stage whose ranking is closed, and their runs except the final one."""
    runs = kept_runs(stage_id=stage_id)
    RankingInterval.objects.filter(stage_id=stage_id).delete()
    RankingRun.objects.filter(pk__in=runs, is_final=False).delete()
