"""An account's own ratings: for the rating form, a stage, and the comparison with the audience."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import ROUND_HALF_UP, Decimal

from django.db import connection
from django.db.models import Count, Sum

from apps.competition.selectors.public.programs import program_pieces
from apps.ratings.models import PieceRating, RatingSubmission

OWN_RATINGS = """
WITH appearances AS (
    SELECT id FROM session_participants WHERE session_id = %(session)s OR participant_id = %(participant)s
)
SELECT session_participant_id, piece_id, '' AS recommendation, id, score, approved, '' AS comment, '' AS quick, false
FROM piece_ratings WHERE user_id = %(user)s AND session_participant_id IN (SELECT id FROM appearances)
UNION ALL
SELECT session_participant_id, NULL, '', id, score, approved, comment, quick_rating, is_comment_hidden
FROM performance_ratings WHERE user_id = %(user)s AND session_participant_id IN (SELECT id FROM appearances)
UNION ALL
SELECT session_participant_id, NULL, recommendation, id, NULL, NULL, '', '', false
FROM advance_recommendations WHERE user_id = %(user)s AND session_participant_id IN (SELECT id FROM appearances)
ORDER BY session_participant_id, piece_id
"""


@dataclass(frozen=True, slots=True)
class OwnPiece:
    """The viewer's mark for a piece."""

    id: int
    score: int
    approved: bool


@dataclass(frozen=True, slots=True)
class OwnPerformance:
    """The viewer's mark for a whole performance, with its comment."""

    id: int
    score: int
    approved: bool
    comment: str
    quick_rating: str
    is_comment_hidden: bool = False


@dataclass(frozen=True, slots=True)
class OwnRatings:
    """The viewer's ratings of a performance; `pieces` by piece id, `recommendation` is "up", "down" or empty."""

    pieces: Mapping[int, OwnPiece] = field(default_factory=dict)
    overall: OwnPerformance | None = None
    recommendation: str = ""


def ratings_own(
    *, user_id: int, participant_id: int | None = None, session_id: int | None = None
) -> Mapping[int, OwnRatings]:
    """Return an account's ratings of a participant's or a session's performances, by appearance id.

    Performances without a rating are left out. One query.
    """
    with connection.cursor() as cursor:
        cursor.execute(OWN_RATINGS, {"user": user_id, "participant": participant_id, "session": session_id})
        rows = cursor.fetchall()
    pieces: dict[int, dict[int, OwnPiece]] = {pk: {} for pk, *_ in rows}
    overall_ratings: dict[int, OwnPerformance] = {}
    recommendations: dict[int, str] = {}
    for appearance_id, piece_id, recommendation, rating_id, score, approved, *overall in rows:
        if piece_id is not None:
            pieces[appearance_id][piece_id] = OwnPiece(rating_id, score, approved)
        elif recommendation:
            recommendations[appearance_id] = recommendation
        else:
            overall_ratings[appearance_id] = OwnPerformance(rating_id, score, approved, *overall)
    return {pk: OwnRatings(given, overall_ratings.get(pk), recommendations.get(pk, "")) for pk, given in pieces.items()}


def own_stage_marks(*, user_id: int, stage_id: int) -> Mapping[int, Decimal]:
    """Return an account's mean mark of the pieces of each performance in a stage, to one decimal, by appearance id.

    Unapproved marks are included. One query.
    """
    found = PieceRating.objects.filter(user_id=user_id, session_participant__session__stage=stage_id).order_by()
    given = found.values("session_participant_id").annotate(points=Sum("score"), count=Count("id"))
    rows = given.values_list("session_participant_id", "points", "count")
    return {pk: (Decimal(points) / count).quantize(Decimal("0.1"), ROUND_HALF_UP) for pk, points, count in rows}


RECENT = 100  # performances
# The audience's mean of each piece that the account has marked: every piece counts once on either side.
_BESIDE_AUDIENCE = """
SELECT count(*), count(audience.mean), round(avg(own.score) FILTER (WHERE audience.mean IS NOT NULL), 1),
    round(avg(audience.mean), 1)
FROM piece_ratings AS own
LEFT JOIN LATERAL (
    SELECT sum(counts.score * counts.count) / nullif(sum(counts.count), 0) AS mean
    FROM piece_mark_counts AS counts
    WHERE counts.session_participant_id = own.session_participant_id AND counts.piece_id = own.piece_id
) AS audience ON true
WHERE own.user_id = %s
"""


@dataclass(frozen=True, slots=True)
class MarkedPieces:
    """The number of pieces of a performance that an account has marked, and the number of all its pieces."""

    marked: int
    of: int

    @property
    def all(self) -> bool:
        """Whether all pieces are marked."""
        return self.marked >= self.of


@dataclass(frozen=True, slots=True)
class BesideAudience:
    """The number of an account's marks of pieces, and two means over the pieces that the audience has marked too.

    The means have one decimal and are None without such a piece. The audience's is the mean of the pieces' means.
    """

    count: int
    shared: int
    own_mean: Decimal | None
    audience_mean: Decimal | None


def own_marked(*, user_id: int) -> Mapping[int, MarkedPieces]:
    """Return the progress of an account in the RECENT performances that it rated last, by appearance. Two queries."""
    newest = RatingSubmission.objects.filter(user_id=user_id).order_by("-given_at", "-id")
    columns = ("session_participant_id", "waiting_pieces", "approved_pieces")
    marked = {pk: waiting + approved for pk, waiting, approved in newest.values_list(*columns)[:RECENT]}
    programs = program_pieces(appearance_ids=marked)
    return {pk: MarkedPieces(count, len(set(programs.get(pk, ())))) for pk, count in marked.items()}


def own_beside_audience(*, user_id: int) -> BesideAudience:
    """Return an account's mean mark of pieces beside the audience's. One query."""
    with connection.cursor() as cursor:
        cursor.execute(_BESIDE_AUDIENCE, [user_id])
        return BesideAudience(*cursor.fetchone())
