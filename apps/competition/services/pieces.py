"""Writes of single pieces of the catalogue."""

from dataclasses import asdict

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction

from apps.accounts.actors import Actor
from apps.accounts.audit_notes import change_note
from apps.competition.enums import Category
from apps.competition.events import PiecesChanged
from apps.competition.models import Piece, SessionParticipant
from apps.competition.permissions import can_edit_competition
from apps.competition.piece_names import parts_read
from apps.competition.selectors.admin.pieces import piece_fields
from apps.core.edits import Saved, edit_merge, row_validate
from apps.core.events import publish
from apps.core.permissions import require

_NOT_ALLOWED = "Only administrators edit the catalogue."
_LABELS = {"score_url": "Score"}
_NAMED = 5  # programs that a refusal names


@transaction.atomic
def piece_add(*, actor: Actor, category: str, name: str) -> Piece:
    """Add a piece to its category and return it; a name that the grammar can read is normalized.

    Raises PermissionDenied, ValidationError at `name` or `category`.
    """
    require(can_edit_competition(actor), _NOT_ALLOWED)
    piece = Piece(category=category, **asdict(parts_read(name)))
    _store(piece)
    change_note(actor=actor, action="piece.add", subject_id=piece.pk, after=piece_fields(piece))
    publish(PiecesChanged(piece_ids=(piece.pk,)))
    return piece


@transaction.atomic
def piece_update(
    *,
    actor: Actor,
    piece_id: int,
    category: str,
    name: str,
    score_url: str | None = None,
    note: str | None = None,
    version: str | None = None,
) -> Saved[Piece]:
    """Save a piece and return it; programs and ratings keep it. A new name is normalized as in `piece_add`.

    None keeps the stored score and note. `version` is the one that the editor read. Raises PermissionDenied,
    Piece.DoesNotExist, EditConflict, ValidationError by field.
    """
    require(can_edit_competition(actor), _NOT_ALLOWED)
    piece = Piece.objects.select_for_update(no_key=True).get(pk=piece_id)
    before = piece_fields(piece)
    about = {name: text.strip() for name, text in (("score_url", score_url), ("note", note)) if text is not None}
    given = {"name": " ".join(name.split()), "category": category, **about}
    words = {"category": str(Category(piece.category).label)}
    fields, kept_fields = edit_merge(version=version, stored=before, given=given, labels=_LABELS, words=words)
    piece.category, piece.score_url, piece.note = fields["category"], fields["score_url"], fields["note"]
    if fields["name"] != piece.name or not piece.title:
        for column, value in asdict(parts_read(fields["name"])).items():
            setattr(piece, column, value)
    _store(piece)
    change_note(
        actor=actor,
        action="piece.update",
        subject_id=piece.pk,
        name=piece.name,
        before=before,
        after=piece_fields(piece),
    )
    _shown_announce(piece)
    return Saved(piece, kept_fields)


@transaction.atomic
def piece_delete(*, actor: Actor, piece_id: int) -> None:
    """Delete a piece of the catalogue.

    Raises PermissionDenied, Piece.DoesNotExist, ValidationError with the programs that contain it. Ratings need no
    check: they belong to pieces of programs.
    """
    require(can_edit_competition(actor), _NOT_ALLOWED)
    piece = Piece.objects.select_for_update().get(pk=piece_id)
    _in_no_program_require(piece)
    piece.delete()
    change_note(actor=actor, action="piece.delete", subject_id=piece_id, before=piece_fields(piece))
    publish(PiecesChanged(piece_ids=(piece_id,)))


def _store(piece: Piece) -> None:
    """Store a piece. Raises ValidationError at `name` or `category`."""
    if not piece.name:
        raise ValidationError({"name": "Please enter a piece name"})
    _unique_require(piece)
    row_validate(piece)
    try:
        with transaction.atomic():
            piece.save()
    except IntegrityError:  # race condition: another transaction stored it first
        _unique_require(piece)
        raise


def _unique_require(piece: Piece) -> None:
    """Raise ValidationError at `name` when the category has another piece with that name."""
    if Piece.objects.filter(category=piece.category, name=piece.name).exclude(pk=piece.pk).exists():
        raise ValidationError({"name": "This piece is in the catalogue already."})


def _in_no_program_require(piece: Piece) -> None:
    """Raise ValidationError with the programs that contain the piece, the newest first."""
    found = SessionParticipant.objects.filter(program__piece=piece).distinct()
    ordered = found.order_by("-session__starts_at", "order_number", "id")
    places = [f"{name} ({session})" for name, session in ordered.values_list("participant__name", "session__title")]
    if not places:
        return
    more = len(places) - _NAMED
    named = ", ".join(places[:_NAMED])
    if more > 0:
        sentence = "These programs have this piece: %(programs)s, and %(more)d more. Take it out of them first."
        raise ValidationError(sentence, params={"programs": named, "more": more})
    sentence = "These programs have this piece: %(programs)s. Take it out of them first."
    raise ValidationError(sentence, params={"programs": named})


def _shown_announce(piece: Piece) -> None:
    """Publish the change to the catalogue and to pages of programs with the piece."""
    places = SessionParticipant.objects.filter(program__piece=piece).values_list("session_id", "participant_id")
    session_ids, participant_ids = {pair[0] for pair in places}, {pair[1] for pair in places}
    publish(PiecesChanged(tuple(sorted(session_ids)), tuple(sorted(participant_ids)), (piece.pk,)))
