"""A ranking is computed: what counts is read, computed by the published method, and stored.

The site does it in a process of its own (`manage.py ranking compute`), so that nothing live waits for it.
"""

import random
from dataclasses import dataclass

from django.db import transaction

from apps.core.database.clock import database_now
from apps.core.events import publish
from apps.ranking import method
from apps.ranking.events import RankingChanged
from apps.ranking.limits import SOON
from apps.ranking.models import RankingRow, RankingRun
from apps.ranking.selectors.counting import Counting, stage_counting
from apps.ranking.selectors.files import MARK_COLUMNS, packed, performer_labels, written
from apps.ranking.services.lock import computes_alone, runs_lock

KEPT = 2  # runs of a stage: whoever reads one while the next is written still finds its rows
_Marks = list[tuple[str, str, float]]  # a number for the rater, the performer, the mark


@dataclass(frozen=True, slots=True)
class Computed:
    """What became of a computation.

    `run_id` is None where nothing was to be computed, or another process is at it; `due_in` is in how many seconds the
    next account counts, if any, or that process has ended.
    """

    run_id: int | None = None
    due_in: float | None = None


def ranking_compute(*, stage_id: int) -> Computed:
    """Compute a stage's ranking from the marks that count now, and announce it.

    Nothing is computed when it is closed, or has no marks and no ranking yet. No transaction is open meanwhile.
    While another process computes it, nothing is done and it is due again soon: of two that overlap, the one that
    read first could be stored last.
    """
    with computes_alone(stage_id) as is_alone:
        return _compute(stage_id) if is_alone else Computed(due_in=SOON)


def _compute(stage_id: int) -> Computed:
    """Compute a stage that nobody else computes meanwhile."""
    runs = dict(RankingRun.objects.filter(stage_id=stage_id).values_list("pk", "is_final"))
    if any(runs.values()):
        return Computed()
    counting = stage_counting(stage_id=stage_id)
    if not runs and not counting.marks and not any(counting.not_counted.values()):
        return Computed()
    marks = _without_names(counting)
    if run_id := _same_run(stage_id, counting, marks):
        return Computed(run_id, counting.due_in)
    return Computed(_store(stage_id, counting, marks, method.ranking(marks)), counting.due_in)


@transaction.atomic
def ranking_failure_note(*, stage_id: int) -> None:
    """Note at the newest run that a later computation failed."""
    runs_lock(stage_id)
    newest = RankingRun.objects.filter(stage_id=stage_id).order_by("-pk").values("pk")[:1]
    RankingRun.objects.filter(pk__in=newest).update(failed_at=database_now())
    publish(RankingChanged(stage_id))


def _without_names(counting: Counting) -> _Marks:
    """Return the marks that count with a number for each rater, made anew, in the order of these numbers."""
    labels = performer_labels(counting.field)
    raters = list({each.user_id for each in counting.marks})
    random.SystemRandom().shuffle(raters)
    numbers = {user_id: number for number, user_id in enumerate(raters, start=1)}
    ordered = sorted((numbers[each.user_id], labels[each.appearance_id], each.mark) for each in counting.marks)
    return [(str(number), performer, mark) for number, performer, mark in ordered]


def _same_run(stage_id: int, counting: Counting, marks: _Marks) -> int | None:
    """Return the newest run if it was made of the same and says the same, dated anew; else None."""
    newest = RankingRun.objects.filter(stage_id=stage_id).order_by("-pk").values("pk")[:1]
    counts = {reason.value: count for reason, count in counting.not_counted.items()}
    digest = method.digest_of(method.sheets_of(marks))
    same = RankingRun.objects.filter(
        pk__in=newest, method=method.VERSION, digest=digest, is_final=False, failed_at=None, **counts
    )
    return same.values_list("pk", flat=True).first() if same.update(made_at=database_now()) else None


@transaction.atomic
def _store(stage_id: int, counting: Counting, marks: _Marks, made: method.Ranking) -> int | None:
    """Store a run with its rows, announce it and return its id, None for a stage that was closed meanwhile."""
    runs_lock(stage_id)
    runs = RankingRun.objects.filter(stage_id=stage_id)
    if runs.filter(is_final=True).exists():
        return None
    run = RankingRun.objects.create(
        stage_id=stage_id,
        method=method.VERSION,
        digest=made.digest,
        raters=made.raters,
        marks=made.marks,
        file=packed(written(MARK_COLUMNS, ((rater, performer, repr(mark)) for rater, performer, mark in marks))),
        **{reason.value: count for reason, count in counting.not_counted.items()},
    )
    appearances = {label: pk for pk, label in performer_labels(counting.field).items()}
    RankingRow.objects.bulk_create(
        RankingRow(
            run=run,
            appearance_id=appearances[row.performer],
            **{name: value for name, value in row._asdict().items() if name != "performer"},
        )
        for row in made.rows
    )
    kept = runs.order_by("-pk").values_list("pk", flat=True)[:KEPT]
    runs.exclude(pk__in=list(kept)).delete()
    publish(RankingChanged(stage_id))
    return run.pk
