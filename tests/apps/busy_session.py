"""Rows of busy_session.sql: its accounts and objects, and positions in the middle of its lists."""

from datetime import UTC, datetime
from typing import Any

from django.db import connection

from apps.accounts.actors import Viewer
from apps.core.database.paging import Cursor
from apps.ratings.enums import RatingKind

NOW = datetime.now(UTC)
LISTENER, ADMIN, APPEARANCE, PARTICIPANT, SESSION = 7, 1, 1, 1, 1
POST, POSTS = 100_000, 100_000  # the newest post, which has comments of all accounts, and their number
OTHER_LISTENER = 4711  # an occasional author
ADMINISTRATOR = Viewer(ADMIN, "listener1", is_admin=True)


def row_of(sql: str) -> Any:
    """Return one row, queried outside Django, so that a selector's query count excludes it."""
    return connection.connection.execute(sql).fetchone()


def cursor(kind: RatingKind, *, moment: str = "shown_at") -> Cursor:
    """Return the cursor of a rating in the middle of its list."""
    table = "rating_submissions" if kind == RatingKind.PIECE else "performance_ratings"
    which = "NOT approved" if moment == "updated_at" else f"{moment} IS NOT NULL"
    at, pk = row_of(f"SELECT {moment}, id FROM {table} WHERE {which} ORDER BY {moment} LIMIT 1 OFFSET 1500")  # noqa: S608 - our names
    return Cursor(at, pk)


def newest(table: str) -> int:
    """Return the id of the newest row of a table."""
    return int(row_of(f"SELECT max(id) FROM {table}")[0])  # noqa: S608 - names and numbers of this file and of tests


def post_cursor(back: int) -> Cursor:
    """Return the cursor of the post that is `back` posts older than the newest."""
    at, pk = row_of(f"SELECT created_at, id FROM posts WHERE id = {POSTS - back}")  # noqa: S608 - names and numbers of this file and of tests
    return Cursor(at, pk)


def newest_ids(table: str) -> range:
    """Return the ids of the newest rows of a table."""
    return range(newest(table) - 49, newest(table) + 1)


def comment_id(back: int) -> int:
    """Return the id of the comment on the session that is `back` comments older than the newest."""
    return newest("session_comments") - back
