"""Reads of participant files: uploaded ones with their rows, saved imports, and the file of a session."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import F, Value
from django.db.models.functions import Now

from apps.competition.selectors.admin.participants import participant_names, participants_playing
from apps.competition.selectors.admin.sessions import session_performers
from apps.imports.enums import ImportState, RowProblem, RowStatus
from apps.imports.limits import FILE_LIFETIME, ROWS_SHOWN
from apps.imports.models import (
    LEFT_OUT_FIRST,
    ParticipantImport,
    ParticipantImportRow,
)
from apps.imports.participant_files.people import KnownPeople
from apps.imports.participant_files.plan import FilePiece
from apps.imports.participant_files.table import file_write
from apps.imports.program_lines.catalogue import Catalogue
from apps.imports.selectors.programs import catalogue_get
from apps.imports.tables.headers import FileColumn

SAVED_SHOWN = 20  # earlier imports on the page
WAITING_SHOWN = 5  # of them those with rows that wait
_COUNTS = ("new_rows", "existing_rows", "undecided_rows", "bad_rows", "short_rows", "saved_rows", "saved_hidden_rows")
_SUMMARY = (
    *("new_participants", "existing_participants", "new_pieces", "existing_pieces", "pianos", "filled_participants"),
)
_SHOWN = (
    *("id", "user_id", "file_name", "size", "encoding", "encoding_found", "is_encoding_sure", "state"),
    *("kind", "delimiter", "delimiter_found", "is_people_only", "sheet", "sheets", "other_sheets", "hidden_rows"),
    *("unused_columns", "refusal", "changes", "changes_taken", "header"),
)
_SAVED = ("id", "file_name", "user__username", "saved_at", "state")
_ROW = (
    *("position", "line", "first_name", "last_name", "country"),
    *("start_number", "birth_year", "biography", "name_local", "piano", "avatar_url"),
    *("before", "taken", "candidates"),
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
    """The totals of a saved file: participants and pieces, new and existing; performances that got a piano.

    `filled_participants` are those of the existing ones that got new facts.
    """

    new_participants: int
    existing_participants: int
    new_pieces: int
    existing_pieces: int
    pianos: int = 0
    filled_participants: int = 0


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
    changes: int  # facts of people who are there that change where they are ticked
    changes_taken: int  # those that are ticked
    columns: Sequence[FileColumn]  # of the header
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
    piano: str
    avatar_url: str
    before: Mapping[str, Any]  # what the participant had, by field that the row fills or changes
    taken: Sequence[str]  # the fields that are ticked
    candidates: Mapping[str, Sequence[str]]  # names that an uncertain piece may mean, by its name
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
        made = (self.summary.new_participants, self.summary.new_pieces, self.summary.pianos)
        return self.state == ImportState.SAVED and any((*made, self.summary.filled_participants))


def import_get(*, import_id: int) -> ImportShown | None:
    """Return an uploaded file, or None. One query."""
    columns = (*_SHOWN, *_COUNTS, *_SUMMARY)
    row: tuple[Any, ...] | None = ParticipantImport.objects.filter(pk=import_id).values_list(*columns).first()
    if row is None:
        return None
    header = row[len(_SHOWN) - 1]
    of_file = tuple(FileColumn(name, column, tuple(cells), chosen) for name, column, cells, chosen in header)
    return ImportShown(*(*row[: len(_SHOWN) - 1], of_file, *_numbers(row[len(_SHOWN) :])))


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
    return tuple(map(_saved, found.values_list(*_SAVED, *_COUNTS, *_SUMMARY)[:limit]))


def _saved(row: Sequence[Any]) -> SavedImport:
    pk, name, username, saved_at, state, *numbers = row
    return SavedImport(pk, name, username or "", saved_at, state, *_numbers(numbers))


def imports_waiting(*, user_id: int) -> tuple[SavedImport, ...]:
    """Return the user's saved imports with rows that wait for a decision or a save, newest first. One query."""
    kept = Now() - Value(timedelta(seconds=FILE_LIFETIME))  # then the rows are deleted
    found = ParticipantImport.objects.filter(user_id=user_id, state=ImportState.SAVED, created_at__gt=kept)
    open_rows = F("new_rows") + F("existing_rows") + F("undecided_rows")
    rows = found.filter(saved_rows__lt=open_rows).order_by("-saved_at", "-id")
    return tuple(map(_saved, rows.values_list(*_SAVED, *_COUNTS, *_SUMMARY)[:WAITING_SHOWN]))


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
    return KnownPeople.of(participant_names(), participants_playing()), catalogue_get()


def participants_export(*, session_id: int) -> str:
    """Return a session's participants with programs and pianos as a participant file. Two queries."""
    return file_write(session_performers(session_id=session_id))


def _numbers(numbers: Sequence[int]) -> tuple[ImportCounts, ImportSummary]:
    return ImportCounts(*numbers[: len(_COUNTS)]), ImportSummary(*numbers[len(_COUNTS) :])


def _row(*columns: Any) -> ImportRow:
    *named, is_saved, status, is_known, problem, detail, pieces = columns
    read = tuple(FilePiece(**piece) for piece in pieces)
    return ImportRow(*(*named, RowStatus(status), is_known, RowProblem(problem), detail, read, is_saved))
