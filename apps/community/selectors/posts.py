"""Reads of posts, comments and reactions. Only `community_own` contains hidden texts."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from itertools import accumulate
from typing import Any

from django.db.models import Exists, F, Func, IntegerField, OuterRef, QuerySet, Subquery, Sum, Value
from django.db.models.functions import Coalesce

from apps.accounts.selectors.sessions import usernames_known
from apps.community.enums import PostReaction
from apps.community.limits import COMMENTS_EARLIER, COMMENTS_SHOWN, EARLIER_CHARACTERS, REACTIONS_RECENT
from apps.community.mentions import mentions
from apps.community.models import Post, PostComment, PostCommentCount, PostReactionCount, PostReactionRow
from apps.competition.selectors.public.sessions import appearance_ids
from apps.core.database.newest import newest_ids
from apps.core.database.paging import Cursor

_AUTHOR = ("user_id", Coalesce("user__username", Value("")), Coalesce("user__avatar_url", Value("")))
_SIZE = Func("content", function="octet_length", output_field=IntegerField())
_ABOUT = ("appearance_id", "appearance__participant_id")
_COMMENT = ("id", *_AUTHOR, "content", "created_at")


@dataclass(frozen=True, slots=True)
class PostKey:
    """A post's id, its place in the feed, and the bytes of its text."""

    id: int
    created_at: datetime
    size: int


@dataclass(frozen=True, slots=True)
class PostCard:
    """A post as the feed shows it."""

    id: int
    author_id: int | None
    author: str  # the username, empty for a former member
    avatar_url: str
    content: str
    image_url: str
    created_at: datetime
    applause: int
    boo: int
    comments: int
    is_subject_deleted: bool  # whether it was about a performance that is deleted
    about: tuple[int, int] | None  # the performance that it is about and its participant, by id
    known: frozenset[str]  # the existing usernames that it mentions, as they are spelled


@dataclass(frozen=True, slots=True)
class PostCommentCard:
    """A comment on a post as its panel shows it."""

    id: int
    author_id: int | None
    author: str  # the username, empty for a former member
    avatar_url: str
    content: str
    created_at: datetime
    known: frozenset[str]  # the existing usernames that it mentions, as they are spelled


@dataclass(frozen=True, slots=True)
class Comments:
    """The newest comments on a post, in ascending order, and the number of all its comments."""

    newest: tuple[PostCommentCard, ...]
    total: int


def posts_page(
    *,
    before: Cursor | None = None,
    limit: int,
    author_id: int | None = None,
    participant_id: int = 0,
    stage_id: int = 0,
) -> tuple[PostKey, ...]:
    """Return at most `limit` posts after the cursor `before`, newest first, of all authors or of one. One query.

    With `participant_id` or `stage_id` only posts about performances of this performer or in this stage. Two queries.
    """
    found = _posts().order_by("-created_at", "-id")
    if author_id is not None:
        found = found.filter(user_id=author_id)
    if participant_id or stage_id:
        about = appearance_ids(participant_id=participant_id or None, stage_id=stage_id or None)
        found = found.filter(pk__in=newest_ids("posts", "session_participant_id", about, limit, before=before))
    if before is not None:
        found = found.filter(before.after("created_at"))
    return tuple(PostKey(*row) for row in found.values_list("id", "created_at", _SIZE)[:limit])


def posts_read(*, ids: Collection[int]) -> Mapping[int, PostCard]:
    """Return these posts by id, without deleted and hidden ones. One query, and one more for mentions."""
    counts = [_reactions_counted(PostReaction.APPLAUSE), _reactions_counted(PostReaction.BOO), _comments_counted()]
    written: tuple[str | Coalesce, ...] = ("id", *_AUTHOR, "content", "image_url", "created_at")
    columns = (*written, *counts, "is_subject_deleted", *_ABOUT)
    rows: list[tuple[Any, ...]] = list(_posts().filter(id__in=ids).values_list(*columns))
    known = _known([content for _, _, _, _, content, *_ in rows])
    return {row[0]: PostCard(*(*row[:-2], row[-2:] if row[-1] else None, known & mentions([row[4]]))) for row in rows}


def post_comments(*, post_id: int) -> Comments:
    """Return the newest COMMENTS_SHOWN comments on a post with the number of all, empty for a missing or hidden post.

    At most three queries.
    """
    newest = _cards(_comments(post_id).values_list(*_COMMENT)[:COMMENTS_SHOWN])
    if len(newest) < COMMENTS_SHOWN:
        return Comments(newest, len(newest))
    total = PostCommentCount.objects.filter(post_id=post_id).aggregate(all=Sum("count"))["all"]
    return Comments(newest, total or 0)


