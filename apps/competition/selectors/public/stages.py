"""Public reads of stages: their names, and their fields."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from operator import itemgetter

from django.core.exceptions import ValidationError
from django.db.models import Exists, Max, Min, OuterRef, Q, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce, Now

from apps.competition.models import (
    Appearance,
    PerformingTime,
    Session,
    SessionInterval,
    Stage,
    StageAdvancement,
)

_LATEST = PerformingTime.objects.filter(appearance=OuterRef("pk")).order_by("-pk")
_IS_PLAYED = Q(archived_at=None) | Exists(Session.objects.filter(stage=OuterRef("pk")))
_ADVANCING = StageAdvancement.objects.filter(stage=OuterRef("stage"))


def stages_played() -> QuerySet[Stage]:
    """Return the stages without those that were archived without a session."""
    return Stage.objects.filter(_IS_PLAYED)


def stages_after(order_number: int | OuterRef) -> QuerySet[Stage]:
    """Return the stages after that number, in their order, without those that were archived without a session."""
    return stages_played().filter(order_number__gt=order_number).order_by("order_number")


def next_names(stages: Sequence[tuple[str, bool]]) -> list[str]:
    """Return for each stage of all, in their order, the name of the next one, as `stages_after`; empty for the last.

    Each is its name, and whether it was archived without a session.
    """
    found, following = [], ""
    for name, is_dropped in reversed(stages):
        found.append(following)
        following = following if is_dropped else name
    return found[::-1]


def with_times(found: QuerySet[Appearance]) -> QuerySet[Appearance]:
    """Annotate appearances with the last entry (`came_at`) and exit (`left_at`) on stage, and `has_begun`.

    `stay_id` is the id of that time on stage: entries are in the order of these, even if the clock was set back.

    An appearance has begun if it is or was on stage. In a session that is not live, all have begun after its start
    time, because many sessions have no recorded times on stage.
    """
    names = {"came_at": "began_at", "left_at": "ended_at", "stay_id": "pk"}
    latest = {name: Subquery(_LATEST.values(column)[:1]) for name, column in names.items()}
    return found.annotate(**latest).annotate(
        has_begun=Q(is_performing=True)
        | Q(came_at__isnull=False)
        | Q(session__is_live=False, session__starts_at__lte=Now())
    )


def with_intervals(found: QuerySet[Appearance]) -> QuerySet[Appearance]:
    """Annotate appearances with the minutes of the planned interval that follows (`interval_after`), None without."""
    planned = SessionInterval.objects.filter(session=OuterRef("session"), after_order_number=OuterRef("order_number"))
    return found.annotate(interval_after=Subquery(planned.values("minutes")[:1]))


def with_outcomes(found: QuerySet[Appearance]) -> QuerySet[Appearance]:
    """Annotate appearances with who advances from their stage.

    `is_decided` is whether that is published, `has_advanced` whether the participant is one of them, and `next_stage`
    the name of the stage after, empty for the last one.
    """
    return found.annotate(
        is_decided=Exists(_ADVANCING),
        has_advanced=Exists(_ADVANCING.filter(participant=OuterRef("participant"))),
        next_stage=Coalesce(Subquery(stages_after(OuterRef("stage__order_number")).values("name")[:1]), Value("")),
    )


@dataclass(frozen=True, slots=True)
class StageName:
    """A stage by name; `begins_at` is the start of its first session, None without any."""

    id: int
    name: str
    begins_at: datetime | None


@dataclass(frozen=True, slots=True)
class FieldAppearance:
    """An appearance in a stage: its participant, its session, and whether it has begun.

    `order_number` is its place in the session, `position` that in the stage, both from 1.
    """

    id: int
    participant_id: int
    name: str
    country: str
    avatar_url: str
    session_id: int
    session_title: str
    has_begun: bool
    is_repeated: bool = False
    order_number: int = 0
    position: int = 0


@dataclass(frozen=True, slots=True)
class SessionTimes:
    """A session's planned start, and the time from the first entry to the last exit on stage, None without any."""

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
    found = with_times(Appearance.objects.filter(session__stage=stage_id))
    rows = found.order_by("session__starts_at", "session_id", "order_number").values_list(
        *("pk", "participant_id", "participant__name", "participant__country", "participant__avatar_url"),
        *("session_id", "session__title", "has_begun", "is_repeated", "order_number"),
    )
    return tuple(FieldAppearance(*(*row, position)) for position, row in enumerate(rows, start=1))


def stage_performers() -> dict[int, set[int]]:
    """Return the participants in the sessions of each stage, by stage. One query."""
    found: dict[int, set[int]] = {}
    for stage_id, participant_id in Appearance.objects.values_list("session__stage_id", "participant_id"):
        found.setdefault(stage_id, set()).add(participant_id)
    return found


def advancing_ids(*, stage_id: int) -> frozenset[int]:
    """Return the participants of whom it is published that they advance from the stage. One query."""
    return frozenset(StageAdvancement.objects.filter(stage_id=stage_id).values_list("participant_id", flat=True))


def stage_not_begun(*, stage_id: int) -> tuple[ValidationError, ...]:
    """Return the sentence to confirm before results of a stage are stored in which no performance has begun.

    Empty once one has begun, as `with_times` says, and for an unknown stage. At most two queries.
    """
    if with_times(Appearance.objects.filter(stage_id=stage_id)).filter(Q(has_begun=True)).exists():
        return ()
    names = Stage.objects.filter(pk=stage_id).values_list("name", flat=True)
    return tuple(ValidationError("No performance of %(stage)s has begun.", params={"stage": name}) for name in names)


@dataclass(frozen=True, slots=True)
class PlacedAppearance:
    """An appearance with its stage, and its place in the stage's order of playing: the `number`th of `count`."""

    id: int
    participant_id: int
    name: str
    session_title: str
    stage_id: int
    stage: str
    number: int
    count: int
    is_repeated: bool


def appearances_placed(*, appearance_ids: Collection[int]) -> tuple[PlacedAppearance, ...]:
    """Return these appearances, the newest stage first, each stage in the order of playing. One query."""
    stages = Session.objects.filter(appearances__in=appearance_ids).values("stage_id")
    found = Appearance.objects.filter(session__stage__in=stages)
    in_order = ("session__starts_at", "session_id", "order_number")
    columns = ("session__stage_id", "pk", "participant_id", "participant__name", "session__title", "is_repeated")
    rows = found.order_by("-session__stage__order_number", *in_order).values_list(*columns, "session__stage__name")
    placed: list[PlacedAppearance] = []
    for stage_id, of_stage in groupby(rows, key=itemgetter(0)):
        field = list(of_stage)
        placed += [
            PlacedAppearance(pk, participant_id, name, title, stage_id, stage, number, len(field), is_repeated)
            for number, (_, pk, participant_id, name, title, is_repeated, stage) in enumerate(field, start=1)
            if pk in appearance_ids
        ]
    return tuple(placed)


def stage_sessions(*, stage_id: int) -> dict[int, SessionTimes]:
    """Return the times of a stage's sessions, by session id. One query."""
    found = Appearance.objects.filter(session__stage=stage_id).order_by().values("session_id")
    rows = found.annotate(
        played_from=Min("times__began_at"),
        played_until=Max("times__ended_at"),
    ).values_list("session_id", "session__starts_at", "session__is_live", "played_from", "played_until")
    return {pk: SessionTimes(*row) for pk, *row in rows}
