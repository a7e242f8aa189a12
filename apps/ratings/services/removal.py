"""Deletion of ratings and recommendations, with their events."""

from collections.abc import Collection, Sequence
from typing import Any

from apps.ratings.models import AdvanceRecommendation, PerformanceRating, PieceRating
from apps.ratings.services.announcement import ratings_announce, recommendations_announce
from apps.ratings.services.rating_lock import ratings_lock

Row = PieceRating | PerformanceRating | AdvanceRecommendation


def remove(**whose: Any) -> None:
    """Delete all ratings and recommendations that the filter `whose` finds; the caller checks the permission."""
    ratings_lock(**whose)
    _announce([rating for model in (PieceRating, PerformanceRating) for rating in _delete(model, whose)])
    withdrawn = _delete(AdvanceRecommendation, whose)
    if withdrawn:
        recommendations_announce(*people_and_appearances(withdrawn))


def remove_pieces(session_participant_id: int, piece_ids: Collection[int]) -> None:
    """Delete the ratings of these pieces of an appearance; the caller checks the permission."""
    ratings_lock(session_participant_id=session_participant_id)
    _announce(_delete(PieceRating, {"session_participant_id": session_participant_id, "piece_id__in": piece_ids}))


def _announce(ratings: Sequence[Any]) -> None:
    """Announce deleted ratings."""
    if ratings:
        public = any(rating.approved for rating in ratings)
        waiting = not all(rating.approved for rating in ratings)
        ratings_announce(*people_and_appearances(ratings), public=public, waiting=waiting)


def _delete(model: type[Row], whose: dict[str, Any]) -> list[Any]:
    """Delete a table's rows and return them."""
    found = model.objects.filter(**whose).select_for_update()
    rows = list(found.order_by("pk"))
    model.objects.filter(pk__in=[row.pk for row in rows]).delete()
    return rows


def people_and_appearances(rows: Sequence[Row]) -> tuple[set[int], set[int]]:
    """Return whose the rows are and of which appearances."""
    return {row.user_id for row in rows}, {row.session_participant_id for row in rows}
