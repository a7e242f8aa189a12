"""Public reads of the catalogue: all pieces, and the performances of one."""

from dataclasses import dataclass
from datetime import datetime
from operator import attrgetter
from typing import Any

from django.db.models import Count, Q

from apps.competition.enums import Category
from apps.competition.limits import PIECES_LISTED
from apps.competition.models import Piece, ProgramEntry, SessionParticipant
from apps.competition.selectors.public.participants import Appearance, PieceTitle
from apps.competition.selectors.public.programs import piece_title
from apps.competition.selectors.public.sessions import APPEARANCE
from apps.competition.selectors.public.stages import with_times
from apps.competition.youtube import start_second, video_id

_SESSION = ("session_id", "session__title", "session__starts_at", "session__youtube_id", "stage_id", "stage__name")
_ENTRY = ("program__id", "program__timestamp", "program__youtube_url", "participant__sort_folded")
_CATEGORIES = {category: position for position, category in enumerate(Category.values)}


@dataclass(frozen=True, slots=True)
class ListedPiece:
    """A piece of the catalogue, and how many performances of it have begun."""

    piece: PieceTitle
    performances: int


@dataclass(frozen=True, slots=True)
class PiecePerformance:
    """A performance of a piece. `line_id` is its line of the program; `video_id` is empty without a video.

    `sort_name` is the performer's name as lists sort it.
    """

    appearance: Appearance
    session_id: int
    session: str
    starts_at: datetime
    stage_id: int
    stage: str
    line_id: int
    video_id: str
    second: int | None
    sort_name: str


def pieces_listed() -> tuple[ListedPiece, ...]:
    """Return the pieces by category, opus and number, at most PIECES_LISTED. Two queries."""
    found = list(Piece.objects.order_by("id")[:PIECES_LISTED])
    begun = with_times(SessionParticipant.objects.all()).filter(Q(has_begun=True)).values("pk")
    entries = ProgramEntry.objects.filter(piece__in=found, session_participant__in=begun)
    played = dict(entries.values_list("piece_id").annotate(Count("session_participant", distinct=True)))
    return tuple(ListedPiece(piece_title(each), played.get(each.pk, 0)) for each in sorted(found, key=_place))


def _place(piece: Piece) -> tuple[int, bool, int, str, int, str]:
    """Return the place of a piece in the catalogue: those with a numeric opus first in their category."""
    is_word = not piece.opus.isdecimal()
    opus = 0 if is_word else int(piece.opus)
    return _CATEGORIES[piece.category], is_word, opus, piece.opus, piece.number or 0, piece.name


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


def piece_performances(*, piece_id: int) -> tuple[PiecePerformance, ...]:
    """Return the appearances with this piece in their program, each once, the newest first. One query."""
    found = with_times(SessionParticipant.objects.filter(program__piece=piece_id))
    rows = found.order_by("pk", "program__order_number").values_list(*APPEARANCE, *_SESSION, *_ENTRY)
    performances: dict[int, PiecePerformance] = {}
    for row in rows:
        shown = _performance(row)
        performances.setdefault(shown.appearance.id, shown)  # a piece that is played twice is listed once
    newest = attrgetter("starts_at", "session_id", "appearance.order_number")
    return tuple(sorted(performances.values(), key=newest, reverse=True))


def _performance(row: tuple[Any, ...]) -> PiecePerformance:
    appearance, rest = Appearance(*row[: len(APPEARANCE)]), row[len(APPEARANCE) :]
    session_id, session, starts_at, recording, stage_id, stage, line_id, second, link, sort_name = rest
    return PiecePerformance(
        appearance=appearance,
        session_id=session_id,
        session=session,
        starts_at=starts_at,
        stage_id=stage_id,
        stage=stage,
        line_id=line_id,
        video_id=video_id(link) or recording,
        second=second if second is not None else start_second(link),
        sort_name=sort_name,
    )
