"""What the role that serves may not do, and a test has to: it runs as the owner meanwhile."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection
from django.db.backends.utils import CursorWrapper


@contextmanager
def as_owner() -> Iterator[CursorWrapper]:
    """Let this thread's connection act as whoever owns the schema until this ends; gives a cursor of it."""
    with connection.cursor() as cursor:
        cursor.execute("SET ROLE NONE")
        try:
            yield cursor
        finally:
            cursor.execute("RESET ROLE")


def sequences_restart() -> None:
    """Let every table count its rows from 1 again, so that those of one test have the same few ids, in any order."""
    with as_owner() as cursor:
        cursor.execute(
            "SELECT format('ALTER SEQUENCE %I.%I RESTART', schemaname, sequencename) FROM pg_sequences"
            " WHERE sequencename !~ '^(auth|django)_'"  # whose rows a migration made
        )
        for (statement,) in cursor.fetchall():
            cursor.execute(statement)
