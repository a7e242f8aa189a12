"""The present state of the hall: who is on stage, who has played, and who listens."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from random import Random

from django.db import connection

from apps.accounts.actors import Viewer
from apps.accounts.models import User
from apps.competition.models import PerformingTime
from apps.competition.selectors.public.participants import AppearanceDetail, SessionDetail
from apps.competition.selectors.public.programs import performer
from apps.competition.selectors.public.sessions import (
    live_session,
    session_appearances_with_programs,
    session_get,
)
from apps.competition.services.live import LIVE_STEPS
from apps.core.database.fields import database_now
from apps.demo.accounts import moderator_get
from apps.demo.audience.opinions import rater_names
from apps.demo.audience.ranked_stage import honest_names
from apps.demo.limits import HANDS_OFF, PAUSE, RECENT
from apps.demo.models import LoadedDemo

_NEWEST = "SELECT max(created_at) FROM audit_entries WHERE action = ANY(%s) AND (subject_id = %s OR %s)"
_BY_PERSON = """
SELECT EXISTS (
    SELECT FROM audit_entries
    WHERE action = ANY(%s) AND id > %s AND user_id IS DISTINCT FROM %s
    AND created_at > statement_timestamp() - make_interval(secs => %s)
)
"""


@dataclass(frozen=True, slots=True)
class Hall:
    """The hall at a moment of the database's clock.

    `session` is the live session, else the one that was played last. `people` are the usernames of the audience by id.
    `watched_for` is the time since a window was opened. `random` decides what rows do not.
    """

    now: datetime
    session: SessionDetail | None
    appearances: tuple[AppearanceDetail, ...]
    played: tuple[AppearanceDetail, ...]  # in the present run of the session, the newest first
    people: dict[int, str]
    moderator: Viewer | None
    demo: LoadedDemo
    watched_for: timedelta
    random: Random

    @property
    def on_stage(self) -> AppearanceDetail | None:
        """The appearance on stage, or None."""
        return performer(self.appearances)

    @property
    def live(self) -> SessionDetail | None:
        """The live session, or None."""
        return self.session if self.session is not None and self.session.is_live else None

    @property
    def recent(self) -> tuple[AppearanceDetail, ...]:
        """The performances that the audience talks about, the newest first."""
        return self.played[:RECENT]

    def listener(self, among: Collection[int] | None = None) -> Viewer | None:
        """Return one of the audience, at random, of these ids if they are given; None without any."""
        ids = sorted(self.people if among is None else among)
        if not ids:
            return None
        chosen = self.random.choice(ids)
        return Viewer(chosen, self.people[chosen])

    def is_left_to_persons(self, actions: Collection[str]) -> bool:
        """Whether a person has done one of these things, by the audit, within HANDS_OFF."""
        with connection.cursor() as cursor:
            last, moderator = self.demo.last_ids["audit_entries"], self.moderator.id if self.moderator else None
            cursor.execute(_BY_PERSON, [list(actions), last, moderator, HANDS_OFF.total_seconds()])
            return bool(cursor.fetchone()[0])


def hall_read(*, watched_for: timedelta, random: Random) -> Hall:
    """Return the hall as it is now."""
    now, session = database_now(), live_session() or _last_session()
    appearances = session_appearances_with_programs(session_id=session.id) if session else ()
    begun = run_begun_at(session, now) if session else now
    played = [each for each in appearances if each.came_at is not None and each.came_at >= begun]
    names = (*rater_names(), *honest_names())
    found = User.objects.filter(username__in=names, is_active=True, is_admin=False)
    return Hall(
        now=now,
        session=session,
        appearances=appearances,
        played=tuple(sorted(played, key=lambda each: each.came_at or now, reverse=True)),
        people=dict(found.values_list("pk", "username")),
        moderator=moderator_get(),
        demo=LoadedDemo.objects.get(),
        watched_for=watched_for,
        random=random,
    )


def control_changed_at(actions: Collection[str] = LIVE_STEPS, subject_id: int | None = None) -> datetime | None:
    """Return the time of the last of these acts of live control, on this subject if it is given, or None."""
    with connection.cursor() as cursor:
        cursor.execute(_NEWEST, [list(actions), subject_id, subject_id is None])
        newest: datetime | None = cursor.fetchone()[0]
    return newest


def run_begun_at(session: SessionDetail, now: datetime) -> datetime:
    """Return when the present run of a session began: later times on stage belong to it.

    The demo moves the start of a session to the moment at which it begins, at least PAUSE after the former run. A
    person may set one live before its time. The first performer of a loaded demo may have come just before the start.
    """
    if session.starts_at <= now:
        return session.starts_at - PAUSE[0]
    return control_changed_at(("session.live",), session.id) or session.starts_at


def _last_session() -> SessionDetail | None:
    """Return the session that was played last, or None."""
    newest = PerformingTime.objects.order_by("-began_at", "-pk").values_list("appearance__session_id")
    last = newest.first()
    return session_get(session_id=last[0]) if last else None
