"""Public reads of sessions, of their appearances and of the live session."""

from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Count, Exists, FilteredRelation, OuterRef, Q, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce, Now

from apps.competition.enums import SessionFilter
from apps.competition.limits import APPEARANCES_SHOWN, PERFORMERS_MOST, SESSIONS_SHOWN
from apps.competition.models import Appearance, PerformingTime, Session, SessionWithdrawal
from apps.competition.selectors.public.participants import (
    AppearanceDetail,
    LiveCard,
    LiveNow,
    SessionAppearance,
    SessionCard,
    SessionDetail,
)
from apps.competition.selectors.public.pianos import PIANO
from apps.competition.selectors.public.programs import appearances_with_programs
from apps.competition.selectors.public.stages import with_intervals, with_outcomes, with_times
from apps.core.database.compiled import Parameter, compiled
from apps.core.database.paging import NumberedPage, numbered_page

LATE = timedelta(hours=1)  # the delay after which a session without a performer is no longer shown as coming
# a session that never was live, as far as it is known: it is not live, did not end, and its stage was always empty
NEVER_LIVE = Q(is_live=False, ended_at=None) & ~Exists(
    PerformingTime.objects.filter(appearance__session=OuterRef("pk"))
)
CARD = (
    *("id", "title", "stage__name", "stage_id", "starts_at", "description"),
    *("participant_count", "youtube_id", "is_live", "orchestra", "conductor"),
)
DETAIL = (
    *("id", "title", "stage__name", "stage_id", "starts_at", "description", "youtube_id", "is_live", "ended_at"),
    *("planned_end", "orchestra", "conductor"),
)
APPEARANCE = (
    *("id", "order_number", "participant_id", "participant__name", "participant__country", "participant__avatar_url"),
    *("is_performing", "has_begun", "came_at", "stay_id", "left_at", "is_repeated", "planned_start"),
    *(PIANO, "interval_after"),  # of `with_intervals`
)
_ON_STAGE = ("performer__participant_id", "performer__participant__name", "performer__participant__country")
_LIVE_NOW = (
    *("session_id", "session__title", "session__stage__name"),
    *("participant_id", "participant__name", "participant__country", "participant__avatar_url"),
)


def sessions_begun(*, within: timedelta) -> Mapping[int, tuple[int, ...]]:
    """Return the sessions with a recent start time that are not live: participant ids by session. One query."""
    lately = Session.objects.filter(is_live=False, starts_at__gt=Now() - within, starts_at__lte=Now())
    begun: dict[int, tuple[int, ...]] = {}
    for session_id, participant_id in lately.order_by("id").values_list("id", "appearances__participant_id"):
        begun[session_id] = (*begun.get(session_id, ()), *([participant_id] if participant_id else []))
    return begun


def session_list(
    *, when: SessionFilter, now: datetime, number: int = 1, size: int = SESSIONS_SHOWN
) -> NumberedPage[SessionCard]:
    """Return a page of sessions by start time: from `now` on, before `now`, or all. Two queries."""
    found = Session.objects.order_by("starts_at", "id")
    if when == SessionFilter.UPCOMING:
        found = found.filter(starts_at__gte=now)
    elif when == SessionFilter.PAST:
        found = found.filter(starts_at__lt=now)
    return numbered_page(found, number=number, size=size, read=_cards)


def _cards(found: QuerySet[Session]) -> tuple[SessionCard, ...]:
    cards = found.annotate(participant_count=Count("appearances"))
    return tuple(SessionCard(*row) for row in cards.values_list(*CARD))


def sessions_coming(*, now: datetime, limit: int) -> tuple[SessionCard, ...]:
    """Return the next sessions by start time, late ones included. One query.

    A session is late if its start time is within the last LATE, and it never was live.
    """
    found = Session.objects.filter(NEVER_LIVE, starts_at__gte=now - LATE)
    cards = found.annotate(participant_count=Count("appearances"))
    return tuple(SessionCard(*row) for row in cards.order_by("starts_at", "id").values_list(*CARD)[:limit])


def session_live(*, ended_since: datetime) -> LiveCard | None:
    """Return the live session with its performer, else the last one that ended since then, or None. One query."""
    performer = FilteredRelation("appearances", condition=Q(appearances__is_performing=True))
    found = Session.objects.filter(Q(is_live=True) | Q(ended_at__gte=ended_since))
    found = found.annotate(performer=performer, participant_count=Count("appearances"))
    row = found.order_by("-is_live", "-ended_at", "-id").values_list(*CARD, *_ON_STAGE).first()
    if row is None:
        return None
    participant_id, name, country = row[len(CARD) :]
    return LiveCard(SessionCard(*row[: len(CARD)]), participant_id, name or "", country or "")


def session_get(*, session_id: int) -> SessionDetail | None:
    """Return one session, or None when there is none with that id. One query."""
    rows = _session_detail(session_id=session_id)
    return SessionDetail(*rows[0]) if rows else None


@compiled
def _session_detail() -> QuerySet[Any, Any]:
    return Session.objects.filter(pk=Parameter("session_id")).values_list(*DETAIL)


def session_appearances(*, session_id: int) -> tuple[AppearanceDetail, ...]:
    """Return a session's appearances without programs, by order number, at most PERFORMERS_MOST. One query."""
    return tuple(AppearanceDetail(*row) for row in _session_appearances(session_id=session_id))


@compiled
def _session_appearances() -> QuerySet[Any, Any]:
    found = with_intervals(with_times(Appearance.objects.filter(session_id=Parameter("session_id"))))
    return found.order_by("order_number").values_list(*APPEARANCE)[:PERFORMERS_MOST]


