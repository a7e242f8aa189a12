"""Reads of imports: participant files with their rows, pasted programs, and the pieces to choose from."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.core.exceptions import ValidationError

from apps.competition.dependents import entry_dependents
from apps.competition.selectors.admin.participants import ParticipantName, participant_names
from apps.competition.selectors.admin.pieces import piece_facts
from apps.competition.selectors.admin.program_sources import program_sources
from apps.competition.selectors.admin.programs import Performer, ProgramRow, performers, program_admin
from apps.competition.selectors.admin.sessions import session_performers
from apps.core.edits import version_of
from apps.imports.enums import BlockDoubt, ImportState, JuryFault, JuryFileKind, LineStatus, RowProblem, RowStatus
from apps.imports.jury_files.sheets import LineFault, SheetRead, sheet_parse
from apps.imports.jury_files.stage_numbers import number_named
from apps.imports.limits import FILE_PIECES, PERFORMERS_READ, ROWS_SHOWN
from apps.imports.models import (
    LEFT_OUT_FIRST,
    JuryFile,
    ParticipantImport,
    ParticipantImportRow,
    ProgramBatch,
    ProgramText,
)
from apps.imports.participant_files.people import KnownPeople
from apps.imports.participant_files.plan import FilePiece
from apps.imports.participant_files.table import file_write
from apps.imports.program_lines.blocks import ProgramBlock, blocks_read
from apps.imports.program_lines.catalogue import Catalogue
from apps.imports.program_lines.lines import ProgramLine
from apps.imports.program_lines.pieces import catalogue_of
from apps.imports.program_offers import AppearanceOffers, offers_match
from apps.jury.contents import MarkChange, SheetContent, marks_changed
from apps.jury.rules import CURRENT
from apps.jury.selectors import JurySheetShown, jurors_all, jury_sheet_newest, place_holder


def catalogue_get() -> Catalogue:
    """Return the catalogue in the form that lines are matched with. Two queries."""
    return catalogue_of(piece_facts())


SAVED_SHOWN = 20  # earlier imports on the page
_COUNTS = ("new_rows", "existing_rows", "undecided_rows", "bad_rows", "short_rows", "saved_rows", "saved_hidden_rows")
_SUMMARY = ("new_participants", "existing_participants", "new_pieces", "existing_pieces")
_SHOWN = (
    *("id", "user_id", "file_name", "size", "encoding", "encoding_found", "is_encoding_sure", "state"),
    *("kind", "delimiter", "delimiter_found", "is_people_only", "sheet", "sheets", "other_sheets", "hidden_rows"),
    *("unused_columns", "refusal"),
)
_SAVED = ("id", "file_name", "user__username", "saved_at", "state")
_ROW = (
    *("position", "line", "first_name", "last_name", "country"),
    *("start_number", "birth_year", "biography", "name_local"),
    *("is_saved", "status", "is_known", "problem", "detail", "pieces"),
)


@dataclass(frozen=True, slots=True)
class ImportCounts:
    """The number of a file's rows by status."""

    new: int
    existing: int
    undecided: int
    bad: int
    short: int
    saved: int  # of the new and existing rows
    saved_hidden: int  # of the saved rows those that the workbook hides

    @property
    def unsaved(self) -> int:
        """The number of rows that could be saved now."""
        return self.new + self.existing - self.saved

    @property
    def total(self) -> int:
        """The number of rows in the file."""
        return self.new + self.existing + self.undecided + self.bad + self.short

    @property
    def left_out(self) -> int:
        """The number of rows that would not be saved."""
        return self.undecided + self.bad + self.short


@dataclass(frozen=True, slots=True)
class ImportSummary:
    """The totals of a saved file: participants and pieces, new and existing."""

    new_participants: int
    existing_participants: int
    new_pieces: int
    existing_pieces: int


