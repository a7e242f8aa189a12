"""Public reads of the catalogue: its pieces, and the parts and performances of one."""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from operator import attrgetter
from typing import Any

from django.db.models import Count, IntegerField, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from apps.competition.enums import Category
from apps.competition.limits import PIECES_LISTED
from apps.competition.models import Appearance, Piece, PiecePart, ProgramEntry, ProgramPart
from apps.competition.selectors.public.participants import AppearanceDetail, PieceTitle
from apps.competition.selectors.public.programs import piece_title
from apps.competition.selectors.public.sessions import APPEARANCE
from apps.competition.selectors.public.stages import with_intervals, with_times
from apps.competition.youtube import start_second, video_id

_SESSION = ("session_id", "session__title", "session__starts_at", "session__youtube_id", "stage_id", "stage__name")
_ENTRY = ("program__id", "program__timestamp", "program__youtube_url", "participant__sort_folded")
_TITLE = ("pk", "name", "category", "composer", "title", "key", "opus", "number", "numbers")
_PLAYED = ("size", "part_timestamp", "part_link", *(f"program__piece__{name}" for name in _TITLE))


@dataclass(frozen=True, slots=True)
class ListedPiece:
    """A piece of the catalogue, in how many programs it is, and how many performances of it have begun.

    A piece is in a program and is played also as one of the pieces of a set. `is_set` tells the sets themselves.
    """

    piece: PieceTitle
    performances: int
    programs: int = 0
    is_set: bool = False


@dataclass(frozen=True, slots=True)
class PieceSection:
    """A part of a piece: a movement or section by `name`, or in a set its own `piece`."""

    name: str
    piece: PieceTitle | None


@dataclass(frozen=True, slots=True)
class PieceDetails:
    """A piece with its parts, and its usual length in minutes, None if it is not known."""

    piece: PieceTitle
    minutes: Decimal | None
    sections: tuple[PieceSection, ...]


@dataclass(frozen=True, slots=True)
class PiecePerformance:
    """A performance of a piece. `line_id` is its line of the program; `video_id` is empty without a video.

    `sort_name` is the performer's name as lists sort it. `whole` is the set of `size` pieces as part of which the piece
    was played, None for a piece that was played as itself; marks are of `marked_id`, which is the set's then.
    """

    appearance: AppearanceDetail
    session_id: int
    session: str
    starts_at: datetime
    stage_id: int
    stage: str
    line_id: int
    video_id: str
    second: int | None
    sort_name: str
    marked_id: int
    whole: PieceTitle | None = None
    size: int = 0


def pieces_listed(*, category: str = "") -> tuple[ListedPiece, ...]:
    """Return the pieces of a category, of all without one, by category, opus and number; sets follow their opus.

    At most PIECES_LISTED. Three queries.
    """
    chosen = Piece.objects.filter(category=category) if category else Piece.objects.all()
    found = list(chosen.annotate(size=_member_count("pk")).order_by("id")[:PIECES_LISTED])
    programs, played = _times(found)
    return tuple(
        ListedPiece(piece_title(each), played[each.pk], programs[each.pk], is_set=bool(each.size))
        for each in sorted(found, key=_place)
    )


def _times(pieces: Iterable[Piece]) -> tuple[Counter[int], Counter[int]]:
    """Return how many programs have these pieces, themselves or in a set, and how many performances have begun."""
    begun = with_times(Appearance.objects.all()).filter(Q(has_begun=True)).values("pk")
    programs: Counter[int] = Counter()
    played: Counter[int] = Counter()
    for column in ("piece", "piece__parts__member"):
        entries = ProgramEntry.objects.filter(**{f"{column}__in": pieces}).values_list(column)
        counted = entries.annotate(
            programs=Count("appearance", distinct=True),
            played=Count("appearance", distinct=True, filter=Q(appearance__in=begun)),
        )
        for piece_id, in_programs, performances in counted:
            programs[piece_id] += in_programs
            played[piece_id] += performances
    return programs, played


def _member_count(piece: str) -> Coalesce:
    """Return the number of pieces of the set at the column `piece`; 0 for other pieces."""
    members = PiecePart.objects.filter(piece=OuterRef(piece), member__isnull=False).order_by().values("piece")
    return Coalesce(Subquery(members.annotate(size=Count("pk")).values("size")), 0, output_field=IntegerField())


