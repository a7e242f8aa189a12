"""Helpers for tests of session comments: create rows without limits, and read the shown ones."""

from django.db import transaction

from apps.core.events import publish
from apps.live.events import CommentsChanged
from apps.live.models import SessionComment
from tests.components.seen import every, text


def said(session, who, *contents):
    """Insert comments directly, without rate limits, oldest first. Return their ids."""
    rows = [SessionComment(session_id=session.pk, user_id=who.id, content=content) for content in contents]
    return [row.pk for row in SessionComment.objects.bulk_create(rows)]


def numbered(session, who, count):
    return said(session, who, *(f"Comment {n:05d}" for n in range(count)))


@transaction.atomic
def told(session):
    """Publish `CommentsChanged`, which directly inserted rows do not publish."""
    publish(CommentsChanged(session_ids=(session.pk,)))


def shown(screen):
    """Return the numbers of the shown comments, from the top."""
    return [int(text(node).removeprefix("Comment ")) for node in every(screen.tree, "p", "says__text")]