@dataclass(frozen=True, slots=True)
class ImportShown:
    """An uploaded participant file."""

    id: int
    user_id: int | None
    file_name: str
    size: int  # bytes
    encoding: str
    encoding_found: str
    is_encoding_sure: bool
    state: str
    kind: str
    delimiter: str
    delimiter_found: str
    is_people_only: bool
    sheet: str  # of a workbook
    sheets: int  # number of a workbook's sheets
    other_sheets: Sequence[str]  # names of those that are not read
    hidden_rows: int  # rows that the workbook hides
    unused_columns: Sequence[str]
    refusal: Mapping[str, Any] | None  # of a refused file: `message`, `params`, `lacks_pieces`
    counts: ImportCounts
    summary: ImportSummary


@dataclass(frozen=True, slots=True)
class ImportRow:
    """A row of a file, with its planned effect."""

    position: int
    line: int
    first_name: str
    last_name: str
    country: str
    start_number: int | None
    birth_year: int | None
    biography: str
    name_local: str
    status: RowStatus
    is_known: bool
    problem: RowProblem
    detail: str
    pieces: tuple[FilePiece, ...]
    is_saved: bool


@dataclass(frozen=True, slots=True)
class SavedImport:
    """A saved import; `username` is empty for one from the terminal or of a deleted account."""

    id: int
    file_name: str
    username: str
    saved_at: datetime
    state: str
    counts: ImportCounts
    summary: ImportSummary

    @property
    def can_be_undone(self) -> bool:
        """Whether the import created rows that were not deleted by an undo."""
        return self.state == ImportState.SAVED and bool(self.summary.new_participants or self.summary.new_pieces)


@dataclass(frozen=True, slots=True)
class FileExport:
    """A session as a participant file; `longer` names the participants with more pieces than the file holds."""

    text: str
    longer: tuple[str, ...]


def import_get(*, import_id: int) -> ImportShown | None:
    """Return an uploaded file, or None. One query."""
    columns = (*_SHOWN, *_COUNTS, *_SUMMARY)
    row: tuple[Any, ...] | None = ParticipantImport.objects.filter(pk=import_id).values_list(*columns).first()
    if row is None:
        return None
    return ImportShown(*(*row[: len(_SHOWN)], *_numbers(row[len(_SHOWN) :])))


def import_pending(*, user_id: int) -> int | None:
    """Return the id of the user's newest file that is read and not saved. One query."""
    return _newest(user_id, ImportState.PREVIEW)


def import_refused(*, user_id: int) -> int | None:
    """Return the id of the user's newest file that could not be read. One query."""
    return _newest(user_id, ImportState.REFUSED)


def _newest(user_id: int, state: ImportState) -> int | None:
    found = ParticipantImport.objects.filter(user_id=user_id, state=state).order_by("-id")
    return found.values_list("id", flat=True).first()


def import_rows(*, import_id: int, after: int = 0, limit: int = ROWS_SHOWN) -> tuple[ImportRow, ...]:
    """Return at most `limit` rows of a file, skipping the first `after`: rows that cannot be saved first.

    Within both groups the order is that of the file. One query.
    """
    found = ParticipantImportRow.objects.filter(participant_import_id=import_id)
    rows = found.order_by(LEFT_OUT_FIRST, "position").values_list(*_ROW)
    return tuple(_row(*row) for row in rows[after : after + limit])


def import_row(*, import_id: int, position: int) -> ImportRow | None:
    """Return one row of a file, or None. One query."""
    found = ParticipantImportRow.objects.filter(participant_import_id=import_id, position=position)
    row = found.values_list(*_ROW).first()
    return None if row is None else _row(*row)


def imports_saved(*, limit: int = SAVED_SHOWN) -> tuple[SavedImport, ...]:
    """Return the latest saved imports, newest first. One query."""
    found = ParticipantImport.objects.filter(saved_at__isnull=False).order_by("-saved_at", "-id")
    rows = found.values_list(*_SAVED, *_COUNTS, *_SUMMARY)[:limit]
    return tuple(
        SavedImport(pk, name, username or "", saved_at, state, *_numbers(numbers))
        for pk, name, username, saved_at, state, *numbers in rows
    )


