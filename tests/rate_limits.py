"""What was counted against a rate limit, moved back in time: PostgreSQL's clock cannot be moved."""

from django.db import connection

from apps.core.cache import Counters
from apps.core.own_connections import own_connection_run

EARLIER = """
UPDATE rate_limits SET back_at = ARRAY(SELECT at - make_interval(secs => %s) FROM unnest(back_at) AS at ORDER BY at)
"""


def attempts_clear() -> None:
    """Forget all that was counted outside of a test's transaction."""
    Counters("", {}).clear()
    own_connection_run(lambda own: own.execute("DELETE FROM rate_limits"))


def seconds_pass(seconds: float) -> None:
    """Let all that was counted lie so much further back."""
    with connection.cursor() as cursor:
        cursor.execute(EARLIER, [seconds])
