"""Writes of the community: posts, comments and reactions."""

from .comments import COMMENT_ADDED, COMMENT_DELETED, post_comment_add, post_comment_delete
from .posts import POST_ADDED, POST_DELETED, post_add, post_delete
from .reactions import post_reaction_set

__all__ = [
    "COMMENT_ADDED",
    "COMMENT_DELETED",
    "POST_ADDED",
    "POST_DELETED",
    "post_add",
    "post_comment_add",
    "post_comment_delete",
    "post_delete",
    "post_reaction_set",
]
