"""Helpers for tests of session comments: create rows without limits, and read the shown ones."""

from django.db import transaction

from apps.core.events import publish
from apps.live.events import CommentsChanged
from apps.live.models import SessionComment
from tests.components.seen import every, text


def comments_insert(session, author, *contents):
    """Insert comments directly, without rate limits, oldest first. Return their ids."""
    rows = [SessionComment(session_id=session.pk, user_id=author.id, content=content) for content in contents]
    return [row.pk for row in SessionComment.objects.bulk_create(rows)]


def numbered(session, author, count, start=0):
    """Insert comments with the numbers from `start` on. Return their ids."""
    return comments_insert(session, author, *(f"Comment {n:05d}" for n in range(start, start + count)))


@transaction.atomic
def comments_notify(session):
    """Publish `CommentsChanged`, which directly inserted rows do not publish."""
    publish(CommentsChanged(session_ids=(session.pk,)))


def shown(screen):
    """Return the numbers of the shown comments, from the top."""
    return [int(text(node).removeprefix("Comment ")) for node in every(screen.tree, "p", "says__text")]
