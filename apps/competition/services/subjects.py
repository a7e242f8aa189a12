"""Performances as the subjects of texts: locked while a text about them is written.

The lock (FOR KEY SHARE) waits for the deletion of an appearance, and lets the live control change who is on stage. A
deletion locks session, then appearances; so does `performer_hold`.
"""

from typing import NamedTuple

from django.db import connection

_HOLD = "SELECT id, participant_id, stage_id FROM session_participants WHERE id = %s FOR KEY SHARE"
_PERFORMER = """
WITH held AS MATERIALIZED (SELECT id FROM sessions WHERE id = %s FOR KEY SHARE)
SELECT appearance.id, appearance.participant_id, appearance.stage_id
FROM held JOIN session_participants AS appearance ON appearance.session_id = held.id
WHERE appearance.is_performing FOR KEY SHARE OF appearance
"""


class HeldSubject(NamedTuple):
    """A performance that exists until the transaction ends, with its participant and stage."""

    id: int
    participant_id: int
    stage_id: int


def subject_hold(*, appearance_id: int) -> HeldSubject | None:
    """Prevent the deletion of this performance until the transaction ends, and return it; None for a deleted one."""
    return _held(_HOLD, appearance_id)


def performer_hold(*, session_id: int) -> HeldSubject | None:
    """Do the same for the performance that is on stage in this session; None in an interval and before and after it."""
    return _held(_PERFORMER, session_id)


def _held(sql: str, pk: int) -> HeldSubject | None:
    with connection.cursor() as cursor:
        cursor.execute(sql, [pk])
        row = cursor.fetchone()
    return HeldSubject(*row) if row else None
