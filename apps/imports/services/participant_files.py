"""Writes of participant files before they are saved: store, decode again, decide about rows, clear, prune."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import astuple, dataclass, replace
from datetime import timedelta
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Value
from django.db.models.functions import Now

from apps.accounts.actors import Actor, account_of
from apps.competition.enums import Category
from apps.competition.limits import COUNTRIES_MOST, NAME_LENGTH
from apps.competition.permissions import can_edit_competition
from apps.competition.selectors.admin.participants import ParticipantFacts, participant_facts
from apps.competition.selectors.public.participants import participant_countries
from apps.core.events import publish
from apps.core.permissions import require
from apps.core.text_rules import storable
from apps.imports.enums import (
    GOOD,
    PIECE_PROBLEMS,
    Delimiter,
    FileEncoding,
    FileKind,
    ImportState,
    RowProblem,
    RowStatus,
    TableKind,
)
from apps.imports.events import ParticipantImportChanged
from apps.imports.limits import FILE_LIFETIME, FILE_NAME_LENGTH, SHEETS_NAMED
from apps.imports.models import DETAIL_LENGTH, ParticipantImport, ParticipantImportRow
from apps.imports.participant_files.changes import changes_plan, facts_before, to_tick
from apps.imports.participant_files.columns import KNOWN, NAME, ColumnsMissing
from apps.imports.participant_files.people import KnownPeople
from apps.imports.participant_files.plan import FilePiece, PlannedRow, piano_remark, piece_read, rows_plan, status_of
from apps.imports.participant_files.reading import Reading, SheetName, reading_guess, table_read
from apps.imports.participant_files.table import Table
from apps.imports.program_lines.catalogue import Catalogue
from apps.imports.selectors.header_choices import header_choice
from apps.imports.selectors.participant_files import plan_basis
from apps.imports.services.header_choices import header_choose
from apps.imports.tables.headers import FileColumn, TableRefused

NOT_ALLOWED = "Only administrators import participants."
TOO_MANY_COUNTRIES = (
    "Error reading file\nWith this file there would be more than %(most)d countries, which no list can offer. "
    "Please check its column Country."
)
GUESS = "How this file is written is a guess. Compare the names and confirm it first."
SAVED_ALREADY = "This file was saved already."
BATCH = 1000  # rows of one statement
_NO_CATEGORIES: Mapping[str, str] = {}


@dataclass(frozen=True, slots=True)
class FileRead:
    """The planned effect of each row of a file, the names in its header that no column has, and the sheet."""

    rows: tuple[PlannedRow, ...]
    unused_columns: tuple[str, ...]
    sheet: SheetName
    columns: tuple[FileColumn, ...]

    @property
    def hidden_rows(self) -> int:
        """The number of rows that the workbook hides."""
        return sum(row.line in self.sheet.hidden for row in self.rows)


def participant_file_read(content: bytes, reading: Reading, categories: Mapping[str, str] = _NO_CATEGORIES) -> FileRead:
    """Return the planned effect of each row of a file. Five queries.

    Raises ValidationError for a file that is too large, cannot be read or takes too long, and for more countries than
    COUNTRIES_MOST; ColumnsMissing for one without the required columns.
    """
    table, sheet = _table_read(content, reading)
    known, catalogue = plan_basis()
    planned = changes_plan(tuple(rows_plan(table, known, catalogue, categories)), known, _facts_of)
    countries = {row.country for row in planned if row.status not in (RowStatus.BAD, RowStatus.SHORT)}
    if len(countries.union(participant_countries())) > COUNTRIES_MOST:
        raise ValidationError(TOO_MANY_COUNTRIES, params={"most": COUNTRIES_MOST})
    return FileRead(planned, table.header.unused, sheet, table.columns)


def _table_read(content: bytes, reading: Reading) -> tuple[Table, SheetName]:
    """Return the table of a file, with the columns that were chosen by hand for its header."""
    try:
        table, sheet = table_read(content, reading)
        fields = table.header.fields if table.header.unused else ()
    except ColumnsMissing as error:
        if not (chosen := header_choice(kind=TableKind.PARTICIPANTS, fields=error.fields)):
            raise
    else:
        if not fields or not (chosen := header_choice(kind=TableKind.PARTICIPANTS, fields=fields)):
            return table, sheet
    return table_read(content, replace(reading, chosen=chosen))


def _facts_of(ids: Iterable[int]) -> Mapping[int, ParticipantFacts]:
    return participant_facts(ids=tuple(ids))


def participant_file_store(
    *, actor: Actor, file_name: str, content: bytes, reading: Reading | None = None
) -> ParticipantImport:
    """Store a file with its planned rows and return it; it replaces the account's unsaved file.

    Without `reading` it is read as it is guessed. Raises PermissionDenied, ValidationError for a file that cannot be
    read; then the old file stays.
    """
    require(can_edit_competition(actor), NOT_ALLOWED)
    guess = reading_guess(content)
    reading = reading or guess
    file = participant_file_read(content, reading)
    with transaction.atomic():
        _unsaved_delete(actor)
        stored = _create(actor, file_name, content, guess, **_reading_columns(reading), **_file_columns(file))
        _rows_store(stored, file)
        publish(ParticipantImportChanged())
    return stored


@transaction.atomic
def participant_file_keep(*, actor: Actor, file_name: str, content: bytes, error: ValidationError) -> ParticipantImport:
    """Keep a file that could not be read, with the reason, so that it can be read in another way; return it.

    It replaces the account's refused file; the unsaved one stays. Raises PermissionDenied.
    """
    require(can_edit_competition(actor), NOT_ALLOWED)
    guess = reading_guess(content)
    if (user_id := account_of(actor)) is not None:
        ParticipantImport.objects.filter(user_id=user_id, state=ImportState.REFUSED).delete()
    refused = _refused_columns(error)
    stored = _create(actor, file_name, content, guess, state=ImportState.REFUSED, **_reading_columns(guess), **refused)
    publish(ParticipantImportChanged())
    return stored


@transaction.atomic
def import_read_again(
    *,
    actor: Actor,
    import_id: int,
    encoding: FileEncoding | None = None,
    delimiter: Delimiter | None = None,
    is_people_only: bool = False,
    sheet: str = "",
) -> bool:
    """Read a file in another way and plan its rows again; return whether it can be read so.

    None keeps encoding or delimiter, and an empty name the sheet; an encoding that is given counts as confirmed. A
    refused file that still cannot be read keeps the new reason. Raises PermissionDenied, ValidationError for a saved
    file, or if a file that was read before cannot be read so, and ParticipantImport.DoesNotExist.
    """
    stored = import_lock(actor, import_id, even_refused=True)
    reading = Reading(
        FileKind(stored.kind),
        encoding or FileEncoding(stored.encoding),
        delimiter or Delimiter(stored.delimiter),
        is_people_only,
        is_sure=stored.is_encoding_sure or encoding is not None,
        sheet=sheet or stored.sheet,
    )
    try:
        file = participant_file_read(bytes(stored.content), reading, stored.categories)
    except ValidationError as error:
        if stored.state != ImportState.REFUSED:
            raise
        _update(stored, **_reading_columns(reading), **_refused_columns(error))
        return False
    if stored.state == ImportState.REFUSED:
        _unsaved_delete(actor, but=stored.pk)
    stored.rows.all().delete()
    _rows_store(stored, file)
    _update(stored, state=ImportState.PREVIEW, refusal=None, **_reading_columns(reading), **_file_columns(file))
    return True


def _create(actor: Actor, file_name: str, content: bytes, guess: Reading, **columns: Any) -> ParticipantImport:
    return ParticipantImport.objects.create(
        user_id=account_of(actor),
        file_name=_file_name(file_name),
        content=content,
        size=len(content),
        encoding_found=guess.encoding,
        delimiter_found=guess.delimiter,
        **columns,
    )


def _unsaved_delete(actor: Actor, *, but: int = 0) -> None:
    """Delete the account's unsaved and refused files, except the one with the id `but`."""
    if (user_id := account_of(actor)) is not None:
        states = (ImportState.PREVIEW, ImportState.REFUSED)
        ParticipantImport.objects.filter(user_id=user_id, state__in=states).exclude(pk=but).delete()


