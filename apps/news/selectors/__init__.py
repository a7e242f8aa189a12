"""Reads of the news."""

from apps.news.selectors.admin import PostEdit, PostRow, post_edit, post_fields, posts_admin
from apps.news.selectors.public import (
    PostCard,
    PostDetail,
    PostLink,
    PostNeighbours,
    post_get,
    post_ids,
    post_list,
    post_neighbours,
    posts_own,
)

__all__ = [
    "PostCard",
    "PostDetail",
    "PostEdit",
    "PostLink",
    "PostNeighbours",
    "PostRow",
    "post_edit",
    "post_fields",
    "post_get",
    "post_ids",
    "post_list",
    "post_neighbours",
    "posts_admin",
    "posts_own",
]
