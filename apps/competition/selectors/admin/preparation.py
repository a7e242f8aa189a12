"""The state of a competition's preparation: counts of its rows, and what the sessions to come lack."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import connection
from django.db.models import Count, Exists, OuterRef, Q, QuerySet, Value
from django.db.models.functions import Now

from apps.competition.models import ProgramEntry, Session
from apps.competition.selectors.public.sessions import LATE

SESSIONS = 20  # sessions to come, the next first

_COUNTS = """
SELECT (SELECT count(*) FROM participants), (SELECT count(*) FROM participants WHERE avatar_url IS NULL),
    (SELECT count(*) FROM pieces), (SELECT count(*) FROM stages), (SELECT count(*) FROM sessions),
    (SELECT count(*) FROM pianos)
"""
_COMING = Q(is_live=True) | Q(
    ended_at=None, starts_at__gte=Now() - Value(LATE)
)  # later than LATE without a performer: missed


@dataclass(frozen=True, slots=True)
class SessionState:
    """A session that is live or to come, with the numbers of its performers and of their programs."""

    id: int
    title: str
    starts_at: datetime
    performers: int
    programs: int

    @property
    def lacks_order(self) -> bool:
        """Whether it has no order of playing."""
        return not self.performers

    @property
    def missing_programs(self) -> int:
        """The number of performers without a program."""
        return self.performers - self.programs


@dataclass(frozen=True, slots=True)
class Preparation:
    """Counts of the competition's rows, and the sessions that are live or to come, the next first."""

    participants: int
    without_picture: int
    pieces: int
    stages: int
    sessions: int
    to_come: int
    coming: tuple[SessionState, ...]  # at most SESSIONS of those to come
    pianos: int

    @property
    def next_session(self) -> SessionState | None:
        """The live session, or else the next one."""
        return self.coming[0] if self.coming else None

    @property
    def unprepared(self) -> SessionState | None:
        """The first session to come without an order of playing or with a performer without a program."""
        return next((each for each in self.coming if each.lacks_order or each.missing_programs), None)


def preparation_get() -> Preparation:
    """Return the state of the preparation. Three queries."""
    with connection.cursor() as cursor:
        cursor.execute(_COUNTS)
        participants, bare, pieces, stages, sessions, pianos = cursor.fetchone()
    to_come = Session.objects.filter(_COMING).count()
    coming = tuple(SessionState(*row) for row in _coming())
    return Preparation(participants, bare, pieces, stages, sessions, to_come, coming, pianos)


def _coming() -> QuerySet[Any, Any]:
    entry = ProgramEntry.objects.filter(appearance=OuterRef("appearances__pk"))
    programs = Count("appearances", filter=Exists(entry))
    found = Session.objects.filter(_COMING)
    counted = found.annotate(performers=Count("appearances"), programs=programs).order_by("-is_live", "starts_at", "id")
    return counted.values_list("id", "title", "starts_at", "performers", "programs")[:SESSIONS]
