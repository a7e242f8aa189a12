"""The load of the built-in catalogue, and the sets of its pieces."""

from collections.abc import Iterable, Sequence
from decimal import Decimal

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction

from apps.accounts.actors import Actor
from apps.accounts.audit_notes import change_note
from apps.competition.enums import Category
from apps.competition.events import PiecesChanged
from apps.competition.limits import PARTS_MOST
from apps.competition.models import CatalogueLoad, Piece, PiecePart
from apps.competition.permissions import can_edit_competition
from apps.competition.selectors.admin.pieces import piece_fields
from apps.competition.works import COMPOSER, Work, numbers_text, plural_title, set_name, usual_sets, works
from apps.core.edits import row_validate
from apps.core.events import note, publish
from apps.core.permissions import require

_SETS = "sets"  # the name of their load, beside the categories
_Identity = tuple[str, int | None, str]


@transaction.atomic
def catalogue_load() -> int:
    """Add the works of each category that was never loaded, and the usual sets; return the number of new pieces.

    What administrators renamed stays, and what they deleted does not come back. A work that they added is the same if
    composer, opus and number are equal; of several works with the same number, also the key.
    """
    loaded = {row.name for row in CatalogueLoad.objects.select_for_update()}
    new = [name for name in (*Category.values, _SETS) if name not in loaded]
    if not new:
        return 0
    CatalogueLoad.objects.bulk_create([CatalogueLoad(name=name) for name in new])
    known = {_identity(each) for each in Piece.objects.filter(composer=COMPOSER, parts__member=None)}
    missing = [each for each in works() if each.category in new and _work_identity(each) not in known]
    stored = _works_store(missing) + (_sets_store() if _SETS in new else ())
    note(PiecesChanged(piece_ids=tuple(each.pk for each in stored)))
    return len(stored)


def _identity(piece: Piece) -> _Identity:
    return piece.opus, piece.number, piece.key if piece.opus == "posth." else ""


def _work_identity(work: Work) -> _Identity:
    return work.opus, work.number, work.key if work.opus == "posth." else ""


def _works_store(missing: Sequence[Work]) -> tuple[Piece, ...]:
    """Store these works with their parts; one whose name its category has already is left out."""
    taken = set(Piece.objects.values_list("category", "name"))
    new = {(each.category.value, each.name): each for each in missing}
    pieces = Piece.objects.bulk_create(_piece(work) for key, work in new.items() if key not in taken)
    parts = [
        PiecePart(piece=piece, order_number=number, name=name)
        for piece in pieces
        for number, name in enumerate(new[piece.category, piece.name].parts, start=1)
    ]
    PiecePart.objects.bulk_create(parts)
    return tuple(pieces)


def _piece(work: Work) -> Piece:
    return Piece(
        name=work.name,
        category=work.category,
        composer=COMPOSER,
        title=work.title,
        key=work.key,
        opus=work.opus,
        number=work.number,
        minutes=work.minutes,
        with_orchestra=work.with_orchestra,
    )


def _sets_store() -> tuple[Piece, ...]:
    """Store the usual sets whose works are all in the catalogue."""
    found = Piece.objects.filter(composer=COMPOSER, parts=None).order_by("-pk")
    pieces = {_identity(each): each for each in found}
    taken = set(Piece.objects.values_list("category", "name"))
    new: list[tuple[Piece, list[Piece]]] = []
    for each in usual_sets():
        members = [pieces.get(_work_identity(work)) for work in each.works]
        present = [member for member in members if member is not None]
        if len(present) < len(members):
            continue
        piece = set_piece(present, is_whole=each.is_whole)
        if (piece.category, piece.name) not in taken:
            new.append((piece, present))
    stored = Piece.objects.bulk_create(piece for piece, _ in new)
    PiecePart.objects.bulk_create(part for piece, members in new for part in _members(piece, members))
    return tuple(stored)


