"""Community posts with known times, for tests of order and pages."""

from datetime import timedelta

from django.utils import timezone

from tests.factories import PostFactory


def posts(count, **columns):
    """Create `count` posts, one second apart. Return their ids, newest first."""
    now = timezone.now()
    return [
        PostFactory(created_at=now - timedelta(seconds=n), content=f"Post {n:03d}", **columns).pk for n in range(count)
    ]
