"""A ranking is computed: what counts is read, handed to a process of lower priority, and its answer stored."""

import asyncio
import json
import logging
import os
import random
import sys
from asyncio.subprocess import PIPE
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.db import transaction

from apps.core.database.clock import database_now
from apps.core.events import publish
from apps.ranking import method
from apps.ranking.events import RankingChanged
from apps.ranking.limits import LONGEST
from apps.ranking.models import RankingRow, RankingRun
from apps.ranking.selectors.counting import Counting, stage_counting
from apps.ranking.selectors.files import MARK_COLUMNS, packed, performer_labels, written
from apps.ranking.services.lock import runs_lock

log = logging.getLogger(__name__)
KEPT = 2  # runs of a stage: whoever reads one while the next is written still finds its rows
_NICE = 10  # below whatever serves


class ComputationFailed(Exception):
    """The process failed, or took too long."""


@dataclass(frozen=True, slots=True)
class Prepared:
    """What a stage's ranking is computed from: what counts, also as the file of marks."""

    stage_id: int
    counting: Counting
    marks: str


def ranking_compute(*, stage_id: int) -> int | None:
    """Compute a stage's ranking now and return the run's id, None where nothing is to be computed.

    Raises ComputationFailed, which is noted at the last run.
    """
    prepared = ranking_prepare(stage_id=stage_id)
    if prepared is None:
        return None
    try:
        answer = asyncio.run(ranking_answer(prepared.marks))
    except ComputationFailed:
        ranking_failure_note(stage_id=stage_id)
        raise
    return ranking_store(prepared, answer)


def ranking_prepare(*, stage_id: int) -> Prepared | None:
    """Return what a stage's ranking is computed from, None when it is closed, or has no marks and no ranking."""
    runs = dict(RankingRun.objects.filter(stage_id=stage_id).values_list("pk", "is_final"))
    if any(runs.values()):
        return None
    counting = stage_counting(stage_id=stage_id)
    if not runs and not counting.marks and not any(counting.not_counted.values()):
        return None
    return Prepared(stage_id, counting, written(MARK_COLUMNS, _lines(counting)))


async def ranking_answer(
    marks: str, *, longest: float = LONGEST, program: Path = Path(method.__file__)
) -> Mapping[str, Any]:
    """Return what `method.py` says of a file of marks, as JSON is read. Raises ComputationFailed.

    Its process knows nothing of the site: neither its environment nor its database. It ends with its caller.
    """
    command = (sys.executable, "-I", str(program), "--json", "-")
    environment = {"PATH": os.environ.get("PATH", ""), "PYTHONUTF8": "1", "OPENBLAS_NUM_THREADS": "1"}
    child = await asyncio.create_subprocess_exec(*command, env=environment, stdin=PIPE, stdout=PIPE, stderr=PIPE)
    try:
        with suppress(OSError):  # gone already: its answer says why
            os.setpriority(os.PRIO_PROCESS, child.pid, _NICE)
        async with asyncio.timeout(longest):
            answer, errors = await child.communicate(marks.encode())
    except TimeoutError as error:
        raise ComputationFailed(f"no answer within {longest:g} s") from error
    finally:
        if child.returncode is None:
            child.kill()
            await child.wait()
    if child.returncode:
        raise ComputationFailed(errors.decode(errors="replace")[-2000:])
    read: Mapping[str, Any] = json.loads(answer)
    return read


@transaction.atomic
def ranking_store(prepared: Prepared, answer: Mapping[str, Any]) -> int | None:
    """Store a run with its rows, announce it and return its id, None for a stage that was closed meanwhile."""
    runs_lock(prepared.stage_id)
    runs = RankingRun.objects.filter(stage_id=prepared.stage_id)
    if runs.filter(is_final=True).exists():
        return None
    run = RankingRun.objects.create(
        stage_id=prepared.stage_id,
        method=method.VERSION,
        digest=answer["digest"],
        raters=answer["raters"],
        marks=answer["marks"],
        file=packed(prepared.marks),
        **{reason.value: count for reason, count in prepared.counting.not_counted.items()},
    )
    appearances = {label: pk for pk, label in performer_labels(prepared.counting.field).items()}
    RankingRow.objects.bulk_create(
        RankingRow(run=run, appearance_id=appearances[performer], **rest)
        for performer, rest in ((row["performer"], _without(row, "performer")) for row in answer["rows"])
    )
    kept = runs.order_by("-pk").values_list("pk", flat=True)[:KEPT]
    runs.exclude(pk__in=list(kept)).delete()
    publish(RankingChanged(prepared.stage_id))
    return run.pk


@transaction.atomic
def ranking_failure_note(*, stage_id: int) -> None:
    """Note at the newest run that a later computation failed."""
    runs_lock(stage_id)
    newest = RankingRun.objects.filter(stage_id=stage_id).order_by("-pk").values("pk")[:1]
    RankingRun.objects.filter(pk__in=newest).update(failed_at=database_now())
    publish(RankingChanged(stage_id))


def _lines(counting: Counting) -> Iterable[tuple[int, str, str]]:
    """Return the lines of the file of marks: a number for each rater, made anew, and in the order of these numbers."""
    labels = performer_labels(counting.field)
    raters = list({each.user_id for each in counting.marks})
    random.SystemRandom().shuffle(raters)
    numbers = {user_id: number for number, user_id in enumerate(raters, start=1)}
    return sorted((numbers[each.user_id], labels[each.appearance_id], repr(each.mark)) for each in counting.marks)


def _without(row: Mapping[str, Any], name: str) -> dict[str, Any]:
    """Return a row without one of its values."""
    return {key: value for key, value in row.items() if key != name}
