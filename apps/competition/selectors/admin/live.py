"""Reads of live control."""

from dataclasses import astuple, dataclass, fields

from django.db import connection
from django.db.models import Count, FilteredRelation, Q

from apps.competition.models import Session
from apps.competition.selectors.admin.sessions import AWAY, AppearanceRow, appearances_of, sessions_with
from apps.competition.selectors.public.participants import SessionCard, SessionDetail
from apps.competition.selectors.public.programs import following, performer
from apps.competition.selectors.public.sessions import CARD, live_session

OTHERS = 20  # sessions to choose from at a time; a search finds the others


@dataclass(frozen=True, slots=True)
class LiveState:
    """Which session is live, and which appearance of it is on stage; None where there is none."""

    session_id: int | None = None
    appearance_id: int | None = None


@dataclass(frozen=True, slots=True)
class LiveCue:
    """The live session, who is on stage and who comes next."""

    session: SessionDetail | None  # the live one
    appearances: tuple[AppearanceRow, ...]  # of the live session, in their order

    @property
    def performer(self) -> AppearanceRow | None:
        """Who is on stage."""
        return performer(self.appearances)

    @property
    def following(self) -> AppearanceRow | None:
        """Who comes after the last on stage, or first when nobody was."""
        return following(self.appearances)

    @property
    def state(self) -> LiveState:
        """The present state."""
        return LiveState(self.session.id if self.session else None, self.performer.id if self.performer else None)


@dataclass(frozen=True, slots=True)
class LiveControl(LiveCue):
    """What the live controls show."""

    others: tuple[SessionCard, ...]  # that are not live, the nearest to now first


def live_state() -> LiveState:
    """Return which session is live and who is on stage. One query."""
    now = FilteredRelation("appearances", condition=Q(appearances__is_performing=True))
    found = Session.objects.filter(is_live=True).annotate(now=now).values_list("pk", "now__pk").first()
    return LiveState(*found) if found else LiveState()


def live_cue_get() -> LiveCue:
    """Return the live session, who is on stage and who comes next. At most two queries."""
    session = live_session()
    return LiveCue(session, appearances_of([session.id]).get(session.id, ()) if session else ())


def live_control_get() -> LiveControl:
    """Return what the live controls show. At most three queries."""
    cue = live_cue_get()
    return LiveControl(cue.session, cue.appearances, sessions_nearest())


def sessions_nearest(*, query: str = "") -> tuple[SessionCard, ...]:
    """Return sessions that are not live, the nearest to now first, whose title has every word of `query`. One query."""
    found = sessions_with(query).filter(is_live=False).annotate(participant_count=Count("appearances"))
    return tuple(SessionCard(*row) for row in found.order_by(AWAY, "id").values_list(*CARD)[:OTHERS])


_DONE = """
SELECT EXISTS (SELECT FROM stages), EXISTS (SELECT FROM participants), EXISTS (SELECT FROM pieces),
    EXISTS (SELECT FROM sessions), EXISTS (SELECT FROM session_participant_pieces),
    EXISTS (SELECT FROM sessions WHERE is_live) OR EXISTS (SELECT FROM performing_times)
"""


@dataclass(frozen=True, slots=True)
class FirstSteps:
    """Which steps are done, in the order in which they are gone."""

    stages: bool
    participants: bool
    pieces: bool
    session: bool
    program: bool
    live: bool  # a session is live, or one was with somebody on stage

    @property
    def all(self) -> tuple[tuple[str, bool], ...]:
        """Each step by its name, and whether it is done."""
        return tuple(zip((field.name for field in fields(self)), astuple(self), strict=True))

    @property
    def next(self) -> str:
        """The first step that is not done; empty when all are."""
        return next((name for name, is_done in self.all if not is_done), "")


def first_steps_get() -> FirstSteps:
    """Return which steps are done. One query, which looks for one row of each table."""
    with connection.cursor() as cursor:
        cursor.execute(_DONE)
        return FirstSteps(*cursor.fetchone())