def imports_existing(*, ids: Collection[int]) -> frozenset[int]:
    """Return those of these ids that are stored files. One query."""
    return frozenset(ParticipantImport.objects.filter(pk__in=ids).values_list("pk", flat=True))


def imports_own(*, user_id: int) -> Mapping[str, Any]:
    """Return the participant files of a user for the data export. One query."""
    columns = ("file_name", "created_at", "saved_at", "state")
    rows = ParticipantImport.objects.filter(user_id=user_id).order_by("id").values_list(*columns)
    return {
        "participant_imports": [
            {"file_name": name, "sent": sent.isoformat(), "saved": saved and saved.isoformat(), "state": state}
            for name, sent, saved, state in rows
        ]
    }


def plan_basis() -> tuple[KnownPeople, Catalogue]:
    """Return the participants and the catalogue, in the form that rows of a file are compared with. Three queries."""
    return KnownPeople.of(participant_names()), catalogue_get()


def participants_export(*, session_id: int) -> FileExport:
    """Return a session's participants with their programs as a participant file. Two queries."""
    people = session_performers(session_id=session_id)
    text = file_write((each.first_name, each.second_name, each.country, each.pieces) for each in people)
    longer = (f"{each.first_name} {each.second_name}" for each in people if len(each.pieces) > FILE_PIECES)
    return FileExport(text, tuple(longer))


def _numbers(numbers: Sequence[int]) -> tuple[ImportCounts, ImportSummary]:
    return ImportCounts(*numbers[: len(_COUNTS)]), ImportSummary(*numbers[len(_COUNTS) :])


def _row(*columns: Any) -> ImportRow:
    *named, is_saved, status, is_known, problem, detail, pieces = columns
    read = tuple(FilePiece(**piece) for piece in pieces)
    return ImportRow(*(*named, RowStatus(status), is_known, RowProblem(problem), detail, read, is_saved))


def program_text_get(*, user_id: int) -> str:
    """Return the program that this administrator has pasted, empty without one. One query."""
    return ProgramText.objects.filter(user_id=user_id).values_list("text", flat=True).first() or ""


def program_assigned_to(*, user_id: int) -> ProgramRow | None:
    """Return the program that received a part of this administrator's pasted text, or None. Three queries."""
    found = ProgramText.objects.filter(user_id=user_id).values_list("assigned_to_id", flat=True).first()
    return program_admin(appearance_id=found) if found else None


def program_read_for(*, user_id: int) -> ProgramRow | None:
    """Return the program that was chosen when this administrator's text was read, or None. Three queries."""
    found = ProgramText.objects.filter(user_id=user_id).values_list("read_for_id", flat=True).first()
    return program_admin(appearance_id=found) if found else None


def program_leaving(*, program: ProgramRow, lines: Iterable[ProgramLine]) -> tuple[tuple[str, int], ...]:
    """Return the rated pieces of a program that these lines lack, each with its number of ratings. One query."""
    read = {each.piece.id for line in lines for each in line.pieces}
    ratings = entry_dependents(program.appearance_id)
    leaving = (entry for entry in program.entries if entry.piece.id not in read and ratings.get(entry.piece.id))
    return tuple((entry.piece.name, ratings[entry.piece.id]) for entry in leaving)


def program_offers(*, session_id: int) -> tuple[AppearanceOffers, ...]:
    """Return the programs offered to the appearances of a session, in their order. At most four queries."""
    return offers_match(program_sources(session_id=session_id), catalogue_get())


def program_texts_own(*, user_id: int) -> Mapping[str, Any]:
    """Return the pasted program of a user for the data export. One query."""
    return {"program_text": program_text_get(user_id=user_id)}


