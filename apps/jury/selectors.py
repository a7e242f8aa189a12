"""Reads of the jury: the published sheet of a stage, and the sheets as administrators see them."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any

from django.db.models import Count, F, Q

from apps.competition.selectors.public.stages import advancing_ids
from apps.core.csv_files import csv_text
from apps.core.text_rules import cell_guard
from apps.jury.contents import RECUSED, Cell, Official, SheetContent
from apps.jury.enums import SheetState
from apps.jury.models import Juror, JuryMark, JuryResult, JuryRule, JurySheet, JuryShown
from apps.jury.rules import Rule

_RESULT = (
    *("participant_id", "participant__start_number", "participant__name", "mean", "score", "corrected", "cumulated"),
    *("rank", "plain_rank", "official", "official_cumulated", "official_rank"),
)
_SCORE = ("participant_id", "score")
_DRAFTS_FIRST = F("published_at").asc(nulls_first=True)

_COLUMNS = (  # of the file
    *("rank", "start_number", "participant", "raw_mean", "stage_score", "corrected_marks", "cumulative"),
    *("rank_without_correction", "official_stage_score", "official_cumulative", "official_rank", "advanced"),
)


@dataclass(frozen=True, slots=True)
class JurorShown:
    """A juror of a sheet."""

    id: int
    name: str


@dataclass(frozen=True, slots=True)
class JuryRow:
    """A performer's line: figures, and a cell for each juror of the sheet, None where the file has no mark.

    `mean` is the first mean, `score` that after the correction of `corrected` marks. `rank` is by the cumulated score
    if every performer has one, else by the score; `plain_rank` is that without any correction in this stage.
    """

    participant_id: int
    start_number: int | None
    name: str
    mean: Decimal | None
    score: Decimal | None
    corrected: int
    cumulated: Decimal | None
    rank: int | None
    plain_rank: int | None
    official: Decimal | None
    official_cumulated: Decimal | None
    official_rank: int | None
    has_advanced: bool
    cells: tuple[Cell | None, ...]

    @property
    def differs(self) -> bool:
        """Whether an official score was imported and is not the recomputed one."""
        pairs = ((self.official, self.score), (self.official_cumulated, self.cumulated))
        return any(official is not None and official != own for official, own in pairs)


@dataclass(frozen=True, slots=True)
class JurySheetShown:
    """A sheet with its rows: ranked performers first, by rank and name."""

    id: int
    stage_id: int
    stage: str
    state: SheetState
    place: int
    rule: Rule
    published_at: datetime | None
    jurors: tuple[JurorShown, ...]
    rows: tuple[JuryRow, ...]

    @property
    def has_cumulated(self) -> bool:
        """Whether an earlier stage counts in the cumulated score."""
        return self.place > 1

    @property
    def distance(self) -> Decimal:
        """The distance from the mean that the rule allows in this stage."""
        return self.rule.distances[self.place - 1]

    @property
    def content(self) -> SheetContent:
        """The marks by participant and juror, and the official figures."""
        names = [juror.name for juror in self.jurors]
        marks = {
            (row.participant_id, name): cell
            for row in self.rows
            for name, cell in zip(names, row.cells, strict=True)
            if cell is not None
        }
        figures = {
            row.participant_id: Official(row.official, row.official_cumulated, row.official_rank) for row in self.rows
        }
        return SheetContent(marks, {pk: each for pk, each in figures.items() if each != Official()})

    @property
    def has_officials(self) -> bool:
        """Whether official figures were imported."""
        return any(row.official is not None or row.official_cumulated is not None for row in self.rows)


@dataclass(frozen=True, slots=True)
class SheetListed:
    """A sheet in the list of administration, with its file, its publisher's name, and counts."""

    id: int
    stage_id: int
    stage: str
    state: SheetState
    file_name: str
    saved_at: datetime
    published_at: datetime | None
    publisher: str
    performers: int
    jurors: int
    marks: int


@dataclass(frozen=True, slots=True)
class SheetCounts:
    """The numbers of published sheets and of drafts."""

    published: int
    drafts: int


def place_holder(*, stage_id: int, place: int, participant_ids: Collection[int]) -> str:
    """Return the name of another stage that has this place in the rules for one of these participants; empty without.

    Only published sheets count. One query.
    """
    others = JurySheet.objects.filter(place=place, published_at__isnull=False).exclude(stage_id=stage_id)
    found = others.filter(results__participant__in=participant_ids).order_by("stage__order_number")
    return found.values_list("stage__name", flat=True).first() or ""


def jury_sheet(*, stage_id: int) -> JurySheetShown | None:
    """Return the published sheet of a stage, or None. At most four queries."""
    return _shown(Q(stage_id=stage_id, published_at__isnull=False))