def _reading_columns(reading: Reading) -> dict[str, Any]:
    return {
        "kind": reading.kind,
        "encoding": reading.encoding,
        "delimiter": reading.delimiter,
        "is_people_only": reading.is_people_only,
        "is_encoding_sure": reading.is_sure,
    }


def _file_columns(file: FileRead) -> dict[str, Any]:
    """Return the columns of a file that was read: its sheet, the unused columns and the row counts."""
    unused = [name[:NAME_LENGTH] for name in file.unused_columns]
    sheets = _sheet_columns(file.sheet.name, file.sheet.others) if file.sheet.names else {}
    more = {"header": _header_column(file.columns), "unused_columns": unused}
    return {**sheets, "hidden_rows": file.hidden_rows, **more, **_counts(file.rows)}


def _header_column(columns: Sequence[FileColumn]) -> list[Sequence[Any]]:
    return [astuple(each) for each in columns]


def _sheet_columns(name: str, others: Sequence[str]) -> dict[str, Any]:
    names = [storable(each) for each in others[:SHEETS_NAMED]]
    return {"sheet": storable(name), "sheets": len(others) + 1, "other_sheets": names}


def _refused_columns(error: ValidationError) -> dict[str, Any]:
    """Return the columns of a refused file: the reason as JSON, and the sheets of a workbook if they are known.

    The reason is the sentence of the error, its values, and whether only columns of pieces lack.
    """
    first = error.error_list[0]
    lacks_pieces = isinstance(error, ColumnsMissing) and error.lacks_pieces
    refusal = {"message": str(first.message), "params": first.params or {}, "lacks_pieces": lacks_pieces}
    sheets = error.sheets if isinstance(error, TableRefused) else ()
    header = _header_column(error.columns if isinstance(error, ColumnsMissing) else ())
    return {"refusal": refusal, "header": header, **(_sheet_columns(sheets[0], sheets[1:]) if sheets else {})}


