"""Reads of the jury: the published sheet of a stage, and the sheets as administrators see them."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any

from django.db.models import Count, DecimalField, F, Func, Q, QuerySet, TextField, Value
from django.db.models.functions import Cast, Coalesce

from apps.competition.enums import OrderSource
from apps.competition.selectors.public.stages import advancing_ids
from apps.competition.stage_orders import StageOrder
from apps.core.csv_files import csv_text
from apps.core.edits import version_of
from apps.core.rounding import Rounding
from apps.core.text_rules import cell_guard
from apps.jury.arithmetic import Scores, ranks
from apps.jury.contents import RECUSED, Cell, Official, SheetContent
from apps.jury.enums import MarkKind, ScoreMethod, SheetState
from apps.jury.models import Juror, JuryMark, JuryResult, JuryRule, JurySheet, JuryShown
from apps.jury.rules import DEFAULT, Rule, StageRule
from apps.ratings.limits import PIECE_HIGHEST

_RESULT = (
    *("participant_id", "participant__start_number", "participant__name", "mean", "score", "corrected", "cumulated"),
    *("rank", "plain_rank", "official", "official_cumulated", "official_rank"),
)
_SCORE = ("participant_id", "score")
_SCALE: "DecimalField[Any, Any]" = DecimalField(max_digits=5, decimal_places=2)
DRAFTS_FIRST = F("published_at").asc(nulls_first=True)

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
    def compared(self) -> tuple[bool, ...]:
        """Whether the official score is the recomputed one, and then the same for the cumulated score.

        A figure that was not imported, or that cannot be computed, is left out.
        """
        pairs = ((self.official, self.score), (self.official_cumulated, self.cumulated))
        return tuple(official == own for official, own in pairs if official is not None and own is not None)

    @property
    def differs(self) -> bool:
        """Whether an official figure was imported and is not the recomputed one."""
        return not all(self.compared)

    @property
    def lacks_cumulated(self) -> bool:
        """Whether the performer has a score but no cumulated one: the marks of an earlier stage are missing."""
        return self.score is not None and self.cumulated is None


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
    missing_places: tuple[int, ...] = ()  # of the earlier stages whose marks some cumulated score lacks

    @property
    def stage_rule(self) -> StageRule:
        """The rule of this stage."""
        return self.rule.stage(self.place)

    @property
    def has_cumulated(self) -> bool:
        """Whether the cumulated score is another figure than the score."""
        return self.stage_rule.carries_over or self.stage_rule.weights[-1] != 1

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
    rule_edition: str
    rule_version: int
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
    """Return the published sheet of a stage, or None. At most six queries."""
    return _shown(Q(stage_id=stage_id, published_at__isnull=False))


def jury_sheet_admin(*, sheet_id: int) -> JurySheetShown | None:
    """Return a sheet, also an unpublished one, or None. For administrators only. At most six queries."""
    return _shown(Q(pk=sheet_id))


def jury_sheet_newest(*, stage_id: int) -> JurySheetShown | None:
    """Return the draft of a stage, without one its published sheet; None without both. For administrators only.

    At most six queries.
    """
    return _shown(Q(stage_id=stage_id))


def stage_orders_read(stage_id: int) -> tuple[StageOrder, ...]:
    """Return the orders of the newest sheet of a stage: the official one, then that by the marks; () without a sheet.

    Officials without ranks are in the order of their scores. For administrators only. Two queries.
    """
    found = JurySheet.objects.select_related("rule").filter(stage_id=stage_id)
    sheet = found.order_by(DRAFTS_FIRST).first()
    if sheet is None:
        return ()
    rows = tuple(JuryResult.objects.filter(sheet=sheet).values_list("participant_id", "rank", *_RESULT[-3:]))
    own, ranked, scores, cumulated = ({row[0]: row[at] for row in rows if row[at] is not None} for at in (1, 4, 2, 3))
    by = cumulated if len(cumulated) == len(scores or cumulated) else scores
    official = ranked or ranks(by, lowest_first=rule_of(sheet.rule).stage(sheet.place).lowest_wins)
    return StageOrder(OrderSource.OFFICIAL, official), StageOrder(OrderSource.JURY, own)


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
    lowest_wins: bool
    scores: Mapping[int, Decimal]


@dataclass(frozen=True, slots=True)
class MarksOfPerformer:
    """What the jury gave a performer in a stage: the score, and the marks without any of their own teachers'."""

    score: Decimal
    marks: tuple[Decimal, ...]


def jury_scores(*, stage_ids: Collection[int]) -> Mapping[int, JuryScores]:
    """Return the scores of the published sheets of these stages, by stage. One query."""
    found = JuryResult.objects.filter(sheet__published_at__isnull=False, score__isnull=False)
    found = found.filter(sheet__stage__in=stage_ids).annotate(method=_of_stage("method"))
    scores: dict[int, tuple[int, bool, dict[int, Decimal]]] = {}
    for stage_id, sheet_id, method, participant_id, score in found.values_list(
        "sheet__stage_id", "sheet_id", "method", *_SCORE
    ):
        own = scores.setdefault(stage_id, (sheet_id, method == ScoreMethod.RANKS, {}))
        own[2][participant_id] = score
    return {stage_id: JuryScores(*each) for stage_id, each in scores.items()}


