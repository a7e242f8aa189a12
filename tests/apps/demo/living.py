"""A demo for tests, and time that passes: rows become older, because tests cannot move PostgreSQL's clock."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.conf import settings
from django.db import connection

from apps.accounts.services.accounts import account_create
from apps.competition.services.live import LIVE_STEPS
from apps.demo.audience.opinions import rater_names
from apps.demo.audience.ranked_stage import honest_names, stalls_names
from apps.demo.competition import competition_load
from apps.demo.dates import demo_remember
from apps.demo.enums import Act
from apps.demo.life.step import Life
from apps.demo.models import LoadedDemo
from apps.demo.texts import session_texts
from tests.owner import as_owner
from tests.rate_limits import seconds_pass

AUDIENCE = (*rater_names(), *honest_names()[:26])
EARLIEST, LATEST, FAR_AWAY = 3, 22, "Asia/Tokyo"  # hours of Central Europe, and a zone seven or eight hours ahead
LONG_AGO = datetime(2026, 1, 1, tzinfo=UTC)
EARLIER = {
    "session_comments": ("created_at",),
    "posts": ("created_at",),
    "post_comments": ("created_at",),
    "advance_recommendations": ("created_at", "updated_at"),
}
# Rows that may be older than the running demo but change while it runs.
LASTING = """
UPDATE performing_times SET began_at = began_at - %(by)s, ended_at = ended_at - %(by)s;
UPDATE audit_entries SET created_at = created_at - %(by)s WHERE id > %(last)s OR action = ANY(%(control)s);
UPDATE sessions SET starts_at = starts_at - %(by)s, ended_at = ended_at - %(by)s;
UPDATE piece_ratings SET updated_at = updated_at - %(by)s WHERE updated_at > %(present)s AND NOT approved;
UPDATE performance_ratings SET updated_at = updated_at - %(by)s WHERE updated_at > %(present)s;
UPDATE loaded_demos SET present_at = present_at - %(by)s, lived_at = lived_at - %(by)s
"""
LUMP = timedelta(seconds=10)  # time that passes at once: each update writes all rows again


def audience_shrink(patch: pytest.MonkeyPatch) -> tuple[str, ...]:
    """Reduce the listeners without comments from 108 to 12 crooked ones, and return their names."""
    names = stalls_names()[:12]
    for module in ("audience.ratings", "dates"):
        patch.setattr(f"apps.demo.{module}.stalls_names", lambda: names)
    return names


def sessions_shrink(patch: pytest.MonkeyPatch) -> None:
    """Reduce the performers from 57 to 25: nine of the live session, with seven on stage so far, two of each other."""
    texts = tuple(replace(text, appearances=text.appearances[: 9 if text.live else 2]) for text in session_texts())
    patch.setattr("apps.demo.competition.session_texts", lambda: texts)


def zone_by_day() -> str:
    """Return a time zone in which it is neither shortly before nor shortly after midnight.

    The live session of a demo starts on the day of its load, so shortly after midnight it is minutes old.
    """
    hour = datetime.now(ZoneInfo(settings.VENUE_TIME_ZONE)).hour
    return settings.VENUE_TIME_ZONE if EARLIEST <= hour < LATEST else FAR_AWAY


def demo_load() -> None:
    """Load a small competition of the demo with a small audience that has not marked yet."""
    with pytest.MonkeyPatch.context() as patch:
        sessions_shrink(patch)
        patch.setenv("DEMO_PASSWORD", "row-g-seat-12")
        competition_load()
    for name in AUDIENCE:
        account_create(email=f"{name.lower()}@example.org", password=None, username=name, created_at=LONG_AGO)
    demo_remember()


def time_passes(by: timedelta) -> None:
    """Move all rows written since the demo was loaded into the past."""
    seconds_pass(by.total_seconds())
    demo = LoadedDemo.objects.get()
    with as_owner() as cursor:
        for table, columns in EARLIER.items():
            moves = ", ".join(f"{column} = {column} - %(by)s" for column in columns)
            statement = f"UPDATE {table} SET {moves} WHERE id > %(last)s"  # noqa: S608 - of EARLIER
            known: dict[str, Any] = {"by": by, "last": demo.last_ids[table]}
            cursor.execute(statement, known)
        known = {"by": by, "present": demo.present_at, "last": demo.last_ids["audit_entries"]}
        known["control"] = list(LIVE_STEPS)
        for statement in LASTING.split(";"):
            cursor.execute(statement, known)


class Evening:
    """The steps of a demo, with the time between them."""

    def __init__(self, seed: int = 7, *, watched_for: timedelta = timedelta()) -> None:
        self.random, self.watched_for = Random(seed), watched_for  # noqa: S311 - no secret
        self.life = Life(Random(seed))  # noqa: S311 - no secret
        self.due = timedelta()

    def step(self) -> Act:
        """Do one step, then let a few seconds pass, and return what it did."""
        act = self.life.step(watched_for=self.watched_for)
        self.due += timedelta(seconds=self.random.uniform(1, 6))
        if self.due >= LUMP:
            self.passes(self.due)
            self.due = timedelta()
        return act

    def passes(self, by: timedelta) -> None:
        """Let this much time pass."""
        time_passes(by)
        self.watched_for += by


def rows_of(*tables: str) -> dict[str, int]:
    """Return the number of rows of these tables."""
    with connection.cursor() as cursor:
        counts = {}
        for table in tables:
            cursor.execute(f"SELECT count(*) FROM {table}")  # noqa: S608 - of the test
            counts[table] = int(cursor.fetchone()[0])
    return counts