@dataclass(frozen=True, slots=True)
class ProgramsPreview:
    """Pasted programs: their blocks, the performers to choose from, and the catalogue.

    `chosen` is the performer to whom the lines before the first heading belong, None without one.
    """

    text: str
    blocks: tuple[ProgramBlock, ...] = ()
    performers: tuple[Performer, ...] = ()
    catalogue: Catalogue = field(default_factory=lambda: Catalogue(()))
    chosen: Performer | None = None

    @property
    def programs(self) -> tuple[ProgramBlock, ...]:
        """The blocks that are programs."""
        return tuple(block for block in self.blocks if block.is_program)

    @property
    def lines(self) -> tuple[ProgramLine, ...]:
        """The lines of all blocks."""
        return tuple(line for block in self.blocks for line in block.lines)

    @property
    def is_single(self) -> bool:
        """Whether the text is one program without a heading: the chosen performer's."""
        return all(not block.heading for block in self.blocks)

    @property
    def not_found(self) -> int:
        """The number of headings that name no performer."""
        return sum(block.doubt is BlockDoubt.NOT_FOUND for block in self.blocks)

    @property
    def pieces_found(self) -> int:
        """The number of different pieces in all lines."""
        return len({each.piece.id for line in self.lines for each in line.pieces})

    @property
    def version(self) -> str:
        """The version of what an administrator sees: the performer of each block."""
        performers = [[each.mark, each.performer and each.performer.appearance_id] for each in self.blocks]
        return version_of({"performers": performers})

    def is_of_chosen(self, block: ProgramBlock) -> bool:
        """Whether a block is the program of the chosen performer."""
        return self.chosen is not None and block.performer == self.chosen

    def count(self, *statuses: LineStatus) -> int:
        """Return the number of lines with one of these statuses."""
        return sum(line.status in statuses for line in self.lines)


def programs_preview(*, text: str, session_id: int | None, appearance_id: int | None = None) -> ProgramsPreview:
    """Return pasted programs with their blocks, for the performers of a session or of all. At most six queries.

    With more than PERFORMERS_READ performers only the chosen one, who has `appearance_id`, is certain.
    """
    chosen = (
        next(iter(performers(session_id=None, limit=1, appearance_id=appearance_id)), None) if appearance_id else None
    )
    if not text:
        return ProgramsPreview("", chosen=chosen)
    catalogue = catalogue_get()
    found = performers(session_id=session_id, limit=PERFORMERS_READ + 1)
    known = found if len(found) <= PERFORMERS_READ else ()
    return ProgramsPreview(text, blocks_read(text, known, catalogue, chosen), known, catalogue, chosen)


def program_batches_own(*, user_id: int) -> Mapping[str, Any]:
    """Return the programs of a user that the version before stored, for the data export. One query."""
    text = ProgramBatch.objects.filter(user_id=user_id).values_list("text", flat=True).first()
    return {"program_batch": text or ""}


@dataclass(frozen=True, slots=True)
class JuryFileShown:
    """An administrator's file of the jury, with the chosen stage and the decisions made by hand."""

    stage_id: int
    stage: str
    file_name: str
    text: str
    choices: Mapping[str, Any]


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
    columns = ("stage_id", "stage__name", "file_name", "text", "choices")
    row = JuryFile.objects.filter(user_id=user_id).values_list(*columns).first()
    return None if row is None else JuryFileShown(*row)


def jury_preview(*, text: str, stage_id: int, stage: str, choices: Mapping[str, Any]) -> JuryPreview:
    """Return what a file would change in the sheet of this stage. At most eight queries."""
    people, stored = participant_names(), jury_sheet_newest(stage_id=stage_id)
    try:
        sheet = sheet_parse(text, rule=CURRENT, participants=people, jurors=jurors_all(), choices=choices)
    except ValidationError as error:
        return JuryPreview(stage_id, stage, error=error, stored=stored)
    named = number_named(stage, CURRENT.stages)
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
    if place and named and place != named:
        found.append(LineFault(2, JuryFault.STAGE_OTHER, {"number": place, "stage": stage}))
    ids = [each.participant.id for each in sheet.people if each.participant]
    if place and (taken := place_holder(stage_id=stage_id, place=place, participant_ids=ids)):
        found.append(LineFault(2, JuryFault.STAGE_TAKEN, {"number": place, "stage": taken}))
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
