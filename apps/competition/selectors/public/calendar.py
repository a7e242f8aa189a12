"""Public reads of what calendars publish: sessions and appearances, with those that were cancelled."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Exists, F, OuterRef, Q, Subquery
from django.db.models.functions import Greatest, Now

from apps.competition.limits import CALENDAR_MOST
from apps.competition.models import CalendarEntry, PerformingTime, Session
from apps.competition.selectors.public.sessions import LATE

_ENTRY = (
    *("session_id", "participant_id", "participant__name", "title", "starts_at", "planned_end"),
    *("order_number", "planned_start", "next_start", "sequence", "changed_at", "cancelled_at"),
)


@dataclass(frozen=True, slots=True)
class CalendarRow:
    """A session, or an appearance in one: `participant_id`, `name` and `order_number` are None for a session.

    `starts_at` and `planned_end` are those of the session, `next_start` is the next planned start in it. `sequence`
    counts the changes, the last was at `changed_at`.
    """

    session_id: int
    participant_id: int | None
    name: str | None
    title: str
    starts_at: datetime
    planned_end: datetime | None
    order_number: int | None
    planned_start: datetime | None
    next_start: datetime | None
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


@dataclass(frozen=True, slots=True)
class PlannedAppearance:
    """A participant's appearance as the calendar has it, and how far it is.

    `is_planned` is False for one that was cancelled, `stage_id` None for one whose session was deleted. `has_begun` and
    `is_over` (its session ended, or was never live and is long past) are those of the stage, not of the plan.
    """

    session_id: int
    stage_id: int | None
    starts_at: datetime
    planned_start: datetime | None
    sequence: int
    is_planned: bool
    has_begun: bool
    is_over: bool


_SESSION = Session.objects.filter(pk=OuterRef("session_id"))
_TIMES = PerformingTime.objects.filter(appearance__session=OuterRef("session_id"))


def planned_appearances(*, participant_id: int) -> tuple[PlannedAppearance, ...]:
    """Return a participant's appearances by start time, cancelled ones included. One query."""
    is_live = Exists(_SESSION.filter(is_live=True))
    was_live = Exists(_SESSION.filter(ended_at__isnull=False)) | Exists(_TIMES)
    own_times = _TIMES.filter(appearance__participant=OuterRef("participant"))
    is_past = Q(latest__lt=Now() - LATE)
    found = CalendarEntry.objects.filter(participant_id=participant_id).annotate(
        stage_id=Subquery(_SESSION.values("stage_id")),
        latest=Greatest(F("starts_at"), F("planned_start")),
        is_planned=Q(cancelled_at=None),
        has_begun=Exists(own_times),
        is_over=~is_live & (was_live | is_past),
    )
    columns = ("session_id", "stage_id", "starts_at", "planned_start", "sequence", "is_planned", "has_begun", "is_over")
    return tuple(PlannedAppearance(*row) for row in found.order_by("starts_at", "pk").values_list(*columns))
