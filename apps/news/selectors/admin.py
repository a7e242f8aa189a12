"""Reads of articles for administrators: drafts too."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Q, QuerySet, Value
from django.db.models.functions import Coalesce

from apps.core.database.paging import NumberedPage, numbered_page
from apps.core.database.plain_text import Plain, plain
from apps.core.edits.edit_merge import version_of
from apps.news.models import BlogPost

PAGE = 20  # articles
_EDITED = ("title", "excerpt", "content", "image_url", "is_published")
_ROW = (
    *("id", "title", "excerpt", "image_url", "is_published", "published_at", "created_at"),
    Coalesce("author__username", Value("")),
)


@dataclass(frozen=True, slots=True)
class PostRow:
    """An article, draft or published, as the list for its writers shows it."""

    id: int
    title: str
    excerpt: str
    image_url: str
    is_published: bool
    published_at: datetime | None
    created_at: datetime
    author: str  # the username, empty for a former member


@dataclass(frozen=True, slots=True)
class PostEdit:
    """An article as its form shows it; `version` is the one to send back."""

    id: int
    title: str
    excerpt: str
    content: str
    image_url: str
    is_published: bool
    version: str


def posts_admin(*, query: str = "", published: bool | None = None, number: int = 1) -> NumberedPage[PostRow]:
    """Return a page of all articles by the day that they show, the newest first. Two queries.

    `query` is part of the title, excerpt or author.
    """
    found = BlogPost.objects.order_by(Coalesce("published_at", "created_at").desc(), "-id")
    if published is not None:
        found = found.filter(is_published=published)
    text = plain(query.replace("\x00", "").strip())
    if text:
        words = Q(plain_title__contains=text) | Q(plain_excerpt__contains=text) | Q(author__username__icontains=text)
        found = found.alias(plain_title=Plain("title"), plain_excerpt=Plain("excerpt")).filter(words)
    return numbered_page(found, number=number, size=PAGE, read=_rows)


def post_edit(*, post_id: int) -> PostEdit | None:
    """Return an article to be edited, or None when there is none with that id. One query."""
    post = BlogPost.objects.filter(pk=post_id).only(*_EDITED).first()
    return PostEdit(post.pk, **post_fields(post), version=version_of(post_fields(post))) if post else None


def post_fields(post: BlogPost) -> dict[str, Any]:
    """Return an article's editable values by field."""
    return {name: getattr(post, name) for name in _EDITED}


def _rows(found: QuerySet[BlogPost]) -> tuple[PostRow, ...]:
    return tuple(PostRow(*row) for row in found.values_list(*_ROW))
