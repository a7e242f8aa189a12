"""Reads of the news."""

from apps.news.selectors.admin import PostEdit, PostRow, post_edit, post_fields, posts_admin
from apps.news.selectors.public import PostCard, PostDetail, post_get, post_ids, post_list, posts_own

__all__ = [
    "PostCard",
    "PostDetail",
    "PostEdit",
    "PostRow",
    "post_edit",
    "post_fields",
    "post_get",
    "post_ids",
    "post_list",
    "posts_admin",
    "posts_own",
]
