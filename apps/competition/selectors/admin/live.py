"""Reads of live control."""

from dataclasses import dataclass

from django.db.models import Count, FilteredRelation, Q

from apps.competition.models import Session
from apps.competition.selectors.admin.appearances import AppearanceRow, appearances_of
from apps.competition.selectors.admin.sessions import AWAY, sessions_with
from apps.competition.selectors.public.results import SessionCard, SessionDetail
from apps.competition.selectors.public.running_order import following, performer
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
