"""How many comments somebody may write: a few at once, then one in so many seconds, counted in the database."""

from dataclasses import dataclass
from datetime import timedelta

from django.core.exceptions import ValidationError
from django.db import connection


@dataclass(frozen=True, slots=True)
class Pace:
    """So many at once, then one in so many seconds, and what to say to somebody who is faster."""

    burst: int
    seconds: float
    refusal: str


NEW_FOR = timedelta(days=1)
NEWCOMER = Pace(1, 30, "A new account can write one comment in 30 seconds. Please wait a moment.")
MEMBER = Pace(3, 5, "That was a little fast. Please wait a few seconds before your next comment.")

# The row is locked before its clock is read, so that two at the same moment are counted one after the other.
TAKE = """
INSERT INTO session_comment_allowances AS kept (user_id, remaining, counted_at)
VALUES (%(user)s, %(burst)s - 1, clock_timestamp())
ON CONFLICT (user_id) DO UPDATE SET
    remaining = least(
        %(burst)s, kept.remaining + extract(epoch FROM clock_timestamp() - kept.counted_at) / %(seconds)s
    ) - 1,
    counted_at = clock_timestamp()
WHERE least(%(burst)s, kept.remaining + extract(epoch FROM clock_timestamp() - kept.counted_at) / %(seconds)s) >= 1
RETURNING remaining
"""


def allowance_take(*, user_id: int, membership: timedelta) -> None:
    """Count one more comment of somebody who has been a member for so long; raises ValidationError when too fast."""
    pace = NEWCOMER if membership < NEW_FOR else MEMBER
    with connection.cursor() as cursor:
        cursor.execute(TAKE, {"user": user_id, "burst": pace.burst, "seconds": pace.seconds})
        if cursor.fetchone() is None:
            raise ValidationError(pace.refusal)
