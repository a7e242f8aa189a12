"""Numbers of ratings: what waits, what a performance has, who should advance."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Q, Sum

from apps.ratings.enums import Advance, RatingKind
from apps.ratings.models import (
    PerformanceRatingCount,
    PieceRatingCount,
    RatingSubmissionCount,
    RecommendationCount,
)


@dataclass(frozen=True, slots=True)
class RecommendationCounts:
    """How many recommend that a participant advances after a performance, and how many that not."""

    up: int = 0
    down: int = 0


@dataclass(frozen=True, slots=True)
class AppearanceCounts:
    """The numbers of a performance's ratings, approved or not, and recommendations, of closed accounts too."""

    piece_ratings: int
    performance_ratings: int
    recommendations: int

    @property
    def any(self) -> bool:
        """Whether there is any."""
        return bool(self.piece_ratings or self.performance_ratings or self.recommendations)


def recommendation_counts(*, appearance_ids: Sequence[int]) -> Mapping[int, RecommendationCounts]:
    """Return the recommendations of these performances, by appearance id, where there are any. One query."""
    found = RecommendationCount.objects.filter(session_participant_id__in=appearance_ids, is_author_active=True)
    counted = found.values_list("session_participant_id").annotate(
        up=Sum("count", filter=Q(recommendation=Advance.UP), default=0),
        down=Sum("count", filter=Q(recommendation=Advance.DOWN), default=0),
    )
    return {appearance_id: RecommendationCounts(up, down) for appearance_id, up, down in counted if up or down}


def ratings_of_appearances(*, appearance_ids: Sequence[int]) -> Mapping[int, AppearanceCounts]:
    """Return what these performances have and would lose, by appearance, where there is anything. Three queries."""
    counts = [
        _counts_by_appearance(model, appearance_ids)
        for model in (PieceRatingCount, PerformanceRatingCount, RecommendationCount)
    ]
    found = sorted({appearance_id for counted in counts for appearance_id in counted})
    return {
        appearance_id: AppearanceCounts(*(counted.get(appearance_id, 0) for counted in counts))
        for appearance_id in found
    }


def pieces_rated_of(*, appearance_id: int) -> Mapping[int, int]:
    """Return how many ratings each piece of this performance has, by piece id, where there are any. One query."""
    found = PieceRatingCount.objects.filter(session_participant_id=appearance_id).values_list("piece_id")
    return {piece_id: count for piece_id, count in found.annotate(all=Sum("count")) if count}


def _counts_by_appearance(
    model: type[PieceRatingCount | PerformanceRatingCount | RecommendationCount], appearance_ids: Sequence[int]
) -> Mapping[int, int]:
    """Return how many rows these performances have, by appearance, where there are any."""
    found = model.objects.filter(session_participant__in=appearance_ids)
    counted = found.values_list("session_participant_id").annotate(all=Sum("count"))
    return {appearance_id: count for appearance_id, count in counted if count}


def waiting_counts() -> Mapping[RatingKind, int]:
    """Return of how many ratings marks of each kind wait for a moderator. Two queries."""
    return {
        RatingKind.PIECE: ratings_count(RatingKind.PIECE, Q(waiting_pieces__gt=0)),
        RatingKind.PERFORMANCE: ratings_count(RatingKind.PERFORMANCE, Q(approved=False, is_author_active=True)),
    }


def ratings_count(kind: RatingKind, which: Q) -> int:
    """Return how many ratings have marks of this kind; `which` is a condition of its table of counts. One query."""
    table: type[RatingSubmissionCount | PerformanceRatingCount] = (
        RatingSubmissionCount if kind == RatingKind.PIECE else PerformanceRatingCount
    )
    return table.objects.filter(which).aggregate(all=Sum("count"))["all"] or 0
