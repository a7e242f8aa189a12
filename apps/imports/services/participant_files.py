"""Writes of participant files before they are saved: store, decode again, decide about rows, clear, prune."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import timedelta

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Value
from django.db.models.functions import Now

from apps.accounts.actors import Actor, account_of
from apps.competition.enums import Category
from apps.competition.limits import COUNTRIES_MOST
from apps.competition.permissions import can_edit_competition
from apps.competition.selectors.public.participants import participant_countries
from apps.core.events import publish
from apps.core.permissions import require
from apps.core.text_rules import storable
from apps.imports.enums import PIECE_PROBLEMS, FileEncoding, ImportState, RowProblem, RowStatus
from apps.imports.events import ParticipantImportChanged
from apps.imports.limits import FILE_BYTES, FILE_LIFETIME, FILE_NAME_LENGTH
from apps.imports.models import ParticipantImport, ParticipantImportRow
from apps.imports.participant_files.encodings import encoding_guess, text_read
from apps.imports.participant_files.plan import FilePiece, KnownPeople, PlannedRow, rows_plan, status_of
from apps.imports.participant_files.table import rows_read
from apps.imports.selectors import plan_basis

NOT_ALLOWED = "Only administrators import participants."
TOO_MANY_COUNTRIES = (
    "Error reading file\nWith this file there would be more than %(most)d countries, which no list can offer. "
    "Please check its column Country."
)
SAVED_ALREADY = "This file was saved already."
BATCH = 1000  # rows of one statement
_NO_CATEGORIES: Mapping[str, str] = {}


def participant_file_read(
    content: bytes, encoding: FileEncoding, categories: Mapping[str, str] = _NO_CATEGORIES
) -> tuple[PlannedRow, ...]:
    """Return the planned effect of each row of a file. Three queries.

    Raises ValidationError for a file that is too large, cannot be read or takes too long, and for more countries than
    COUNTRIES_MOST.
    """
    if len(content) > FILE_BYTES:
        raise ValidationError("Error reading file\nA file has at most 5 MB.")
    rows = rows_read(text_read(content, encoding))
    planned = tuple(rows_plan(rows, *plan_basis(), categories))
    countries = {row.country for row in planned if row.status not in (RowStatus.BAD, RowStatus.SHORT)}
    if len(countries.union(participant_countries())) > COUNTRIES_MOST:
        raise ValidationError(TOO_MANY_COUNTRIES, params={"most": COUNTRIES_MOST})
    return planned


def participant_file_store(
    *, actor: Actor, file_name: str, content: bytes, encoding: FileEncoding | None = None
) -> ParticipantImport:
    """Store a file with its planned rows and return it; it replaces the account's unsaved file.

    Raises PermissionDenied, ValidationError for a file that cannot be read; then the old file stays.
    """
    require(can_edit_competition(actor), NOT_ALLOWED)
    found = encoding_guess(content)
    rows = participant_file_read(content, encoding or found.encoding)
    name = _file_name(file_name)
    with transaction.atomic():
        if (user_id := account_of(actor)) is not None:
            ParticipantImport.objects.filter(user_id=user_id, state=ImportState.PREVIEW).delete()
        stored = ParticipantImport.objects.create(
            user_id=user_id,
            file_name=name,
            content=content,
            size=len(content),
            encoding=encoding or found.encoding,
            encoding_found=found.encoding,
            is_encoding_sure=found.is_sure or encoding is not None,
            **_counts(rows),
        )
        _rows_store(stored, rows)
        publish(ParticipantImportChanged())
    return stored


@transaction.atomic
def import_encoding_set(*, actor: Actor, import_id: int, encoding: FileEncoding) -> None:
    """Decode a file with this encoding, plan its rows again, and mark the encoding as confirmed.

    Raises PermissionDenied, ParticipantImport.DoesNotExist, ValidationError for a saved file or a wrong encoding.
    """
    stored = import_lock(actor, import_id)
    rows = participant_file_read(bytes(stored.content), encoding, stored.categories)
    stored.rows.all().delete()
    _rows_store(stored, rows)
    _update(stored, encoding=encoding, is_encoding_sure=True, **_counts(rows))


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
    row.problem, row.is_known = person, person == RowProblem.SAME
    _decide(row, [FilePiece(**each) for each in row.pieces])
    _decided_store(stored, [row])


@transaction.atomic
def import_piece_leave_out(*, actor: Actor, import_id: int, piece: str) -> None:
    """Remove an unreadable piece from the bad rows that have it, so that they can be saved; also for a saved file.

    Raises PermissionDenied, ParticipantImport.DoesNotExist, ValidationError when no row waits for such a decision.
    """
    stored = import_lock(actor, import_id, even_saved=True)
    bad = stored.rows.filter(status=RowStatus.BAD, problem__in=PIECE_PROBLEMS)
    rows = [row for row in bad if any(each["name"] == piece and each["problem"] for each in row.pieces)]
    known, _ = plan_basis() if rows else (KnownPeople(), None)
    for row in rows:
        name = (row.first_name, row.last_name, row.country)
        row.is_known = known.line_of(*name) is not None
        alike = "" if row.is_known else known.alike_to(*name)
        _decide(row, [FilePiece(**each) for each in row.pieces if each["name"] != piece], alike=alike)
    _decided_store(stored, rows)


@transaction.atomic
def import_clear(*, actor: Actor, import_id: int) -> None:
    """Delete a file that was not saved. Raises PermissionDenied, ParticipantImport.DoesNotExist, ValidationError."""
    import_lock(actor, import_id).delete()
    publish(ParticipantImportChanged())


@transaction.atomic
def imports_prune() -> int:
    """Delete unsaved files older than FILE_LIFETIME, and content and rows of saved ones; return the number of files."""
    old = ParticipantImport.objects.filter(created_at__lt=Now() - Value(timedelta(seconds=FILE_LIFETIME)))
    unsaved = old.filter(state=ImportState.PREVIEW)
    forgotten = unsaved.count()
    unsaved.delete()
    ParticipantImportRow.objects.filter(participant_import__in=old).delete()
    forgotten += old.exclude(content=b"").update(content=b"")
    if forgotten:
        publish(ParticipantImportChanged())
    return forgotten


def import_lock(actor: Actor, import_id: int, *, even_saved: bool = False) -> ParticipantImport:
    """Return a file that is not saved, locked; with `even_saved` also a saved one.

    Raises PermissionDenied, ParticipantImport.DoesNotExist, ValidationError.
    """
    require(can_edit_competition(actor), NOT_ALLOWED)
    stored = ParticipantImport.objects.select_for_update().get(pk=import_id)
    if stored.state == ImportState.UNDONE:
        raise ValidationError("This import was taken back.")
    if stored.state != ImportState.PREVIEW and not even_saved:
        raise ValidationError(SAVED_ALREADY)
    return stored


def _update(stored: ParticipantImport, **columns: object) -> None:
    ParticipantImport.objects.filter(pk=stored.pk).update(**columns)
    publish(ParticipantImportChanged())


def _counts(rows: Iterable[PlannedRow]) -> dict[str, int]:
    counted = Counter(row.status for row in rows)
    return {f"{status.value}_rows": counted[status] for status in RowStatus}


def _rows_store(stored: ParticipantImport, rows: Sequence[PlannedRow]) -> None:
    for start in range(0, len(rows), BATCH):
        batch = enumerate(rows[start : start + BATCH], start=start + 1)
        ParticipantImportRow.objects.bulk_create([_stored(stored, position, row) for position, row in batch])


def _stored(stored: ParticipantImport, position: int, row: PlannedRow) -> ParticipantImportRow:
    return ParticipantImportRow(
        participant_import=stored,
        position=position,
        line=row.line,
        first_name=row.first_name,
        last_name=row.last_name,
        country=row.country,
        pieces=[piece.as_json() for piece in row.pieces],
        status=row.status,
        is_known=row.is_known,
        problem=row.problem,
        detail=row.detail,
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
        row.problem, row.detail = (RowProblem.PERHAPS, f"{alike}, {row.country}") if alike else (RowProblem.NONE, "")
    row.status = status_of(is_known=row.is_known, pieces=pieces, problem=row.problem)


def _decided_store(stored: ParticipantImport, rows: Sequence[ParticipantImportRow], **columns: object) -> None:
    """Store decided rows, and the file's row counts by status. Raises ValidationError without rows."""
    if not rows:
        raise ValidationError("This file has no such piece to decide.")
    changed = ["pieces", "status", "is_known", "problem", "detail"]
    ParticipantImportRow.objects.bulk_update(rows, changed, batch_size=BATCH)
    counted = Counter(stored.rows.values_list("status", flat=True))
    _update(stored, **{f"{status.value}_rows": counted[status] for status in RowStatus}, **columns)


def _file_name(given: str) -> str:
    """Return the shown name of a file: its last path segment, cleaned and cut; the site never uses it as a path."""
    name = "".join(sign for sign in storable(given) if sign.isprintable()).replace("\\", "/").rpartition("/")[2]
    return name.strip()[-FILE_NAME_LENGTH:] or "participants.csv"
