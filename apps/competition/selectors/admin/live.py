"""Reads of live control, and of the first steps of an installation."""

from collections.abc import Mapping
from dataclasses import astuple, dataclass, fields

from django.db import connection
from django.db.models import Count, FilteredRelation, Q

from apps.accounts.selectors.site_contact import site_contact
from apps.competition.calls import ratings_submitted
from apps.competition.models import Session
from apps.competition.selectors.admin.sessions import AWAY, AppearanceRow, appearances_of, sessions_with
from apps.competition.selectors.public.participants import SessionCard, SessionDetail
from apps.competition.selectors.public.programs import following, performer
from apps.competition.selectors.public.sessions import live_session
from apps.core.database.rows import rows_of

OTHERS = 20  # sessions to choose from at a time; a search finds the others


@dataclass(frozen=True, slots=True)
class LiveState:
    """The live session and its appearance on stage, by ids; None without one."""

    session_id: int | None = None
    appearance_id: int | None = None


@dataclass(frozen=True, slots=True)
class LiveCue:
    """The live session, its performer and the next appearance."""

    session: SessionDetail | None  # the live one
    appearances: tuple[AppearanceRow, ...]  # of the live session, in their order

    @property
    def performer(self) -> AppearanceRow | None:
        """The appearance on stage, or None."""
        return performer(self.appearances)

    @property
    def following(self) -> AppearanceRow | None:
        """The appearance after the last one on stage, or the first before any was."""
        return following(self.appearances)

    @property
    def state(self) -> LiveState:
        """The present state."""
        return LiveState(self.session.id if self.session else None, self.performer.id if self.performer else None)


@dataclass(frozen=True, slots=True)
class LiveControl(LiveCue):
    """The data of the live controls."""

    others: tuple[SessionCard, ...]  # not live, the nearest to now first
    rated: Mapping[int, int]  # submitted ratings of the appearances that have begun, by appearance, without zeros


def live_state() -> LiveState:
    """Return the live session and its performer, by ids. One query."""
    now = FilteredRelation("appearances", condition=Q(appearances__is_performing=True))
    row = Session.objects.filter(is_live=True).annotate(now=now).values_list("pk", "now__pk").first()
    return LiveState(*row) if row else LiveState()


def live_cue_get() -> LiveCue:
    """Return the live session, its performer and the next appearance. At most two queries."""
    session = live_session()
    return LiveCue(session, appearances_of([session.id]).get(session.id, ()) if session else ())


def live_control_get() -> LiveControl:
    """Return the data of the live controls. At most four queries."""
    cue = live_cue_get()
    begun = [each.id for each in cue.appearances if each.stay_id is not None]
    return LiveControl(cue.session, cue.appearances, sessions_nearest(), ratings_submitted(begun) if begun else {})


def sessions_nearest(*, query: str = "") -> tuple[SessionCard, ...]:
    """Return sessions that are not live, the nearest to now first, at most OTHERS. One query.

    Their titles have every word of `query`.
    """
    found = sessions_with(query).filter(is_live=False).annotate(participant_count=Count("appearances"))
    return rows_of(found.order_by(AWAY, "id")[:OTHERS], SessionCard)


_DONE = """
SELECT EXISTS (SELECT FROM stages), EXISTS (SELECT FROM participants), EXISTS (SELECT FROM pieces),
    EXISTS (SELECT FROM sessions), EXISTS (SELECT FROM session_participant_pieces),
    EXISTS (SELECT FROM sessions WHERE is_live) OR EXISTS (SELECT FROM performing_times)
"""


@dataclass(frozen=True, slots=True)
class FirstSteps:
    """The setup steps in order, each with whether it is done."""

    contact: bool  # name and e-mail address of who runs the site are known
    stages: bool
    participants: bool
    pieces: bool
    session: bool
    program: bool
    live: bool  # a session is live, or a performer was on stage in one

    @property
    def all(self) -> tuple[tuple[str, bool], ...]:
        """The name of each step, and whether it is done."""
        return tuple(zip((field.name for field in fields(self)), astuple(self), strict=True))

    @property
    def next(self) -> str:
        """The first step that is not done; empty if all are."""
        return next((name for name, is_done in self.all if not is_done), "")


def first_steps_get() -> FirstSteps:
    """Return which setup steps are done. Two queries, of which one looks for one row of each table."""
    with connection.cursor() as cursor:
        cursor.execute(_DONE)
        return FirstSteps(site_contact().is_complete, *cursor.fetchone())
