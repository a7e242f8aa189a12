"""The catalogue for administrators."""

from collections import defaultdict
from dataclasses import dataclass
from itertools import accumulate

from django.db.models import Case, Count, F, QuerySet, Value, When
from django.db.models.functions import Length, NullIf

from apps.competition.enums import Category
from apps.competition.limits import PIECES_SHOWN
from apps.competition.models import Piece
from apps.competition.selectors.public.programs import piece_title
from apps.competition.selectors.public.results import PieceTitle
from apps.core.database.paging import page_of
from apps.core.database.plain_text import Plain, plain
from apps.core.edits.edit_merge import version_of

OFFERED = 80  # pieces to choose from at a time; a search finds the others


@dataclass(frozen=True, slots=True)
class PieceRow:
    """A piece, and how many programs have it."""

    piece: PieceTitle
    programs: int


@dataclass(frozen=True, slots=True)
class PieceEdit:
    """A piece as its form shows it; `version` is the one to send back."""

    id: int
    name: str
    category: str
    version: str


@dataclass(frozen=True, slots=True)
class PieceGroup:
    """A category with its pieces by opus and number: those of one page, and how many were found in all."""

    category: str
    label: str  # the source of its translation
    pieces: tuple[PieceRow, ...]
    count: int
    number: int  # of the page on which it begins


@dataclass(frozen=True, slots=True)
class PiecePage:
    """One page of the catalogue: all categories, with the pieces of the page."""

    groups: tuple[PieceGroup, ...]
    number: int
    pages: int


@dataclass(frozen=True, slots=True)
class PieceChoice:
    """Some pieces of a category, and whether there are more than are shown."""

    pieces: tuple[PieceTitle, ...]
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


def piece_fields(piece: Piece) -> dict[str, str]:
    """Return a piece's editable values by field."""
    return {"name": piece.name, "category": piece.category}


def piece_edit(*, piece_id: int) -> PieceEdit | None:
    """Return a piece to be edited, or None when there is none with that id. One query."""
    piece = Piece.objects.filter(pk=piece_id).first()
    return PieceEdit(piece.pk, piece.name, piece.category, version_of(piece_fields(piece))) if piece else None


def pieces_to_choose(*, category: str, query: str = "") -> PieceChoice:
    """Return at most OFFERED pieces of a category in order, whose name has every word of `query`. One query."""
    found = _in_order(_with_words(Piece.objects.filter(category=category), query))[: OFFERED + 1]
    pieces = tuple(piece_title(piece) for piece in found)
    return PieceChoice(pieces[:OFFERED], len(pieces) > OFFERED)


def pieces_by_category(*, query: str = "", number: int = 1) -> PiecePage:
    """Return a page of the five categories with their pieces in order, whose name has every word of `query`.

    Two queries.
    """
    found = _with_words(Piece.objects.all(), query)
    counts = dict(found.order_by().values_list("category").annotate(Count("pk")))
    place = Case(*(When(category=each, then=Value(at)) for at, each in enumerate(Category)), default=Value(0))
    page = page_of(
        _in_order(found, place), total=sum(counts.values()), number=number, size=PIECES_SHOWN, read=_with_programs
    )
    rows: dict[str, list[PieceRow]] = defaultdict(list)
    for row in page.rows:
        rows[row.piece.category].append(row)
    begins = accumulate((counts.get(each.value, 0) for each in Category), initial=0)
    groups = [
        PieceGroup(each, str(each.label), tuple(rows[each]), counts.get(each, 0), at // PIECES_SHOWN + 1)
        for each, at in zip(Category, begins, strict=False)
    ]
    return PiecePage(tuple(groups), page.number, page.pages)


def _with_programs(found: QuerySet[Piece]) -> tuple[PieceRow, ...]:
    counted = found.annotate(programs=Count("entries__session_participant", distinct=True))
    return tuple(PieceRow(piece_title(piece), piece.programs) for piece in counted)


def _in_order(found: QuerySet[Piece], *first: Case) -> QuerySet[Piece]:
    """Return pieces by opus and number; after them those without an opus number, by name. `first` goes before all."""
    digits = Length(NullIf("opus", Value(""))).asc(nulls_last=True)  # "9" before "27" before "posth."
    return found.order_by(*first, digits, "opus", F("number").asc(nulls_first=True), "name", "id")


def _with_words(found: QuerySet[Piece], query: str) -> QuerySet[Piece]:
    """Return those of `found` whose name has every word of `query`."""
    found = found.alias(plain_name=Plain("name"))
    for word in plain(query.replace("\x00", "")).split():
        found = found.filter(plain_name__contains=word)
    return found
