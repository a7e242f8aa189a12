"""Reads of the catalogue for administrators."""

from collections import defaultdict
from dataclasses import dataclass
from decimal import Decimal
from itertools import accumulate

from django.db.models import Case, Count, F, QuerySet, Value, When
from django.db.models.functions import Length, NullIf

from apps.competition.enums import SPECIFIED, Category
from apps.competition.limits import PIECES_SHOWN
from apps.competition.models import CatalogueLoad, Piece, PiecePart
from apps.competition.selectors.public.participants import PieceTitle
from apps.competition.selectors.public.programs import piece_title
from apps.core.database.fields import Plain, plain
from apps.core.database.paging import page_of
from apps.core.edits import version_of

OFFERED = 80  # pieces to choose from at a time; a search finds the others


@dataclass(frozen=True, slots=True)
class PieceRow:
    """A piece, and the number of programs that contain it."""

    piece: PieceTitle
    programs: int


@dataclass(frozen=True, slots=True)
class PieceEdit:
    """A piece as its form shows it; the form sends `version` back.

    `parts` are the names of its movements or sections, `members` those of a set's pieces, one a line.
    """

    id: int
    name: str
    category: str
    composer: str
    minutes: str
    score_url: str
    note: str
    parts: str
    members: str
    version: str

    @property
    def is_set(self) -> bool:
        """Whether its parts are pieces of their own."""
        return bool(self.members)


@dataclass(frozen=True, slots=True)
class PieceGroup:
    """A category with its pieces on one page, by opus and number; `count` is the number on all pages."""

    category: str
    label: str  # a gettext source
    pieces: tuple[PieceRow, ...]
    count: int
    number: int  # the page on which it begins


@dataclass(frozen=True, slots=True)
class PiecePage:
    """One page of the catalogue: all categories, with the pieces of the page."""

    groups: tuple[PieceGroup, ...]
    number: int
    pages: int


@dataclass(frozen=True, slots=True)
class PieceChoice:
    """Pieces of a category, and whether the category has more."""

    pieces: tuple[PieceTitle, ...]
    more: bool


@dataclass(frozen=True, slots=True)
class PieceFacts:
    """A piece with the facts about its title; unknown ones are empty or None.

    `parts` are its movements or sections by name; `members` are the ids of a set's pieces.
    """

    id: int
    name: str
    category: str
    title: str
    key: str
    opus: str
    number: int | None
    composer: str = ""
    minutes: Decimal | None = None
    parts: tuple[str, ...] = ()
    members: tuple[int, ...] = ()


def piece_facts() -> tuple[PieceFacts, ...]:
    """Return all pieces of the catalogue by id. Two queries."""
    columns = ("id", "name", "category", "title", "key", "opus", "number", "composer", "minutes")
    names: dict[int, list[str]] = defaultdict(list)
    members: dict[int, list[int]] = defaultdict(list)
    parts = PiecePart.objects.order_by("piece_id", "order_number").values_list("piece_id", "name", "member_id")
    for piece_id, name, member_id in parts:
        if member_id is None:
            names[piece_id].append(name)
        else:
            members[piece_id].append(member_id)
    rows = Piece.objects.order_by("id").values_list(*columns)
    return tuple(PieceFacts(*(*row, tuple(names[row[0]]), tuple(members[row[0]]))) for row in rows)


def composers(*, without: int = 0) -> tuple[str, ...]:
    """Return the composers of the catalogue, apart from one piece. One query."""
    found = Piece.objects.exclude(composer="").exclude(pk=without)
    return tuple(found.order_by("composer").values_list("composer", flat=True).distinct())


def catalogue_is_new() -> bool:
    """Return whether nothing of the built-in catalogue was ever loaded. One query."""
    return not CatalogueLoad.objects.exists()


def piece_fields(piece: Piece) -> dict[str, str]:
    """Return a stored piece's editable values by field, as its form shows them. One query."""
    parts = piece.parts.order_by("order_number").values_list("name", "member__name")
    return {
        "name": piece.name,
        "category": piece.category,
        "composer": piece.composer,
        "minutes": minutes_text(piece.minutes),
        "score_url": piece.score_url,
        "note": piece.note,
        "parts": "\n".join(name for name, _ in parts if name),
        "members": "\n".join(member for _, member in parts if member),
    }


def minutes_text(minutes: Decimal | None) -> str:
    """Return a length as a form shows it: "16", "16.5", empty for an unknown one."""
    return f"{minutes.normalize():f}" if minutes else ""


def piece_edit(*, piece_id: int) -> PieceEdit | None:
    """Return a piece for its form, or None for an unknown id. Two queries."""
    piece = Piece.objects.filter(pk=piece_id).first()
    if piece is None:
        return None
    fields = piece_fields(piece)
    return PieceEdit(id=piece.pk, version=version_of(fields), **fields)


def pieces_to_choose(*, category: str, query: str = "") -> PieceChoice:
    """Return the first OFFERED pieces of a category, no sets, with every word of `query` in the name. One query."""
    single = Piece.objects.filter(category=category).exclude(parts__member__isnull=False)
    found = in_order(with_words(single, query))[: OFFERED + 1]
    pieces = tuple(piece_title(piece) for piece in found)
    return PieceChoice(pieces[:OFFERED], len(pieces) > OFFERED)


def pieces_by_category(*, query: str = "", number: int = 1) -> PiecePage:
    """Return a page of the catalogue by category, with every word of `query` in the pieces' names.

    Two queries.
    """
    found = with_words(Piece.objects.all(), query)
    counts = dict(found.order_by().values_list("category").annotate(Count("pk")))
    place = Case(*(When(category=each, then=Value(at)) for at, each in enumerate(Category)), default=Value(0))
    page = page_of(
        in_order(found, place), total=sum(counts.values()), number=number, size=PIECES_SHOWN, read=_with_programs
    )
    rows: dict[str, list[PieceRow]] = defaultdict(list)
    for row in page.rows:
        rows[row.piece.category].append(row)
    begins = accumulate((counts.get(each.value, 0) for each in Category), initial=0)
    groups = [
        PieceGroup(each, str(each.label), tuple(rows[each]), counts.get(each, 0), at // PIECES_SHOWN + 1)
        for each, at in zip(Category, begins, strict=False)
        if counts.get(each.value) or each in SPECIFIED
    ]
    return PiecePage(tuple(groups), page.number, page.pages)


def _with_programs(found: QuerySet[Piece]) -> tuple[PieceRow, ...]:
    counted = found.annotate(programs=Count("entries__appearance", distinct=True))
    return tuple(PieceRow(piece_title(piece), piece.programs) for piece in counted)


def in_order(found: QuerySet[Piece], *first: Case) -> QuerySet[Piece]:
    """Return pieces by `first`, then by opus and number; pieces without an opus number follow, by name."""
    digits = Length(NullIf("opus", Value(""))).asc(nulls_last=True)  # "9" before "27" before "posth."
    return found.order_by(*first, digits, "opus", F("number").asc(nulls_first=True), "name", "id")


def with_words(found: QuerySet[Piece], query: str) -> QuerySet[Piece]:
    """Return the pieces with every word of `query` in the name."""
    found = found.alias(plain_name=Plain("name"))
    for word in plain(query.replace("\x00", "")).split():
        found = found.filter(plain_name__contains=word)
    return found
