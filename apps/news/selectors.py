"""Reads of the news, for readers and for administrators."""

from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.db.models import Count, Q, QuerySet, Value
from django.db.models.functions import Coalesce

from apps.core.database.fields import Plain, plain
from apps.core.database.paging import Cursor, NumberedPage, numbered_page
from apps.core.edits import version_of
from apps.news.article_text import plain_text
from apps.news.models import BlogPost

_CARD = ("id", "title", "excerpt", "image_url", "published_at", Coalesce("author__username", Value("")))


@dataclass(frozen=True, slots=True)
class PostCard:
    """An article in a list."""

    id: int
    title: str
    excerpt: str
    image_url: str
    published_at: datetime
    author: str  # the username, empty for a former member


@dataclass(frozen=True, slots=True)
class PostDetail:
    """An article on its own page."""

    id: int
    title: str
    excerpt: str
    image_url: str
    published_at: datetime
    author: str  # the username, empty for a former member
    content: str


@dataclass(frozen=True, slots=True)
class PostLink:
    """An article as a link."""

    id: int
    title: str


@dataclass(frozen=True, slots=True)
class PostNeighbours:
    """The published articles before and after one, None at the ends."""

    older: PostLink | None
    newer: PostLink | None


def post_list(*, limit: int, before: Cursor | None = None) -> tuple[PostCard, ...]:
    """Return at most `limit` published articles, newest first; with `before` only those after that cursor.

    One query.
    """
    found = BlogPost.objects.filter(is_published=True).order_by("-published_at", "-id")
    if before is not None:
        found = found.filter(before.after("published_at"))
    return tuple(_card(row) for row in found.values_list(*_CARD)[:limit])


def post_get(*, post_id: int) -> PostDetail | None:
    """Return a published article, or None for an unknown id or a draft. One query."""
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
    """Return a card with the excerpt as plain text, without markup."""
    card = PostCard(*row)
    return replace(card, excerpt=excerpt_text(card.excerpt))


def excerpt_text(excerpt: str) -> str:
    """Return an excerpt as plain text on one line."""
    return " ".join(plain_text(excerpt).split())


def post_ids() -> tuple[int, ...]:
    """Return the ids of the published articles, for the sitemap. One query."""
    return tuple(BlogPost.objects.filter(is_published=True).order_by("id").values_list("id", flat=True))


def posts_existing(*, ids: Collection[int]) -> frozenset[int]:
    """Return those of these ids that are articles, drafts included. One query."""
    return frozenset(BlogPost.objects.filter(pk__in=ids).values_list("pk", flat=True))


def posts_own(*, user_id: int) -> tuple[dict[str, Any], ...]:
    """Return all articles of an account, including drafts, as JSON-serialisable values. One query."""
    columns = ("title", "excerpt", "content", "image_url", "is_published", "published_at", "publish_at", "created_at")
    found = BlogPost.objects.filter(author_id=user_id).order_by("id").values(*columns)
    return tuple({name: _plain(value) for name, value in row.items()} for row in found)


def _plain(value: Any) -> Any:
    """Return a datetime as a text, and any other value unchanged."""
    return value.isoformat() if isinstance(value, datetime) else value


PAGE = 20  # articles
_EDITED = ("title", "excerpt", "content", "image_url", "is_published", "publish_at")
_ROW = (
    *("id", "title", "excerpt", "image_url", "is_published", "published_at", "publish_at", "created_at"),
    Coalesce("author__username", Value("")),
)


@dataclass(frozen=True, slots=True)
class PostRow:
    """An article, draft or published, in the administrators' list."""

    id: int
    title: str
    excerpt: str
    image_url: str
    is_published: bool
    published_at: datetime | None
    publish_at: datetime | None  # of a draft
    created_at: datetime
    author: str  # the username, empty for a former member


@dataclass(frozen=True, slots=True)
class PostEdit:
    """An article in its form; the form sends `version` back."""

    id: int
    title: str
    excerpt: str
    content: str
    image_url: str
    is_published: bool
    publish_at: datetime | None
    version: str


@dataclass(frozen=True, slots=True)
class PostPreview:
    """An article, draft or published, as administrators preview it."""

    id: int
    title: str
    image_url: str
    content: str
    author: str  # the username, empty for a former member
    published_at: datetime | None
    publish_at: datetime | None  # of a draft


def posts_admin(*, query: str = "", published: bool | None = None, number: int = 1) -> NumberedPage[PostRow]:
    """Return a page of all articles by their displayed date, newest first. Two queries.

    `query` is a part of the title, excerpt or author.
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
    """Return an article for editing, or None for an unknown id. One query."""
    post = BlogPost.objects.filter(pk=post_id).only(*_EDITED).first()
    return PostEdit(post.pk, **post_fields(post), version=version_of(post_values(post))) if post else None


def post_preview(*, post_id: int) -> PostPreview | None:
    """Return an article, also a draft, or None for an unknown id. One query."""
    columns = ("id", "title", "image_url", "content", Coalesce("author__username", Value("")))
    row = BlogPost.objects.filter(pk=post_id).values_list(*columns, "published_at", "publish_at").first()
    return PostPreview(*row) if row else None


def post_fields(post: BlogPost) -> dict[str, Any]:
    """Return an article's editable values by field."""
    return {name: getattr(post, name) for name in _EDITED}


def post_values(post: BlogPost) -> dict[str, Any]:
    """Return an article's editable values by the field of its form."""
    return {"publish_date" if name == "publish_at" else name: value for name, value in post_fields(post).items()}


def _rows(found: QuerySet[BlogPost]) -> tuple[PostRow, ...]:
    return tuple(PostRow(*row) for row in found.values_list(*_ROW))


@dataclass(frozen=True, slots=True)
class PostCounts:
    """The numbers of published articles and of drafts."""

    published: int
    drafts: int


def post_counts() -> PostCounts:
    """Return how many articles are published, and how many are drafts. One query."""
    counts = BlogPost.objects.aggregate(
        published=Count("pk", filter=Q(is_published=True)), drafts=Count("pk", filter=Q(is_published=False))
    )
    return PostCounts(**counts)
