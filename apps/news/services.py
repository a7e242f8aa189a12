"""Writes of the news."""

from datetime import datetime
from typing import Any

from django.db import transaction

from apps.accounts.actors import Actor, account_of
from apps.accounts.audit_notes import change_note
from apps.core.database.fields import database_now
from apps.core.edits import Saved, edit_merge, row_validate
from apps.core.events import publish
from apps.core.permissions import require
from apps.news.events import PostChanged
from apps.news.models import BlogPost
from apps.news.permissions import can_edit_news
from apps.news.selectors import post_fields

_NOT_ALLOWED = "Only administrators write the news."
_LABELS = {"image_url": "Image URL", "is_published": "Published"}


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
) -> BlogPost:
    """Create an article and return it. The author is the actor, unless `author_id` is passed.

    A published article is dated now, or at `published_at`. Raises PermissionDenied, ValidationError.
    """
    require(can_edit_news(actor), _NOT_ALLOWED)
    post = BlogPost(author_id=author_id or account_of(actor))
    _write(post, title=title, excerpt=excerpt, content=content, image_url=image_url, is_published=is_published)
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
    version: str | None = None,
) -> Saved[BlogPost]:
    """Save an article and return it; a published one is dated now (specification, section 4).

    `version` is the version that the editor read. Raises PermissionDenied, BlogPost.DoesNotExist, EditConflict,
    ValidationError.
    """
    require(can_edit_news(actor), _NOT_ALLOWED)
    post = BlogPost.objects.select_for_update(no_key=True).get(pk=post_id)
    before = post_fields(post)
    given = {"title": title, "excerpt": excerpt, "content": content, "image_url": image_url}
    fields, kept_fields = edit_merge(
        version=version, stored=before, given={**given, "is_published": is_published}, labels=_LABELS
    )
    _write(post, **fields)
    return Saved(_store(post, actor, "post.update", before), kept_fields)


@transaction.atomic
def post_delete(*, actor: Actor, post_id: int) -> None:
    """Delete an article. Raises PermissionDenied, BlogPost.DoesNotExist."""
    require(can_edit_news(actor), _NOT_ALLOWED)
    post = BlogPost.objects.select_for_update().get(pk=post_id)
    post.delete()
    change_note(actor=actor, action="post.delete", subject_id=post_id, before=post_fields(post))
    publish(PostChanged(post_id=post_id))


def _write(post: BlogPost, *, title: str, excerpt: str, content: str, image_url: str, is_published: bool) -> None:
    """Set the article's columns; a published article is dated now."""
    post.title = title.strip()
    post.excerpt = excerpt.strip()
    post.content = content.strip()
    post.image_url = image_url.strip()
    post.is_published = is_published
    post.published_at = database_now() if is_published else None


def _store(post: BlogPost, actor: Actor, action: str, before: dict[str, Any] | None) -> BlogPost:
    """Validate, save, audit and publish the article, and return it."""
    row_validate(post)
    post.save()
    change_note(actor=actor, action=action, subject_id=post.pk, name=post.title, before=before, after=post_fields(post))
    publish(PostChanged(post_id=post.pk))
    return post


@transaction.atomic
def posts_disown(*, user_id: int) -> int:
    """Remove the author from an account's articles; return their number."""
    posts = list(BlogPost.objects.select_for_update(no_key=True).filter(author_id=user_id).order_by("pk"))
    BlogPost.objects.filter(pk__in=[post.pk for post in posts]).update(author=None)
    for post in posts:
        publish(PostChanged(post_id=post.pk))
    return len(posts)
