"""Notes about the times of sessions: what is unusual, and may be meant. Nothing is refused by them."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import pairwise

from django.db.models import Subquery

from apps.competition.models import Appearance, Session
from apps.core.database.fields import venue_clock

_OVERLAPS = "%(title)s overlaps with %(other)s."
_ENDS_EARLY = "%(title)s is planned to end at %(end)s, before its last performer, who plays from %(start)s."
_TWICE = "%(title)s: the clocks show this time twice that night; %(time)s is meant."


@dataclass(frozen=True, slots=True)
class SessionNote:
    """A sentence about a session, a gettext source, and its parameters."""

    text: str
    params: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class _Times:
    id: int
    stage_id: int
    title: str
    starts_at: datetime
    planned_end: datetime | None
    starts: tuple[datetime, ...]  # the planned ones of its performers

    @property
    def end(self) -> datetime:
        """The planned end, else the last known start in it."""
        return self.planned_end or max([self.starts_at, *self.starts])

    @property
    def last_end(self) -> datetime | None:
        """When the last performer ends, if each plays as long as the shortest; None without planned starts."""
        if not self.starts:
            return None
        shortest = min((after - before for before, after in pairwise(self.starts)), default=timedelta(seconds=1))
        return self.starts[-1] + shortest

    def overlaps(self, other: "_Times") -> bool:
        """Whether both would be under way at one time."""
        return self.starts_at == other.starts_at or (self.starts_at < other.end and other.starts_at < self.end)


def session_notes(*, session_ids: Collection[int]) -> tuple[SessionNote, ...]:
    """Return the notes about these sessions, by start time: times that the clock shows twice, early ends, overlaps.

    They are compared with all sessions of their stages. Two queries.
    """
    stages = Session.objects.filter(pk__in=session_ids).values("stage_id")
    found = Session.objects.filter(stage__in=Subquery(stages)).order_by("starts_at", "id")
    starts: dict[int, list[datetime]] = defaultdict(list)
    timed = Appearance.objects.filter(session__in=found.order_by(), planned_start__isnull=False)
    for session_id, start in timed.order_by("planned_start").values_list("session_id", "planned_start"):
        starts[session_id] += [start] if start else []
    sessions = [
        _Times(each.pk, each.stage_id, each.title, each.starts_at, each.planned_end, tuple(starts[each.pk]))
        for each in found
    ]
    notes: list[SessionNote] = []
    for at, session in enumerate(sessions):
        is_asked = session.id in session_ids
        notes += _own(session) if is_asked else ()
        notes += [
            SessionNote(_OVERLAPS, {"title": session.title, "other": other.title})
            for other in sessions[at + 1 :]
            if (is_asked or other.id in session_ids) and session.stage_id == other.stage_id and session.overlaps(other)
        ]
    return tuple(notes)


def _own(session: _Times) -> Sequence[SessionNote]:
    clocks = [venue_clock(moment) for moment in (session.starts_at, session.planned_end) if moment]
    notes = [SessionNote(_TWICE, {"title": session.title, "time": time}) for time in clocks if " " in time]
    if session.planned_end and session.last_end and session.planned_end < session.last_end:
        end, start = venue_clock(session.planned_end), venue_clock(session.starts[-1])
        notes.append(SessionNote(_ENDS_EARLY, {"title": session.title, "end": end, "start": start}))
    return notes
