"""Stages for everybody: their names, and who plays in one."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Max, Min

from apps.competition.models import SessionParticipant, Stage
from apps.competition.selectors.public.stage_times import with_times


@dataclass(frozen=True, slots=True)
class StageName:
    """A stage by name; `begins_at` is when its first session begins, None without any."""

    id: int
    name: str
    begins_at: datetime | None


@dataclass(frozen=True, slots=True)
class FieldAppearance:
    """An appearance in a stage: whose, in which session, and whether it has begun."""

    id: int
    participant_id: int
    name: str
    country: str
    avatar_url: str
    session_id: int
    session_title: str
    has_begun: bool


@dataclass(frozen=True, slots=True)
class SessionTimes:
    """When a session was heard: its planned begin, and from when to when somebody was on stage, None for nobody."""

    starts_at: datetime
    is_live: bool
    played_from: datetime | None
    played_until: datetime | None


def stage_names() -> tuple[StageName, ...]:
    """Return all stages in their order. One query."""
    found = Stage.objects.order_by("order_number").annotate(begins_at=Min("sessions__starts_at"))
    return tuple(StageName(*row) for row in found.values_list("pk", "name", "begins_at"))


def stage_ids() -> tuple[int, ...]:
    """Return the ids of all stages, for the sitemap. One query."""
    return tuple(Stage.objects.order_by("id").values_list("id", flat=True))


def stage_field(*, stage_id: int) -> tuple[FieldAppearance, ...]:
    """Return the appearances of a stage in the order of playing. One query."""
    found = with_times(SessionParticipant.objects.filter(session__stage=stage_id))
    rows = found.order_by("session__starts_at", "session_id", "order_number").values_list(
        *("pk", "participant_id", "participant__name", "participant__country", "participant__avatar_url"),
        *("session_id", "session__title", "has_begun"),
    )
    return tuple(FieldAppearance(*row) for row in rows)


def stage_sessions(*, stage_id: int) -> dict[int, SessionTimes]:
    """Return when the sessions of a stage were heard, by session. One query."""
    found = SessionParticipant.objects.filter(session__stage=stage_id).order_by().values("session_id")
    rows = found.annotate(
        played_from=Min("times__began_at"),
        played_until=Max("times__ended_at"),
    ).values_list("session_id", "session__starts_at", "session__is_live", "played_from", "played_until")
    return {pk: SessionTimes(*row) for pk, *row in rows}