def jury_sheet_admin(*, sheet_id: int) -> JurySheetShown | None:
    """Return a sheet, also an unpublished one, or None. For administrators only. At most four queries."""
    return _shown(Q(pk=sheet_id))


def jury_sheet_newest(*, stage_id: int) -> JurySheetShown | None:
    """Return the draft of a stage, without one its published sheet; None without both. For administrators only.

    At most four queries.
    """
    return _shown(Q(stage_id=stage_id))


def jurors_all() -> tuple[str, ...]:
    """Return the names of all jurors. One query."""
    return tuple(Juror.objects.order_by("name_folded").values_list("name", flat=True))


def jurors_of(*, participant_ids: Collection[int]) -> frozenset[str]:
    """Return the names of the jurors with a mark or recusal for one of these participants. One query."""
    found = JuryMark.objects.filter(participant_id__in=participant_ids).order_by()
    return frozenset(found.values_list("juror__name", flat=True).distinct())


def jury_stages() -> frozenset[int]:
    """Return the ids of the stages with a published sheet. One query."""
    return frozenset(JurySheet.objects.filter(published_at__isnull=False).values_list("stage_id", flat=True))


def sheet_counts() -> SheetCounts:
    """Return how many sheets are published and how many are drafts. For administrators only. One query."""
    found = JurySheet.objects.aggregate(published=Count("published_at"), stored=Count("id"))
    return SheetCounts(found["published"], found["stored"] - found["published"])


@dataclass(frozen=True, slots=True)
class JuryScores:
    """The scores of a stage's published sheet by participant's id; performers without any mark are left out."""

    sheet_id: int
    scores: Mapping[int, Decimal]


@dataclass(frozen=True, slots=True)
class MarksOfPerformer:
    """What the jury gave a performer in a stage: the score, and the marks without any of their own teachers'."""

    score: Decimal
    marks: tuple[Decimal, ...]


def jury_scores(*, stage_ids: Collection[int]) -> Mapping[int, JuryScores]:
    """Return the scores of the published sheets of these stages, by stage. One query."""
    found = JuryResult.objects.filter(sheet__published_at__isnull=False, score__isnull=False)
    rows = found.filter(sheet__stage__in=stage_ids).values_list("sheet__stage_id", "sheet_id", *_SCORE)
    scores: dict[int, tuple[int, dict[int, Decimal]]] = {}
    for stage_id, sheet_id, participant_id, score in rows:
        scores.setdefault(stage_id, (sheet_id, {}))[1][participant_id] = score
    return {stage_id: JuryScores(*each) for stage_id, each in scores.items()}


def jury_marks(*, stage_id: int) -> Mapping[str, Mapping[int, Decimal]]:
    """Return the marks of a stage's published sheet by juror's name and participant's id. One query.

    Those of a juror's own students are left out.
    """
    found = JuryMark.objects.filter(sheet__stage=stage_id, sheet__published_at__isnull=False, score__isnull=False)
    marks: dict[str, dict[int, Decimal]] = {}
    for juror, participant_id, score in found.values_list("juror__name", *_SCORE):
        marks.setdefault(juror, {})[participant_id] = score
    return marks


def jury_marks_of(*, participant_ids: Collection[int]) -> Mapping[int, Mapping[int, MarksOfPerformer]]:
    """Return what the jury gave these participants, by participant and stage with a published sheet. One query."""
    found = JuryMark.objects.filter(participant__in=participant_ids, sheet__published_at__isnull=False)
    found = found.filter(score__isnull=False, sheet__results__participant=F("participant"))
    given: dict[int, dict[int, tuple[Decimal, list[Decimal]]]] = {}
    rows = found.order_by("pk").values_list("sheet__stage_id", "sheet__results__score", *_SCORE)
    for stage_id, score, participant_id, mark in rows:
        given.setdefault(participant_id, {}).setdefault(stage_id, (score, []))[1].append(mark)
    return {
        pk: {stage_id: MarksOfPerformer(score, tuple(marks)) for stage_id, (score, marks) in stages.items()}
        for pk, stages in given.items()
    }


def sheets_admin() -> tuple[SheetListed, ...]:
    """Return all sheets, in the order of stages, the draft of a stage first. For administrators only. One query."""
    found = JurySheet.objects.order_by("stage__order_number", _DRAFTS_FIRST).annotate(
        performers=Count("marks__participant", distinct=True),
        jurors=Count("marks__juror", distinct=True),
        all_marks=Count("marks", distinct=True),
    )
    rows = found.values_list(
        *("id", "stage_id", "stage__name", "file_name", "saved_at", "published_at"),
        *("published_by__username", "performers", "jurors", "all_marks"),
    )
    return tuple(
        SheetListed(pk, stage_id, stage, _state(published), file, saved, published, publisher or "", *counts)
        for pk, stage_id, stage, file, saved, published, publisher, *counts in rows
    )


