"""Reactions, written many at a time."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID, uuid4

from django.core.exceptions import ValidationError
from django.db import connection, transaction

from apps.accounts.actors import Viewer
from apps.accounts.selectors.account_status import accounts_active
from apps.competition.selectors import live_session
from apps.core.events import publish
from apps.live.enums import Reaction
from apps.live.events import ReactionsChanged

STRANGER = "Please sign in to react."
NOT_LIVE = "Reactions are open while the session is live."

# Moments and totals grow by the inserted rows only, in a fixed order, so that two processes cannot deadlock: PostgreSQL
# finishes what nothing refers to, the moments, after the totals.
STORE = """
WITH fresh AS (
    INSERT INTO session_reactions (session_id, user_id, type, key, number, timestamp)
    SELECT tap.*, extract(epoch FROM clock_timestamp()) * 1000
    FROM unnest(%s::bigint[], %s::bigint[], %s::text[], %s::uuid[], %s::smallint[]) AS tap
    ON CONFLICT (user_id, key, number) DO NOTHING
    RETURNING session_id, type, timestamp
), moments AS (
    INSERT INTO session_reaction_moments AS stored (session_id, second, count)
    SELECT session_id, timestamp / 1000, count(*) FROM fresh GROUP BY session_id, timestamp / 1000
    ORDER BY session_id, timestamp / 1000
    ON CONFLICT (session_id, second) DO UPDATE SET count = stored.count + excluded.count
)
INSERT INTO session_reaction_totals AS stored (session_id, type, total)
SELECT session_id, type, count(*) FROM fresh GROUP BY session_id, type ORDER BY session_id, type
ON CONFLICT (session_id, type) DO UPDATE SET total = stored.total + excluded.total
RETURNING session_id
"""


@dataclass(frozen=True, slots=True)
class Taps:
    """One message of a browser: its key, and the taps in their order."""

    session_id: int
    user_id: int
    key: UUID
    types: tuple[Reaction, ...]


@transaction.atomic
def reactions_store(*, messages: Sequence[Taps]) -> list[str]:
    """Store these messages and return for each why it was refused, or an empty text.

    Accounts and the live session are read once for all of them; a repeated message is stored once. One event is
    published for all.
    """
    live = live_session()
    active = accounts_active(user_ids={message.user_id for message in messages})
    refusals = [_refusal(message, live.id if live else None, active) for message in messages]
    rows = [row for message, refusal in zip(messages, refusals, strict=True) if not refusal for row in _rows(message)]
    if rows:
        with connection.cursor() as cursor:
            cursor.execute(STORE, [list(column) for column in zip(*rows, strict=True)])
            touched = sorted({session_id for (session_id,) in cursor.fetchall()})
        if touched:
            publish(ReactionsChanged(session_ids=tuple(touched)))
    return refusals


def reaction_add(*, actor: Viewer, session_id: int, kind: Reaction) -> None:
    """Store one reaction of `actor`.

    Raises ValidationError unless the session is live and the account is active.
    """
    (refusal,) = reactions_store(messages=[Taps(session_id, actor.id or 0, uuid4(), (kind,))])
    if refusal:
        raise ValidationError(refusal)


def _refusal(message: Taps, live_id: int | None, active: frozenset[int]) -> str:
    if message.user_id not in active:
        return STRANGER
    return "" if message.session_id == live_id else NOT_LIVE


def _rows(message: Taps) -> list[tuple[int, int, str, UUID, int]]:
    own = (message.session_id, message.user_id)
    return [(*own, kind.value, message.key, number) for number, kind in enumerate(message.types)]
