"""Participant files: what was sent, what its rows will do, what was saved, and a session written as such a file."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from apps.competition.selectors.admin import participant_names, session_performers
from apps.imports.enums import ImportState, RowProblem, RowStatus
from apps.imports.limits import FILE_PIECES, ROWS_SHOWN
from apps.imports.models import ParticipantImport, ParticipantImportRow
from apps.imports.models.participant_files import LEFT_OUT_FIRST
from apps.imports.participant_files.pieces import FilePiece
from apps.imports.participant_files.plan import KnownPeople
from apps.imports.participant_files.writing import file_write
from apps.imports.program_lines.catalogue import Catalogue
from apps.imports.selectors.catalogue import catalogue_get

SAVED_SHOWN = 20  # earlier imports
_COUNTS = ("new_rows", "existing_rows", "undecided_rows", "bad_rows", "short_rows", "saved_rows")
_SUMMARY = ("new_participants", "existing_participants", "new_pieces", "existing_pieces")
_SHOWN = ("id", "user_id", "file_name", "size", "encoding", "encoding_found", "is_encoding_sure", "state")
_SAVED = ("id", "file_name", "user__username", "saved_at", "state")
_ROW = (
    *("position", "line", "first_name", "last_name", "country"),
    *("is_saved", "status", "is_known", "problem", "detail", "pieces"),
)


@dataclass(frozen=True, slots=True)
class ImportCounts:
    """How many rows of a file do what."""

    new: int
    existing: int
    undecided: int
    bad: int
    short: int
    saved: int  # of the new and existing ones

    @property
    def unsaved(self) -> int:
        """How many rows could be saved now."""
        return self.new + self.existing - self.saved

    @property
    def total(self) -> int:
        """How many rows the file has."""
        return self.new + self.existing + self.undecided + self.bad + self.short

    @property
    def left_out(self) -> int:
        """How many rows would not be saved."""
        return self.undecided + self.bad + self.short


@dataclass(frozen=True, slots=True)
class ImportSummary:
    """What saving a file came to."""

    new_participants: int
    existing_participants: int
    new_pieces: int
    existing_pieces: int


@dataclass(frozen=True, slots=True)
class ImportShown:
    """A file that was sent."""

    id: int
    user_id: int | None
    file_name: str
    size: int  # bytes
    encoding: str
    encoding_found: str
    is_encoding_sure: bool
    state: str
    counts: ImportCounts
    summary: ImportSummary


@dataclass(frozen=True, slots=True)
class ImportRow:
    """A row of a file."""

    position: int
    line: int
    first_name: str
    last_name: str
    country: str
    status: RowStatus
    is_known: bool
    problem: RowProblem
    detail: str
    pieces: tuple[FilePiece, ...]
    is_saved: bool


@dataclass(frozen=True, slots=True)
class SavedImport:
    """An import that was saved: by whom, when, what it made and left; `username` is empty for the terminal."""

    id: int
    file_name: str
    username: str
    saved_at: datetime
    state: str
    counts: ImportCounts
    summary: ImportSummary

    @property
    def can_be_undone(self) -> bool:
        """Whether it made something that was not taken back."""
        return self.state == ImportState.SAVED and bool(self.summary.new_participants or self.summary.new_pieces)


@dataclass(frozen=True, slots=True)
class FileExport:
    """A session as a participant file; `longer` are the participants with more pieces than it holds."""

    text: str
    longer: tuple[str, ...]


def import_get(*, import_id: int) -> ImportShown | None:
    """Return a file that was sent, or None. One query."""
    columns = (*_SHOWN, *_COUNTS, *_SUMMARY)
    row: tuple[Any, ...] | None = ParticipantImport.objects.filter(pk=import_id).values_list(*columns).first()
    if row is None:
        return None
    return ImportShown(*(*row[: len(_SHOWN)], *_numbers(row[len(_SHOWN) :])))


def import_pending(*, user_id: int) -> int | None:
    """Return the id of this person's newest file that is neither saved nor forgotten. One query."""
    found = ParticipantImport.objects.filter(user_id=user_id, state=ImportState.PREVIEW).order_by("-id")
    return found.values_list("id", flat=True).first()


def import_rows(*, import_id: int, after: int = 0, limit: int = ROWS_SHOWN) -> tuple[ImportRow, ...]:
    """Return rows of a file after the first `after`: those that cannot be saved first, each kind as in the file.

    One query.
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
    """Return what was saved last, the newest first. One query."""
    found = ParticipantImport.objects.filter(saved_at__isnull=False).order_by("-saved_at", "-id")
    rows = found.values_list(*_SAVED, *_COUNTS, *_SUMMARY)[:limit]
    return tuple(
        SavedImport(pk, name, username or "", saved_at, state, *_numbers(numbers))
        for pk, name, username, saved_at, state, *numbers in rows
    )


def imports_own(*, user_id: int) -> Mapping[str, Any]:
    """Return what the download of one's data contains of participant files. One query."""
    columns = ("file_name", "created_at", "saved_at", "state")
    rows = ParticipantImport.objects.filter(user_id=user_id).order_by("id").values_list(*columns)
    return {
        "participant_imports": [
            {"file_name": name, "sent": sent.isoformat(), "saved": saved and saved.isoformat(), "state": state}
            for name, sent, saved, state in rows
        ]
    }


def plan_basis() -> tuple[KnownPeople, Catalogue]:
    """Return who and what is there already, as the rows of a file are compared with it. Two queries."""
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