@transaction.atomic
def import_columns_choose(*, actor: Actor, import_id: int, chosen: Mapping[str, str]) -> bool:
    """Store what the columns of a file's header are, by the key of a name, and read the file so; return as that does.

    The choice is kept for every file with this header. Raises as `import_read_again` and `header_choose`.
    """
    stored = import_lock(actor, import_id, even_refused=True)
    columns = [FileColumn(*each) for each in stored.header]
    header_choose(kind=TableKind.PARTICIPANTS, columns=columns, chosen=chosen, allowed=(*KNOWN, NAME))
    return import_read_again(actor=actor, import_id=import_id, is_people_only=stored.is_people_only)


@transaction.atomic
def import_category_set(*, actor: Actor, import_id: int, piece: str, category: str) -> None:
    """Set the category of a missing piece, by the piece's future name; also for a saved file.

    Raises PermissionDenied, ParticipantImport.DoesNotExist, ValidationError when no row waits for such a decision.
    """
    stored = import_lock(actor, import_id, even_saved=True)
    if category not in Category.values:
        raise ValidationError("Please choose a category.")
    rows = [row for row in stored.rows.filter(status=RowStatus.UNDECIDED) if _has(row, piece)]
    for row in rows:
        _decide(row, [FilePiece(**each).with_category({piece: category}) for each in row.pieces])
    _decided_store(stored, rows, categories={**stored.categories, piece: category})