def post_comments_earlier(*, post_id: int, from_id: int) -> tuple[PostCommentCard, ...]:
    """Return the comments from the id `from_id` up to the newest COMMENTS_SHOWN, which are left out, oldest first.

    Return the latest of them, at most COMMENTS_EARLIER with EARLIER_CHARACTERS together. At most two queries.
    """
    found = _comments(post_id).filter(id__gte=from_id).values_list(*_COMMENT)
    rows = list(found[COMMENTS_SHOWN : COMMENTS_SHOWN + COMMENTS_EARLIER])
    lengths = accumulate(len(content) for *_, content, _ in rows)
    return _cards(rows[: sum(length <= EARLIER_CHARACTERS for length in lengths)])


def post_comment_ids_before(*, post_id: int, below_id: int, limit: int) -> tuple[int, ...]:
    """Return at most `limit` ids of comments below the id `below_id`, newest first. One query."""
    found = _comments(post_id).filter(id__lt=below_id)
    return tuple(found.values_list("id", flat=True)[:limit])


def reactions_own(*, user_id: int, post_ids: Collection[int]) -> Mapping[int, PostReaction]:
    """Return an account's reactions to these posts, by post id. One query."""
    return _reactions(PostReactionRow.objects.filter(user_id=user_id, post_id__in=post_ids))


def own_reactions_recent(*, user_id: int, limit: int = REACTIONS_RECENT) -> Mapping[int, PostReaction]:
    """Return an account's reactions to the newest `limit` posts to which it reacted, by post id. One query."""
    return _reactions(PostReactionRow.objects.filter(user_id=user_id).order_by("-post_id")[:limit])


def community_own(*, user_id: int) -> dict[str, list[dict[str, Any]]]:
    """Return an account's posts, comments and reactions, including hidden ones, ready for JSON. Three queries."""
    posts = Post.objects.filter(user_id=user_id).order_by("id")
    comments = PostComment.objects.filter(user_id=user_id).order_by("id")
    reactions = PostReactionRow.objects.filter(user_id=user_id).order_by("post_id")
    text_columns = ("content", "created_at", "is_hidden")
    about = {
        "about_performer": F("appearance__participant__name"),
        "about_session": F("appearance__session__title"),
        "about_deleted_performance": F("is_subject_deleted"),
    }
    return {
        "posts": [_plain(row) for row in posts.values("id", "image_url", *text_columns, **about)],
        "post_comments": [_plain(row) for row in comments.values("post_id", *text_columns)],
        "post_reactions": [_plain(row) for row in reactions.values("post_id", "type")],
    }


def _posts() -> "QuerySet[Post]":
    return Post.objects.filter(is_hidden=False)


def _comments(post_id: int) -> "QuerySet[PostComment]":
    """Return the public comments on a post, newest first."""
    # a range, ordered by the post first: with an equality PostgreSQL may scan the comments on all posts by id
    found = PostComment.objects.filter(post_id__gte=post_id, post_id__lte=post_id)
    return found.filter(Exists(_posts().filter(pk=post_id)), is_hidden=False).order_by("post_id", "-id")


def _cards(found: "Iterable[tuple[Any, ...]]") -> tuple[PostCommentCard, ...]:
    """Return these comments, which are newest first, in reverse order as cards."""
    rows = list(found)[::-1]
    known = _known([content for _, _, _, _, content, _ in rows])
    return tuple(PostCommentCard(*(*row, known & mentions([row[4]]))) for row in rows)


def _known(texts: Collection[str]) -> frozenset[str]:
    names = mentions(texts)
    return usernames_known(usernames=names) if names else names


def _reactions(found: "QuerySet[PostReactionRow]") -> Mapping[int, PostReaction]:
    return {post: PostReaction(kind) for post, kind in found.values_list("post_id", "type")}


def _reactions_counted(kind: PostReaction) -> Coalesce:
    found = PostReactionCount.objects.filter(post_id=OuterRef("pk"), type=kind.value).order_by().values("post_id")
    return Coalesce(Subquery(found.annotate(all=Sum("count")).values("all")), 0)


def _comments_counted() -> Coalesce:
    found = PostCommentCount.objects.filter(post_id=OuterRef("pk")).order_by().values("post_id")
    return Coalesce(Subquery(found.annotate(all=Sum("count")).values("all")), 0)


def _plain(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return a row with its times as ISO texts."""
    return {name: value.isoformat() if isinstance(value, datetime) else value for name, value in row.items()}
