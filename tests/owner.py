"""Run statements as the schema's owner, for tests that need more rights than the serving role has."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection
from django.db.backends.utils import CursorWrapper


@contextmanager
def as_owner() -> Iterator[CursorWrapper]:
    """Yield a cursor of this thread's connection with the role of the schema's owner."""
    with connection.cursor() as cursor:
        cursor.execute("SET ROLE NONE")
        try:
            yield cursor
        finally:
            cursor.execute("RESET ROLE")


def sequences_restart() -> None:
    """Restart all sequences at 1, so that a test's rows get the same ids in any order of tests."""
    with as_owner() as cursor:
        cursor.execute(
            "SELECT format('ALTER SEQUENCE %I.%I RESTART', schemaname, sequencename) FROM pg_sequences"
            " WHERE sequencename !~ '^(auth|django)_'"  # migrations create rows of these tables
        )
        for (statement,) in cursor.fetchall():
            cursor.execute(statement)
