"""Writes of the news."""

from datetime import datetime

from django.db import transaction
from django.utils import timezone

from apps.accounts.actors import Actor
from apps.core.events import publish
from apps.core.permissions import require

from .events import PostChanged
from .models import BlogPost
from .permissions import can_edit_news

_NOT_ALLOWED = "Only administrators write the news."


@transaction.atomic
def post_create(
    *,
    actor: Actor,
    author_id: int,
    title: str,
    excerpt: str,
    content: str,
    image_url: str = "",
    is_published: bool = False,
    published_at: datetime | None = None,
) -> BlogPost:
    """Create an article and return it; one that is published says now, unless `published_at` gives an earlier time.

    Raises PermissionDenied, ValidationError.
    """
    require(can_edit_news(actor), _NOT_ALLOWED)
    post = BlogPost(
        author_id=author_id,
        title=title.strip(),
        excerpt=excerpt.strip(),
        content=content.strip(),
        image_url=image_url.strip(),
        is_published=is_published,
        published_at=(published_at or timezone.now()) if is_published else None,
    )
    return _stored(post)


@transaction.atomic
def post_update(
    *, actor: Actor, post_id: int, title: str, excerpt: str, content: str, image_url: str, is_published: bool
) -> BlogPost:
    """Write an article anew and return it; one that is published is stamped with now (specification, section 4).

    Raises PermissionDenied, BlogPost.DoesNotExist, ValidationError.
    """
    require(can_edit_news(actor), _NOT_ALLOWED)
    post = BlogPost.objects.select_for_update(no_key=True).get(pk=post_id)
    post.title = title.strip()
    post.excerpt = excerpt.strip()
    post.content = content.strip()
    post.image_url = image_url.strip()
    post.is_published = is_published
    post.published_at = timezone.now() if is_published else None
    return _stored(post)


@transaction.atomic
def post_delete(*, actor: Actor, post_id: int) -> None:
    """Delete an article. Raises PermissionDenied, BlogPost.DoesNotExist."""
    require(can_edit_news(actor), _NOT_ALLOWED)
    post = BlogPost.objects.select_for_update().get(pk=post_id)
    post.delete()
    publish(PostChanged(post_id=post_id))


def _stored(post: BlogPost) -> BlogPost:
    """Return the article, checked, stored and announced."""
    post.full_clean()
    post.save()
    publish(PostChanged(post_id=post.pk))
    return post


@transaction.atomic
def posts_disown(*, user_id: int) -> int:
    """Leave an account's articles to a former member; returns how many."""
    posts = list(BlogPost.objects.select_for_update(no_key=True).filter(author_id=user_id).order_by("pk"))
    BlogPost.objects.filter(pk__in=[post.pk for post in posts]).update(author=None)
    for post in posts:
        publish(PostChanged(post_id=post.pk))
    return len(posts)
