"""The catalogue as those who edit it see it."""

from collections import defaultdict
from dataclasses import dataclass

from django.db.models import Count

from apps.competition.enums import Category
from apps.competition.models import Piece


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


def pieces_by_category(*, query: str = "") -> tuple[PieceGroup, ...]:
    """Return the five categories with their pieces whose name has every word of `query`. One query."""
    found = Piece.objects.annotate(programs=Count("entries__session_participant", distinct=True))
    for word in query.replace("\x00", "").split():
        found = found.filter(name__icontains=word)
    rows: dict[str, list[PieceRow]] = defaultdict(list)
    for category, pk, name, programs in found.order_by("name", "id").values_list("category", "id", "name", "programs"):
        rows[category].append(PieceRow(pk, name, programs))
    return tuple(PieceGroup(each.value, str(each.label), tuple(rows[each.value])) for each in Category)
