"""Deletion of ratings and recommendations, with their events."""

from collections.abc import Sequence
from typing import Any

from apps.core.events import publish
from apps.ratings.events import RatingsChanged, RecommendationsChanged
from apps.ratings.models import AdvanceRecommendation, PerformanceRating, PieceRating
from apps.ratings.services.rating_lock import ratings_lock

Row = PieceRating | PerformanceRating | AdvanceRecommendation


def remove(**whose: Any) -> None:
    """Delete all ratings and recommendations that the filter `whose` finds; the caller checks the permission."""
    ratings_lock(**whose)
    ratings = [rating for model in (PieceRating, PerformanceRating) for rating in _delete(model, whose)]
    if ratings:
        public = any(rating.approved for rating in ratings)
        waiting = not all(rating.approved for rating in ratings)
        publish(RatingsChanged(*ids_of(ratings), public=public, waiting=waiting))
    withdrawn = _delete(AdvanceRecommendation, whose)
    if withdrawn:
        publish(RecommendationsChanged(*ids_of(withdrawn)))


def _delete(model: type[Row], whose: dict[str, Any]) -> list[Any]:
    """Delete a table's rows and return them, their performances joined."""
    found = model.objects.filter(**whose).select_for_update(of=("self",)).select_related("session_participant")
    rows = list(found.order_by("pk"))
    model.objects.filter(pk__in=[row.pk for row in rows]).delete()
    return rows


def ids_of(rows: Sequence[Row]) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
    """Return the rows' users, appearances and participants, each once."""
    users = {row.user_id for row in rows}
    appearances = {row.session_participant_id for row in rows}
    participants = {row.session_participant.participant_id for row in rows}
    return tuple(sorted(users)), tuple(sorted(appearances)), tuple(sorted(participants))
