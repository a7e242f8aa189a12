"""Hides and restores posts and comments on them; the caller checks permissions."""

from collections.abc import Collection, Mapping

from django.db import transaction

from apps.community.events import PostChanged, PostsChanged
from apps.community.models import Post, PostComment
from apps.core.events import publish
from apps.core.hideable_texts import TextState


@transaction.atomic
def posts_lock(*, ids: Collection[int]) -> Mapping[int, TextState]:
    """Lock these posts until the transaction ends and return those that exist, by id."""
    found = Post.objects.select_for_update(no_key=True).filter(pk__in=ids).order_by("pk")
    rows = found.values_list("pk", "user_id", "is_hidden")
    return {pk: TextState(user_id, not hidden) for pk, user_id, hidden in rows}


@transaction.atomic
def posts_hide(*, ids: Collection[int], hidden: bool) -> None:
    """Hide these posts with their comments, or restore them."""
    found = Post.objects.filter(pk__in=ids, is_hidden=not hidden)
    concerned = tuple(found.order_by("pk").values_list("pk", flat=True))
    found.update(is_hidden=hidden)
    if concerned:
        publish(PostsChanged())
        publish(PostChanged(concerned))


@transaction.atomic
def post_comments_lock(*, ids: Collection[int]) -> Mapping[int, TextState]:
    """Lock these comments until the transaction ends and return those that exist, by id.

    Nobody else reads the comments on a post that is hidden.
    """
    found = PostComment.objects.select_for_update(of=("self",), no_key=True).filter(pk__in=ids).order_by("pk")
    rows = found.values_list("pk", "user_id", "is_hidden", "post__is_hidden")
    return {pk: TextState(user_id, not (hidden or of_hidden)) for pk, user_id, hidden, of_hidden in rows}


@transaction.atomic
def post_comments_hide(*, ids: Collection[int], hidden: bool) -> None:
    """Hide these comments on posts, or restore them."""
    found = PostComment.objects.filter(pk__in=ids, is_hidden=not hidden)
    concerned = tuple(found.order_by("post_id").values_list("post_id", flat=True).distinct())
    found.update(is_hidden=hidden)
    if concerned:
        publish(PostChanged(concerned))
