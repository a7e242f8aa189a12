"""Writes of the live app: comments and reactions."""

from .comments import ADDED, DELETED, comment_add, comment_delete
from .reactions import NOT_LIVE, STRANGER, Taps, reaction_add, reactions_store

__all__ = [
    "ADDED",
    "DELETED",
    "NOT_LIVE",
    "STRANGER",
    "Taps",
    "comment_add",
    "comment_delete",
    "reaction_add",
    "reactions_store",
]
