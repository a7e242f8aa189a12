"""Reads of the marks of one piece in its performances, and of those of all pieces."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal

from django.db import connection
from django.db.models import Sum

from apps.core.rounding import rounded
from apps.ratings.limits import PIECE_HIGHEST
from apps.ratings.models import PieceMarkCount
from apps.ratings.selectors.statistics import Figures

# the piece, and the sets that contain it: their marks are the sets'
_MARKED = """
SELECT session_participant_id, piece_id FROM session_participant_pieces
WHERE piece_id IN (SELECT %(piece)s UNION SELECT piece_id FROM piece_parts WHERE member_id = %(piece)s)
"""
_GIVEN = f"""
SELECT session_participant_id, piece_id, score, sum(count)::bigint FROM piece_mark_counts
WHERE (session_participant_id, piece_id) IN ({_MARKED}) GROUP BY session_participant_id, piece_id, score
"""  # noqa: S608 - no inserted text but the query above
_OWN = f"""
SELECT DISTINCT marked.session_participant_id, marked.piece_id, coalesce(struck.score, submitted.score),
    NOT coalesce(choice.ears_first, true) OR uncovered.stage_id IS NOT NULL OR sheet.shown_at IS NOT NULL
        OR struck.id IS NOT NULL OR submitted.id IS NOT NULL
FROM ({_MARKED}) AS marked
JOIN session_participants AS appearance ON appearance.id = marked.session_participant_id
LEFT JOIN covering_choices AS choice ON choice.user_id = %(user)s
LEFT JOIN uncovered_stages AS uncovered
    ON uncovered.user_id = %(user)s AND uncovered.stage_id = appearance.stage_id
LEFT JOIN rating_drafts AS sheet ON sheet.user_id = %(user)s AND sheet.session_participant_id = appearance.id
LEFT JOIN draft_marks AS struck ON struck.draft_id = sheet.id AND struck.piece_id = marked.piece_id
LEFT JOIN piece_ratings AS submitted ON submitted.user_id = %(user)s
    AND submitted.session_participant_id = appearance.id AND submitted.piece_id = marked.piece_id
"""  # noqa: S608 - no inserted text but the query above
Marked = tuple[int, int]  # an appearance, and the piece of its program that has the mark


@dataclass(frozen=True, slots=True)
class OwnHearing:
    """A member's latest mark of the piece in one performance, submitted or not, and whether its figures are shown."""

    mark: int | None
    is_seen: bool


def heard_figures(*, piece_id: int) -> Mapping[Marked, Figures]:
    """Return the figures of a piece's marks, and of those of sets that contain it, without unmarked ones. One query."""
    often: dict[Marked, list[int]] = defaultdict(lambda: [0] * PIECE_HIGHEST)
    with connection.cursor() as cursor:
        cursor.execute(_GIVEN, {"piece": piece_id})
        for appearance_id, marked_id, score, times in cursor.fetchall():
            often[appearance_id, marked_id][score - 1] = times
    return {marked: _figures(marks) for marked, marks in often.items() if any(marks)}


def piece_figures(*, piece_id: int) -> Mapping[int, Figures]:
    """Return the figures of a piece's own marks by appearance, without performances that have no mark. One query."""
    heard = heard_figures(piece_id=piece_id)
    return {appearance_id: figures for (appearance_id, marked_id), figures in heard.items() if marked_id == piece_id}


def pieces_figures() -> Mapping[int, Figures]:
    """Return the figures of each piece in all its performances together, without unmarked pieces. One query."""
    often: dict[int, list[int]] = defaultdict(lambda: [0] * PIECE_HIGHEST)
    for piece_id, score, times in PieceMarkCount.objects.values_list("piece_id", "score").annotate(Sum("count")):
        often[piece_id][score - 1] = times
    return {piece_id: _figures(marks) for piece_id, marks in often.items() if any(marks)}


def _figures(often: list[int]) -> Figures:
    count = sum(often)
    points = Decimal(sum(mark * times for mark, times in enumerate(often, start=1)))
    return Figures(count, rounded(points / count), tuple(often))


def heard_own(*, user_id: int, piece_id: int) -> Mapping[Marked, OwnHearing]:
    """Return an account's marks of a piece and of sets that contain it, and where the figures are shown. One query.

    The figures are shown as in the rating form (`Covering.open_pieces`): after the member's mark, or on request.
    """
    with connection.cursor() as cursor:
        cursor.execute(_OWN, {"user": user_id, "piece": piece_id})
        rows = cursor.fetchall()
    return {(appearance_id, marked_id): OwnHearing(mark, is_seen) for appearance_id, marked_id, mark, is_seen in rows}


def piece_own(*, user_id: int, piece_id: int) -> Mapping[int, OwnHearing]:
    """Return an account's marks of the piece itself by appearance, as `heard_own`. One query."""
    heard = heard_own(user_id=user_id, piece_id=piece_id)
    return {appearance_id: own for (appearance_id, marked_id), own in heard.items() if marked_id == piece_id}
