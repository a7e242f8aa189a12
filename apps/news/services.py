"""Writes of the news."""

from datetime import datetime, timedelta
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction

from apps.accounts.actors import OPERATOR, Actor, account_of
from apps.accounts.audit_notes import change_note
from apps.core.database.fields import database_now, venue_clock
from apps.core.database.steady_clock import SteadyClock
from apps.core.edits import Saved, edit_merge, row_validate
from apps.core.events import publish
from apps.core.permissions import require
from apps.news.events import PostChanged, PublicationPlanned
from apps.news.models import BlogPost
from apps.news.permissions import can_edit_news
from apps.news.selectors import post_fields, post_values

_clock = SteadyClock()
_NOT_ALLOWED = "Only administrators write the news."
_LABELS = {"image_url": "Image URL", "is_published": "Published", "publish_date": "The time of publication"}
_PAST = "This time is over. Choose a later one, or publish immediately."
_PUBLISHED = "This post has been published in the meantime."


@transaction.atomic
def post_create(
    *,
    actor: Actor,
    title: str,
    excerpt: str,
    content: str,
    image_url: str = "",
    is_published: bool = False,
    author_id: int | None = None,
    published_at: datetime | None = None,
    publish_at: datetime | None = None,
) -> BlogPost:
    """Create an article and return it. The author is the actor, unless `author_id` is passed.

    A published article is dated now, or at `published_at`. A draft is published at `publish_at`, if it has one. Raises
    PermissionDenied, ValidationError.
    """
    require(can_edit_news(actor), _NOT_ALLOWED)
    post = BlogPost(author_id=author_id or account_of(actor))
    texts = {"title": title, "excerpt": excerpt, "content": content, "image_url": image_url}
    _write(post, **texts, is_published=is_published, publish_at=publish_at)
    if is_published and published_at:
        post.published_at = published_at
    return _store(post, actor, "post.create", None)


@transaction.atomic
def post_update(
    *,
    actor: Actor,
    post_id: int,
    title: str,
    excerpt: str,
    content: str,
    image_url: str,
    is_published: bool,
    publish_at: datetime | None = None,
    version: str | None = None,
) -> Saved[BlogPost]:
    """Save an article and return it; a published one is dated now (specification, section 4).

    A draft is published at `publish_at`; publishing it immediately drops that time. `version` is the version that the
    editor read. Raises PermissionDenied, BlogPost.DoesNotExist, EditConflict,
    ValidationError.
    """
    require(can_edit_news(actor), _NOT_ALLOWED)
    post = BlogPost.objects.select_for_update(no_key=True).get(pk=post_id)
    before, stored = post_fields(post), post_values(post)
    texts = {"title": title, "excerpt": excerpt, "content": content, "image_url": image_url}
    given = {**texts, "is_published": is_published, "publish_date": publish_at}
    words = {"publish_date": _words(post.publish_at)}
    fields, kept_fields = edit_merge(version=version, stored=stored, given=given, labels=_LABELS, words=words)
    planned = fields.pop("publish_date")
    if fields["is_published"] and not is_published and planned != post.publish_at:
        raise ValidationError({"publish_date": _PUBLISHED})
    _write(post, **fields, publish_at=planned)
    return Saved(_store(post, actor, "post.update", before), kept_fields)


@transaction.atomic
def post_delete(*, actor: Actor, post_id: int) -> None:
    """Delete an article. Raises PermissionDenied, BlogPost.DoesNotExist."""
    require(can_edit_news(actor), _NOT_ALLOWED)
    post = BlogPost.objects.select_for_update().get(pk=post_id)
    post.delete()
    change_note(actor=actor, action="post.delete", subject_id=post_id, before=post_fields(post))
    publish(PostChanged(post_id=post_id))


def _words(publish_at: datetime | None) -> str:
    """Return a planned time for editors, by the venue's clock."""
    return venue_clock(publish_at, "%Y-%m-%d %H:%M") if publish_at else ""


def _write(
    post: BlogPost,
    *,
    title: str,
    excerpt: str,
    content: str,
    image_url: str,
    is_published: bool,
    publish_at: datetime | None,
) -> None:
    """Set the article's columns; a published article is dated now.

    Raises ValidationError for a new time of publication that is over.
    """
    now = database_now()
    if publish_at and not is_published and publish_at != post.publish_at and publish_at <= now:
        raise ValidationError({"publish_date": _PAST})
    post.title = title.strip()
    post.excerpt = excerpt.strip()
    post.content = content.strip()
    post.image_url = image_url.strip()
    post.is_published = is_published
    post.published_at = now if is_published else None
    post.publish_at = None if is_published else publish_at


def _store(post: BlogPost, actor: Actor, action: str, before: dict[str, Any] | None) -> BlogPost:
    """Validate, save, audit and publish the article, and return it."""
    row_validate(post)
    post.save()
    change_note(actor=actor, action=action, subject_id=post.pk, name=post.title, before=before, after=post_fields(post))
    publish(PostChanged(post_id=post.pk))
    if (before or {}).get("publish_at") != post.publish_at:
        publish(PublicationPlanned())
    return post


@transaction.atomic
def posts_publish_due() -> timedelta | None:
    """Publish the drafts whose time has come, each dated now; return how long until the next one, None without one.

    A draft that another transaction has locked is left out; then the result is not above zero. After a leap of the
    database's clock the drafts of the leap wait (`SteadyClock`).
    """
    now = _clock.now()
    due = BlogPost.objects.filter(publish_at__lte=now).order_by("pk")
    for post in due.select_for_update(no_key=True, skip_locked=True):
        before = post_fields(post)
        post.is_published, post.published_at, post.publish_at = True, now, None
        post.save(update_fields=["is_published", "published_at", "publish_at"])
        after = post_fields(post)
        change_note(
            actor=OPERATOR, action="post.publish", subject_id=post.pk, name=post.title, before=before, after=after
        )
        publish(PostChanged(post_id=post.pk))
    planned = BlogPost.objects.filter(publish_at__isnull=False).order_by("publish_at")
    following = planned.values_list("publish_at", flat=True).first()
    return following - now if following else None


@transaction.atomic
def posts_disown(*, user_id: int) -> int:
    """Remove the author from an account's articles; return their number."""
    posts = list(BlogPost.objects.select_for_update(no_key=True).filter(author_id=user_id).order_by("pk"))
    BlogPost.objects.filter(pk__in=[post.pk for post in posts]).update(author=None)
    for post in posts:
        publish(PostChanged(post_id=post.pk))
    return len(posts)
