"""The lock of a stage's runs: whoever writes one, closes it or opens it again waits for the others."""

from django.db import connection


def runs_lock(stage_id: int) -> None:
    """Wait until no other transaction writes this stage's runs."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(hashtext('parterre ranking'), %s)", [stage_id])
