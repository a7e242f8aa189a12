"""The files of a stage's ranking: what each contains follows from the run's method and whether the ranking is closed.

The names in them are those of the run: a performer who is renamed later, moved or taken out stays in the files.

While it is open there is no file of marks: the last one of them and the one before would show a single new sheet.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from django.db.models import F

from apps.competition.selectors.public.stages import stage_field
from apps.ranking import method, method2
from apps.ranking.models import RankingMissingSheet, RankingRow, RankingRun
from apps.ranking.publication import has_bom, performer_labels, unsalted, written
from apps.ranking.selectors import run_get
from apps.ranking.selectors.results import Run
from apps.ranking.weighing import VERSION

_MODULES = {method.VERSION: method, method2.VERSION: method2, VERSION: method2}  # versions 2 and 3 compute alike
COLUMNS: Mapping[int, tuple[str, ...]] = {
    version: method.Row._fields[:7] if module is method else method2.Row._fields for version, module in _MODULES.items()
}
WITHOUT_BOM = (  # what the program has got with the byte order mark and version 3, and what it had before
    (b"ranking, versions 2 and 3, as the site", b"ranking, version 2, as the site"),
    (
        (
            b" The versions differ in\nthe rule by which raters weigh less;"
            b" their weights are in the file, so this program is the same.\n"
        ),
        b"\n",
    ),
    (b'open(encoding="utf-8-sig", newline="")', b'open(encoding="utf-8", newline="")'),
    (
        b'    sys.stdout.reconfigure(encoding="utf-8", newline="\\n")  # type: ignore[union-attr]  # on any system\n',
        b"",
    ),
    (b'    sys.stdout.write("\\ufeff")  # as all CSV of the site, for spreadsheets\n', b""),
)
PROGRAMS = {version: str(module.__file__) for version, module in _MODULES.items()}


def marks_file(*, stage_id: int, is_operator: bool = False) -> bytes | None:
    """Return the marks of a closed ranking as gzipped CSV; None for an open one and before the first run. One query.

    The operator also gets those of an open ranking, without salts: all of them are in the database, with names.
    """
    runs = RankingRun.objects.filter(stage_id=stage_id).order_by("-id").values_list("file", "is_final")
    file, is_final = runs.first() or (b"", False)
    if is_final:
        return bytes(file)
    return unsalted(bytes(file)) if is_operator and file else None


def program_file(*, stage_id: int) -> bytes:
    """Return the program of the newest run's method; the newest version's before the first run. Two queries.

    A ranking that version 2 closed before its files had a byte order mark keeps the program of that time.
    """
    run = run_get(stage_id=stage_id)
    program = Path(PROGRAMS[run.method if run else VERSION]).read_bytes()
    if run is None or run.method == method.VERSION or _has_bom(run):
        return program
    for now, before in WITHOUT_BOM:
        program = program.replace(now, before)
    return program


def _has_bom(run: Run) -> bool:
    """Return whether the files of a run begin with a byte order mark. One query for a closed ranking."""
    if run.final_at is None:
        return True
    return has_bom(bytes(RankingRun.objects.values_list("file", flat=True).get(pk=run.id)))


def _rows(run: Run, stage_id: int) -> list[dict[str, Any]]:
    """Return the rows of a run in the form of the files. One query, two for a run of a version without stored names."""
    columns = COLUMNS[run.method]
    others = tuple(name for name in columns if name != "performer")
    found = RankingRow.objects.filter(run_id=run.id).values("appearance_id", *others, performer=F("label"))
    rows = list(found)
    if not all(row["performer"] for row in rows):
        labels = performer_labels(stage_field(stage_id=stage_id))
        rows = [row | {"performer": row["performer"] or labels.get(row["appearance_id"], "")} for row in rows]
    return sorted(({name: row[name] for name in columns} for row in rows if row["performer"]), key=_order)


def _order(row: dict[str, Any]) -> tuple[bool, int, int, str]:
    """Return the sort key of a row: by rank, then unranked rows by number of raters, then by name."""
    is_unranked = row["rank"] is None
    return is_unranked, row["rank"] or 0, -row["raters"] if is_unranked else 0, row["performer"]


def ranking_csv(*, stage_id: int) -> str | None:
    """Return the newest run exactly as its program prints it; None before the first run. Four queries at most.

    Below ten raters the page and `ranking.json` show the number of raters alone. The program prints nothing of such a
    performance, because its marks are in no file; only version 1 has them in its file, and their plain mean.
    """
    if (run := run_get(stage_id=stage_id)) is None:
        return None
    columns = COLUMNS[run.method]
    is_listed = run.method == method.VERSION
    rows = ([row[name] for name in columns] for row in _rows(run, stage_id) if is_listed or row["rank"] is not None)
    return written(columns, rows, has_bom=_has_bom(run))


def ranking_json(*, stage_id: int) -> dict[str, Any] | None:
    """Return the newest run with its counts, ready for JSON; None before the first run. Four queries at most."""
    if (run := run_get(stage_id=stage_id)) is None:
        return None
    return {
        "method": run.method,
        **_identity(run, stage_id),
        "made_at": run.made_at.isoformat(),
        "final": run.final_at is not None,
        "raters": run.raters,
        "marks": run.marks,
        "not_counted": {reason.value: count for reason, count in run.not_counted.items()},
        "rows": _rows(run, stage_id),
    }


def _identity(run: Run, stage_id: int) -> dict[str, Any]:
    """Return what the draws are seeded with, with version 2 the commitment and the hashes of sheets not in the file.

    Those of deleted accounts are missing in the computation, those of weight 0 are not part of it.

    The seed of version 1 is the SHA-256 of all marks: beside the others, a guess of a missing sheet could be checked
    with it.
    """
    if run.method == method.VERSION:
        return {"seed": None if run.missing else run.digest}
    hidden = list(RankingMissingSheet.objects.filter(run_id=run.id).order_by("hash"))
    return {
        "stage": stage_id,
        "run": run.number,
        "commitment": run.digest,
        "sheets": run.sheets,
        "missing_sheets": [sheet.hash for sheet in hidden if not sheet.is_left_out],
        "left_out_sheets": [sheet.hash for sheet in hidden if sheet.is_left_out],
    }
