"""Reads of the news: published articles only."""

from dataclasses import dataclass
from datetime import datetime

from .models import BlogPost

_CARD = ("id", "title", "excerpt", "image_url", "published_at", "author__username")


@dataclass(frozen=True, slots=True)
class PostCard:
    """An article as lists show it."""

    id: int
    title: str
    excerpt: str
    image_url: str
    published_at: datetime
    author: str  # the username


@dataclass(frozen=True, slots=True)
class PostDetail:
    """An article as its own page shows it."""

    id: int
    title: str
    excerpt: str
    image_url: str
    published_at: datetime
    author: str  # the username
    content: str


def post_list(*, limit: int | None = None) -> tuple[PostCard, ...]:
    """Return the published articles, the newest first, at most `limit` of them. One query."""
    found = BlogPost.objects.filter(is_published=True).order_by("-published_at", "-id")
    return tuple(PostCard(*row) for row in found.values_list(*_CARD)[:limit])


def post_get(*, post_id: int) -> PostDetail | None:
    """Return one published article, or None when there is none with that id. One query."""
    found = BlogPost.objects.filter(pk=post_id, is_published=True)
    row = found.values_list(*_CARD, "content").first()
    return PostDetail(*row) if row else None


def post_ids() -> tuple[int, ...]:
    """Return the ids of the published articles, for the sitemap. One query."""
    return tuple(BlogPost.objects.filter(is_published=True).order_by("id").values_list("id", flat=True))