def jury_marks(*, stage_id: int) -> Mapping[str, Mapping[int, Decimal]]:
    """Return the marks of a stage's published sheet by juror's name and participant's id. Two queries.

    Those of a juror's own students are left out. Empty unless the marks are points of the audience's scale.
    """
    found = _on_keys(
        JuryMark.objects.filter(sheet__stage=stage_id, sheet__published_at__isnull=False, score__isnull=False)
    )
    marks: dict[int, dict[int, Decimal]] = {}
    for juror_id, participant_id, score in found.values_list("juror_id", *_SCORE):
        marks.setdefault(juror_id, {})[participant_id] = score
    names = Juror.objects.in_bulk(marks)  # of its own: as a join it would be read once for each mark
    return {names[juror_id].name: own for juror_id, own in marks.items()}


def jury_marks_of(*, participant_ids: Collection[int]) -> Mapping[int, Mapping[int, MarksOfPerformer]]:
    """Return what the jury gave these participants, by participant and stage with a published sheet. One query.

    Stages whose marks are not points of the audience's scale are left out.
    """
    found = _on_keys(JuryMark.objects.filter(participant__in=participant_ids, sheet__published_at__isnull=False))
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
    found = JurySheet.objects.order_by("stage__order_number", DRAFTS_FIRST).annotate(
        performers=Count("marks__participant", distinct=True),
        jurors=Count("marks__juror", distinct=True),
        all_marks=Count("marks", distinct=True),
    )
    rows = found.values_list(
        *("id", "stage_id", "stage__name", "file_name", "saved_at", "published_at"),
        *("published_by__username", "rule__edition", "rule__version", "performers", "jurors", "all_marks"),
    )
    return tuple(
        SheetListed(pk, stage_id, stage, sheet_state(published), file, saved, published, publisher or "", *others)
        for pk, stage_id, stage, file, saved, published, publisher, *others in rows
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
    """Return the published sheet of a stage as CSV, a row for each performer; None without one. At most six queries."""
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


def scores_before(sheet: JurySheet) -> Sequence[Scores]:
    """Return the scores of the stages before `sheet` by participant's id, one mapping for each place. Two queries."""
    if sheet.place == 1:
        return []
    counting = sheets_counting(sheet, JurySheet.objects.all())
    scores: dict[int, dict[int, Decimal | None]] = {each.pk: {} for each in counting}
    rows = JuryResult.objects.filter(sheet__in=counting).values_list("sheet_id", *_SCORE)
    for sheet_id, participant_id, score in rows:
        scores[sheet_id][participant_id] = score
    return scores_by_place(sheet, counting, scores)


def sheets_counting(sheet: JurySheet, sheets: Iterable[JurySheet]) -> list[JurySheet]:
    """Return those of `sheets` whose scores the cumulated ones of `sheet` may need; of two the later one counts.

    A published sheet follows from published ones only; a draft also from drafts of stages where nothing is published.
    """
    sheets = tuple(sheets)
    published = {each.stage_id for each in sheets if each.published_at is not None}
    drafts = () if sheet.published_at is not None else (each for each in sheets if each.stage_id not in published)
    found = (*drafts, *(each for each in sheets if each.published_at is not None))
    return [each for each in found if each.place < sheet.place]


def scores_by_place(sheet: JurySheet, counting: Iterable[JurySheet], scores: Mapping[int, Scores]) -> Sequence[Scores]:
    """Return the scores of `counting` sheets, which are by sheet's id, as one mapping for each place before `sheet`."""
    found: list[dict[int, Decimal | None]] = [{} for _ in range(1, sheet.place)]
    for each in counting:
        found[each.place - 1].update(scores.get(each.pk, {}))
    return found


def stages_depending(sheet: JurySheet) -> tuple[str, ...]:
    """Return the names of stages whose published cumulated scores need this published sheet. One query."""
    later = JurySheet.objects.filter(published_at__isnull=False, place__gt=sheet.place)
    own = JuryResult.objects.filter(sheet=sheet, score__isnull=False).values("participant")
    found = later.filter(results__participant__in=own).select_related("rule", "stage").distinct()
    needing = [each for each in found if rule_of(each.rule).stage(each.place).weights[sheet.place - 1]]
    return tuple(each.stage.name for each in sorted(needing, key=lambda each: (each.place, each.stage.name)))


def rule_of(row: JuryRule) -> Rule:
    """Return a stored version of an edition's rules."""
    scale = {"lowest": str(row.lowest), "highest": str(row.highest)}
    same = {"marks": MarkKind.POINTS, "method": ScoreMethod.CORRECTED, "left_out": 0} | scale
    lists = zip(row.stages or [same] * len(row.weights), row.distances, row.weights, strict=True)
    return Rule(
        row.edition,
        row.version,
        tuple(_stage_rule(stage, distance, weights) for stage, distance, weights in lists),
        row.decimals,
        Rounding(row.rounding),
    )


def _stage_rule(stage: Mapping[str, Any], distance: str, weights: Iterable[str]) -> StageRule:
    method = ScoreMethod(stage["method"])
    return StageRule(
        tuple(map(Decimal, weights)),
        method,
        MarkKind(stage["marks"]),
        Decimal(stage["lowest"]),
        Decimal(stage["highest"]),
        Decimal(distance) if method is ScoreMethod.CORRECTED else Decimal(0),
        int(stage["left_out"]),
    )


def rule_current() -> Rule:
    """Return the rule that new sheets are computed with. One query."""
    row = JuryRule.objects.filter(is_current=True).first()
    return rule_of(row) if row else DEFAULT


def rule_version(rule: Rule) -> str:
    """Return the version of what an editor of the rule reads."""
    return version_of({"rule": f"{rule.edition}, {rule.version}"})


@dataclass(frozen=True, slots=True)
class RulesStored:
    """The rule in force, and all stored rules by id, the newest first."""

    current: Rule
    by_id: Mapping[int, Rule]


def rules_stored() -> RulesStored:
    """Return the stored rules. For administrators only. One query."""
    rows = tuple(JuryRule.objects.order_by("-pk"))
    rules = {row.pk: rule_of(row) for row in rows}
    return RulesStored(next((rules[row.pk] for row in rows if row.is_current), DEFAULT), rules)


@dataclass(frozen=True, slots=True)
class RuleInUse:
    """A rule that the public sees: the one in force, or that of published sheets. `stages` are the sheets' stages."""

    rule: Rule
    is_current: bool
    stages: tuple[str, ...]


def rules_in_use() -> tuple[RuleInUse, ...]:
    """Return the rule in force, then those of published sheets. Two queries."""
    current = rule_current()
    stages: dict[Rule, list[str]] = {current: []}
    sheets = JurySheet.objects.filter(published_at__isnull=False).select_related("rule", "stage")
    for sheet in sheets.order_by("stage__order_number"):
        stages.setdefault(rule_of(sheet.rule), []).append(sheet.stage.name)
    return tuple(RuleInUse(rule, rule is current, tuple(names)) for rule, names in stages.items())


def _of_stage(name: str) -> Func:
    """Return the value of a stage's rule, for rows with a sheet; null where the edition has one for all stages."""
    stage = Func(F("sheet__rule__stages"), F("sheet__place") - 1, template="(%(expressions)s)", arg_joiner=" -> ")
    return Func(stage, Value(name), template="(%(expressions)s)", arg_joiner=" ->> ", output_field=TextField())


def _on_keys(marks: QuerySet[JuryMark]) -> QuerySet[JuryMark]:
    """Return the marks of sheets whose scale is the audience's."""
    of_stage = marks.annotate(
        kind=Coalesce(_of_stage("marks"), Value(MarkKind.POINTS.value), output_field=TextField()),
        stage_lowest=Coalesce(Cast(_of_stage("lowest"), _SCALE), F("sheet__rule__lowest"), output_field=_SCALE),
        stage_highest=Coalesce(Cast(_of_stage("highest"), _SCALE), F("sheet__rule__highest"), output_field=_SCALE),
    )
    return of_stage.filter(kind=MarkKind.POINTS, stage_lowest=1, stage_highest=PIECE_HIGHEST)


def _shown(which: Q) -> JurySheetShown | None:
    sheet = JurySheet.objects.select_related("rule", "stage").filter(which).order_by(DRAFTS_FIRST).first()
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
    rows = [
        JuryRow(*(*result, result[0] in advanced, tuple(cells.get(result[0], {}).get(juror) for juror in names)))
        for result in JuryResult.objects.filter(sheet=sheet).values_list(*_RESULT)
    ]
    return JurySheetShown(
        sheet.pk,
        sheet.stage_id,
        sheet.stage.name,
        sheet_state(sheet.published_at),
        sheet.place,
        rule_of(sheet.rule),
        sheet.published_at,
        tuple(JurorShown(pk, name) for pk, name in names.items()),
        tuple(sorted(rows, key=lambda row: (row.rank is None, row.rank or 0, row.name))),
        _missing_places(sheet, rows),
    )


def _missing_places(sheet: JurySheet, rows: Iterable[JuryRow]) -> tuple[int, ...]:
    """Return the places of the earlier stages whose marks a cumulated score lacks. At most two queries."""
    lacking = [row.participant_id for row in rows if row.lacks_cumulated]
    before = scores_before(sheet) if lacking else []
    weights = rule_of(sheet.rule).stage(sheet.place).weights
    lacked = (n for n, scores in enumerate(before, start=1) if any(scores.get(pk) is None for pk in lacking))
    return tuple(n for n in lacked if weights[n - 1])


def sheet_state(published_at: datetime | None) -> SheetState:
    """Return the state of a sheet that was published at this time, or never."""
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
