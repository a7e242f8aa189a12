"""Writes of the parts of a piece: its movements or sections, or the pieces of a set."""

from collections import defaultdict
from collections.abc import Sequence
from decimal import Decimal

from django.core.exceptions import ValidationError
from django.db.models import Count, Q

from apps.competition.limits import PARTS_MOST, PIECE_LENGTH
from apps.competition.models import Appearance, Piece, PiecePart, ProgramPart
from apps.competition.selectors.admin.works_typed import works_typed
from apps.competition.services.catalogue import members_lock, minutes_sum, same_set, set_piece

TOO_MANY_PARTS = "A piece has at most %(most)d parts."
LONG_PART = "The name of a part has at most %(longest)d characters."
IN_A_SET = "%(set)s has this piece, so it has no parts of its own."
IS_A_SET = "This piece is a set: its parts are its pieces."
IS_NO_SET = "This piece is no set."
SAME_SET = "The catalogue has this set already: %(name)s."
_TIMES_GO = "“%(part)s” would go, and its Watch times with it: %(n)d."
_PLAYED = "Programs with this set: %(n)d. They would have the changed set, with the marks of the one before."


def part_names(lines: Sequence[str]) -> list[str]:
    """Return the names of movements in their order, without empty lines. Raises ValidationError at `parts`."""
    names = [" ".join(line.split()) for line in lines if line.strip()]
    if len(names) > PARTS_MOST:
        raise ValidationError({"parts": ValidationError(TOO_MANY_PARTS, params={"most": PARTS_MOST})})
    if any(len(each) > PIECE_LENGTH for each in names):
        raise ValidationError({"parts": ValidationError(LONG_PART, params={"longest": PIECE_LENGTH})})
    return names


def movements_store(piece: Piece, names: Sequence[str]) -> list[ValidationError]:
    """Store the movements or sections of a piece in this order, and return the questions to confirm.

    A movement with an equal name keeps its Watch times. If as many names are new as have gone, those are renamed.
    Raises ValidationError at `parts` for a piece of a set.
    """
    within = PiecePart.objects.filter(member=piece).select_related("piece").first()
    if names and within:
        raise ValidationError({"parts": ValidationError(IN_A_SET, params={"set": within.piece.name})})
    return _parts_store(piece, [PiecePart(piece=piece, name=name) for name in names])


def members_typed(piece_id: int, lines: Sequence[str]) -> tuple[int, ...]:
    """Return the ids of the pieces of a set that were typed, one a line; a set's stored names are not looked for.

    Raises ValidationError at `members`.
    """
    names = [" ".join(line.split()) for line in lines if line.strip()]
    stored = list(
        PiecePart.objects.filter(piece=piece_id).order_by("order_number").values_list("member__name", "member")
    )
    if names == [name for name, _ in stored]:
        return tuple(pk for _, pk in stored)
    return works_typed("\n".join(names), field="members", only_single=True).piece_ids


def members_store(piece: Piece, piece_ids: Sequence[int]) -> list[ValidationError]:
    """Store the pieces of a set in this order, and what follows from them, and return the questions to confirm.

    Title, numbers, composer and orchestra are those of the pieces. A name made of opus and numbers is made again; so
    are category and length. Raises ValidationError at `members`.
    """
    try:
        members = members_lock(piece_ids)
    except ValidationError as error:
        raise ValidationError({"members": error.error_list}) from error
    other = same_set(piece_ids)
    if other and other.pk != piece.pk:
        raise ValidationError({"members": ValidationError(SAME_SET, params={"name": other.name})})
    made = set_piece(members, name="" if piece.title else piece.name)
    piece.title = made.title if piece.title else ""  # a name of its own is shown as it is
    piece.name = made.name or piece.name
    for column in ("category", "composer", "opus", "numbers", "minutes", "with_orchestra"):
        setattr(piece, column, getattr(made, column))
    questions = _parts_store(piece, [PiecePart(piece=piece, member=each) for each in members])
    played = Appearance.objects.filter(program__piece=piece).distinct().count()
    return questions + ([ValidationError(_PLAYED, params={"n": played})] if played else [])


def sets_follow(piece: Piece, *, category: str, minutes: Decimal | None) -> tuple[int, ...]:
    """Store in the sets with a piece what follows from its change, and return their ids.

    Composer and orchestra are those of the pieces, a new category that of the first piece, unless it has a piece with
    the set's name. A length that was the sum stays the sum. `category` and `minutes` are the piece's former ones.
    """
    sets = Piece.objects.select_for_update(no_key=True).filter(parts__member=piece).order_by("pk")
    for each in sets:
        members = list(Piece.objects.filter(sets__piece=each).order_by("sets__order_number"))
        made = set_piece(members)
        has_moved = members[0].pk == piece.pk and piece.category != category
        if has_moved and not Piece.objects.filter(category=piece.category, name=each.name).exists():
            each.category = piece.category
        if each.minutes == minutes_sum([minutes if member.pk == piece.pk else member.minutes for member in members]):
            each.minutes = made.minutes
        each.composer, each.with_orchestra = made.composer, made.with_orchestra
        each.save(update_fields=["category", "composer", "with_orchestra", "minutes"])
    return tuple(each.pk for each in sets)


def _parts_store(piece: Piece, parts: Sequence[PiecePart]) -> list[ValidationError]:
    """Replace the parts of a piece by these unsaved ones; equal ones stay. Return the questions to confirm."""
    free: dict[tuple[str, int | None], list[PiecePart]] = defaultdict(list)
    for each in PiecePart.objects.filter(piece=piece).order_by("order_number"):
        free[each.name, each.member_id].append(each)
    kept = {at: own.pop(0) for at, each in enumerate(parts) if (own := free[each.name, each.member_id])}
    gone = sorted((each for own in free.values() for each in own), key=lambda each: each.order_number)
    new = [at for at in range(len(parts)) if at not in kept]
    if len(gone) == len(new) and all(each.name for each in gone):
        for at, each in zip(new, gone, strict=True):
            each.name, kept[at] = parts[at].name, each
        gone, new = [], []
    questions = _times_questions(gone)
    PiecePart.objects.filter(pk__in=[each.pk for each in gone]).delete()
    for at, each in [*kept.items(), *((at, parts[at]) for at in new)]:
        each.order_number = at + 1
    PiecePart.objects.bulk_update(kept.values(), ["order_number", "name"])
    PiecePart.objects.bulk_create(parts[at] for at in new)
    return questions


def _times_questions(gone: Sequence[PiecePart]) -> list[ValidationError]:
    found = ProgramPart.objects.filter(~Q(timestamp=None) | ~Q(youtube_url=""), part__in=gone)
    times = dict(found.values_list("part").annotate(Count("pk")))
    names = dict(Piece.objects.filter(pk__in=[each.member_id for each in gone]).values_list("pk", "name"))
    return [
        ValidationError(_TIMES_GO, params={"part": each.name or names[each.member_id or 0], "n": times[each.pk]})
        for each in gone
        if each.pk in times
    ]
