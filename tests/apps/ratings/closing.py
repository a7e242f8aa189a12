"""Compute in plain SQL what marks and their authors' accounts give, to compare with what the database keeps."""

from pathlib import Path

from django.db import connection

DIFFERENCES = (Path(__file__).parent / "closing.sql").read_text(encoding="utf-8")


def differences() -> list[tuple[str, str, str]]:
    """Return the counts and rows that differ from the marks and accounts; empty if all agree."""
    with connection.cursor() as cursor:
        cursor.execute(DIFFERENCES)
        return cursor.fetchall()