@transaction.atomic
def import_person_set(*, actor: Actor, import_id: int, position: int, person: RowProblem) -> None:
    """Decide whether the row's participant is the one with the similar name: SAME or ANOTHER; also for a saved file.

    Raises PermissionDenied, ParticipantImport.DoesNotExist, ValidationError when the row waits for no such decision.
    """
    stored = import_lock(actor, import_id, even_saved=True)
    row = stored.rows.filter(position=position, problem=RowProblem.PERHAPS, status=RowStatus.UNDECIDED).first()
    if row is None or person not in {RowProblem.SAME, RowProblem.ANOTHER}:
        raise ValidationError("This file has no such person to decide.")
    row.problem, row.detail, row.is_known = person, "", person == RowProblem.SAME
    _decide(row, [FilePiece(**each) for each in row.pieces])
    known, _ = plan_basis()
    _person_decide(row, known)
    _decided_store(stored, [row])


def import_piece_leave_out(*, actor: Actor, import_id: int, piece: str) -> None:
    """Remove an unreadable piece from the bad rows that have it, so that they can be saved; also for a saved file.

    Raises PermissionDenied, ParticipantImport.DoesNotExist, ValidationError when no row waits for such a decision.
    """
    _piece_decide(actor, import_id, piece)


def import_piece_choose(*, actor: Actor, import_id: int, piece: str, chosen: str) -> None:
    """Put one of its candidates in place of an uncertain piece, in all bad rows that have it; also for a saved file.

    Raises as `import_piece_leave_out`, and ValidationError for a name that is no candidate.
    """
    _piece_decide(actor, import_id, piece, chosen)


@transaction.atomic
def _piece_decide(actor: Actor, import_id: int, piece: str, chosen: str = "") -> None:
    """Put the `chosen` candidate in place of a piece with a problem in the bad rows, or leave the piece out.

    Raises PermissionDenied, ParticipantImport.DoesNotExist, ValidationError.
    """
    stored = import_lock(actor, import_id, even_saved=True)
    bad = stored.rows.filter(status=RowStatus.BAD, problem__in=PIECE_PROBLEMS)
    rows = [row for row in bad if any(each["name"] == piece and each["problem"] for each in row.pieces)]
    if chosen and not all(chosen in row.candidates.get(piece, ()) for row in rows):
        raise ValidationError("Please choose a piece of the list.")
    known, catalogue = plan_basis() if rows else (KnownPeople(), Catalogue(()))
    others = [piece_read(chosen, catalogue)] if chosen else []
    for row in rows:
        name = (row.first_name, row.last_name, row.country)
        row.is_known = known.line_of(*name) is not None
        alike = "" if row.is_known else known.alike_to(*name)
        pairs = ((each["name"], FilePiece(**each)) for each in row.pieces)
        pieces = [new for name, old in pairs for new in (others if name == piece else [old])]
        _decide(row, list(dict.fromkeys(pieces)), alike=alike)
        _person_decide(row, known)
    _decided_store(stored, rows)


@transaction.atomic
def import_changes_take(*, actor: Actor, import_id: int, position: int, fields: Collection[str]) -> None:
    """Tick these fields of a row's changes, and no others; also for a saved file with rows that are not.

    Raises PermissionDenied, ParticipantImport.DoesNotExist, ValidationError when the row waits for no such decision.
    """
    stored = import_lock(actor, import_id, even_saved=True)
    row = stored.rows.filter(position=position, is_saved=False).exclude(before={}).first()
    if row is None or not set(fields) <= set(to_tick(row.before)):
        raise ValidationError("This file has no such change to decide.")
    row.taken = [field for field in to_tick(row.before) if field in fields]
    _decided_store(stored, [row])


@transaction.atomic
def import_changes_take_all(*, actor: Actor, import_id: int, takes: bool) -> int:
    """Tick all changes of a file's unsaved rows, or none of them; return how many are ticked.

    Raises PermissionDenied, ParticipantImport.DoesNotExist, ValidationError without such changes.
    """
    stored = import_lock(actor, import_id, even_saved=True)
    rows = [row for row in stored.rows.filter(is_saved=False).exclude(before={}) if to_tick(row.before)]
    if not rows:
        raise ValidationError("This file has no such change to decide.")
    for row in rows:
        row.taken = list(to_tick(row.before)) if takes else []
    _decided_store(stored, rows)
    return sum(len(row.taken) for row in rows)


