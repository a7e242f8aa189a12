"""Use up rate limits, clear them, or move their times into the past, since tests cannot move PostgreSQL's clock."""

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
    """Clear all counters, which are stored outside a test's transaction."""
    Counters("", {}).clear()
    autocommit_pool.run(lambda connection: connection.execute("DELETE FROM rate_limits"))


def spend(limit: RateLimit, *, account_id: int) -> None:
    """Use up a limit for an hour, so that a slow test still meets it."""
    used = {"back_at": [timezone.now() + timedelta(hours=1)] * limit.amount, "allowed": True}
    rows = apps.get_model("core", "RateLimitUse").objects  # conftest imports this module before Django loads the models
    rows.update_or_create(subject=account_subject(account_id), name=limit.name, defaults=used)


def seconds_pass(seconds: float) -> None:
    """Move the times of all counted uses `seconds` into the past."""
    with connection.cursor() as cursor:
        cursor.execute(EARLIER, [seconds])
