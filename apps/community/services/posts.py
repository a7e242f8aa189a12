"""Posts, comments and reactions in the community feed."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from hashlib import sha256

from django.core.exceptions import PermissionDenied, ValidationError
from django.db import connection, transaction
from django.db.models import QuerySet

from apps.accounts.actors import Actor, Viewer, account_of
from apps.accounts.audit_notes import change_note
from apps.accounts.selectors.own_account import member_for
from apps.accounts.services.accounts import account_lock
from apps.community.enums import NO_REACTION, PostReaction
from apps.community.events import PostChanged, PostsChanged, ReactionChanged
from apps.community.limits import (
    COMMENT_LENGTH,
    COMMENT_PACE,
    NEW_COMMENT_DAY,
    NEW_FOR,
    NEW_LINKS,
    NEW_POST_DAY,
    POST_DAY,
    POST_LENGTH,
    POST_PACE,
    REACTIONS,
    SAME_TEXT,
)
from apps.community.models import Post, PostComment, PostReactionRow
from apps.community.permissions import can_delete
from apps.competition.services.subjects import subject_hold
from apps.core.events import publish
from apps.core.hideable_texts import TextState
from apps.core.limits import RateLimit
from apps.core.permissions import require
from apps.core.rate_limits import rate_limit_take, wait_params
from apps.core.text_rules import SECURE_PICTURE, is_secure_picture_address, links, text_clean
from apps.live.events import Performances

_TOO_MANY_LINKS = "A new account can write two links in one text. Please leave some out, or try again in %(hours)d h."
_DIGITS = 32  # of a text's digest


@dataclass(frozen=True, slots=True)
class Author:
    """The account that writes, and the time since its sign-up."""

    id: int
    membership: timedelta

    @property
    def is_new(self) -> bool:
        """Whether the account is younger than NEW_FOR, so that stricter limits apply."""
        return self.membership < NEW_FOR


def author_require(actor: Actor, message: str) -> Author:
    """Return the actor's active account, locked until the transaction ends.

    Raises PermissionDenied with `message` for anonymous visitors, inactive or deleted accounts, and operators, who
    have no account.
    """
    user_id = actor.id if isinstance(actor, Viewer) else None
    membership = member_for(user_id=user_id) if account_lock(user_id=user_id) else None
    if user_id is None or membership is None:
        raise PermissionDenied(message)
    return Author(user_id, membership)


def text_require(content: str, *, longest: int, too_long: str) -> str:
    """Return a text as it is stored. Raises ValidationError for `content` if it is empty or longer than `longest`."""
    text = text_clean(content)
    if not text:
        raise ValidationError({"content": "Please write something first."})
    if len(text) > longest:
        raise ValidationError({"content": too_long})
    return text


def text_limits_take(author: Author, text: str, limits: Sequence[RateLimit]) -> None:
    """Count a text of `author` in all of `limits`, or in none of them.

    Raises ValidationError with the waiting time for exceeded rate limits, for a text that repeats a recent one, and
    for too many links of a new account.
    """
    if author.is_new and links(text) > NEW_LINKS:
        params = wait_params((NEW_FOR - author.membership).total_seconds())
        raise ValidationError({"content": ValidationError(_TOO_MANY_LINKS, params=params)})
    for limit in (*limits, _same_text(text)):
        rate_limit_take(limit, account_id=author.id)


def _same_text(text: str) -> RateLimit:
    """Return the rate limit for this exact text, which still applies after the text is deleted."""
    digest = sha256(text.encode()).hexdigest()[:_DIGITS]
    return replace(SAME_TEXT, name=f"{SAME_TEXT.name}.{digest}")


POST_ADDED, POST_DELETED = "Post added successfully!", "Post deleted successfully!"
NO_POST = "This post is no longer there."
NO_PERFORMANCE = "This performance is no longer in the program. Please choose another performer, or none."
_SHARE = "SELECT 1 FROM posts WHERE id = %s AND NOT is_hidden FOR SHARE"


@transaction.atomic
def post_add(*, actor: Actor, content: str, image_url: str = "", about: int | None = None) -> Post:
    """Add a public post and return it. `about` is the performance (an appearance) that it is about.

    It may be any performance that exists, of any session, also one that has not begun: its page has figures only once
    there are marks, and people write about what they look forward to. A post that is stored keeps its subject.

    Raises PermissionDenied for anonymous visitors. Raises ValidationError for an empty, overlong or repeated text, an
    address that is no picture on another site, a performance that does not exist (any more), an exceeded rate limit,
    and too many links of a new account.
    """
    author = author_require(actor, "Please sign in to post.")
    text = text_require(content, longest=POST_LENGTH, too_long="A post has at most 5,000 characters.")
    picture = _picture(image_url)
    subject = None if about is None else subject_hold(appearance_id=about)
    if about is not None and subject is None:
        raise ValidationError({"about": NO_PERFORMANCE})
    text_limits_take(author, text, (POST_PACE, NEW_POST_DAY if author.is_new else POST_DAY))
    post = Post.objects.create(user_id=author.id, content=text, image_url=picture, appearance_id=about)
    publish(PostsChanged(((subject.participant_id, subject.stage_id),) if subject else (), (post.pk,)))
    return post


_PERFORMANCE = ("appearance__participant_id", "appearance__stage_id")


def _performances_of(posts: QuerySet[Post]) -> Performances:
    """Return participant and stage of the performances that these posts are about. One query."""
    about = posts.filter(appearance__isnull=False).order_by().distinct()
    return tuple(about.values_list(*_PERFORMANCE))


@transaction.atomic
def subjects_end(*, appearance_ids: Collection[int]) -> None:
    """Mark the posts about these appearances, which the transaction deletes, as posts about a deleted performance.

    The caller has locked the appearances, so that no post about them is added. An undo of the deletion does not
    give the posts their subject back.
    """
    about = Post.objects.filter(appearance__in=appearance_ids)
    ids = tuple(about.select_for_update(no_key=True).order_by("pk").values_list("pk", flat=True))
    if ids:
        Post.objects.filter(pk__in=ids).update(appearance=None, is_subject_deleted=True)
        publish(PostChanged(ids))


@transaction.atomic
def post_delete(*, actor: Actor, post_id: int) -> None:
    """Delete a post of the actor, or any post as an administrator, with its comments and reactions.

    An administrator's deletion gets an audit entry without the text. Raises PermissionDenied, Post.DoesNotExist.
    """
    account_lock(user_id=account_of(actor))
    post = Post.objects.select_for_update().get(pk=post_id)
    require(can_delete(actor, post.user_id), "You can delete your own posts only.")
    # lock in the order of ids, as the moderation of reports does
    list(PostComment.objects.select_for_update().filter(post=post).order_by("pk").values_list("pk"))
    performances = _performances_of(Post.objects.filter(pk=post_id))
    post.delete()
    if account_of(actor) != post.user_id:
        change_note(actor=actor, action="community_post.delete", subject_id=post_id, before={"author": post.user_id})
    publish(PostsChanged(performances, (post_id,)))
    publish(PostChanged((post_id,)))


def post_share(post_id: int) -> bool:
    """Lock a post against hiding and deletion until the transaction ends; return whether it exists and is public."""
    with connection.cursor() as cursor:
        cursor.execute(_SHARE, [post_id])
        return cursor.fetchone() is not None


def _picture(image_url: str) -> str:
    """Return a picture's address as it is stored. Raises ValidationError unless it is a secure picture address."""
    address = image_url.strip()
    if address and (address != text_clean(address) or not is_secure_picture_address(address)):
        raise ValidationError({"image_url": SECURE_PICTURE})
    return address


