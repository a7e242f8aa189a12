"""A demo in a test, and time that passes in it: its rows become older, since tests cannot move PostgreSQL's clock."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from random import Random

import pytest
from django.db import connection, transaction

from apps.demo.audience.posts import comments_load, community_load, reactions_load
from apps.demo.audience.ratings import ratings_load
from apps.demo.competition import competition_load
from apps.demo.dates import demo_remember
from apps.demo.enums import Act
from apps.demo.life.step import Life
from apps.demo.models import LoadedDemo
from tests.owner import as_owner
from tests.rate_limits import seconds_pass

EARLIER = {
    "session_comments": ("created_at",),
    "posts": ("created_at",),
    "post_comments": ("created_at",),
    "advance_recommendations": ("created_at", "updated_at"),
    "audit_entries": ("created_at",),
}
# What is not new may have been there before the demo lived, but changes while it does.
LASTING = """
UPDATE performing_times SET began_at = began_at - %(by)s, ended_at = ended_at - %(by)s;
UPDATE sessions SET starts_at = starts_at - %(by)s WHERE is_live;
UPDATE piece_ratings SET updated_at = updated_at - %(by)s WHERE updated_at > %(present)s AND NOT approved;
UPDATE performance_ratings SET updated_at = updated_at - %(by)s WHERE updated_at > %(present)s;
UPDATE loaded_demos SET present_at = present_at - %(by)s, lived_at = lived_at - %(by)s
"""
LUMP = timedelta(seconds=10)  # of time that passes at once, because each one writes all rows again


@contextmanager
def demo_loaded(folder) -> Iterator[None]:
    """Load the whole demo in a transaction that is rolled back."""
    with pytest.MonkeyPatch.context() as patch, transaction.atomic():
        patch.setattr("django.conf.settings.DATA", folder)
        patch.setenv("DEMO_PASSWORD", "row-g-seat-12")
        with as_owner() as cursor:
            for name in ("session_comments_id_seq", "posts_id_seq", "session_reaction_moments_id_seq"):
                cursor.execute(f"ALTER SEQUENCE {name} RESTART")
        competition_load()
        ratings_load()
        comments_load()
        community_load()
        reactions_load()
        demo_remember()
        yield
        transaction.set_rollback(True)


def time_passes(by: timedelta) -> None:
    """Move all that has happened since the demo was loaded into the past."""
    seconds_pass(by.total_seconds())
    demo = LoadedDemo.objects.get()
    with as_owner() as cursor:
        for table, columns in EARLIER.items():
            moves = ", ".join(f"{column} = {column} - %(by)s" for column in columns)
            last = demo.last_ids[table]
            cursor.execute(f"UPDATE {table} SET {moves} WHERE id > %(last)s", {"by": by, "last": last})  # noqa: S608 - of EARLIER
        known = {"by": by, "present": demo.present_at}
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
