"""The evening runs itself: performers follow each other, and sessions too, as the demo's moderator.

After the last performer the session ends. After a pause the next one begins: one that was never played, else of those
that were live here the one whose last performance is the longest ago. Its start moves to that moment, and the moments
of its former video are cleared. Times on stage, marks and comments of the former evening stay.
"""

from datetime import datetime, timedelta

from django.db import connection, transaction

from apps.accounts.actors import Viewer
from apps.competition.selectors.public.participants import AppearanceDetail, SessionDetail
from apps.competition.selectors.public.sessions import session_appearances_with_programs, session_get
from apps.competition.services.live import LIVE_STEPS, performer_clear, performer_set, session_end, session_set_live
from apps.competition.services.planned_times import planned_times_set
from apps.competition.services.programs import program_entry_link
from apps.competition.services.sessions import session_update
from apps.competition.youtube import video_address
from apps.demo.audience.opinions import chance
from apps.demo.enums import Act
from apps.demo.life.hall import Hall, control_changed_at
from apps.demo.limits import ARRIVAL, INTERVAL, PAUSE, PLANNED, PLAYS
from apps.demo.moments import title_of, titles_of
from apps.demo.texts import session_texts

# Never played ones first. Sessions that were over before the demo was loaded were never live here.
_NEXT = """
SELECT session.id FROM sessions AS session
JOIN stages AS stage ON stage.id = session.stage_id AND stage.archived_at IS NULL
CROSS JOIN LATERAL (
    SELECT count(DISTINCT appearance.id) AS appearances, max(time.began_at) AS played_at
    FROM session_participants AS appearance
    LEFT JOIN performing_times AS time ON time.session_participant_id = appearance.id
    WHERE appearance.session_id = session.id
) AS there
WHERE session.stage_id = (SELECT stage_id FROM sessions WHERE id = %s)
AND session.id <= %s AND there.appearances > 0 AND (there.played_at IS NULL OR EXISTS (
    SELECT FROM audit_entries WHERE action = 'session.live' AND subject_id = session.id
))
ORDER BY there.played_at NULLS FIRST, session.starts_at, session.id LIMIT 1
"""
_FIRST = 0.05  # of a piece's share of the performance, until it begins


def evening_step(hall: Hall) -> Act | None:
    """Do what is due on stage and return it; None if nothing is, or if live control is left to persons."""
    moderator, live = hall.moderator, hall.live
    if moderator is None or hall.is_left_to_persons(LIVE_STEPS):
        return None
    if live is None:
        return _pause_step(hall, moderator)
    if live.id > hall.demo.last_ids["sessions"]:
        return None
    if hall.on_stage is not None:
        return _performance_step(hall, moderator, live, hall.on_stage)
    return _interval_step(hall, moderator, live)


def _performance_step(hall: Hall, moderator: Viewer, live: SessionDetail, playing: AppearanceDetail) -> Act | None:
    """Set the moment of the piece that has begun, or end the performance."""
    began_at = playing.came_at or hall.now
    lasts = _drawn(PLAYS, "plays", playing.id, began_at - live.starts_at)  # the same when the demo's dates move
    for number, line in enumerate(playing.program):
        at = began_at + lasts * ((number + _FIRST) / len(playing.program))
        if line.second is None and live.youtube_id and live.starts_at <= at <= hall.now:
            second = int((at - live.starts_at).total_seconds())
            program_entry_link(actor=moderator, entry_id=line.id, url=video_address(live.youtube_id, second))
            return Act.MOMENT_SET
    if hall.now - began_at < lasts or hall.watched_for < ARRIVAL:
        return None
    performer_clear(actor=moderator, session_id=live.id)
    return Act.PERFORMER_LEFT


def _interval_step(hall: Hall, moderator: Viewer, live: SessionDetail) -> Act | None:
    """End the interval: with the next performer of the present run, or with the end of the session."""
    if not _is_over(hall, INTERVAL):
        return None
    played = {each.id for each in hall.played}
    coming = next((each for each in hall.appearances if each.id not in played), None)
    if coming is None:
        session_end(actor=moderator, session_id=live.id)
        return Act.SESSION_ENDED
    performer_set(actor=moderator, appearance_id=coming.id)
    return Act.PERFORMER_CAME


def _pause_step(hall: Hall, moderator: Viewer) -> Act | None:
    """End the pause: clear the next session's former moments, one performance at a time, then let it begin."""
    if not _is_over(hall, PAUSE):
        return None
    session = _next_session(hall)
    if session is None:
        return None
    for appearance in session_appearances_with_programs(session_id=session.id):
        former = [
            line for line in appearance.program if line.second is not None and line.video_id == session.youtube_id
        ]
        if former:
            with transaction.atomic():
                for line in former:
                    program_entry_link(actor=moderator, entry_id=line.id, url="")
            return Act.MOMENTS_CLEARED
    _begin(moderator, session, hall.now)
    return Act.SESSION_BEGAN


@transaction.atomic
def _begin(moderator: Viewer, session: SessionDetail, now: datetime) -> None:
    """Move the start of a session and its planned times to this minute, and set it live."""
    starts_at = now.replace(second=0, microsecond=0)
    titles = {title: title_of(text, starts_at) for text in session_texts() for title in titles_of(text)}
    session_update(
        actor=moderator,
        session_id=session.id,
        title=titles.get(session.title, session.title),
        starts_at=starts_at,
        description=session.description,
        youtube_id=session.youtube_id,
    )
    planned_times_set(actor=moderator, session_id=session.id, minutes=PLANNED, intervals={})
    session_set_live(actor=moderator, session_id=session.id)


def _next_session(hall: Hall) -> SessionDetail | None:
    """Return the demo's session that begins after this pause, or None."""
    with connection.cursor() as cursor:
        last = hall.session.id if hall.session else None
        cursor.execute(_NEXT, [last, hall.demo.last_ids["sessions"]])
        row = cursor.fetchone()
    return session_get(session_id=row[0]) if row else None


def _is_over(hall: Hall, bounds: tuple[timedelta, timedelta]) -> bool:
    """Whether the last act of live control was long enough ago, and a window has been open for a while."""
    since = control_changed_at() or hall.demo.present_at
    return hall.now - since >= _drawn(bounds, "waits", since) and hall.watched_for >= ARRIVAL


def _drawn(bounds: tuple[timedelta, timedelta], *what: object) -> timedelta:
    """Return a duration between these, always the same for the same subject."""
    shortest, longest = bounds
    return shortest + (longest - shortest) * chance(*what)
