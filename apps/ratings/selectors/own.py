"""One's own ratings of a participant or of a session, for the rating form."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import ROUND_HALF_UP, Decimal

from django.db.models import Count, Sum

from apps.ratings.models import AdvanceRecommendation, PerformanceRating, PieceRating

_PIECE = ("session_participant_id", "piece_id", "id", "score", "approved")
_OVERALL = ("session_participant_id", "id", "score", "approved", "comment", "quick_rating", "is_comment_hidden")


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
    for appearance_id, piece_id, *mark in PieceRating.objects.filter(**which).order_by("pk").values_list(*_PIECE):
        pieces.setdefault(appearance_id, {})[piece_id] = OwnPiece(*mark)
    overall_ratings = {
        appearance_id: OwnPerformance(*overall)
        for appearance_id, *overall in PerformanceRating.objects.filter(**which).values_list(*_OVERALL)
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


def own_stage_marks(*, user_id: int, stage_id: int) -> Mapping[int, Decimal]:
    """Return one person's marks of a stage's performances, by appearance: means to one decimal of those of the pieces.

    Approved or not. One query.
    """
    found = PieceRating.objects.filter(user_id=user_id, session_participant__session__stage=stage_id).order_by()
    given = found.values("session_participant_id").annotate(points=Sum("score"), count=Count("id"))
    rows = given.values_list("session_participant_id", "points", "count")
    return {pk: (Decimal(points) / count).quantize(Decimal("0.1"), ROUND_HALF_UP) for pk, points, count in rows}
