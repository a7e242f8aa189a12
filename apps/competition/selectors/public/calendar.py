"""Public reads of what calendars publish: sessions and appearances, with those that were cancelled."""

from dataclasses import dataclass
from datetime import datetime

from apps.competition.limits import CALENDAR_MOST
from apps.competition.models import CalendarEntry

_ENTRY = (
    *("session_id", "participant_id", "participant__name", "title", "starts_at", "planned_end"),
    *("order_number", "planned_start", "sequence", "changed_at", "cancelled_at"),
)


@dataclass(frozen=True, slots=True)
class CalendarRow:
    """A session, or an appearance in one: `participant_id`, `name` and `order_number` are None for a session.

    `starts_at` and `planned_end` are those of the session. `sequence` counts the changes, the last was at `changed_at`.
    """

    session_id: int
    participant_id: int | None
    name: str | None
    title: str
    starts_at: datetime
    planned_end: datetime | None
    order_number: int | None
    planned_start: datetime | None
    sequence: int
    changed_at: datetime
    cancelled_at: datetime | None


def calendar_sessions() -> tuple[CalendarRow, ...]:
    """Return the sessions by start time, cancelled ones included, the newest CALENDAR_MOST. One query."""
    return _rows(participant=None)


def calendar_appearances(*, participant_ids: tuple[int, ...]) -> tuple[CalendarRow, ...]:
    """Return the appearances of these participants by start time, cancelled ones included, as above. One query."""
    return _rows(participant__in=participant_ids)


def _rows(**which: object) -> tuple[CalendarRow, ...]:
    found = CalendarEntry.objects.filter(**which).order_by("-starts_at", "-pk")
    return tuple(CalendarRow(*row) for row in found.values_list(*_ENTRY)[:CALENDAR_MOST])[::-1]
