"""Move the demo's dates on the first start of a later day, unless its content was edited.

Dates move by whole days of the venue's clock. The audience's activity was loaded as of a present moment. If the site
starts earlier in the day, that moment would lie in the future. Then the live session and its activity move back by half
hours.

Rows outside the demo keep their dates: rows of other accounts, or rows newer than the demo. If the demo was alive
since, its last act is the present moment, and all that its accounts wrote until then moves along.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum
from typing import Any

from django.db import connection, transaction
from django.utils import timezone

from apps.accounts.selectors.sessions import account_id_get
from apps.community.events import PostChanged, PostsChanged
from apps.competition.events import SessionChanged
from apps.competition.models import Appearance, Session
from apps.core.database.fields import venue_day, venue_zone
from apps.core.events import publish
from apps.demo.accounts import MODERATOR, ids_by_name, moderator_load
from apps.demo.audience.opinions import rater_names
from apps.demo.audience.ranked_stage import stalls_names
from apps.demo.models import LoadedDemo
from apps.demo.moments import title_of, titles_of
from apps.demo.texts import account_texts, session_texts
from apps.live.events import CommentsChanged, ReactionsChanged
from apps.news.events import PostChanged as ArticleChanged
from apps.ratings.services.announcement import ratings_announce, recommendations_announce

TABLES = (
    "sessions", "performing_times", "piece_ratings", "performance_ratings", "advance_recommendations",
    "session_comments", "session_reaction_moments", "posts", "post_comments", "blog_posts", "audit_entries",
    "session_participants", "stages", "stage_advancements", "ranking_runs",
)  # fmt: skip
# Audit subjects that show that the demo's content was edited.
CHANGING = (
    "stage", "session", "place", "program", "performer", "live", "participant", "piece", "import", "post", "ranking",
)  # fmt: skip
_HALF_HOUR = timedelta(minutes=30)
_OF_SESSIONS = "unnest(%(sessions)s::bigint[], %(by)s::interval[]) AS moved (session_id, by)"
_OF_APPEARANCES = f"""session_participants AS appearance, {_OF_SESSIONS}
WHERE moved.session_id = appearance.session_id AND appearance.id = row.session_participant_id"""
_OWN = "row.user_id = ANY(%(people)s)"
_MARKS = f"""SET created_at = least(row.created_at + moved.by, %(present)s),
    updated_at = least(row.updated_at + moved.by, %(present)s)
FROM {_OF_APPEARANCES} AND {_OWN} AND row.updated_at <= %(told)s"""
# Seconds are unique in a session: they become negative first, so that moved rows do not collide.
MOVES = {
    "sessions": f"""SET starts_at = starts_at + moved.by, ended_at = ended_at + moved.by,
            planned_end = planned_end + moved.by
        FROM {_OF_SESSIONS} WHERE row.id = moved.session_id""",
    "performing_times": f"SET began_at = began_at + moved.by, ended_at = ended_at + moved.by FROM {_OF_APPEARANCES}",
    "piece_ratings": _MARKS,
    "performance_ratings": _MARKS,
    "advance_recommendations": _MARKS,
    "session_comments": f"""SET created_at = created_at + moved.by
        FROM {_OF_SESSIONS} WHERE moved.session_id = row.session_id AND {_OWN}""",
    "session_reaction_moments": f"""SET second = -second - extract(epoch FROM moved.by)::bigint
        FROM {_OF_SESSIONS} WHERE moved.session_id = row.session_id""",
    "posts": f"SET created_at = created_at + %(evening)s WHERE {_OWN}",
    "post_comments": f"SET created_at = created_at + %(evening)s WHERE {_OWN}",
    "blog_posts": """SET published_at = (published_at AT TIME ZONE %(zone)s + %(days)s) AT TIME ZONE %(zone)s,
            publish_at = (publish_at AT TIME ZONE %(zone)s + %(days)s) AT TIME ZONE %(zone)s
        WHERE author_id = ANY(%(people)s)""",
    "session_participants": f"""SET planned_start = planned_start + moved.by
        FROM {_OF_SESSIONS} WHERE moved.session_id = row.session_id AND row.planned_start IS NOT NULL""",
    "stages": "SET archived_at = archived_at + %(days)s WHERE archived_at IS NOT NULL",
    "stage_advancements": "SET at = at + %(days)s WHERE true",
    "ranking_runs": "SET made_at = made_at + %(days)s, final_at = final_at + %(days)s WHERE is_final",
}
_TAPPED_SINCE = """DELETE FROM session_reaction_moments AS row USING session_reaction_moments AS other
WHERE row.second < 0 AND other.session_id = row.session_id AND other.second = -row.second"""
_ABOVE_ZERO = "UPDATE session_reaction_moments SET second = -second WHERE second < 0"
_CHANGED = """
SELECT created_at FROM audit_entries
WHERE id > %s AND subject = ANY(%s) AND user_id IS DISTINCT FROM %s
AND right(action, 7) <> '.export' -- which changes nothing
ORDER BY id LIMIT 1
"""


class Dates(Enum):
    """The result of moving the demo's dates."""

    NONE = "no demo was loaded here"
    CURRENT = "they are of today"
    MOVED = "they were moved to today"
    CHANGED = "somebody has changed the demo, so they stay"


@dataclass(frozen=True, slots=True)
class _Move:
    """The distance: whole days of the venue's clock, and the shift of the live session with its activity.

    Other sessions that began on the day of the old present moment shift with it.
    """

    days: timedelta
    back: timedelta
    old_present: datetime
    present: datetime
    evening: timedelta

    def of_session(self, starts_at: datetime, *, is_live: bool) -> timedelta:
        """Return by how much a session and its dependent rows move."""
        has_begun = venue_day(self.old_present)[0] <= starts_at <= self.old_present
        return self.evening if is_live or has_begun else _days_later(starts_at, self.days) - starts_at


