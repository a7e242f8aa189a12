"""One's own ratings of a participant or of a session, for the rating form."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from apps.ratings.models import AdvanceRecommendation, PerformanceRating, PieceRating


@dataclass(frozen=True, slots=True)
class OwnPiece:
    """One's own mark for a piece."""

    id: int
    score: int
    approved: bool


@dataclass(frozen=True, slots=True)
class OwnPerformance:
    """One's own rating of a whole performance."""

    id: int
    score: int
    approved: bool
    comment: str
    quick_rating: str
    is_comment_hidden: bool = False


@dataclass(frozen=True, slots=True)
class OwnRatings:
    """One's own ratings of a performance; `pieces` by piece id, `recommendation` is "up", "down" or empty."""

    pieces: Mapping[int, OwnPiece] = field(default_factory=dict)
    overall: OwnPerformance | None = None
    recommendation: str = ""


def ratings_own(
    *, user_id: int, participant_id: int | None = None, session_id: int | None = None
) -> Mapping[int, OwnRatings]:
    """Return what one person gave the performances of a participant, or of a session, by appearance id, where anything.

    Three queries.
    """
    wanted = {"participant_id": participant_id, "session_id": session_id}
    which = {"user_id": user_id} | {f"session_participant__{name}": pk for name, pk in wanted.items() if pk is not None}
    pieces: dict[int, dict[int, OwnPiece]] = {}
    for mark in PieceRating.objects.filter(**which).order_by("pk"):
        mine = pieces.setdefault(mark.session_participant_id, {})
        mine[mark.piece_id] = OwnPiece(mark.pk, mark.score, mark.approved)
    overall_ratings = {
        overall.session_participant_id: OwnPerformance(
            overall.pk,
            overall.score,
            overall.approved,
            overall.comment,
            overall.quick_rating,
            overall.is_comment_hidden,
        )
        for overall in PerformanceRating.objects.filter(**which)
    }
    recommendations = dict(
        AdvanceRecommendation.objects.filter(**which).values_list("session_participant_id", "recommendation")
    )
    return {
        appearance_id: OwnRatings(
            pieces.get(appearance_id, {}), overall_ratings.get(appearance_id), recommendations.get(appearance_id, "")
        )
        for appearance_id in sorted({*pieces, *overall_ratings, *recommendations})
    }