def set_piece(members: Sequence[Piece], *, is_whole: bool = False, name: str = "") -> Piece:
    """Return the unsaved piece of a set; its name is that of the opus and the numbers, if all have the same."""
    first = members[0]
    is_one = bool(first.opus and first.title) and len({(each.composer, each.title, each.opus) for each in members}) == 1
    numbers = [each.number for each in members if each.number is not None]
    is_one = is_one and len(numbers) == len(members)
    title, text = (plural_title(first.title), numbers_text(numbers)) if is_one else ("", "")
    own = set_name(title=title, opus=first.opus, numbers="" if is_whole else text) if is_one else ""
    return Piece(
        name=name or own,
        category=first.category,
        composer=first.composer if len({each.composer for each in members}) == 1 else "",
        title=title,
        opus=first.opus if is_one else "",
        numbers=text,
        minutes=minutes_sum([each.minutes for each in members]),
        with_orchestra=any(each.with_orchestra for each in members),
    )


def minutes_sum(minutes: Sequence[Decimal | None]) -> Decimal | None:
    """Return the length of several pieces, None if one of theirs is not known."""
    return sum(filter(None, minutes), Decimal(0)) if all(minutes) else None


def _members(piece: Piece, members: Iterable[Piece]) -> list[PiecePart]:
    return [PiecePart(piece=piece, order_number=number, member=each) for number, each in enumerate(members, start=1)]


@transaction.atomic
def set_add(*, actor: Actor, piece_ids: Sequence[int], name: str = "") -> Piece:
    """Return the set of these pieces in their order; without one, it is added to the catalogue.

    `name` is required for pieces that are not numbers of one opus. Raises PermissionDenied, ValidationError for less
    than two pieces or more than PARTS_MOST, a piece twice, an unknown piece, and a piece that has parts.
    """
    require(can_edit_competition(actor), "Only administrators edit the catalogue.")
    members = members_lock(piece_ids)
    return same_set(piece_ids) or _set_store(actor, set_piece(members, name=" ".join(name.split())), members)


def members_lock(piece_ids: Sequence[int]) -> list[Piece]:
    """Lock the pieces of a set and return them in their order. Raises ValidationError as `set_add`."""
    if len(piece_ids) < 2:  # noqa: PLR2004 - the meaning of a set
        raise ValidationError("A set has at least two pieces.")
    if len(piece_ids) > PARTS_MOST:
        raise ValidationError("A set has at most %(most)d pieces.", params={"most": PARTS_MOST})
    if len(set(piece_ids)) < len(piece_ids):
        raise ValidationError("A set has each of its pieces once.")
    locked = Piece.objects.select_for_update(no_key=True).filter(pk__in=piece_ids).order_by("pk")
    pieces = {each.pk: each for each in locked}
    if len(pieces) < len(piece_ids):
        raise ValidationError("This piece is not in the catalogue.")
    whole = PiecePart.objects.filter(piece__in=pieces).select_related("piece").first()
    if whole:
        raise ValidationError("%(piece)s has parts, so it is in no set.", params={"piece": whole.piece.name})
    return [pieces[each] for each in piece_ids]


def same_set(piece_ids: Sequence[int]) -> Piece | None:
    """Return the set with exactly these pieces in this order, or None."""
    for each in Piece.objects.filter(parts__member=piece_ids[0]).prefetch_related("parts"):
        ordered = sorted(each.parts.all(), key=lambda part: part.order_number)
        if [part.member_id for part in ordered] == list(piece_ids):
            return each
    return None


def _set_store(actor: Actor, piece: Piece, members: Sequence[Piece]) -> Piece:
    if not piece.name:
        raise ValidationError({"name": "Please enter a name for this set"})
    if Piece.objects.filter(category=piece.category, name=piece.name).exists():
        raise ValidationError({"name": "This piece is in the catalogue already."})
    row_validate(piece)
    try:
        with transaction.atomic():
            piece.save()
    except IntegrityError as error:  # race condition: another transaction stored it first
        raise ValidationError({"name": "This piece is in the catalogue already."}) from error
    PiecePart.objects.bulk_create(_members(piece, members))
    change_note(actor=actor, action="piece.add", subject_id=piece.pk, after=piece_fields(piece))
    publish(PiecesChanged(piece_ids=(piece.pk, *(each.pk for each in members))))
    return piece
