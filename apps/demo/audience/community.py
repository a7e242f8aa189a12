"""What an audience that never was posts in the community, once and past the services, which know only now.

It speaks by those accounts of the demo that are there.
"""

import json
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from django.db import connection, transaction
from django.utils import timezone

from apps.accounts.selectors import account_id_get
from apps.community.enums import PostReaction
from apps.community.events import PostsChanged
from apps.community.models import Post, PostComment, PostReactionRow
from apps.core.events import publish
from apps.demo.audience.opinions import chance, rater_names
from apps.demo.texts import account_texts

__all__ = ["community_load"]
FIRST = "SELECT pg_try_advisory_xact_lock(hashtext('parterre demo community')) AND NOT is_called FROM posts_id_seq"
_FOLDER = Path(__file__).resolve().parent
People = dict[str, int]  # ids by username


@transaction.atomic
def community_load(*, now: datetime | None = None) -> int:
    """Return how many posts were loaded: none when another loads, or there ever were posts.

    Somebody who deletes them all wants none: whether there were any is what their numbers' sequence knows.
    """
    with connection.cursor() as cursor:
        cursor.execute(FIRST)
        if not cursor.fetchone()[0]:
            return 0
    people = _people()
    said = json.loads((_FOLDER / "community.json").read_text(encoding="utf-8"))
    posts = [_post(each, people, now or timezone.now()) for each in said if each["author"] in people]
    if posts:
        publish(PostsChanged())
    return len(posts)


def _people() -> People:
    """Return who of the demo has an account."""
    names = (*(text.username for text in account_texts()), *rater_names())
    found = {name: account_id_get(username=name) for name in names}
    return {name: pk for name, pk in found.items() if pk is not None}


def _post(said: dict[str, Any], people: People, now: datetime) -> Post:
    """Store a post with its comments and reactions, so many days before `now`, and return it."""
    at = now - timedelta(days=said["ago"])
    post = Post.objects.create(user_id=people[said["author"]], content=said["content"], created_at=at)
    PostComment.objects.bulk_create(
        PostComment(post=post, user_id=people[name], content=text, created_at=now - timedelta(days=ago))
        for name, ago, text in said["comments"]
        if name in people
    )
    # who reacts to what is chance, but the same each time
    crowd = sorted(people.keys() - {said["author"]}, key=lambda name: chance("react", name, said["content"]))
    kinds = [*[PostReaction.APPLAUSE] * said["applause"], *[PostReaction.BOO] * said["boo"]]
    PostReactionRow.objects.bulk_create(
        PostReactionRow(post=post, user_id=people[name], type=kind) for name, kind in zip(crowd, kinds, strict=False)
    )
    return post
