"""Writes of the live app: comments and reactions."""

from .comments import ADDED, DELETED, comment_add, comment_delete
from .hiding import comments_hide, comments_lock
from .reactions import NOT_LIVE, STRANGER, Taps, reaction_add, reactions_store

__all__ = [
    "ADDED",
    "DELETED",
    "NOT_LIVE",
    "STRANGER",
    "Taps",
    "comment_add",
    "comment_delete",
    "comments_hide",
    "comments_lock",
    "reaction_add",
    "reactions_store",
]