COMMENT_ADDED, COMMENT_DELETED = "Comment added successfully!", "Comment deleted successfully!"


@transaction.atomic
def post_comment_add(*, actor: Actor, post_id: int, content: str) -> PostComment:
    """Add a comment on a post and return it.

    Raises PermissionDenied for anonymous visitors. Raises ValidationError for an empty, overlong or repeated text, a
    deleted or hidden post, an exceeded rate limit, and too many links of a new account.
    """
    author = author_require(actor, "Please sign in to comment.")
    text = text_require(content, longest=COMMENT_LENGTH, too_long="A comment has at most 2,000 characters.")
    if not post_share(post_id):
        raise ValidationError({"content": NO_POST})
    text_limits_take(author, text, (COMMENT_PACE, *([NEW_COMMENT_DAY] if author.is_new else [])))
    comment = PostComment.objects.create(post_id=post_id, user_id=author.id, content=text)
    publish(PostChanged((post_id,)))
    return comment


@transaction.atomic
def post_comment_delete(*, actor: Actor, comment_id: int) -> None:
    """Delete a comment of the actor, or any comment as an administrator.

    An administrator's deletion gets an audit entry without the text. Raises PermissionDenied,
    PostComment.DoesNotExist.
    """
    account_lock(user_id=account_of(actor))
    comment = PostComment.objects.select_for_update().get(pk=comment_id)
    require(can_delete(actor, comment.user_id), "You can delete your own comments only.")
    comment.delete()
    if account_of(actor) != comment.user_id:
        before = {"post": comment.post_id, "author": comment.user_id}
        change_note(actor=actor, action="post_comment.delete", subject_id=comment_id, before=before)
    publish(PostChanged((comment.post_id,)))


