"""Public reads of the schedule: the sessions of a day with their appearances."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import MAXYEAR, MINYEAR, date, datetime, time, timedelta
from typing import Protocol

from django.db.models import QuerySet
from django.db.models.functions import TruncDate

from apps.competition.limits import SCHEDULE_MOST
from apps.competition.models import Appearance, Session
from apps.competition.selectors.public.participants import AppearanceDetail, SessionDetail
from apps.competition.selectors.public.programs import InOrder, performer
from apps.competition.selectors.public.sessions import (
    APPEARANCE,
    DETAIL,
    LATE,
    NEVER_LIVE,
    Withdrawn,
    session_withdrawals,
)
from apps.competition.selectors.public.stages import with_intervals, with_times
from apps.core.database.fields import venue_zone


@dataclass(frozen=True, slots=True)
class ScheduledSession:
    """A session with its appearances in the order of playing; `was_live` is False while it has never been live."""

    session: SessionDetail
    was_live: bool
    appearances: tuple[AppearanceDetail, ...]
    withdrawn: tuple[Withdrawn, ...]

    def is_over(self, now: datetime) -> bool:
        """Whether it has ended, or was to begin so long ago that it is no longer expected."""
        return not self.session.is_live and (self.was_live or self.session.starts_at < now - LATE)

    def is_awaited(self, now: datetime) -> bool:
        """Whether its start time has passed and it is expected to begin."""
        return not (self.session.is_live or self.is_over(now)) and self.session.starts_at < now


def schedule_days() -> tuple[date, ...]:
    """Return the days with sessions at the venue, the earliest first, at most SCHEDULE_MOST. One query."""
    days = Session.objects.order_by().annotate(day=TruncDate("starts_at", tzinfo=venue_zone())).values_list("day")
    return tuple(sorted(day for (day,) in days.distinct().order_by("-day")[:SCHEDULE_MOST]))


def schedule_day(*, day: date) -> tuple[ScheduledSession, ...]:
    """Return the sessions that begin on this day at the venue, by start time, at most SCHEDULE_MOST. Three queries."""
    if not MINYEAR < day.year < MAXYEAR:
        return ()
    begin = datetime.combine(day, time.min, venue_zone())
    end = datetime.combine(day + timedelta(days=1), time.min, venue_zone())
    return _scheduled(Session.objects.filter(starts_at__gte=begin, starts_at__lt=end))


def schedule_whole() -> tuple[ScheduledSession, ...]:
    """Return all sessions by start time, at most the first SCHEDULE_MOST. Three queries."""
    return _scheduled(Session.objects.all())


def _scheduled(found: QuerySet[Session]) -> tuple[ScheduledSession, ...]:
    rows = list(
        found.annotate(is_new=NEVER_LIVE).order_by("starts_at", "id").values_list("is_new", *DETAIL)[:SCHEDULE_MOST]
    )
    ids = [session_id for _, session_id, *_ in rows]
    appearances: dict[int, list[AppearanceDetail]] = defaultdict(list)
    playing = with_intervals(with_times(Appearance.objects.filter(session__in=ids)))
    for session_id, *row in playing.order_by("session_id", "order_number").values_list("session_id", *APPEARANCE):
        appearances[session_id].append(AppearanceDetail(*row))
    withdrawn = session_withdrawals(session_ids=ids)
    return tuple(
        ScheduledSession(
            SessionDetail(*detail), not is_new, tuple(appearances[detail[0]]), withdrawn.get(detail[0], ())
        )
        for is_new, *detail in rows
    )


class Timed(InOrder, Protocol):
    """An appearance with its planned start and its last entry on stage, None if they are not known."""

    @property
    def planned_start(self) -> datetime | None:
        """The time at which it should begin."""

    @property
    def came_at(self) -> datetime | None:
        """The time at which it came on stage last."""


def minutes_late(appearances: Sequence[Timed]) -> int:
    """Return how many whole minutes after the planned start the performer on stage began; 0 without a delay.

    It is 0 too while the stage is empty, and without a planned start: nothing is guessed.
    """
    now = performer(appearances)
    if now is None or now.planned_start is None or now.came_at is None:
        return 0
    return max(0, (now.came_at - now.planned_start) // timedelta(minutes=1))
