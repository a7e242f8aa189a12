"""The lock of ratings: whoever writes marks takes their ratings' rows first, all in one order.

So nobody waits in a circle, whichever marks of a rating two people change at once. Whoever stores marks that were not
there has their author's account before: it may be closed at this moment, which changes all marks of its owner.
"""

from collections.abc import Collection, Mapping
from typing import Any

from django.db import connection

from apps.accounts.services.account_lock import accounts_hold
from apps.ratings.enums import RatingKind
from apps.ratings.models import RatingSubmission

ORDER = ("user_id", "session_participant_id")
_OF_MARKS = """
SELECT 1 FROM rating_submissions WHERE (user_id, session_participant_id) IN (
    SELECT user_id, session_participant_id FROM piece_ratings WHERE id = ANY(%(piece)s)
    UNION ALL SELECT user_id, session_participant_id FROM performance_ratings WHERE id = ANY(%(performance)s)
) ORDER BY user_id, session_participant_id FOR UPDATE
"""
_AUTHORS = """
SELECT user_id FROM piece_ratings WHERE id = ANY(%(piece)s)
UNION SELECT user_id FROM performance_ratings WHERE id = ANY(%(performance)s)
"""
_OF_DECISION = """
SELECT 1 FROM rating_submissions WHERE (user_id, session_participant_id) IN (
    SELECT mark.user_id, mark.session_participant_id
    FROM decided_ratings AS decided JOIN piece_ratings AS mark ON mark.id = decided.rating_id
    WHERE decided.decision_id = %(decision_id)s AND decided.kind = 'piece'
    UNION ALL
    SELECT mark.user_id, mark.session_participant_id
    FROM decided_ratings AS decided JOIN performance_ratings AS mark ON mark.id = decided.rating_id
    WHERE decided.decision_id = %(decision_id)s AND decided.kind = 'performance'
    UNION ALL
    SELECT user_id, (row ->> 'session_participant_id')::bigint
    FROM decided_ratings WHERE decision_id = %(decision_id)s AND row IS NOT NULL
) ORDER BY user_id, session_participant_id FOR UPDATE
"""


def ratings_lock(**whose: Any) -> None:
    """Lock the ratings that the filter `whose` finds until the transaction ends."""
    list(RatingSubmission.objects.filter(**whose).order_by(*ORDER).select_for_update().values_list("pk"))


def ratings_of_marks_lock(marks: Mapping[RatingKind, Collection[int]]) -> None:
    """Lock the ratings that have these marks, by kind and id, until the transaction ends; their authors stay, too."""
    ids = {kind.value: list(marks.get(kind, ())) for kind in RatingKind}
    with connection.cursor() as cursor:
        cursor.execute(_AUTHORS, ids)
        accounts_hold(user_ids=[user_id for (user_id,) in cursor.fetchall()])
        cursor.execute(_OF_MARKS, ids)


def ratings_of_decision_lock(decision_id: int) -> None:
    """Lock the ratings whose marks this decision was about until the transaction ends."""
    with connection.cursor() as cursor:
        cursor.execute(_OF_DECISION, {"decision_id": decision_id})
