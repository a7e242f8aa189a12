"""Writes of single pieces of the catalogue."""

import re
from collections.abc import Sequence
from dataclasses import asdict
from decimal import Decimal

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction

from apps.accounts.actors import Actor
from apps.accounts.audit_notes import change_note
from apps.competition.enums import Category
from apps.competition.events import PiecesChanged
from apps.competition.limits import PARTS_MOST, PIECE_LENGTH
from apps.competition.models import Piece, PiecePart, SessionParticipant, StageSlot
from apps.competition.permissions import can_edit_competition
from apps.competition.piece_names import parts_read
from apps.competition.selectors.admin.pieces import piece_fields
from apps.competition.works import COMPOSER
from apps.core.edits import Saved, edit_merge, row_validate
from apps.core.events import publish
from apps.core.permissions import require

_NOT_ALLOWED = "Only administrators edit the catalogue."
_LABELS = {"score_url": "Score"}
_NAMED = 5  # programs, sets and slots that a refusal names
TOO_MANY_PARTS = "A piece has at most %(most)d parts."
LONG_PART = "The name of a part has at most %(longest)d characters."
_IN_PROGRAMS = (  # the sentences for few and for many
    "These programs have this piece: %(places)s. Take it out of them first.",
    "These programs have this piece: %(places)s, and %(more)d more. Take it out of them first.",
)
_IN_SETS = (
    "These sets have this piece: %(places)s. Delete them first.",
    "These sets have this piece: %(places)s, and %(more)d more. Delete them first.",
)
_IN_SLOTS = (
    "These slots allow this piece: %(places)s. Take it out of them first.",
    "These slots allow this piece: %(places)s, and %(more)d more. Take it out of them first.",
)


@transaction.atomic
def piece_add(
    *,
    actor: Actor,
    category: str,
    name: str,
    composer: str = "",
    minutes: Decimal | None = None,
    parts: Sequence[str] = (),
) -> Piece:
    """Add a piece to its category and return it; a name that the grammar can read is normalized.

    `composer` is required of works of other composers only, `minutes` is the usual length, `parts` are the names of its
    movements or sections in their order. Raises PermissionDenied, ValidationError by field.
    """
    require(can_edit_competition(actor), _NOT_ALLOWED)
    piece = Piece(category=category, minutes=minutes, **asdict(parts_read(name)))
    piece.composer = " ".join(composer.split()) or piece.composer
    names = [" ".join(part.split()) for part in parts if part.strip()]
    if len(names) > PARTS_MOST:
        raise ValidationError({"parts": ValidationError(TOO_MANY_PARTS, params={"most": PARTS_MOST})})
    if any(len(each) > PIECE_LENGTH for each in names):
        raise ValidationError({"parts": ValidationError(LONG_PART, params={"longest": PIECE_LENGTH})})
    _store(piece)
    PiecePart.objects.bulk_create(
        PiecePart(piece=piece, order_number=number, name=each) for number, each in enumerate(names, start=1)
    )
    after = piece_fields(piece) | ({"parts": names} if names else {})
    change_note(actor=actor, action="piece.add", subject_id=piece.pk, after=after)
    publish(PiecesChanged(piece_ids=(piece.pk,)))
    return piece


def minutes_read(typed: str) -> Decimal | None:
    """Return the usual length in minutes, such as "16.5" or "16,5"; None for an empty text.

    Raises ValidationError at `minutes`.
    """
    if not typed:
        return None
    if not re.fullmatch(r"[0-9]{1,3}([.,][0-9])?", typed) or not float(typed.replace(",", ".")):
        raise ValidationError({"minutes": "Write minutes in digits, such as 16 or 16.5."})
    return Decimal(typed.replace(",", "."))


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
    is_set = piece.parts.filter(member__isnull=False).exists()
    if is_set and fields["name"] != piece.name:
        piece.name, piece.title = fields["name"], ""  # no parser of names knows sets; without a title it is shown
    elif not is_set and (fields["name"] != piece.name or not piece.title):
        composer = piece.composer
        for column, value in asdict(parts_read(fields["name"])).items():
            setattr(piece, column, value)
        if composer != COMPOSER:
            piece.composer = composer or piece.composer  # a name says nothing about another composer
    _store(piece)
    change_note(
        actor=actor,
        action="piece.update",
        subject_id=piece.pk,
        name=piece.name,
        before=before,
        after=piece_fields(piece),
    )
    _sets_follow(piece)
    _shown_announce(piece)
    return Saved(piece, kept_fields)


@transaction.atomic
def piece_delete(*, actor: Actor, piece_id: int) -> None:
    """Delete a piece of the catalogue.

    Raises PermissionDenied, Piece.DoesNotExist, ValidationError with the programs, sets and slots that contain it.
    Ratings need no check: they belong to pieces of programs.
    """
    require(can_edit_competition(actor), _NOT_ALLOWED)
    piece = Piece.objects.select_for_update().get(pk=piece_id)
    _unused_require(piece)
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


def _sets_follow(piece: Piece) -> None:
    """Give the sets that begin with this piece its category, unless that has a piece with the set's name."""
    begun = PiecePart.objects.filter(member=piece, order_number=1).values("piece")
    for each in Piece.objects.select_for_update(no_key=True).filter(pk__in=begun).exclude(category=piece.category):
        if not Piece.objects.filter(category=piece.category, name=each.name).exists():
            each.category = piece.category
            each.save(update_fields=["category"])


def _unused_require(piece: Piece) -> None:
    """Raise ValidationError with the programs (the newest first), the sets and the slots that contain the piece."""
    found = SessionParticipant.objects.filter(program__piece=piece).distinct()
    ordered = found.order_by("-session__starts_at", "order_number", "id")
    programs = [f"{name} ({session})" for name, session in ordered.values_list("participant__name", "session__title")]
    sets = list(PiecePart.objects.filter(member=piece).order_by("piece_id").values_list("piece__name", flat=True))
    allowing = StageSlot.objects.filter(allowances__piece=piece).order_by("stage__order_number", "order_number")
    slots = [f"{label} ({stage})" for label, stage in allowing.values_list("label", "stage__name")]
    errors = [
        ValidationError(sentences[len(places) > _NAMED], params=_places(places))
        for sentences, places in ((_IN_PROGRAMS, programs), (_IN_SETS, sets), (_IN_SLOTS, slots))
        if places
    ]
    if errors:
        raise ValidationError(errors)


def _places(places: Sequence[str]) -> dict[str, str | int]:
    return {"places": ", ".join(places[:_NAMED]), "more": len(places) - _NAMED}


def _shown_announce(piece: Piece) -> None:
    """Publish the change to the catalogue and to pages of programs with the piece."""
    places = SessionParticipant.objects.filter(program__piece=piece).values_list("session_id", "participant_id")
    session_ids, participant_ids = {pair[0] for pair in places}, {pair[1] for pair in places}
    publish(PiecesChanged(tuple(sorted(session_ids)), tuple(sorted(participant_ids)), (piece.pk,)))
