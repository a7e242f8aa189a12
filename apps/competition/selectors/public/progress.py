"""Public reads of the field as a programme lists it: each participant's number, and how far each one is."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Q

from apps.competition.models import Appearance, ImportedPerformance, Participant
from apps.competition.selectors.public.programs import following
from apps.competition.selectors.public.stages import with_times

_ROW = (
    *("id", "participant_id", "session_id", "session__stage__name", "session__starts_at", "session__is_live"),
    *("order_number", "is_performing", "stay_id", "has_begun", "session__title", "planned_start"),
)


@dataclass(frozen=True, slots=True)
class _Row:
    id: int
    participant_id: int
    session_id: int
    stage: str
    starts_at: datetime
    is_live: bool
    order_number: int
    is_performing: bool
    stay_id: int | None
    has_begun: bool
    session: str
    planned_start: datetime | None

    @property
    def is_over(self) -> bool:
        return self.has_begun and not self.is_performing


@dataclass(frozen=True, slots=True)
class Progress:
    """A participant's appearance on stage or the next one, else the last one.

    `is_next` is the appearance that follows in the live session; `starts_at` is the session's start,
    `session` its title, `planned_start` the time at which the appearance should begin, if it is known.
    """

    stage: str
    starts_at: datetime
    is_live: bool
    is_performing: bool
    is_next: bool
    is_over: bool
    session_id: int
    session: str
    order_number: int
    planned_start: datetime | None


def participants_progress(*, participant_ids: Collection[int]) -> Mapping[int, Progress]:
    """Return how far these participants are, by participant, without those who have no appearance. One query."""
    found = Appearance.objects.filter(Q(participant_id__in=participant_ids) | Q(session__is_live=True))
    in_order = with_times(found).order_by("session__starts_at", "session_id", "order_number")
    rows = tuple(_Row(*row) for row in in_order.values_list(*_ROW))
    coming = following([row for row in rows if row.is_live])
    wanted = frozenset(participant_ids)
    shown: dict[int, _Row] = {}
    for row in rows:
        if row.participant_id in wanted:
            shown[row.participant_id] = _further(shown.get(row.participant_id), row)
    return {participant_id: _progress(row, coming) for participant_id, row in shown.items()}


def _further(before: _Row | None, row: _Row) -> _Row:
    """Return of two appearances, in the order of their sessions, the one that the list shows."""
    if before is None or row.is_performing or before.is_over:
        return row
    return row if row.is_live and not before.is_performing and not row.is_over else before


def _progress(row: _Row, coming: _Row | None) -> Progress:
    is_next = coming is not None and row.id == coming.id
    state = (row.is_live, row.is_performing, is_next, row.is_over)
    return Progress(row.stage, row.starts_at, *state, row.session_id, row.session, row.order_number, row.planned_start)


def imported_stages(*, participant_ids: Collection[int]) -> Mapping[int, str]:
    """Return the stage of the newest imported performance of these participants, by participant. One query."""
    found = ImportedPerformance.objects.filter(participant_id__in=participant_ids)
    return dict(found.order_by("performance_date", "pk").values_list("participant_id", "stage"))


def field_numbers(*, participant_ids: Collection[int]) -> Mapping[int, int]:
    """Return the numbers of these participants in the whole field, from 1 on, by name. One query."""
    ids: Iterable[int] = Participant.objects.order_by("sort_folded", "id").values_list("id", flat=True)
    wanted = frozenset(participant_ids)
    return {pk: number for number, pk in enumerate(ids, start=1) if pk in wanted}
