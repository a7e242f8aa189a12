"""Reads of the news: articles for readers, and for administrators."""

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.db.models import Q, QuerySet, Value
from django.db.models.functions import Coalesce

from apps.core.database.fields import Plain, plain
from apps.core.database.paging import Cursor, NumberedPage, numbered_page
from apps.core.edits import version_of
from apps.news.article_text import plain_text
from apps.news.models import BlogPost

_CARD = ("id", "title", "excerpt", "image_url", "published_at", Coalesce("author__username", Value("")))


@dataclass(frozen=True, slots=True)
class PostCard:
    """An article as lists show it."""

    id: int
    title: str
    excerpt: str
    image_url: str
    published_at: datetime
    author: str  # the username, empty for a former member


@dataclass(frozen=True, slots=True)
class PostDetail:
    """An article as its own page shows it."""

    id: int
    title: str
    excerpt: str
    image_url: str
    published_at: datetime
    author: str  # the username, empty for a former member
    content: str


@dataclass(frozen=True, slots=True)
class PostLink:
    """An article as a link names it."""

    id: int
    title: str


@dataclass(frozen=True, slots=True)
class PostNeighbours:
    """The published articles beside one, None at the ends."""

    older: PostLink | None
    newer: PostLink | None


def post_list(*, limit: int, before: Cursor | None = None) -> tuple[PostCard, ...]:
    """Return the published articles after `before`, the newest first, at most `limit` of them. One query."""
    found = BlogPost.objects.filter(is_published=True).order_by("-published_at", "-id")
    if before is not None:
        found = found.filter(before.after("published_at"))
    return tuple(_card(row) for row in found.values_list(*_CARD)[:limit])


def post_get(*, post_id: int) -> PostDetail | None:
    """Return one published article, or None when there is none with that id. One query."""
    found = BlogPost.objects.filter(pk=post_id, is_published=True)
    row = found.values_list(*_CARD, "content").first()
    return replace(post, excerpt=excerpt_text(post.excerpt)) if (post := row and PostDetail(*row)) else None


def post_neighbours(*, post: PostDetail) -> PostNeighbours:
    """Return the published articles before and after this one. Two queries."""
    found, here = BlogPost.objects.filter(is_published=True), Cursor(post.published_at, post.id)
    later = Q(published_at__gte=here.at) & (Q(published_at__gt=here.at) | Q(id__gt=here.id))
    newer = found.filter(later).order_by("published_at", "id").values_list("id", "title").first()
    older = found.filter(here.after("published_at")).order_by("-published_at", "-id").values_list("id", "title").first()
    return PostNeighbours(PostLink(*older) if older else None, PostLink(*newer) if newer else None)


def _card(row: tuple[Any, ...]) -> PostCard:
    """Return a card; an excerpt is shown as plain text, whatever signs it was written with."""
    card = PostCard(*row)
    return replace(card, excerpt=excerpt_text(card.excerpt))


def excerpt_text(excerpt: str) -> str:
    """Return an excerpt's words on one line."""
    return " ".join(plain_text(excerpt).split())


def post_ids() -> tuple[int, ...]:
    """Return the ids of the published articles, for the sitemap. One query."""
    return tuple(BlogPost.objects.filter(is_published=True).order_by("id").values_list("id", flat=True))


def posts_own(*, user_id: int) -> tuple[dict[str, Any], ...]:
    """Return one's own articles, drafts too, ready for JSON. One query."""
    columns = ("title", "excerpt", "content", "image_url", "is_published", "published_at", "created_at")
    found = BlogPost.objects.filter(author_id=user_id).order_by("id").values(*columns)
    return tuple({name: _plain(value) for name, value in row.items()} for row in found)


def _plain(value: Any) -> Any:
    """Return a time as a text, and all else as it is."""
    return value.isoformat() if isinstance(value, datetime) else value


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
