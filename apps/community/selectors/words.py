"""Reads of what was written about performances: the newest comments and posts, without hidden ones."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from django.db.models import Value
from django.db.models.functions import Coalesce, Left

from apps.community.models import Post, PostComment
from apps.competition.selectors.public.sessions import appearance_ids as appearance_ids_of
from apps.core.database.newest import newest_ids
from apps.live.limits import WORDS_LENGTH, WORDS_SHOWN
from apps.live.selectors import WORD_OF, Word, comments_about, comments_by, word_of


def stage_words(*, stage_id: int, limit: int = WORDS_SHOWN) -> tuple[Word, ...]:
    """Return the newest words about the performances of a stage, newest first. Three queries."""
    return words_newest(appearance_ids=appearance_ids_of(stage_id=stage_id), limit=limit)


def participant_words(*, participant_id: int, limit: int = WORDS_SHOWN) -> tuple[Word, ...]:
    """Return the newest words about a participant's performances, newest first. Three queries."""
    return words_newest(appearance_ids=appearance_ids_of(participant_id=participant_id), limit=limit)


def words_newest(*, appearance_ids: Collection[int], limit: int = WORDS_SHOWN) -> tuple[Word, ...]:
    """Return the newest comments and posts about these performances, at most `limit`, newest first. Two queries."""
    if not appearance_ids:
        return ()
    words = (
        *comments_about(appearance_ids=appearance_ids, limit=limit),
        *posts_about(appearance_ids=appearance_ids, limit=limit),
    )
    return tuple(sorted(words, key=lambda word: (word.created_at, word.id), reverse=True)[:limit])


def posts_about(*, appearance_ids: Collection[int], limit: int) -> tuple[Word, ...]:
    """Return the newest posts about these performances, newest first. One query."""
    found = Post.objects.filter(
        pk__in=newest_ids("posts", "session_participant_id", appearance_ids, limit), is_hidden=False
    )
    author = ("user_id", Coalesce("user__username", Value("")), Coalesce("user__avatar_url", Value("")))
    columns = (*WORD_OF, *author, Left("content", WORDS_LENGTH + 1))
    rows = found.order_by("-created_at", "-id").values_list(*columns)
    return tuple(word_of(row, is_comment=False) for row in rows)


def subjects_written(*, user_id: int) -> frozenset[int]:
    """Return the performances about which an account wrote a comment or post, or commented on a post. One query."""
    own = {"user_id": user_id, "appearance__isnull": False}
    comments = comments_by(user_id=user_id).values_list("appearance_id", flat=True)
    posts = Post.objects.filter(**own).order_by().values_list("appearance_id", flat=True)
    of_post = "post__appearance_id"
    replies = PostComment.objects.filter(user_id=user_id, post__appearance__isnull=False).order_by()
    return frozenset(posts.union(comments, replies.values_list(of_post, flat=True)))


@dataclass(frozen=True, slots=True)
class PostSubject:
    """What a post is about, and who wrote it: None for a former member."""

    author_id: int | None
    subject: tuple[int, str] | None  # the performance and its participant's name


def post_subjects(*, ids: Collection[int]) -> Mapping[int, PostSubject]:
    """Return the subjects of these posts by id. One query."""
    about = ("appearance_id", "appearance__participant__name")
    rows = Post.objects.filter(pk__in=ids).values_list("pk", "user_id", *about)
    return {pk: PostSubject(author, None if which is None else (which, name)) for pk, author, which, name in rows}
