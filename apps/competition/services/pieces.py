"""Writes of single pieces of the catalogue."""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict
from decimal import Decimal
from itertools import chain

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.db.models import Q

from apps.accounts.actors import Actor
from apps.accounts.audit_notes import change_note
from apps.competition.composer_names import composer_alike
from apps.competition.enums import Category
from apps.competition.events import PiecesChanged
from apps.competition.models import Appearance, Piece, PiecePart, StageSlot
from apps.competition.permissions import can_edit_competition
from apps.competition.piece_names import parts_read
from apps.competition.selectors.admin.pieces import composers, minutes_text, piece_fields
from apps.competition.services.piece_parts import (
    IS_A_SET,
    IS_NO_SET,
    members_store,
    members_typed,
    movements_store,
    part_names,
    sets_follow,
)
from apps.core.edits import ConfirmationNeeded, Saved, edit_merge, row_validate
from apps.core.events import publish
from apps.core.permissions import require
from apps.core.text_rules import name_clean

_NOT_ALLOWED = "Only administrators edit the catalogue."
_LABELS = {
    "minutes": "Usual length in minutes",
    "score_url": "Score",
    "parts": "Movements or sections",
    "members": "Pieces of a set",
}
_NAMED = 5  # programs, sets and slots that a refusal names
_SPELLING = "The catalogue writes “%(stored)s”. Save “%(typed)s” as another composer?"
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
    minutes: str = "",
    parts: Sequence[str] = (),
    confirmed: bool = False,
) -> Piece:
    """Add a piece to its category and return it; a name that the grammar can read is normalized.

    `composer` is required of works of other composers only, `minutes` is the usual length as typed ("16.5"), `parts`
    are the names of its movements or sections in their order. Raises PermissionDenied, ValidationError by field, and
    unless `confirmed` ConfirmationNeeded for a composer who is perhaps written differently in the catalogue.
    """
    require(can_edit_competition(actor), _NOT_ALLOWED)
    piece = Piece(category=category, minutes=minutes_read(minutes), **asdict(parts_read(name)))
    piece.composer = name_clean(composer) or piece.composer
    names = part_names(parts)
    _store(piece)
    movements_store(piece, names)
    _confirm(_spelling_questions(piece), confirmed=confirmed)
    change_note(actor=actor, action="piece.add", subject_id=piece.pk, after=piece_fields(piece))
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
    composer: str | None = None,
    minutes: str | None = None,
    score_url: str | None = None,
    note: str | None = None,
    parts: Sequence[str] | None = None,
    members: Sequence[str] | None = None,
    version: str | None = None,
    confirmed: bool = False,
) -> Saved[Piece]:
    """Save a piece and return it; programs and ratings keep it. A new name is normalized as in `piece_add`.

    None keeps what is stored. `members` are the pieces of a set as typed, one a line; its composer follows from them.
    `version` is the one that the editor read. Raises PermissionDenied, Piece.DoesNotExist, EditConflict,
    ValidationError by field, and unless `confirmed` ConfirmationNeeded before Watch times of a part go, before programs
    have a changed set, and for the composer as in `piece_add`.
    """
    require(can_edit_competition(actor), _NOT_ALLOWED)
    member_ids = members_typed(piece_id, members) if members is not None else ()
    piece = _family_lock(piece_id, member_ids)
    before, category_before, minutes_before = piece_fields(piece), piece.category, piece.minutes
    given = {
        "name": " ".join(name.split()),
        "category": category,
        "composer": name_clean(composer) if composer is not None and not before["members"] else None,
        "minutes": minutes_text(minutes_read(minutes)) if minutes is not None else None,
        "score_url": score_url.strip() if score_url is not None else None,
        "note": note.strip() if note is not None else None,
        "parts": "\n".join(part_names(parts)) if parts is not None else None,
        "members": "\n".join(_names(member_ids)) if members is not None else None,
    }
    _kind_require(before, given)
    given = {name: text for name, text in given.items() if text is not None}
    words = {"category": str(Category(piece.category).label)}
    fields, kept_fields = edit_merge(version=version, stored=before, given=given, labels=_LABELS, words=words)
    changed = {name for name, text in fields.items() if text != before[name]}
    questions = members_store(piece, member_ids) if "members" in changed else []
    _fields_set(piece, fields, changed)
    _store(piece)
    if "parts" in changed:
        questions += movements_store(piece, fields["parts"].splitlines())
    if "composer" in changed:
        questions += _spelling_questions(piece)
    _confirm(questions, confirmed=confirmed)
    change_note(
        actor=actor,
        action="piece.update",
        subject_id=piece.pk,
        name=piece.name,
        before=before,
        after=piece_fields(piece),
    )
    sets = sets_follow(piece, category=category_before, minutes=minutes_before)
    _shown_announce(piece, (*sets, *member_ids))
    return Saved(piece, kept_fields)


