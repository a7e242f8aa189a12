"""Rate limits in PostgreSQL, as token buckets.

A row of `rate_limits` contains the times at which taken tokens come back, by the database's clock. A write takes a
token within its transaction, so a rollback gives it back (`rate_limit_take`). An attempt, such as a sign-in, is counted
even if the request is rolled back (`Attempt`).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.core.exceptions import ValidationError
from django.db import connection

from apps.core.database.autocommit_pool import Connection, autocommit_pool
from apps.core.limits import HOUR, MINUTE, RateLimit
from apps.core.observability import security_count

TOO_MANY = "too_many"  # the code of the error

# One statement reads and writes the row under its lock, so that concurrent uses are counted one after another.
TAKE = """
INSERT INTO rate_limits AS used (subject, name, back_at, allowed)
VALUES (%(subject)s, %(name)s, ARRAY[statement_timestamp() + make_interval(secs => %(seconds)s)], true)
ON CONFLICT (subject, name) DO UPDATE SET (back_at, allowed) = (
    SELECT
        CASE WHEN away.number < %(amount)s THEN away.back_at || (
            greatest(statement_timestamp(), CASE WHEN %(one_by_one)s THEN away.back_at[away.number] END)
            + make_interval(secs => %(seconds)s)
        ) ELSE away.back_at END,
        away.number < %(amount)s
    FROM (
        SELECT coalesce(array_agg(at ORDER BY at), '{}') AS back_at, count(*)::int AS number
        FROM unnest(used.back_at) AS at
        WHERE at > statement_timestamp() AND at <= statement_timestamp() + make_interval(secs => %(longest)s)
    ) AS away
)
RETURNING
    allowed,
    back_at[cardinality(back_at)],
    extract(epoch FROM back_at[cardinality(back_at) - %(amount)s + 1] - statement_timestamp())::float8
"""
GIVE_BACK = "UPDATE rate_limits SET back_at = array_remove(back_at, %s) WHERE subject = %s AND name = %s"
FORGET = "DELETE FROM rate_limits WHERE subject = %s AND name = %s"
FORGET_ALL = "DELETE FROM rate_limits WHERE subject = %s"
PRUNE = """
DELETE FROM rate_limits WHERE coalesce(back_at[cardinality(back_at)], '-infinity') <= statement_timestamp()
"""


class TooMany(ValidationError):
    """The limit is reached. `wait` is in seconds, 0 if unknown.

    `refusal` replaces the usual sentence; it may contain `%(seconds)d`, `%(minutes)d` or `%(hours)d`.
    """

    def __init__(self, wait: float, refusal: str = "") -> None:
        self.wait = wait
        sentences = [
            ValidationError(
                refusal or "Too many attempts. Please try again later.", code=TOO_MANY, params=wait_params(wait)
            )
        ]
        if wait > 0 and not refusal:
            sentence = "You can try again in %(minutes)d min."
            sentences.append(ValidationError(sentence, code="wait", params=wait_params(wait)))
        super().__init__(sentences)


def wait_params(wait: float) -> dict[str, int]:
    """Return `wait` in each unit that a sentence may contain, rounded up to at least 1."""
    units = {"seconds": 1, "minutes": MINUTE, "hours": HOUR}
    return {name: max(1, math.ceil(wait / seconds)) for name, seconds in units.items()}


@dataclass(frozen=True, slots=True)
class Use:
    """One limit for one subject: an account (`account_subject`), or a digest of an address or client."""

    limit: RateLimit
    subject: str
    times: int = 1  # multiplies the amount

    def take(self, cursor: Any) -> datetime:
        """Take one token; return when it comes back. Raises TooMany."""
        limit = self.limit
        cursor.execute(
            TAKE,
            {
                "subject": self.subject,
                "name": limit.name,
                "amount": limit.amount * self.times,
                "seconds": limit.seconds,
                "longest": limit.longest,
                "one_by_one": limit.one_by_one,
            },
        )
        allowed, back_at, wait = cursor.fetchone()
        if not allowed:
            raise TooMany(wait, limit.refusal)
        taken: datetime = back_at
        return taken

    def give_back(self, back_at: datetime) -> None:
        """Give back the token that comes back at `back_at`."""
        autocommit_pool.run(lambda connection: connection.execute(GIVE_BACK, [back_at, self.subject, self.limit.name]))

    def forget(self) -> None:
        """Give back all tokens."""
        autocommit_pool.run(lambda connection: connection.execute(FORGET, [self.subject, self.limit.name]))


@dataclass(slots=True)
class Attempt:
    """The tokens that one attempt took, to be given back if it does not count."""

    taken: list[tuple[Use, datetime]] = field(default_factory=list)

    def take(self, uses: Sequence[Use]) -> "Attempt":
        """Count the attempt in all of `uses` or in none, independent of the request's transaction; return itself.

        Raises TooMany, and psycopg.Error when the database cannot count.
        """
        self.taken += autocommit_pool.run(lambda connection: _take_all(connection, uses))
        return self

    def rollback(self) -> None:
        """Give the tokens back; allauth calls it after a correct password."""
        while self.taken:
            use, back_at = self.taken.pop()
            use.give_back(back_at)


def _take_all(connection: Connection, uses: Sequence[Use]) -> list[tuple[Use, datetime]]:
    """Take one token of each use in one transaction; return the uses with the time of return. Raises TooMany."""
    with connection.transaction(), connection.cursor() as cursor:
        taken = []
        for use in uses:
            try:
                taken.append((use, use.take(cursor)))
            except TooMany:
                security_count("limit reached", reason=use.limit.name)
                raise
    return taken


def account_subject(account_id: int) -> str:
    """Return the rate limit subject of an account."""
    return f"account.{account_id}"


def rate_limit_take(limit: RateLimit, *, account_id: int) -> None:
    """Take one token for an account, within the transaction that writes. Raises TooMany."""
    with connection.cursor() as cursor:
        Use(limit, account_subject(account_id)).take(cursor)


def rate_limits_forget(*, account_id: int) -> None:
    """Delete the rows of a deleted account."""
    with connection.cursor() as cursor:
        cursor.execute(FORGET_ALL, [account_subject(account_id)])


def rate_limits_prune() -> int:
    """Delete the rows without a taken token; return their number."""
    with connection.cursor() as cursor:
        cursor.execute(PRUNE)
        pruned: int = cursor.rowcount
    return pruned
