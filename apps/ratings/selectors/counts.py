"""Numbers of ratings: what waits, what a performance has, who should advance."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Count, Q

from apps.ratings.enums import Advance, RatingKind
from apps.ratings.models import AdvanceRecommendation, PerformanceRating, PieceRating


@dataclass(frozen=True, slots=True)
class RecommendationCounts:
    """How many recommend that a participant advances after a performance, and how many that not."""

    up: int = 0
    down: int = 0


@dataclass(frozen=True, slots=True)
class PlaceCounts:
    """What would go with a performance: ratings, approved or not, and recommendations."""

    piece_ratings: int
    performance_ratings: int
    recommendations: int

    @property
    def any(self) -> bool:
        """Whether anything would go."""
        return bool(self.piece_ratings or self.performance_ratings or self.recommendations)


def recommendation_counts(*, participant_id: int) -> Mapping[int, RecommendationCounts]:
    """Return the recommendations of a participant's performances, by place id, where there are any. One query."""
    found = AdvanceRecommendation.objects.filter(session_participant__participant_id=participant_id)
    counted = found.values_list("session_participant_id").annotate(
        up=Count("id", filter=Q(recommendation=Advance.UP)), down=Count("id", filter=Q(recommendation=Advance.DOWN))
    )
    return {place_id: RecommendationCounts(up, down) for place_id, up, down in counted}


def ratings_of_places(*, place_ids: Sequence[int]) -> Mapping[int, PlaceCounts]:
    """Return what these performances have, by place, where there is anything. Three queries."""
    models = (PieceRating, PerformanceRating, AdvanceRecommendation)
    counts = [_counted(model, place_ids) for model in models]
    found = sorted({place_id for counted in counts for place_id in counted})
    return {place_id: PlaceCounts(*(counted.get(place_id, 0) for counted in counts)) for place_id in found}


def pieces_rated(*, piece_ids: Sequence[int]) -> frozenset[int]:
    """Return which of these pieces somebody rated. One query."""
    found = PieceRating.objects.filter(piece__in=piece_ids).order_by("piece_id")
    return frozenset(found.values_list("piece_id", flat=True).distinct())


def _counted(
    model: type[PieceRating | PerformanceRating | AdvanceRecommendation], place_ids: Sequence[int]
) -> Mapping[int, int]:
    """Return how many rows of a table these performances have, by place."""
    found = model.objects.filter(session_participant__in=place_ids).order_by()
    return dict(found.values_list("session_participant_id").annotate(count=Count("id")))


def ratings_of_place(*, session_participant_id: int) -> PlaceCounts:
    """Return what a performance has, to be said before its place is removed. Three queries."""
    here = {"session_participant_id": session_participant_id}
    return PlaceCounts(
        piece_ratings=PieceRating.objects.filter(**here).count(),
        performance_ratings=PerformanceRating.objects.filter(**here).count(),
        recommendations=AdvanceRecommendation.objects.filter(**here).count(),
    )


def waiting_counts() -> Mapping[RatingKind, int]:
    """Return how many ratings of each kind wait for a moderator. Two queries."""
    return {
        RatingKind.PIECE: PieceRating.objects.filter(approved=False).count(),
        RatingKind.PERFORMANCE: PerformanceRating.objects.filter(approved=False).count(),
    }
