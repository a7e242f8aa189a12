"""Takes ratings away together, and tells everybody who saw them."""

from collections.abc import Sequence
from typing import Any

from apps.core.events import publish
from apps.ratings.events import RatingsChanged, RecommendationsChanged
from apps.ratings.models import AdvanceRecommendation, PerformanceRating, PieceRating

Row = PieceRating | PerformanceRating | AdvanceRecommendation


def remove(**whose: Any) -> None:
    """Delete all ratings and recommendations that the filter `whose` finds; the caller says who may."""
    ratings = [rating for model in (PieceRating, PerformanceRating) for rating in _deleted(model, whose)]
    if ratings:
        public = any(rating.approved for rating in ratings)
        waiting = not all(rating.approved for rating in ratings)
        publish(RatingsChanged(*concerned(ratings), public=public, waiting=waiting))
    withdrawn = _deleted(AdvanceRecommendation, whose)
    if withdrawn:
        publish(RecommendationsChanged(*concerned(withdrawn)))


def _deleted(model: type[Row], whose: dict[str, Any]) -> list[Any]:
    """Delete a table's rows and return them, their performances joined."""
    found = model.objects.filter(**whose).select_for_update(of=("self",)).select_related("session_participant")
    rows = list(found.order_by("pk"))
    model.objects.filter(pk__in=[row.pk for row in rows]).delete()
    return rows


def concerned(rows: Sequence[Row]) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
    """Return whose rows these were, of which performances, of which participants; each once."""
    users = {row.user_id for row in rows}
    appearances = {row.session_participant_id for row in rows}
    participants = {row.session_participant.participant_id for row in rows}
    return tuple(sorted(users)), tuple(sorted(appearances)), tuple(sorted(participants))