def _family_lock(piece_id: int, member_ids: Sequence[int]) -> Piece:
    """Lock a piece with its sets and its present and new pieces, in one order, and return it."""
    links = PiecePart.objects.filter(Q(piece=piece_id) | Q(member=piece_id), member__isnull=False)
    ids = {piece_id, *member_ids, *chain.from_iterable(links.values_list("piece", "member"))}
    locked = list(Piece.objects.select_for_update(no_key=True).filter(pk__in=ids).order_by("pk"))
    found = next((each for each in locked if each.pk == piece_id), None)
    if found is None:
        raise Piece.DoesNotExist
    return found


def _names(piece_ids: Sequence[int]) -> list[str]:
    """Return the names of pieces in this order."""
    names = dict(Piece.objects.filter(pk__in=piece_ids).values_list("pk", "name"))
    return [names[each] for each in piece_ids if each in names]


def _kind_require(before: Mapping[str, str], given: Mapping[str, str | None]) -> None:
    """Raise ValidationError for movements of a set, and for pieces of one that is no set."""
    if given["parts"] and before["members"]:
        raise ValidationError({"parts": IS_A_SET})
    if given["members"] and not before["members"]:
        raise ValidationError({"members": IS_NO_SET})


def _fields_set(piece: Piece, fields: Mapping[str, str], changed: Collection[str]) -> None:
    """Set the columns of a piece. In a set only changed fields count: the others follow from its pieces."""
    is_set = bool(fields["members"])
    piece.score_url, piece.note = fields["score_url"], fields["note"]
    if "category" in changed or not is_set:
        piece.category = fields["category"]
    if "minutes" in changed or not is_set:
        piece.minutes = minutes_read(fields["minutes"])
    if is_set and "name" in changed:
        piece.name, piece.title = fields["name"], ""  # no parser of names knows sets; without a title it is shown
    elif not is_set and ("name" in changed or not piece.title):
        stored = piece.composer
        for column, value in asdict(parts_read(fields["name"])).items():
            setattr(piece, column, value)
        piece.composer = stored or piece.composer  # a name says nothing about another composer
    if "composer" in changed and not is_set:
        piece.composer = fields["composer"] or parts_read(fields["name"]).composer


def _spelling_questions(piece: Piece) -> list[ValidationError]:
    """Return the question whether the composer is another one than a stored one with a similar name."""
    stored = composer_alike(piece.composer, composers(without=piece.pk)) if piece.composer else ""
    return [ValidationError(_SPELLING, params={"stored": stored, "typed": piece.composer})] if stored else []


def _confirm(questions: Sequence[ValidationError], *, confirmed: bool) -> None:
    if questions and not confirmed:
        raise ConfirmationNeeded(list(questions))


@transaction.atomic
def piece_delete(*, actor: Actor, piece_id: int) -> None:
    """Delete a piece of the catalogue.

    Raises PermissionDenied, Piece.DoesNotExist, ValidationError with the programs, sets and slots that contain it.
    Ratings need no check: they belong to pieces of programs.
    """
    require(can_edit_competition(actor), _NOT_ALLOWED)
    piece = Piece.objects.select_for_update().get(pk=piece_id)
    _unused_require(piece)
    before = piece_fields(piece)
    piece.delete()
    change_note(actor=actor, action="piece.delete", subject_id=piece_id, before=before)
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


def _unused_require(piece: Piece) -> None:
    """Raise ValidationError with the programs (the newest first), the sets and the slots that contain the piece."""
    found = Appearance.objects.filter(program__piece=piece).distinct()
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


def _shown_announce(piece: Piece, others: Sequence[int]) -> None:
    """Publish the change to the catalogue, to pages of programs with the piece, and to other pieces that show it."""
    places = Appearance.objects.filter(program__piece=piece).values_list("session_id", "participant_id")
    session_ids, participant_ids = {pair[0] for pair in places}, {pair[1] for pair in places}
    publish(PiecesChanged(tuple(sorted(session_ids)), tuple(sorted(participant_ids)), (piece.pk, *others)))
