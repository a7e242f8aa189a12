"""Posts of the community whose order is known."""

from datetime import timedelta

from django.utils import timezone

from tests.factories import PostFactory


def posts(count, **named):
    """Return the ids of so many posts, the newest first; a second lies between two."""
    now = timezone.now()
    made = [PostFactory(created_at=now - timedelta(seconds=n), content=f"Post {n:03d}", **named) for n in range(count)]
    return [post.pk for post in made]