@transaction.atomic
def post_reaction_set(*, actor: Actor, post_id: int, reaction: str) -> str:
    """Replace the actor's reaction to a post and return the previous one; both are of `enums.REACTION_WISHES`.

    An equal reaction has no effect. Raises PermissionDenied for anonymous visitors, ValidationError for a deleted or
    hidden post or an exceeded rate limit, and ValueError for an unknown reaction.
    """
    author = author_require(actor, "Please sign in to react.")
    if not post_share(post_id):
        raise ValidationError(NO_POST)
    rate_limit_take(REACTIONS, account_id=author.id)
    mine = PostReactionRow.objects.filter(user_id=author.id, post_id=post_id)
    before = mine.values_list("type", flat=True).first() or NO_REACTION
    if reaction == before:
        return before
    if reaction == NO_REACTION:
        mine.delete()
    else:
        _save(PostReactionRow(user_id=author.id, post_id=post_id, type=PostReaction(reaction)))
    publish(ReactionChanged(post_id, author.id))
    return before


def _save(new: PostReactionRow) -> None:
    """Store a reaction, replacing this person's previous one to the post."""
    PostReactionRow.objects.bulk_create(
        [new], update_conflicts=True, unique_fields=["user", "post"], update_fields=["type"]
    )


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
    rows = list(found.order_by("pk").values_list("pk", *_PERFORMANCE))
    found.update(is_hidden=hidden)
    if rows:
        performances = tuple((participant_id, stage_id) for _, participant_id, stage_id in rows if stage_id)
        post_ids = tuple(pk for pk, *_ in rows)
        publish(PostsChanged(performances, post_ids))
        publish(PostChanged(post_ids))


@transaction.atomic
def post_comments_lock(*, ids: Collection[int]) -> Mapping[int, TextState]:
    """Lock these comments until the transaction ends and return the states of those that exist, by id.

    Comments on a hidden post are not public.
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


@transaction.atomic
def community_forget(*, user_id: int) -> None:
    """Detach an account from its posts and comments, delete its reactions, and publish the changed posts."""
    posts, comments = Post.objects.filter(user_id=user_id), PostComment.objects.filter(user_id=user_id)
    reactions = PostReactionRow.objects.filter(user_id=user_id)
    # lock in the order of ids, as the moderation of reports does
    concerned = {
        *posts.select_for_update().order_by("pk").values_list("pk", flat=True),
        *comments.select_for_update().order_by("pk").values_list("post_id", flat=True),
        *reactions.values_list("post_id", flat=True),
    }
    performances = _performances_of(posts)
    posts.update(user=None)
    comments.update(user=None)
    reactions.delete()
    if concerned:
        publish(PostsChanged(performances))
        publish(PostChanged(tuple(sorted(concerned))))
