"""Public reads of what holds now of appearances that a notification names."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime

from django.db import connection

from apps.competition.models import StageAdvancement

# The performer on stage, or the last one who was there: those after it in the order of playing are still to come.
_PLANS = """
SELECT entry.session_id, entry.participant_id, participant.name, entry.title, entry.starts_at, entry.planned_start,
    appearance.id IS NULL, coalesce(session.is_live, false), coalesce(appearance.is_performing, false),
    coalesce(
        appearance.is_performing
        OR EXISTS (SELECT FROM performing_times WHERE session_participant_id = appearance.id)
        OR NOT session.is_live AND session.starts_at <= now(),
        false
    ),
    (
        SELECT count(*) FROM session_participants AS other
        WHERE other.session_id = session.id AND other.order_number < appearance.order_number
            AND other.order_number > coalesce(last.order_number, 0)
    )
FROM unnest(%s::bigint[], %s::bigint[]) AS wanted (session_id, participant_id)
JOIN calendar_entries AS entry USING (session_id, participant_id)
JOIN participants AS participant ON participant.id = entry.participant_id
LEFT JOIN sessions AS session ON session.id = entry.session_id
LEFT JOIN session_participants AS appearance
    ON appearance.session_id = entry.session_id AND appearance.participant_id = entry.participant_id
LEFT JOIN LATERAL (
    SELECT place.order_number FROM session_participants AS place
    LEFT JOIN performing_times AS time ON time.session_participant_id = place.id
    WHERE place.session_id = session.id AND (place.is_performing OR time.began_at IS NOT NULL)
    ORDER BY place.is_performing DESC, time.id DESC NULLS LAST LIMIT 1
) AS last ON session.is_live
"""


@dataclass(frozen=True, slots=True)
class Plan:
    """An appearance as it is now: the performer's name, the session's title and start, the planned start if known.

    `is_withdrawn` is an appearance that was deleted, or its session; title and times are then the last ones.
    `places_before` counts those who play before it and after the performer on stage; it has a meaning while `is_live`
    and before `has_begun`.
    """

    name: str
    session: str
    starts_at: datetime
    planned_start: datetime | None
    is_withdrawn: bool
    is_live: bool
    is_performing: bool
    has_begun: bool
    places_before: int


def plans_get(*, places: Collection[tuple[int, int]]) -> Mapping[tuple[int, int], Plan]:
    """Return what holds of these appearances, by session and participant; unknown ones are left out. One query."""
    pairs = list(places)
    with connection.cursor() as cursor:
        cursor.execute(_PLANS, [[pair[0] for pair in pairs], [pair[1] for pair in pairs]])
        return {(session_id, participant_id): Plan(*row) for session_id, participant_id, *row in cursor.fetchall()}


@dataclass(frozen=True, slots=True)
class Advance:
    """A performer who advances from a stage, by the published outcome."""

    name: str
    stage: str


def advances_get(*, stage_ids: Collection[int], participant_ids: Collection[int]) -> Mapping[tuple[int, int], Advance]:
    """Return which of these participants advance from these stages, by stage and participant. One query."""
    found = StageAdvancement.objects.filter(stage__in=stage_ids, participant__in=participant_ids)
    rows = found.values_list("stage_id", "participant_id", "participant__name", "stage__name")
    return {(stage_id, participant_id): Advance(*names) for stage_id, participant_id, *names in rows}