@transaction.atomic
def import_clear(*, actor: Actor, import_id: int) -> None:
    """Delete a file that was not saved. Raises PermissionDenied, ParticipantImport.DoesNotExist, ValidationError."""
    import_lock(actor, import_id, even_refused=True).delete()
    publish(ParticipantImportChanged())


@transaction.atomic
def imports_prune() -> int:
    """Delete unsaved files older than FILE_LIFETIME, and content and rows of saved ones; return the number of files."""
    old = ParticipantImport.objects.filter(created_at__lt=Now() - Value(timedelta(seconds=FILE_LIFETIME)))
    unsaved = old.filter(state__in=(ImportState.PREVIEW, ImportState.REFUSED))
    forgotten = unsaved.count()
    unsaved.delete()
    ParticipantImportRow.objects.filter(participant_import__in=old).delete()
    forgotten += old.exclude(content=b"").update(content=b"")
    if forgotten:
        publish(ParticipantImportChanged())
    return forgotten


def import_lock(
    actor: Actor, import_id: int, *, even_saved: bool = False, even_refused: bool = False
) -> ParticipantImport:
    """Return a file that is not saved, locked; with `even_saved` also a saved one, with `even_refused` a refused one.

    Raises PermissionDenied, ParticipantImport.DoesNotExist, ValidationError.
    """
    require(can_edit_competition(actor), NOT_ALLOWED)
    stored = ParticipantImport.objects.select_for_update().get(pk=import_id)
    if stored.state == ImportState.UNDONE:
        raise ValidationError("This import was taken back.")
    if stored.state == ImportState.REFUSED:
        if even_refused:
            return stored
        raise ValidationError("This file could not be read.")
    if stored.state != ImportState.PREVIEW and not even_saved:
        raise ValidationError(SAVED_ALREADY)
    return stored


def _update(stored: ParticipantImport, **columns: object) -> None:
    ParticipantImport.objects.filter(pk=stored.pk).update(**columns)
    publish(ParticipantImportChanged())


def _counts(rows: Collection[PlannedRow]) -> dict[str, int]:
    counted = Counter(row.status for row in rows)
    changes = sum(len(to_tick(row.before)) for row in rows)
    return {**{f"{status.value}_rows": counted[status] for status in RowStatus}, "changes": changes, "changes_taken": 0}


def _rows_store(stored: ParticipantImport, file: FileRead) -> None:
    rows, hidden = file.rows, file.sheet.hidden
    for start in range(0, len(rows), BATCH):
        batch = enumerate(rows[start : start + BATCH], start=start + 1)
        ParticipantImportRow.objects.bulk_create([_stored(stored, position, row, hidden) for position, row in batch])


def _stored(stored: ParticipantImport, position: int, row: PlannedRow, hidden: Collection[int]) -> ParticipantImportRow:
    return ParticipantImportRow(
        participant_import=stored,
        position=position,
        line=row.line,
        first_name=row.first_name,
        last_name=row.last_name,
        country=row.country,
        pieces=[piece.as_json() for piece in row.pieces],
        candidates={piece.name: piece.choices for piece in row.pieces if piece.choices},
        status=row.status,
        is_known=row.is_known,
        problem=row.problem,
        detail=row.detail[:DETAIL_LENGTH],
        start_number=row.extras.start_number,
        birth_year=row.extras.birth_year,
        biography=row.extras.biography,
        name_local=row.extras.name_local,
        piano=row.extras.piano,
        avatar_url=row.extras.avatar_url,
        participant_id=row.participant,
        before=row.before,
        is_hidden=row.line in hidden,
    )


def _has(row: ParticipantImportRow, name: str) -> bool:
    return any(piece["name"] == name and not piece["category"] for piece in row.pieces)


