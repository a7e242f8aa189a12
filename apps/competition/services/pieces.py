"""Writes of the catalogue, one piece at a time."""

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction

from apps.accounts.actors import Actor
from apps.accounts.audit_notes import change_note
from apps.competition.dependents import pieces_in_use
from apps.competition.events import PiecesChanged
from apps.competition.models import Piece
from apps.competition.permissions import can_edit_competition
from apps.core.edits.row_validation import row_validate
from apps.core.events import publish
from apps.core.permissions import require

_NOT_ALLOWED = "Only administrators edit the catalogue."


@transaction.atomic
def piece_add(*, actor: Actor, category: str, name: str) -> Piece:
    """Add a piece to its category and return it. Raises PermissionDenied, ValidationError at `name` or `category`."""
    require(can_edit_competition(actor), _NOT_ALLOWED)
    piece = Piece(category=category, name=" ".join(name.split()))
    if not piece.name:
        raise ValidationError({"name": "Please enter a piece name"})
    _unique_require(piece)
    row_validate(piece)
    try:
        with transaction.atomic():
            piece.save()
    except IntegrityError:  # somebody else added it meanwhile
        _unique_require(piece)
        raise
    change_note(actor=actor, action="piece.add", subject_id=piece.pk, after=_fields(piece))
    publish(PiecesChanged())
    return piece


@transaction.atomic
def piece_delete(*, actor: Actor, piece_id: int) -> None:
    """Delete a piece of the catalogue.

    Raises PermissionDenied, Piece.DoesNotExist, ValidationError while programs have it or listeners rated it.
    """
    require(can_edit_competition(actor), _NOT_ALLOWED)
    piece = Piece.objects.select_for_update().get(pk=piece_id)
    programs = piece.entries.values("session_participant_id").distinct().count()
    if programs:
        sentence = "Programs have this piece: %(count)d. Take it out of them first."
        raise ValidationError(sentence, params={"count": programs})
    if pieces_in_use([piece_id]):
        raise ValidationError("Listeners have rated this piece, so it stays.")
    piece.delete()
    change_note(actor=actor, action="piece.delete", subject_id=piece_id, before=_fields(piece))
    publish(PiecesChanged())


def _unique_require(piece: Piece) -> None:
    """Raise ValidationError at `name` when the category has a piece of that name."""
    if Piece.objects.filter(category=piece.category, name=piece.name).exists():
        raise ValidationError({"name": "This piece is in the catalogue already."})


def _fields(piece: Piece) -> dict[str, str]:
    return {"name": piece.name, "category": piece.category}
