"""Stages with a published sheet and an audience ranking, as rows: test data of the comparisons."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from apps.jury.contents import RECUSED, Cell
from apps.ranking.enums import NotCounted
from apps.ranking.models import RankingRow, RankingRun
from tests.apps.jury import sheets
from tests.apps.ranking.halls import stage_of


def published(appearances: Sequence[Any], marks: Sequence[Sequence[str | int]], *jurors: str, place: int = 1) -> int:
    """Publish a sheet with a row of marks for each performance, one for each juror. Return the sheet's id."""
    names = jurors or sheets.JURORS[: len(marks[0])]
    cells: dict[tuple[int, str], Cell] = {
        (each.participant_id, juror): RECUSED if mark == RECUSED else Decimal(mark)
        for each, row in zip(appearances, marks, strict=True)
        for juror, mark in zip(names, row, strict=True)
    }
    return sheets.published(appearances[0].session.stage_id, cells, place)


def ranked(appearances: Sequence[Any], ranks: Sequence[int | None]) -> int:
    """Store a run of the audience's ranking with these ranks, None below the number of raters. Return its id."""
    figures = {"digest": "0" * 64, "raters": 900, "marks": 4000, "file": b"", "method": 1}
    stage = appearances[0].session.stage
    run = RankingRun.objects.create(stage=stage, **figures, **dict.fromkeys(NotCounted.values, 0))
    for each, rank in zip(appearances, ranks, strict=True):
        mark = Decimal(25) - Decimal(rank or 0) / 10
        spread = {"lowest": rank, "highest": rank, "score": mark, "score_from": mark, "score_to": mark, "mean": mark}
        few: dict[str, Any] = dict.fromkeys(spread)
        columns = spread if rank else few | {"mean": mark}
        RankingRow.objects.create(run=run, appearance=each, rank=rank, raters=900 if rank else 3, **columns)
    return run.pk


def compared(count: int) -> list[Any]:
    """Return the performances of a stage with a sheet and a ranking: the audience's order is the jury's reversed."""
    appearances = stage_of(count, title="Stage I, first session")
    published(appearances, [[Decimal(25) - Decimal(number) / 10] for number in range(count)])
    ranked(appearances, range(count, 0, -1))
    return appearances


def juried(count: int = 12) -> list[Any]:
    """Return performances with a sheet of two jurors and a ranking: Ada's order is upwards, Bruno's downwards."""
    appearances = stage_of(count)
    published(appearances, [[str(12 + place), str(24 - place)] for place in range(count)])
    ranked(appearances, range(1, count + 1))
    return appearances
