"""Reads of the moderation list: rows, counts, and the last decision."""

from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial

from apps.accounts.actors import Viewer
from apps.competition.selectors.admin.live import LiveControl, live_control_get
from apps.competition.selectors.admin.participants import ParticipantOption
from apps.competition.selectors.admin.sessions import SessionOption
from apps.core.database.paging import keyset_page
from apps.ratings.limits import QUEUE_ROWS
from apps.ratings.queue_address import filters_of
from apps.ratings.selectors.decisions import LastDecision, decision_last
from apps.ratings.selectors.lists import cursor_of
from apps.ratings.selectors.moderation_queue import QueueFilter, ratings_match_count, ratings_queue
from apps.ratings.selectors.statistics import RatingShown
from components.page import Query
from components.pages.admin.choices import Choice, participant_choice, session_choice
from components.pages.admin.dashboard.decision_list import Queue

TOPICS = ("ratings.waiting", "ratings.latest")
RatingQueue = Queue[QueueFilter, RatingShown, LastDecision]


@dataclass(frozen=True, slots=True)
class ModerationStart:
    """The data of a tab of ratings."""

    queue: RatingQueue
    sessions: Choice[SessionOption]
    participants: Choice[ParticipantOption]
    live: LiveControl


def queue_read(*, filters: QueueFilter, before: str, user_id: int) -> RatingQueue:
    """Return the ratings as of `filters.until` that still match. At most eight queries."""
    page = keyset_page(partial(ratings_queue, filters=filters), cursor_of, before=before, size=QUEUE_ROWS)
    matching = ratings_match_count(filters=filters)
    return Queue(filters, page, matching.total, matching.newer, decision_last(user_id=user_id))


def moderation_start(viewer: Viewer, query: Query) -> ModerationStart:
    """Return the data of the tab in the address. At most thirteen queries."""
    now = datetime.now(UTC)
    filters = filters_of(query, until=now)
    return ModerationStart(
        queue=queue_read(filters=filters, before=query.get("before", ""), user_id=viewer.id or 0),
        sessions=session_choice(query, filters.session_id or 0),
        participants=participant_choice(query, filters.participant_id or 0),
        live=live_control_get(),
    )