def sheets_existing(*, ids: Collection[int]) -> frozenset[int]:
    """Return those of these ids that are stored sheets. One query."""
    return frozenset(JurySheet.objects.filter(pk__in=ids).values_list("pk", flat=True))


def jury_is_shown(*, user_id: int, stage_id: int) -> bool:
    """Return whether a member has asked to see the jury's marks of a stage. One query."""
    return JuryShown.objects.filter(user_id=user_id, stage_id=stage_id).exists()


def jury_shown_own(*, user_id: int) -> Mapping[str, Any]:
    """Return the stages whose jury marks a member has asked to see, for the data export. One query."""
    rows = JuryShown.objects.filter(user_id=user_id).order_by("id").values_list("stage__name", "shown_at")
    return {"jury_shown": [{"stage": stage, "at": at.isoformat()} for stage, at in rows]}


def jury_csv(*, stage_id: int) -> str | None:
    """Return the published sheet of a stage as CSV, a row for each performer; None without one. Four queries."""
    sheet = jury_sheet(stage_id=stage_id)
    if sheet is None:
        return None
    rows: list[list[Any]] = [[*_COLUMNS, *(cell_guard(juror.name) for juror in sheet.jurors)]]
    for row in sheet.rows:
        figures = (row.mean, row.score, row.corrected, row.cumulated, row.plain_rank)
        officials = (row.official, row.official_cumulated, row.official_rank)
        named = (row.rank, row.start_number, cell_guard(row.name))
        rows.append([*named, *figures, *officials, int(row.has_advanced), *row.cells])
    return csv_text(rows)


def content_of(sheet_id: int) -> SheetContent:
    """Return the content of a sheet. Two queries."""
    marks = JuryMark.objects.filter(sheet=sheet_id).values_list("participant_id", "juror__name", "score")
    results = JuryResult.objects.filter(sheet=sheet_id).values_list("participant_id", *_RESULT[-3:])
    return SheetContent(
        {(participant_id, juror): RECUSED if score is None else score for participant_id, juror, score in marks},
        {pk: Official(*official) for pk, *official in results if any(each is not None for each in official)},
    )


def rule_of(row: JuryRule) -> Rule:
    """Return a stored version of an edition's rules."""
    return Rule(
        row.edition,
        row.version,
        row.lowest,
        row.highest,
        row.decimals,
        tuple(map(Decimal, row.distances)),
        tuple(tuple(map(Decimal, weights)) for weights in row.weights),
    )


def _shown(which: Q) -> JurySheetShown | None:
    sheet = JurySheet.objects.select_related("rule", "stage").filter(which).order_by(_DRAFTS_FIRST).first()
    if sheet is None:
        return None
    cells: dict[int, dict[int, Cell]] = {}
    names: dict[int, str] = {}
    marks = JuryMark.objects.filter(sheet=sheet).order_by("juror__name_folded")
    for participant_id, juror_id, name, score in marks.values_list(
        "participant_id", "juror_id", "juror__name", "score"
    ):
        cells.setdefault(participant_id, {})[juror_id] = RECUSED if score is None else score
        names[juror_id] = name
    advanced = advancing_ids(stage_id=sheet.stage_id)
    rows = (
        JuryRow(*(*result, result[0] in advanced, tuple(cells.get(result[0], {}).get(juror) for juror in names)))
        for result in JuryResult.objects.filter(sheet=sheet).values_list(*_RESULT)
    )
    return JurySheetShown(
        sheet.pk,
        sheet.stage_id,
        sheet.stage.name,
        _state(sheet.published_at),
        sheet.place,
        rule_of(sheet.rule),
        sheet.published_at,
        tuple(JurorShown(pk, name) for pk, name in names.items()),
        tuple(sorted(rows, key=lambda row: (row.rank is None, row.rank or 0, row.name))),
    )


def _state(published_at: datetime | None) -> SheetState:
    return SheetState.DRAFT if published_at is None else SheetState.PUBLISHED


def sheets_published_by(*, user_id: int) -> Mapping[str, Any]:
    """Return the sheets that a user saved or published, for the data export. One query."""
    found = JurySheet.objects.filter(Q(saved_by=user_id) | Q(published_by=user_id)).order_by("id")
    rows = found.values_list("stage__name", "file_name", "saved_at", "published_at")
    return {
        "jury_sheets": [
            {"stage": stage, "file": file, "saved": saved.isoformat(), "published": published and published.isoformat()}
            for stage, file, saved, published in rows
        ]
    }
