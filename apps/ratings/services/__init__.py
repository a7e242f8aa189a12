"""Writes of the ratings: each loads, locks, authorises, writes and announces in one transaction."""

from .deciding import Decided, RatingSeen, ratings_decide, ratings_decide_matching
from .moderation import rating_approve, rating_delete, rating_reject
from .places import place_ratings_delete
from .recommendations import RECOMMENDATION_FAILED, recommendation_set
from .submitting import ratings_submit
from .undoing import Undone, decision_undo, decisions_prune

__all__ = [
    "RECOMMENDATION_FAILED",
    "Decided",
    "RatingSeen",
    "Undone",
    "decision_undo",
    "decisions_prune",
    "place_ratings_delete",
    "rating_approve",
    "rating_delete",
    "rating_reject",
    "ratings_decide",
    "ratings_decide_matching",
    "ratings_submit",
    "recommendation_set",
]
