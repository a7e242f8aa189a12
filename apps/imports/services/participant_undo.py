"""Takes an import of participants back: all that it made, while nothing hangs on any of it."""

from collections.abc import Callable

from django.core.exceptions import ValidationError
from django.db import transaction

from apps.accounts.actors import Actor
from apps.accounts.audit_notes import change_note
from apps.competition.permissions import can_edit_competition
from apps.competition.services import participants_lock, participants_remove, pieces_remove
from apps.core.events import publish
from apps.core.permissions import require
from apps.imports.enums import CreationKind, ImportState
from apps.imports.events import ParticipantImportChanged
from apps.imports.models import ParticipantImport
from apps.imports.services.participant_files import NOT_ALLOWED


@transaction.atomic
def import_undo(*, actor: Actor, import_id: int) -> tuple[int, int]:
    """Delete the participants and pieces that an import made; return how many of each were still there.

    Raises PermissionDenied, ParticipantImport.DoesNotExist, ValidationError with what hangs on them; then nothing
    changes.
    """
    require(can_edit_competition(actor), NOT_ALLOWED)
    participants_lock()
    stored = ParticipantImport.objects.select_for_update().get(pk=import_id)
    if stored.state != ImportState.SAVED:
        raise ValidationError("This import was taken back already, or never saved.")
    made = dict(stored.creations.filter(kind=CreationKind.PARTICIPANT).values_list("created_id", "version"))
    piece_ids = list(stored.creations.filter(kind=CreationKind.PIECE).values_list("created_id", flat=True))
    pieces, hanging_pieces = _try(lambda: pieces_remove(actor=actor, piece_ids=piece_ids))
    people, hanging_people = _try(lambda: participants_remove(actor=actor, versions=made))
    if hanging_people or hanging_pieces:
        raise ValidationError(["This import stays as it is.", *hanging_people, *hanging_pieces])
    stored.creations.all().delete()
    ParticipantImport.objects.filter(pk=import_id).update(state=ImportState.UNDONE)
    change_note(
        actor=actor,
        action="import.undo",
        subject_id=import_id,
        name=stored.file_name,
        participants=people,
        pieces=pieces,
    )
    publish(ParticipantImportChanged())
    return people, pieces


def _try(remove: Callable[[], int]) -> tuple[int, list[ValidationError]]:
    """Return how many were removed, and what hangs on them."""
    try:
        return remove(), []
    except ValidationError as error:
        return 0, error.error_list