@transaction.atomic
def demo_remember(*, now: datetime | None = None) -> None:
    """Record the demo's last row ids and its present moment, once, and once its accounts."""
    last_ids = {name: _last_id(name) for name in TABLES}
    LoadedDemo.objects.filter(last_ids={}).update(present_at=now or timezone.now(), last_ids=last_ids)
    if LoadedDemo.objects.filter(account_ids=[]).exists():
        moderator = moderator_load()
        account_ids = (*_people(), *([moderator] if moderator else []))
        LoadedDemo.objects.update(account_ids=sorted(account_ids))


@transaction.atomic
def dates_move(*, now: datetime | None = None) -> Dates:
    """Move the demo's dates to today and return the result; a second process waits, then has no more to move."""
    with connection.cursor() as cursor:
        # thousands of rows: may take longer than a page's timeout on a slow machine
        cursor.execute("SET LOCAL statement_timeout = 0; SET LOCAL transaction_timeout = 0; SET LOCAL lock_timeout = 0")
    demo = LoadedDemo.objects.select_for_update().exclude(last_ids={}).first()
    if demo is None:
        return Dates.NONE
    if demo.lived_at and demo.lived_at > demo.present_at:
        demo.present_at = demo.lived_at
        demo.last_ids |= {name: _last_id(name) for name in TABLES if name != "audit_entries"}
    move = _move(demo.present_at, now or timezone.now())
    if move.days <= timedelta():
        return Dates.CURRENT
    if _is_changed(demo):
        return Dates.CHANGED
    _rows_move(demo, move)
    LoadedDemo.objects.update(present_at=move.present, last_ids=demo.last_ids, lived_at=None)
    return Dates.MOVED


def _last_id(table: str) -> int:
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT coalesce(max(id), 0) FROM {table}")  # noqa: S608 - of TABLES
        return int(cursor.fetchone()[0])


def _is_changed(demo: LoadedDemo) -> bool:
    with connection.cursor() as cursor:
        moderator = account_id_get(username=MODERATOR)
        cursor.execute(_CHANGED, [demo.last_ids["audit_entries"], list(CHANGING), moderator])
        return cursor.fetchone() is not None


def _days_later(moment: datetime, days: timedelta) -> datetime:
    """Return the same venue time a number of days later, also across a change of summer time."""
    here = moment.astimezone(venue_zone()) + days  # Python adds to the local time within one zone
    return here.astimezone(moment.tzinfo)


def _move(old_present: datetime, now: datetime) -> _Move:
    days = timedelta(days=(now.astimezone(venue_zone()).date() - old_present.astimezone(venue_zone()).date()).days)
    present = _days_later(old_present, days)
    midnight = venue_day(now)[0].astimezone(old_present.tzinfo)
    back = min(-(-max(present - now, timedelta()) // _HALF_HOUR) * _HALF_HOUR, present - midnight)
    return _Move(days, back, old_present, present - back, present - back - old_present)


def _rows_move(demo: LoadedDemo, move: _Move) -> None:
    sessions = list(Session.objects.filter(pk__lte=demo.last_ids["sessions"]))
    by = [move.of_session(session.starts_at, is_live=session.is_live) for session in sessions]
    people = _people()
    values: dict[str, Any] = {
        "sessions": [session.pk for session in sessions], "by": by, "people": list(people), "present": move.present,
        "told": demo.present_at, "evening": move.evening, "days": move.days, "zone": str(venue_zone()),
    }  # fmt: skip
    moved: dict[str, tuple[int, ...]] = {}
    with connection.cursor() as cursor:
        for table, change in MOVES.items():
            statement = f"UPDATE {table} AS row {change} AND row.id <= %(last)s RETURNING row.id"
            cursor.execute(statement, values | {"last": demo.last_ids.get(table, 0)})  # a demo of an older version
            moved[table] = tuple(pk for (pk,) in cursor.fetchall())
        cursor.execute(_TAPPED_SINCE)
        cursor.execute(_ABOVE_ZERO)
    _evening_rename()
    _announce(moved, people)


def _people() -> tuple[int, ...]:
    """Return the ids of the demo's remaining accounts."""
    names = (*(text.username for text in account_texts()), *rater_names(), *stalls_names())
    return tuple(ids_by_name(names).values())


def _evening_rename() -> None:
    """Set the title of the session of today to the part of the day at which it starts now."""
    text = next(text for text in session_texts() if text.live)
    for session in Session.objects.filter(title__in=titles_of(text)):
        session.title = title_of(text, session.starts_at)
        session.save(update_fields=["title"])


def _announce(moved: dict[str, tuple[int, ...]], people: tuple[int, ...]) -> None:
    """Publish all moved rows to other running processes."""
    session_ids = moved["sessions"]
    appearances = tuple(Appearance.objects.filter(session__in=session_ids).order_by("pk"))
    performed = tuple(each.pk for each in appearances)
    participants = tuple(sorted({each.participant_id for each in appearances}))
    for pk in session_ids:
        publish(SessionChanged(pk, participants))
    publish(CommentsChanged(session_ids))
    publish(ReactionsChanged(session_ids))
    ratings_announce(people, performed, public=True, waiting=True)
    recommendations_announce(people, performed)
    publish(PostsChanged())
    publish(PostChanged(moved["posts"]))
    for pk in moved["blog_posts"]:
        publish(ArticleChanged(pk))