def _decide(row: ParticipantImportRow, pieces: Sequence[FilePiece], *, alike: str = "") -> None:
    """Set a row's pieces and its status; the row stays bad while one of the pieces has a problem.

    `alike` is a participant with a similar name; a bad row was not compared with the participants before.
    """
    row.pieces = [piece.as_json() for piece in pieces]
    bad = next((piece for piece in pieces if piece.problem), None)
    if bad:
        row.problem, row.detail = RowProblem(bad.problem), f"“{bad.name}”"
        return
    if row.status == RowStatus.BAD:
        row.problem, row.detail = (RowProblem.PERHAPS, alike) if alike else (RowProblem.NONE, "")
    row.status = status_of(is_known=row.is_known, pieces=pieces, problem=row.problem)


def _person_decide(row: ParticipantImportRow, known: KnownPeople) -> None:
    """Set what follows from the person of a decided row: a taken number, the piano's remark, and what changes."""
    _number_decide(row, known)
    _piano_decide(row, known)
    row.before, row.taken = {}, []
    if row.status == RowStatus.BAD or row.problem in {RowProblem.ANOTHER, RowProblem.PERHAPS, RowProblem.REPEATED}:
        return
    names = (row.first_name, row.last_name, row.country)
    row.participant_id = known.one_of(*names, is_alike=row.problem == RowProblem.SAME)
    if facts := _facts_of([row.participant_id] if row.participant_id else []).get(row.participant_id or 0):
        row.before = facts_before(row, facts)


def _number_decide(row: ParticipantImportRow, known: KnownPeople) -> None:
    """Make a decided row bad if another participant has its start number."""
    names = (row.first_name, row.last_name, row.country)
    if row.start_number is None or row.status == RowStatus.BAD:
        return
    owner = known.number_owner(row.start_number, *names, is_another=row.problem == RowProblem.ANOTHER)
    if owner:
        row.status, row.problem, row.detail = RowStatus.BAD, RowProblem.NUMBER_TAKEN, f"{row.start_number}, {owner}"


def _piano_decide(row: ParticipantImportRow, known: KnownPeople) -> None:
    """Set the remark about the piano of a decided row; beside a decision about the person it is the detail alone."""
    if row.status not in GOOD or row.problem == RowProblem.REPEATED:
        return
    player = known.player(row.first_name, row.last_name, row.country, is_alike=row.problem == RowProblem.SAME)
    remark, detail = piano_remark(row.piano, None if row.problem == RowProblem.ANOTHER else player)
    row.detail = detail
    row.problem = row.problem if row.problem in {RowProblem.SAME, RowProblem.ANOTHER} else remark


def _decided_store(stored: ParticipantImport, rows: Sequence[ParticipantImportRow], **columns: object) -> None:
    """Store decided rows, and the file's row counts by status. Raises ValidationError without rows."""
    if not rows:
        raise ValidationError("This file has no such piece to decide.")
    changed = ["pieces", "status", "is_known", "problem", "detail", "participant_id", "before", "taken"]
    ParticipantImportRow.objects.bulk_update(rows, changed, batch_size=BATCH)
    _update(stored, **rows_counted(stored), **columns)


def rows_counted(stored: ParticipantImport) -> dict[str, int]:
    """Return the counts of a file's stored rows: by status, and of the changes that can be ticked. Two queries."""
    counted = Counter(stored.rows.values_list("status", flat=True))
    changing = [
        (to_tick(before), taken) for before, taken in stored.rows.exclude(before={}).values_list("before", "taken")
    ]
    return {
        **{f"{status.value}_rows": counted[status] for status in RowStatus},
        "changes": sum(len(fields) for fields, _ in changing),
        "changes_taken": sum(len(taken) for _, taken in changing),
    }


def _file_name(given: str) -> str:
    """Return the shown name of a file: its last path segment, cleaned and cut; the site never uses it as a path."""
    name = "".join(sign for sign in storable(given) if sign.isprintable()).replace("\\", "/").rpartition("/")[2]
    return name.strip()[-FILE_NAME_LENGTH:] or "participants.csv"
