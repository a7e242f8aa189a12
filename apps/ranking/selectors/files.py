"""What can be taken away of a ranking: the marks without names, and the ranking itself."""

import csv
import gzip
import io
from collections import Counter
from collections.abc import Iterable
from typing import Any

from apps.competition.selectors import FieldAppearance, stage_field
from apps.core.text_rules.cells import cell_guard
from apps.ranking.method import Row
from apps.ranking.models import RankingRow, RankingRun
from apps.ranking.selectors.rankings import run_get

COLUMNS = Row._fields[:7]
MARK_COLUMNS = ("rater", "performer", "mark")


def performer_labels(appearances: Iterable[FieldAppearance]) -> dict[int, str]:
    """Return what files call each performance, by appearance: the name, where that is not enough with the session.

    A spreadsheet takes none for a formula.
    """
    ordered = tuple(appearances)
    names = Counter(each.name for each in ordered)
    labels = {
        each.id: cell_guard(each.name if names[each.name] == 1 else f"{each.name} ({each.session_title})")
        for each in ordered
    }
    often = Counter(labels.values())
    return {pk: label if often[label] == 1 else f"{label} {pk}" for pk, label in labels.items()}


def marks_file(*, stage_id: int) -> bytes | None:
    """Return the marks that the newest run counted, as CSV, packed by gzip; None before the first. One query."""
    found = RankingRun.objects.filter(stage_id=stage_id).order_by("-id").values_list("file", flat=True).first()
    return bytes(found) if found is not None else None


def ranking_rows(*, stage_id: int) -> list[dict[str, Any]] | None:
    """Return the rows of the newest run as files have them, or None before the first. Three queries."""
    if (run := run_get(stage_id=stage_id)) is None:
        return None
    labels = performer_labels(stage_field(stage_id=stage_id))
    columns = ("rank", "appearance_id", "score", "lowest", "highest", "raters", "mean")
    rows = [
        dict(zip(COLUMNS, (rank, labels[appearance_id], *rest), strict=True))
        for rank, appearance_id, *rest in RankingRow.objects.filter(run_id=run.id).values_list(*columns)
        if appearance_id in labels
    ]
    return sorted(rows, key=_order)


def ranking_csv(*, stage_id: int) -> str | None:
    """Return the newest run as `python ranking.py marks.csv` prints it; None before the first. Three queries."""
    rows = ranking_rows(stage_id=stage_id)
    return None if rows is None else written(COLUMNS, ([row[name] for name in COLUMNS] for row in rows))


def ranking_json(*, stage_id: int) -> dict[str, Any] | None:
    """Return the newest run with what it was made of, ready for JSON; None before the first. Four queries."""
    run, rows = run_get(stage_id=stage_id), ranking_rows(stage_id=stage_id)
    if run is None or rows is None:
        return None
    return {
        "method": run.method,
        "seed": run.digest,
        "made_at": run.made_at.isoformat(),
        "final": run.final_at is not None,
        "raters": run.raters,
        "marks": run.marks,
        "not_counted": {reason.value: count for reason, count in run.not_counted.items()},
        "rows": rows,
    }


def written(columns: Iterable[str], rows: Iterable[Iterable[Any]]) -> str:
    """Return rows as CSV."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(rows)
    return text.getvalue()


def packed(text: str) -> bytes:
    """Return a text packed by gzip, the same for the same text."""
    return gzip.compress(text.encode(), mtime=0)


def _order(row: dict[str, Any]) -> tuple[bool, int, int, str]:
    """Return where a row stands: by rank, then those without one by raters; within them by name."""
    is_unranked = row["rank"] is None
    return is_unranked, row["rank"] or 0, -row["raters"] if is_unranked else 0, row["performer"]
