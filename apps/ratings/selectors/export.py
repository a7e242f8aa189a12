"""A person's own rows, for the download of one's data."""

from datetime import datetime
from typing import Any

from apps.ratings.models import AdvanceRecommendation, PerformanceRating, PieceRating

_PERFORMANCE = ("session_participant__session__title", "session_participant__participant__name")
_RATING = (*_PERFORMANCE, "score", "approved", "created_at", "updated_at")
_NAMES = {
    "session_participant__session__title": "session",
    "session_participant__participant__name": "participant",
    "piece__name": "piece",
}


def account_ratings_export(user_id: int) -> dict[str, list[dict[str, Any]]]:
    """Return what a person rated and recommended, by table, the oldest first, in plain words. Three queries."""
    wanted = (
        ("piece_ratings", PieceRating, (*_RATING, "piece__name")),
        ("performance_ratings", PerformanceRating, (*_RATING, "comment", "quick_rating", "is_comment_hidden")),
        (
            "advance_recommendations",
            AdvanceRecommendation,
            (*_PERFORMANCE, "recommendation", "created_at", "updated_at"),
        ),
    )
    return {
        table: [
            {_NAMES.get(column, column): _plain(value) for column, value in row.items()}
            for row in model.objects.filter(user_id=user_id).order_by("created_at", "pk").values(*columns)
        ]
        for table, model, columns in wanted
    }


def _plain(value: Any) -> Any:
    """Return a value as JSON has it: a time in ISO's form."""
    return value.isoformat() if isinstance(value, datetime) else value
