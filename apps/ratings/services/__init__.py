"""Writes of the ratings: each loads, locks, authorises, writes and announces in one transaction."""

from .moderation import rating_approve, rating_delete, rating_reject
from .places import place_ratings_delete
from .recommendations import RECOMMENDATION_FAILED, recommendation_set
from .submitting import ratings_submit

__all__ = [
    "RECOMMENDATION_FAILED",
    "place_ratings_delete",
    "rating_approve",
    "rating_delete",
    "rating_reject",
    "ratings_submit",
    "recommendation_set",
]