def _place(piece: Any) -> tuple[int, bool, int, str, bool, int, int, str]:
    """Return the place of a piece in the catalogue: those with a numeric opus first in their category.

    Sets follow their opus, by the number of the first piece, and the larger one first.
    """
    is_word = not piece.opus.isdecimal()
    opus = 0 if is_word else int(piece.opus)
    category = Category.values.index(piece.category)
    begins = re.match(r"[0-9]{1,4}", piece.numbers)
    number = int(begins[0]) if begins else piece.number or 0
    return category, is_word, opus, piece.opus, bool(piece.size), number, -piece.size, piece.name


def piece_get(*, piece_id: int) -> PieceTitle | None:
    """Return one piece, or None when there is none with that id. One query."""
    piece = Piece.objects.filter(pk=piece_id).first()
    return piece_title(piece) if piece else None


@dataclass(frozen=True, slots=True)
class PieceAbout:
    """The link to a piece's score, and a few words about it as Markdown; empty ones are not known."""

    score_url: str = ""
    note: str = ""


def piece_about_get(*, piece_id: int) -> PieceAbout:
    """Return what is said about a piece; empty for an unknown id. One query."""
    row = Piece.objects.filter(pk=piece_id).values_list("score_url", "note").first()
    return PieceAbout(*row) if row else PieceAbout()


def piece_ids() -> tuple[int, ...]:
    """Return the ids of all pieces, for the sitemap. One query."""
    return tuple(Piece.objects.order_by("id").values_list("id", flat=True))


def piece_details(*, piece_id: int) -> PieceDetails | None:
    """Return one piece with its parts, or None when there is none with that id. Two queries."""
    piece = Piece.objects.filter(pk=piece_id).first()
    if piece is None:
        return None
    parts = PiecePart.objects.filter(piece=piece_id).select_related("member").order_by("order_number")
    sections = (PieceSection(each.name, piece_title(each.member) if each.member else None) for each in parts)
    return PieceDetails(piece_title(piece), piece.minutes, tuple(sections))


def piece_performances(*, piece_id: int) -> tuple[PiecePerformance, ...]:
    """Return the appearances with this piece in their program, itself or in a set, each once, the newest first.

    One query.
    """
    itself = Piece.objects.filter(pk=piece_id).values("pk")
    pieces = itself.union(PiecePart.objects.filter(member=piece_id).values("piece_id"))
    found = _with_part(with_intervals(with_times(Appearance.objects.filter(program__piece__in=pieces))), piece_id)
    rows = found.order_by("pk", "program__order_number").values_list(*APPEARANCE, *_SESSION, *_ENTRY, *_PLAYED)
    performances: dict[int, PiecePerformance] = {}
    # a piece that is played twice is listed once, as itself rather than as part of a set
    for shown in sorted((_performance(row, piece_id) for row in rows), key=lambda each: each.whole is not None):
        performances.setdefault(shown.appearance.id, shown)
    newest = attrgetter("starts_at", "session_id", "appearance.order_number")
    return tuple(sorted(performances.values(), key=newest, reverse=True))


def _with_part(found: QuerySet[Appearance], piece_id: int) -> QuerySet[Appearance]:
    """Annotate lines of programs with the number of pieces of their set, and with the moment of this piece in it."""
    moment = ProgramPart.objects.filter(entry=OuterRef("program"), part__member=piece_id)
    return found.annotate(
        size=_member_count("program__piece"),
        part_timestamp=Subquery(moment.values("timestamp")[:1]),
        part_link=Subquery(moment.values("youtube_url")[:1]),
    )


def _performance(row: tuple[Any, ...], piece_id: int) -> PiecePerformance:
    appearance, rest = AppearanceDetail(*row[: len(APPEARANCE)]), row[len(APPEARANCE) :]
    session_id, session, starts_at, recording, stage_id, stage, line_id, second, link, sort_name = rest[:10]
    size, part_second, part_link, *title = rest[10:]
    played = piece_title(Piece(**dict(zip(_TITLE, title, strict=True))))
    is_whole = played.id != piece_id
    own = part_second if part_second is not None else start_second(part_link or "")
    return PiecePerformance(
        appearance=appearance,
        session_id=session_id,
        session=session,
        starts_at=starts_at,
        stage_id=stage_id,
        stage=stage,
        line_id=line_id,
        video_id=video_id(part_link or "") or video_id(link) or recording,
        second=own if own is not None else second if second is not None else start_second(link),
        sort_name=sort_name,
        marked_id=played.id,
        whole=played if is_whole else None,
        size=size if is_whole else 0,
    )
