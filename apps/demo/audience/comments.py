"""Loads comments on the demo's live session, once, by the demo's accounts.

Without the services, which date a comment with the present moment.
"""

import json
from datetime import timedelta
from pathlib import Path

from django.db import connection, transaction
from django.utils import timezone

from apps.accounts.selectors import account_id_get
from apps.competition.selectors import live_session
from apps.core.events import publish
from apps.live.events import CommentsChanged
from apps.live.models import SessionComment

__all__ = ["comments_load"]
FIRST = """
SELECT pg_try_advisory_xact_lock(hashtext('parterre demo comments')) AND NOT is_called FROM session_comments_id_seq
"""
_FOLDER = Path(__file__).resolve().parent


@transaction.atomic
def comments_load() -> int:
    """Return how many comments were loaded: none without a live session, during another load, or a second time.

    Deleted comments are not loaded again: the sequence of ids tells whether there ever were any.
    """
    session = live_session()
    with connection.cursor() as cursor:
        cursor.execute(FIRST)
        is_first = cursor.fetchone()[0]
    if session is None or not is_first:
        return 0
    now = timezone.now()
    comments = json.loads((_FOLDER / "comments.json").read_text(encoding="utf-8"))
    by_account = [(account_id_get(username=name), now - timedelta(minutes=ago), text) for name, ago, text in comments]
    for user_id, moment, text in by_account:
        if user_id is not None:
            comment = SessionComment.objects.create(session_id=session.id, user_id=user_id, content=text)
            SessionComment.objects.filter(pk=comment.pk).update(created_at=moment)
    publish(CommentsChanged(session_ids=(session.id,)))
    return sum(user_id is not None for user_id, _, _ in by_account)
