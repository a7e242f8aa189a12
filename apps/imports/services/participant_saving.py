"""Saves a participant file: all of its good rows or none, each person and piece once."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import date

from django.core.exceptions import ValidationError
from django.db import DataError, IntegrityError, connection, transaction
from django.utils import timezone

from apps.accounts.actors import Actor
from apps.accounts.audit_notes import change_note
from apps.competition.services import NewParticipant, NewPiece, participants_add, pieces_add
from apps.competition.services.catalogue import COMPOSER
from apps.core.database.clock import venue_zone
from apps.core.events import publish
from apps.imports.enums import CreationKind, ImportState, RowStatus
from apps.imports.events import ParticipantImportChanged
from apps.imports.models import ImportCreation, ParticipantImport, ParticipantImportRow
from apps.imports.participant_files.pieces import FilePiece, piece_read
from apps.imports.participant_files.plan import KnownPeople
from apps.imports.program_lines.catalogue import Catalogue
from apps.imports.selectors import ImportSummary, plan_basis
from apps.imports.services.participant_files import BATCH, import_lock

STAGE = "Preliminary Round"
SAVING_FAILED = "Error saving data"
_LOCK = "SELECT pg_advisory_xact_lock(hashtext('parterre participants'))"
_GOOD = (RowStatus.NEW, RowStatus.EXISTING)


@transaction.atomic
def import_save(*, actor: Actor, import_id: int) -> ImportSummary:
    """Save the good rows of a file and return what that came to.

    Existing participants keep what they have. Raises PermissionDenied, ParticipantImport.DoesNotExist,
    ValidationError when it was saved already or the database refuses a row; then nothing changes.
    """
    imports_lock()
    stored = import_lock(actor, import_id)
    rows = list(stored.rows.filter(status__in=_GOOD).order_by("position"))
    known, catalogue = plan_basis()
    pieces = _pieces(rows, catalogue)
    people = _new_people(rows, known)
    try:
        with transaction.atomic():
            made = _make(actor, people, [piece for piece in pieces.values() if not piece.is_known], pieces)
    except (IntegrityError, DataError) as error:
        raise ValidationError(SAVING_FAILED) from error
    creations = [ImportCreation(participant_import=stored, kind=k, created_id=pk, version=v) for k, pk, v in made]
    ImportCreation.objects.bulk_create(creations, batch_size=BATCH)
    new_pieces = sum(not piece.is_known for piece in {piece.name: piece for piece in pieces.values()}.values())
    existing_pieces = len({piece.name for piece in pieces.values()}) - new_pieces
    summary = ImportSummary(len(people), len(rows) - len(people), new_pieces, existing_pieces)
    _saved_note(actor, stored, summary)
    return summary


def imports_lock() -> None:
    """Let nobody else save a file, or take one back, until this transaction ends."""
    with connection.cursor() as cursor:
        cursor.execute(_LOCK)


def _pieces(rows: Iterable[ParticipantImportRow], catalogue: Catalogue) -> dict[str, FilePiece]:
    """Return each piece of the rows by the name that they give it, as the catalogue has it now or shall have it."""
    pieces: dict[str, FilePiece] = {}
    for row in rows:
        for stored in row.pieces:
            if stored["name"] not in pieces:
                now = piece_read(stored["name"], catalogue)
                pieces[stored["name"]] = now if now.is_known else replace(FilePiece(**stored), is_known=False)
    return pieces


def _new_people(rows: Iterable[ParticipantImportRow], known: KnownPeople) -> list[ParticipantImportRow]:
    """Return the rows whose participants are not there, each participant once."""
    people = []
    for row in rows:
        name = (row.first_name, row.last_name, row.country)
        if known.line_of(*name) is None:
            known.add(*name, row.line)
            people.append(row)
    return people


def _make(
    actor: Actor, people: Sequence[ParticipantImportRow], missing: Sequence[FilePiece], named: dict[str, FilePiece]
) -> list[tuple[CreationKind, int, str]]:
    """Add the participants and pieces; return the kind, id and version of each."""
    unique = {piece.name: piece for piece in missing}
    piece_ids = pieces_add(actor=actor, pieces=[_new_piece(piece) for piece in unique.values()])
    added = participants_add(
        actor=actor, participants=[_new_participant(row, named) for row in people], stage=STAGE, on=_today()
    )
    return [
        *((CreationKind.PIECE, pk, "") for pk in piece_ids),
        *((CreationKind.PARTICIPANT, pk, version) for pk, version in added),
    ]


def _new_piece(piece: FilePiece) -> NewPiece:
    return NewPiece(piece.category, piece.name, COMPOSER, piece.title, piece.key, piece.opus, piece.number)


def _new_participant(row: ParticipantImportRow, named: dict[str, FilePiece]) -> NewParticipant:
    name = f"{row.first_name} {row.last_name}"
    biography = f"{name} comes from {row.country} and takes part in the competition."
    program = "\n".join(named[piece["name"]].name for piece in row.pieces)
    return NewParticipant(row.first_name, row.last_name, row.country, biography, program)


def _today() -> date:
    """Return the day that it is in the hall."""
    return timezone.now().astimezone(venue_zone()).date()


def _saved_note(actor: Actor, stored: ParticipantImport, summary: ImportSummary) -> None:
    """Store what the import came to; note it if it made anything, and tell whoever looks at imports."""
    numbers = {field: getattr(summary, field) for field in summary.__slots__}
    ParticipantImport.objects.filter(pk=stored.pk).update(state=ImportState.SAVED, saved_at=timezone.now(), **numbers)
    if summary.new_participants or summary.new_pieces:
        change_note(actor=actor, action="import.save", subject_id=stored.pk, name=stored.file_name, **numbers)
    publish(ParticipantImportChanged())