@dataclass(frozen=True, slots=True)
class Withdrawn:
    """A performer who withdrew from a session, at the place in the order of playing."""

    order_number: int
    participant_id: int
    name: str
    country: str
    planned_start: datetime | None


def session_withdrawals(*, session_ids: Collection[int]) -> Mapping[int, tuple[Withdrawn, ...]]:
    """Return who withdrew from these sessions, by session and order number, without empty sessions. One query."""
    found = SessionWithdrawal.objects.filter(session__in=session_ids).order_by("session_id", "order_number")
    columns = ("order_number", "participant_id", "participant__name", "participant__country", "planned_start")
    rows: dict[int, list[Withdrawn]] = defaultdict(list)
    for session_id, *row in found.values_list("session_id", *columns):
        rows[session_id].append(Withdrawn(*row))
    return {session_id: tuple(each) for session_id, each in rows.items()}


def session_appearances_with_programs(*, session_id: int) -> tuple[AppearanceDetail, ...]:
    """Return a session's appearances with their programs, by order number, at most PERFORMERS_MOST. Two queries."""
    found = Appearance.objects.filter(session_id=session_id).select_related("session", "participant")
    return tuple(shown for _, shown in appearances_with_programs(found.order_by("order_number")[:PERFORMERS_MOST]))


def session_ids() -> tuple[int, ...]:
    """Return the ids of all sessions, for the sitemap. One query."""
    return tuple(Session.objects.order_by("id").values_list("id", flat=True))


def participant_appearances(*, participant_id: int) -> tuple[SessionAppearance, ...]:
    """Return a participant's newest appearances with programs, at most APPEARANCES_SHOWN. Two queries."""
    found = Appearance.objects.filter(participant_id=participant_id)
    return _with_sessions(found.order_by("-session__starts_at", "-id")[:APPEARANCES_SHOWN])


def appearances_get(*, appearance_ids: Collection[int]) -> Mapping[int, SessionAppearance]:
    """Return these appearances with their sessions and programs, by id; unknown ids are left out. Two queries."""
    found = _with_sessions(Appearance.objects.filter(pk__in=appearance_ids))
    return {each.appearance.id: each for each in found}


def appearances_played(*, since: datetime, until: datetime) -> tuple[SessionAppearance, ...]:
    """Return the begun appearances of a day's sessions and of the live one, else of the last session that began.

    They are in the order of playing, with programs. Two queries; three without an appearance on that day.
    """
    begun = with_times(Appearance.objects.all()).filter(Q(has_begun=True))
    in_order = begun.order_by("session__starts_at", "session_id", "order_number")
    today = Q(session__starts_at__gte=since, session__starts_at__lt=until) | Q(session__is_live=True)
    last = Q(session=Subquery(begun.order_by("-session__starts_at", "-session_id").values("session")[:1]))
    return _with_sessions(in_order.filter(today)) or _with_sessions(in_order.filter(last))


def _with_sessions(found: QuerySet[Appearance]) -> tuple[SessionAppearance, ...]:
    earlier = Appearance.objects.filter(
        session=OuterRef("session"), order_number__lt=OuterRef("order_number")
    ).order_by("-order_number")
    joined = found.select_related("session__stage", "participant").annotate(
        previous_name=Coalesce(Subquery(earlier.values("participant__name")[:1]), Value(""))
    )
    return tuple(
        SessionAppearance(
            _detail(stored.session),
            shown,
            stored.next_stage,
            stored.is_decided,
            stored.has_advanced,
            stored.previous_name,
        )
        for stored, shown in appearances_with_programs(with_outcomes(joined))
    )


def appearance_ids(
    *, session_id: int | None = None, participant_id: int | None = None, stage_id: int | None = None
) -> tuple[int, ...]:
    """Return the ids of the appearances in this session and this stage, and of this participant. One query."""
    wanted = {"session_id": session_id, "participant_id": participant_id, "stage_id": stage_id}
    found = Appearance.objects.filter(**{name: pk for name, pk in wanted.items() if pk is not None})
    return tuple(found.order_by("id").values_list("id", flat=True))


def live_session() -> SessionDetail | None:
    """Return the live session, with or without a performer, or None. One query."""
    rows = _live_session()
    return SessionDetail(*rows[0]) if rows else None


@compiled
def _live_session() -> QuerySet[Any, Any]:
    return Session.objects.filter(is_live=True).values_list(*DETAIL)


def session_ended_last() -> SessionDetail | None:
    """Return the session that ended last, or None while one is live and before the first end. One query."""
    found = Session.objects.filter(Q(is_live=True) | Q(ended_at__isnull=False))
    row = found.order_by("-is_live", "-ended_at", "-id").values_list(*DETAIL).first()
    return SessionDetail(*row) if row and not row[DETAIL.index("is_live")] else None


def live_now() -> LiveNow | None:
    """Return the performer on stage in the live session, or None. One query."""
    found = Appearance.objects.filter(session__is_live=True, is_performing=True)
    row = found.values_list(*_LIVE_NOW).first()
    return LiveNow(*row) if row else None


def _detail(session: Session) -> SessionDetail:
    """Return a session as pages show it; the caller has joined its stage."""
    return SessionDetail(
        id=session.pk,
        title=session.title,
        stage=session.stage.name,
        stage_id=session.stage_id,
        starts_at=session.starts_at,
        description=session.description,
        youtube_id=session.youtube_id,
        is_live=session.is_live,
        ended_at=session.ended_at,
        planned_end=session.planned_end,
        orchestra=session.orchestra,
        conductor=session.conductor,
    )
