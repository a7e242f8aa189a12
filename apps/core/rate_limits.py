"""How often somebody may do what is written or tried: one bucket of tokens in PostgreSQL for all of it.

A row of `rate_limits` says when each token that was taken comes back, by the database's clock. What people write takes
one within the transaction that writes, and gives it back when that is undone (`rate_limit_take`). An attempt, such as
to sign in, counts whatever becomes of the request (`Attempt`).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.core.exceptions import ValidationError
from django.db import connection

from apps.core.database.own_connections import Connection, own_connection_run
from apps.core.limits import MINUTE, RateLimit
from apps.core.observability.security_log import security_count

TOO_MANY = "too_many"  # the code of the error

# The row is locked while it is read and written, so that two at the same moment are counted one after the other.
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
        FROM unnest(used.back_at) AS at WHERE at > statement_timestamp()
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
    """Once more than is allowed; `wait` is in seconds, 0 when nobody knows how long."""

    def __init__(self, wait: float, refusal: str = "") -> None:
        self.wait = wait
        sentences = [ValidationError(refusal or "Too many attempts. Please try again later.", code=TOO_MANY)]
        if wait > 0 and not refusal:
            minutes = {"minutes": math.ceil(wait / MINUTE)}
            sentences.append(ValidationError("You can try again in %(minutes)d min.", code="wait", params=minutes))
        super().__init__(sentences)


@dataclass(frozen=True, slots=True)
class Use:
    """One limit on one subject: an account (`account_subject`), or a digest that says neither who nor where."""

    limit: RateLimit
    subject: str
    times: int = 1  # as often as others

    def take(self, cursor: Any) -> datetime:
        """Take one; returns when it comes back. Raises TooMany."""
        limit = self.limit
        cursor.execute(
            TAKE,
            {
                "subject": self.subject,
                "name": limit.name,
                "amount": limit.amount * self.times,
                "seconds": limit.seconds,
                "one_by_one": limit.one_by_one,
            },
        )
        allowed, back_at, wait = cursor.fetchone()
        if not allowed:
            raise TooMany(wait, limit.refusal)
        taken: datetime = back_at
        return taken

    def give_back(self, back_at: datetime) -> None:
        """Take one less: the one that would have come back then."""
        own_connection_run(lambda own: own.execute(GIVE_BACK, [back_at, self.subject, self.limit.name]))

    def forget(self) -> None:
        """Forget all that was taken."""
        own_connection_run(lambda own: own.execute(FORGET, [self.subject, self.limit.name]))


@dataclass(slots=True)
class Attempt:
    """What one attempt was counted as, until it turns out to be none."""

    taken: list[tuple[Use, datetime]] = field(default_factory=list)

    def take(self, uses: Sequence[Use]) -> "Attempt":
        """Count the attempt in all of `uses` or in none, whatever becomes of the request; returns itself.

        Raises TooMany, and psycopg.Error when nothing can be counted.
        """
        self.taken += own_connection_run(lambda own: _take_all(own, uses))
        return self

    def rollback(self) -> None:
        """Forget the attempt; allauth calls it when the password was right."""
        while self.taken:
            use, back_at = self.taken.pop()
            use.give_back(back_at)


def _take_all(own: Connection, uses: Sequence[Use]) -> list[tuple[Use, datetime]]:
    """Take one of each, in one transaction; returns what was taken with when it comes back. Raises TooMany."""
    with own.transaction(), own.cursor() as cursor:
        taken = []
        for use in uses:
            try:
                taken.append((use, use.take(cursor)))
            except TooMany:
                security_count("limit reached", reason=use.limit.name)
                raise
    return taken


def account_subject(account_id: int) -> str:
    """Return the subject of what an account uses."""
    return f"account.{account_id}"


def rate_limit_take(limit: RateLimit, *, account_id: int) -> None:
    """Take one for an account, within the transaction that writes: undone together. Raises TooMany."""
    with connection.cursor() as cursor:
        Use(limit, account_subject(account_id)).take(cursor)


def rate_limits_forget(*, account_id: int) -> None:
    """Forget what an account that leaves has used."""
    with connection.cursor() as cursor:
        cursor.execute(FORGET_ALL, [account_subject(account_id)])


def rate_limits_prune() -> int:
    """Forget the rows of which nothing is used any more; returns how many."""
    with connection.cursor() as cursor:
        cursor.execute(PRUNE)
        pruned: int = cursor.rowcount
    return pruned
