"""Reads of the jury's files: the one that an administrator has sent, and what it would change."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from django.core.exceptions import ValidationError

from apps.competition.selectors.admin.participants import ParticipantName, participant_names
from apps.core.edits import version_of
from apps.imports.enums import JuryFault, JuryFileKind, TableKind
from apps.imports.jury_files.sheets import LineFault, SheetRead, sheet_parse
from apps.imports.jury_files.stage_numbers import number_named
from apps.imports.models import (
    JuryFile,
)
from apps.imports.selectors.header_choices import header_choice
from apps.imports.tables.headers import ColumnsMissing, FileColumn
from apps.jury.contents import MarkChange, SheetContent, marks_changed
from apps.jury.rules import Rule
from apps.jury.selectors import JurySheetShown, jurors_all, jurors_of, jury_sheet_newest, place_holder, rule_current

_READING = ("encoding", "encoding_found", "is_encoding_sure", "is_decimal_comma")  # columns


@dataclass(frozen=True, slots=True)
class JuryFileShown:
    """An administrator's file of the jury, with the chosen stage and the decisions made by hand."""

    stage_id: int
    stage: str
    file_name: str
    text: str
    choices: Mapping[str, Any]
    sheet: str  # of a workbook with several ones
    other_sheets: Sequence[str]
    encoding: str  # of a text that is not in Unicode; empty for others
    encoding_found: str
    is_encoding_sure: bool
    is_decimal_comma: bool


@dataclass(frozen=True, slots=True)
class JuryPreview:
    """What a file of the jury would change: what was read, the stage's stored sheet, and the differences.

    `error` is why the file cannot be read at all; then `sheet` is None. `officials_changed` counts performers.
    `people` are the participants to choose from.
    """

    stage_id: int
    stage: str
    place: int = 0
    sheet: SheetRead | None = None
    error: ValidationError | None = None
    columns: tuple[FileColumn, ...] = ()  # of the header
    stored: JurySheetShown | None = None
    changes: tuple[MarkChange, ...] = ()
    officials_changed: int = 0
    people: tuple[ParticipantName, ...] = ()

    @property
    def can_be_saved(self) -> bool:
        """Whether no fault and no decision is left."""
        return self.sheet is not None and self.sheet.is_whole

    @property
    def is_unchanged(self) -> bool:
        """Whether the stored sheet has all of it already."""
        is_same = not self.changes and not self.officials_changed
        return self.stored is not None and is_same and self.stored.place == self.place

    @property
    def version(self) -> str:
        """The version of what an administrator sees: the stage, the file's content, and the stored sheet."""
        content = self.sheet.content.digest if self.sheet else ""
        stored = (self.stored.id, self.stored.content.digest) if self.stored else ()
        return version_of({"stage": self.stage_id, "place": self.place, "content": content, "stored": list(stored)})


def jury_file_get(*, user_id: int) -> JuryFileShown | None:
    """Return the jury's file that this administrator has sent, or None. One query."""
    columns = ("stage_id", "stage__name", "file_name", "text", "choices", "sheet", "other_sheets", *_READING)
    row = JuryFile.objects.filter(user_id=user_id).values_list(*columns).first()
    return None if row is None else JuryFileShown(*row)


def jury_file_preview(file: JuryFileShown) -> JuryPreview:
    """Return what an administrator's file would change. At most twelve queries."""
    return jury_preview(
        text=file.text,
        stage_id=file.stage_id,
        stage=file.stage,
        choices=file.choices,
        is_decimal_comma=file.is_decimal_comma,
    )


