"""The catalogue for administrators."""

from collections import defaultdict
from dataclasses import dataclass

from django.db.models import Count, QuerySet

from apps.competition.enums import Category
from apps.competition.models import Piece

OFFERED = 80  # pieces to choose from at a time; a search finds the others


@dataclass(frozen=True, slots=True)
class PieceRow:
    """A piece, and how many programs have it."""

    id: int
    name: str
    programs: int


@dataclass(frozen=True, slots=True)
class PieceGroup:
    """A category with its pieces by name."""

    category: str
    label: str  # the source of its translation
    pieces: tuple[PieceRow, ...]

    @property
    def count(self) -> int:
        """How many pieces were found in this category."""
        return len(self.pieces)


@dataclass(frozen=True, slots=True)
class PieceChoice:
    """Some pieces of a category, and whether there are more than are shown."""

    pieces: tuple[tuple[int, str], ...]  # ids and names
    more: bool


@dataclass(frozen=True, slots=True)
class PieceFacts:
    """A piece with what is known of its title; unknown parts are empty or None."""

    id: int
    name: str
    category: str
    title: str
    key: str
    opus: str
    number: int | None


def piece_facts() -> tuple[PieceFacts, ...]:
    """Return all pieces of the catalogue by id. One query."""
    columns = ("id", "name", "category", "title", "key", "opus", "number")
    return tuple(PieceFacts(*row) for row in Piece.objects.order_by("id").values_list(*columns))


def pieces_to_choose(*, category: str, query: str = "") -> PieceChoice:
    """Return at most OFFERED pieces of a category by name, whose name has every word of `query`. One query."""
    found = _with_words(Piece.objects.filter(category=category), query).order_by("name", "id")
    pieces = tuple(found.values_list("id", "name")[: OFFERED + 1])
    return PieceChoice(pieces[:OFFERED], len(pieces) > OFFERED)


def pieces_by_category(*, query: str = "") -> tuple[PieceGroup, ...]:
    """Return the five categories with their pieces whose name has every word of `query`. One query."""
    found = _with_words(Piece.objects.all(), query).annotate(
        programs=Count("entries__session_participant", distinct=True)
    )
    rows: dict[str, list[PieceRow]] = defaultdict(list)
    for category, pk, name, programs in found.order_by("name", "id").values_list("category", "id", "name", "programs"):
        rows[category].append(PieceRow(pk, name, programs))
    return tuple(PieceGroup(each.value, str(each.label), tuple(rows[each.value])) for each in Category)


def _with_words(found: QuerySet[Piece], query: str) -> QuerySet[Piece]:
    """Return those of `found` whose name has every word of `query`."""
    for word in query.replace("\x00", "").split():
        found = found.filter(name__icontains=word)
    return found
