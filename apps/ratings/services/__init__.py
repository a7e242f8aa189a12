"""Writes of the ratings: each loads, locks, authorises, writes and announces in one transaction."""

from apps.ratings.services.appearances import appearance_ratings_delete, piece_ratings_delete
from apps.ratings.services.bulk_moderation import DecisionResult, MarkSeen, ratings_decide, ratings_decide_matching
from apps.ratings.services.hiding import rating_comments_hide, rating_comments_lock
from apps.ratings.services.moderation_undo import Undone, decision_undo, decisions_prune
from apps.ratings.services.submission import ratings_submit

from .moderation import mark_approve, mark_delete, mark_reject, rating_delete
from .recommendations import RECOMMENDATION_FAILED, recommendation_set

__all__ = [
    "RECOMMENDATION_FAILED",
    "DecisionResult",
    "MarkSeen",
    "Undone",
    "appearance_ratings_delete",
    "decision_undo",
    "decisions_prune",
    "mark_approve",
    "mark_delete",
    "mark_reject",
    "piece_ratings_delete",
    "rating_comments_hide",
    "rating_comments_lock",
    "rating_delete",
    "ratings_decide",
    "ratings_decide_matching",
    "ratings_submit",
    "recommendation_set",
]