def jury_sheet_read(
    text: str,
    people: Sequence[ParticipantName],
    choices: Mapping[str, Any],
    rule: Rule,
    *,
    is_decimal_comma: bool = False,
    place: int | None = None,
) -> SheetRead:
    """Return what a file holds, with the columns that were chosen by hand for its header. At most two queries.

    Raises ValidationError as `sheet_parse` does.
    """
    read = partial(
        sheet_parse,
        text,
        rule=rule,
        participants=people,
        jurors=jurors_all(),
        choices=choices,
        is_decimal_comma=is_decimal_comma,
        place=place,
    )
    try:
        sheet = read()
        fields = [each.name for each in sheet.columns] if sheet.unused or sheet.is_matrix else []
    except ColumnsMissing as error:
        if not (chosen := header_choice(kind=TableKind.JURY, fields=error.fields)):
            raise
    else:
        if not fields or not (chosen := header_choice(kind=TableKind.JURY, fields=fields)):
            return sheet
    return read(columns_chosen=chosen)


def jury_preview(
    *, text: str, stage_id: int, stage: str, choices: Mapping[str, Any], is_decimal_comma: bool = False
) -> JuryPreview:
    """Return what a file would change in the sheet of this stage. At most twelve queries."""
    people, stored, rule = participant_names(), jury_sheet_newest(stage_id=stage_id), rule_current()
    named = number_named(stage, rule.stages)
    try:
        sheet = jury_sheet_read(text, people, choices, rule, is_decimal_comma=is_decimal_comma, place=named)
    except ValidationError as error:
        columns = error.columns if isinstance(error, ColumnsMissing) else ()
        return JuryPreview(stage_id, stage, error=error, columns=columns, stored=stored)
    if sheet.vanished:  # a juror of other performers is one of another competition
        beside = jurors_of(participant_ids=[each.participant.id for each in sheet.people if each.participant])
        sheet.vanished_keep([name for name in sheet.vanished if name in beside])
    sheet.faults += _jury_faults(sheet, stage_id, stage, named, stored)
    sheet.faults.sort(key=lambda each: each.line)
    before = stored.content if stored else SheetContent()
    is_marks = sheet.kind is JuryFileKind.MARKS
    changes = marks_changed(before, sheet.content) if is_marks else ()
    figures = () if is_marks else {*before.officials, *sheet.officials}
    return JuryPreview(
        stage_id,
        stage,
        sheet.place or named or 0,
        sheet,
        columns=sheet.columns,
        stored=stored,
        changes=changes,
        officials_changed=sum(before.officials.get(pk) != sheet.officials.get(pk) for pk in figures),
        people=people,
    )


def _jury_faults(
    sheet: SheetRead, stage_id: int, stage: str, named: int | None, stored: JurySheetShown | None
) -> list[LineFault]:
    """Return the faults of a file beside the chosen stage, its stored marks, and the published sheets of others."""
    found: list[LineFault] = []
    place = sheet.place
    if not place and not named:
        found.append(LineFault(1, JuryFault.STAGE_NONE, {"stage": stage}))
    if place and named and place != named:
        found.append(LineFault(2, JuryFault.STAGE_OTHER, {"number": place, "stage": stage}))
    ids = [each.participant.id for each in sheet.people if each.participant]
    own = place or named
    if own and (taken := place_holder(stage_id=stage_id, place=own, participant_ids=ids)):
        found.append(LineFault(2, JuryFault.STAGE_TAKEN, {"number": own, "stage": taken}))
    if sheet.kind is JuryFileKind.MARKS:
        return found
    if stored is None:
        return [*found, LineFault(1, JuryFault.NONE_STORED)]
    if place and place != stored.place:
        found.append(LineFault(2, JuryFault.STAGE_STORED, {"number": place, "stored": stored.place}))
    known = {row.participant_id for row in stored.rows}
    unknown = (each for each in sheet.people if each.participant and each.participant.id not in known)
    return found + [
        LineFault(each.line, JuryFault.NOT_STORED, {"name": each.participant.name})
        for each in unknown
        if each.participant
    ]


def jury_files_own(*, user_id: int) -> Mapping[str, Any]:
    """Return the jury's file that a user has sent, for the data export. One query."""
    found = jury_file_get(user_id=user_id)
    return {"jury_file": {"stage": found.stage, "file_name": found.file_name, "text": found.text} if found else None}
