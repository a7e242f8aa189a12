"""Reads of announcements: what followers are notified of, as it follows from what is stored now."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from django.db.models import F, Max, Q, QuerySet
from django.db.models.functions import Coalesce, Greatest

from apps.competition.selectors.public.calendar import PlannedAppearance, planned_appearances
from apps.competition.selectors.public.participants import AppearanceDetail
from apps.competition.selectors.public.prizes import prize_recipient_ids
from apps.competition.selectors.public.programs import last_on_stage
from apps.competition.selectors.public.sessions import live_session, session_appearances
from apps.competition.selectors.public.stages import advancing_ids
from apps.core.database.fields import database_now
from apps.notifications.enums import Change, Kind
from apps.notifications.limits import HOLD, LASTS, NOW_LASTS, SOON_BEFORE, SOON_PLACES
from apps.notifications.models import Announcement, Notification

CALLED = (Kind.SOON, Kind.NOW)  # what the call of a performer leads to
_BRIEF = frozenset([*CALLED, Kind.UNDONE])


@dataclass(frozen=True, slots=True)
class Telling:
    """What followers of a performer are notified of, once for each `occasion`.

    `session_id` is where the performer plays, for one who was withdrawn where the appearance was planned. `stay_id` is
    the time on stage of *now*: members with a call alert are notified of it too.
    """

    kind: Kind
    participant_id: int
    occasion: str
    session_id: int | None = None
    stage_id: int | None = None
    stay_id: int | None = None

    @property
    def lasts(self) -> timedelta:
        """How long after the change it is of use."""
        return NOW_LASTS if self.kind in _BRIEF else LASTS


def tellings_of(announcement: Announcement) -> tuple[Telling, ...]:
    """Return what an announcement leads to, as it follows from what is stored now. At most two queries.

    Of a call that was taken back at most three, and two for each of SOON_PLACES performers.
    """
    match Change(announcement.change):
        case Change.STAGE:
            return _of_stage(announcement.session_id or 0)
        case Change.PLANNED:
            return _of_planned(announcement.session_id or 0, announcement.participant_id or 0)
        case Change.MOVED:
            return _of_moved(announcement)
        case Change.UNDONE:
            return _of_undone(announcement)
        case Change.OUTCOME:
            return _of_outcome(announcement.stage_id or 0)


def _of_outcome(stage_id: int) -> tuple[Telling, ...]:
    """Return *advanced* for those who advance from the stage, and *prizes* for those who receive a prize of it."""
    outcomes = {
        Kind.ADVANCED: advancing_ids(stage_id=stage_id),
        Kind.PRIZES: prize_recipient_ids(stage_id=stage_id),
    }
    return tuple(
        Telling(kind, pk, str(stage_id), stage_id=stage_id) for kind, ids in outcomes.items() for pk in sorted(ids)
    )


def _appearances(session_id: int) -> tuple[AppearanceDetail, ...]:
    """Return the appearances of a session, none unless it is live."""
    session = live_session()
    return session_appearances(session_id=session_id) if session and session.id == session_id else ()


def _of_stage(session_id: int) -> tuple[Telling, ...]:
    """Return *now* for the performer on stage, and *soon* for the next SOON_PLACES who have not been on stage."""
    appearances = _appearances(session_id)
    last = last_on_stage(appearances)
    place = last.order_number if last else 0
    coming = [each for each in appearances if each.order_number > place and not _has_begun(each)]
    now = [
        replace(_live(Kind.NOW, each, session_id), stay_id=each.stay_id) for each in appearances if each.is_performing
    ]
    return (*now, *(_live(Kind.SOON, each, session_id) for each in coming[:SOON_PLACES]))


def _of_planned(session_id: int, participant_id: int) -> tuple[Telling, ...]:
    """Return *soon* for a performer whose planned start is near and who has not begun."""
    now = database_now()
    return tuple(
        _live(Kind.SOON, each, session_id)
        for each in _appearances(session_id)
        if each.participant_id == participant_id
        and each.planned_start
        and -NOW_LASTS < each.planned_start - now <= SOON_BEFORE
        and not _has_begun(each)
    )


def _live(kind: Kind, appearance: AppearanceDetail, session_id: int) -> Telling:
    return Telling(kind, appearance.participant_id, str(session_id), session_id)


def _of_undone(announcement: Announcement) -> tuple[Telling, ...]:
    """Return *undone* for the performer who was called by mistake, and for those who were announced after that call.

    None for one who has begun or is announced again, and none if the performer was called again or withdrawn.
    """
    session_id, own = announcement.session_id or 0, announcement.participant_id
    waiting = {each.participant_id for each in _appearances(session_id) if not _has_begun(each)}
    if own not in waiting:
        return ()
    told = set(called_wrongly(announcement).values_list("participant_id", flat=True)) & waiting
    holds = {each.participant_id for each in _of_stage(session_id)}
    wrong = [pk for pk in sorted(told) if pk == own or not (pk in holds or _of_planned(session_id, pk))]
    return tuple(Telling(Kind.UNDONE, pk, f"{session_id}:{announcement.pk}", session_id) for pk in wrong)


def called_wrongly(announcement: Announcement) -> QuerySet[Notification]:
    """Return the notifications that followed from the call that this announcement takes back."""
    since = datetime.fromisoformat((announcement.before or {})["began_at"])
    occasion = str(announcement.session_id)
    return Notification.objects.filter(kind__in=CALLED, occasion=occasion, created_at__gte=since)


def _has_begun(appearance: AppearanceDetail) -> bool:
    """Whether the appearance is or was on stage."""
    return appearance.is_performing or appearance.came_at is not None


def _of_moved(announcement: Announcement) -> tuple[Telling, ...]:
    session_id, participant_id = announcement.session_id or 0, announcement.participant_id or 0
    appearances = planned_appearances(participant_id=participant_id)
    target = moved_to(announcement.before or {}, appearances, session_id)
    if target is None or target.has_begun or target.is_over:
        return ()
    if not target.is_planned and _was_on_stage(session_id, participant_id):
        return ()
    occasion = f"{target.session_id}:{target.sequence}"
    return (Telling(Kind.MOVED, participant_id, occasion, target.session_id, target.stage_id),)


def moved_to(
    before: Mapping[str, Any], appearances: Sequence[PlannedAppearance], session_id: int
) -> PlannedAppearance | None:
    """Return the appearance that a change of the one in this session leads to, None if followers know it so.

    That is the one in this session, or if that was cancelled the next one of the stage, if there is one. A new one is
    known, unless one of the same stage was cancelled before.
    """
    own = next((each for each in appearances if each.session_id == session_id), None)
    if own is None:
        return None
    stage_id = own.stage_id or before.get("stage_id")
    others = [each for each in appearances if each is not own and each.stage_id == stage_id is not None]
    if not own.is_planned:
        return next(filter(_is_coming, others), own) if before.get("is_planned") else None
    if before.get("is_planned"):
        return own if _times(before) != (own.starts_at, own.planned_start) else None
    is_back = not before.get("is_new") or not all(each.is_planned for each in others)
    return own if is_back else None


def _is_coming(appearance: PlannedAppearance) -> bool:
    return appearance.is_planned and not appearance.has_begun and not appearance.is_over


def _times(before: Mapping[str, Any]) -> tuple[datetime | None, ...]:
    stored = (before.get("starts_at"), before.get("planned_start"))
    return tuple(datetime.fromisoformat(each) if each else None for each in stored)


def _was_on_stage(session_id: int, participant_id: int) -> bool:
    """Return whether followers were notified that the performer is on stage: a deleted appearance has no times."""
    known = Notification.objects.filter(kind=Kind.NOW, participant_id=participant_id, occasion=str(session_id))
    return known.exists()


def is_superseded(announcement: Announcement) -> bool:
    """Return whether a newer change of the same subject waits, which is announced in place of this one. One query."""
    subject = {name: getattr(announcement, name) for name in ("stage_id", "session_id", "participant_id")}
    return _waiting(change=announcement.change, **subject).exists()


def settled_at(announcement: Announcement) -> datetime | None:
    """Return when changes that bear on this one are due: those of the same performer, in other sessions too.

    For a planned start they include changes on the stage. None without any. At most two queries.
    """
    bearing = Q(change=Change.MOVED, participant_id=announcement.participant_id)
    match Change(announcement.change):
        case Change.PLANNED:
            bearing |= Q(change=Change.STAGE, session_id=announcement.session_id)
        case Change.STAGE | Change.OUTCOME:
            return None
        case Change.UNDONE:  # the call itself may be announced at this moment
            calls = Announcement.objects.filter(change=Change.STAGE, session_id=announcement.session_id)
            taken = calls.filter(finished_at=None, taken_until__gt=database_now())
            until: datetime | None = taken.aggregate(until=Max("taken_until"))["until"]
            return until
    now = database_now()
    others = _waiting().filter(bearing, due_at__gt=now, due_at__lte=now + HOLD)
    latest: datetime | None = others.aggregate(latest=Max("due_at"))["latest"]
    return latest


def _waiting(**subject: Any) -> QuerySet[Announcement]:
    return Announcement.objects.filter(**subject, taken_until=None, finished_at=None)


def planned_near() -> tuple[tuple[Announcement, ...], datetime | None]:
    """Return the announcements of planned starts of the live session that come near, and when the next one does.

    Some may be stored already. At most two queries, and one for the time.
    """
    session = live_session()
    if session is None:
        return (), None
    now = database_now()
    near, next_at = list[Announcement](), list[datetime]()
    for participant_id, planned_start in _planned(session_appearances(session_id=session.id)):
        due_at = max(now + HOLD, planned_start - SOON_BEFORE)
        if due_at - now > HOLD:
            next_at.append(due_at - HOLD)
        elif planned_start > now:
            subject = {"session_id": session.id, "participant_id": participant_id}
            near.append(Announcement(change=Change.PLANNED, due_at=due_at, **subject))
    return tuple(near), min(next_at, default=None)


def _planned(appearances: Iterable[AppearanceDetail]) -> Iterable[tuple[int, datetime]]:
    """Return performer and planned start of the appearances that have not begun."""
    return (
        (each.participant_id, each.planned_start) for each in appearances if each.planned_start and not _has_begun(each)
    )


def announcement_next() -> datetime | None:
    """Return when the next announcement is due, or may be taken over; None without one. One query."""
    open_ones = Announcement.objects.filter(finished_at=None)
    due = open_ones.annotate(at=Greatest(F("due_at"), Coalesce(F("taken_until"), F("due_at")))).order_by("at")
    return due.values_list("at", flat=True).first()
