"""What a moderator's list shows, read in one go: rows, how many match, what came since, what can be taken back."""

from dataclasses import dataclass, replace
from datetime import UTC, datetime

from apps.accounts.actors import Viewer
from apps.competition.enums import SessionFilter
from apps.competition.selectors import participant_options, session_list
from apps.competition.selectors.admin import LiveDesk, live_desk
from apps.ratings.limits import QUEUE_ROWS
from apps.ratings.queue_address import filters_of
from apps.ratings.selectors import (
    Cursor,
    LastDecision,
    QueueFilter,
    RatingShown,
    cursor_of,
    decision_last,
    ratings_match_count,
    ratings_queue,
)
from components.page import Query

TOPICS = ("ratings.waiting", "ratings.latest")
Choices = tuple[tuple[str, str], ...]  # (value, words)


@dataclass(frozen=True, slots=True)
class Queue:
    """One page of a list that stands still: what came since is counted, not shown."""

    filters: QueueFilter
    rows: tuple[RatingShown, ...]
    older: str  # where the list continues; empty at its end
    total: int  # that match
    newer: int
    last: LastDecision | None


@dataclass(frozen=True, slots=True)
class ModerationStart:
    """What a tab of ratings starts with."""

    queue: Queue
    before: str  # where this page of the list begins; empty at the top
    sessions: Choices
    participants: Choices
    desk: LiveDesk


def queue_read(*, filters: QueueFilter, before: str, user_id: int) -> Queue:
    """Return what matches now of that which stood like this at `filters.until`. At most six queries."""
    found = ratings_queue(filters=filters, before=Cursor.read(before), limit=QUEUE_ROWS + 1)
    rows = found[:QUEUE_ROWS]
    matching = ratings_match_count(filters=filters)
    older = str(cursor_of(rows[-1], moment=filters.moment)) if len(found) > QUEUE_ROWS else ""
    return Queue(filters, rows, older, matching.total, matching.newer, decision_last(user_id=user_id))


def queue_now(*, filters: QueueFilter, before: str, user_id: int) -> Queue:
    """Return what matches now. At most six queries."""
    return queue_read(filters=replace(filters, until=datetime.now(UTC)), before=before, user_id=user_id)


def moderation_start(viewer: Viewer, query: Query) -> ModerationStart:
    """Return what the tab in the address starts with. At most nine queries."""
    before = query.get("before", "")
    sessions = session_list(when=SessionFilter.ALL, now=datetime.now(UTC))
    return ModerationStart(
        queue=queue_now(filters=filters_of(query), before=before, user_id=viewer.id or 0),
        before=before if Cursor.read(before) else "",
        sessions=tuple((str(each.id), each.title) for each in reversed(sessions)),
        participants=tuple((str(each.id), each.name) for each in participant_options()),
        desk=live_desk(),
    )
