"""What was counted against a rate limit: used up, forgotten, or moved back, for PostgreSQL's clock cannot be moved."""

from datetime import timedelta

from django.apps import apps
from django.db import connection
from django.utils import timezone

from apps.core.database.autocommit_pool import autocommit_pool
from apps.core.database.cache import Counters
from apps.core.limits import RateLimit
from apps.core.rate_limits import account_subject

EARLIER = """
UPDATE rate_limits SET back_at = ARRAY(SELECT at - make_interval(secs => %s) FROM unnest(back_at) AS at ORDER BY at)
"""


def attempts_clear() -> None:
    """Forget all that was counted outside of a test's transaction."""
    Counters("", {}).clear()
    autocommit_pool.run(lambda connection: connection.execute("DELETE FROM rate_limits"))


def spend(limit: RateLimit, *, account_id: int) -> None:
    """Use up a limit for an hour, however long a screen takes."""
    used = {"back_at": [timezone.now() + timedelta(hours=1)] * limit.amount, "allowed": True}
    rows = apps.get_model("core", "RateLimitUse").objects  # conftest imports this before models are known
    rows.update_or_create(subject=account_subject(account_id), name=limit.name, defaults=used)


def seconds_pass(seconds: float) -> None:
    """Let all that was counted lie so much further back."""
    with connection.cursor() as cursor:
        cursor.execute(EARLIER, [seconds])
