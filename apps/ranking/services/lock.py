"""The locks of a stage's runs: one for whoever writes them, one for whoever computes."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection

_STAGE = "(%s::bigint & 2147483647)::int"  # an advisory lock of two keys takes 32 bits of each
_COMPUTES = f"(hashtext('parterre ranking of a stage computes'), {_STAGE})"


def runs_lock(stage_id: int) -> None:
    """Wait until no other transaction writes this stage's runs."""
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT pg_advisory_xact_lock(hashtext('parterre ranking'), {_STAGE})", [stage_id])


@contextmanager
def computes_alone(stage_id: int) -> Iterator[bool]:
    """Say whether no other database session computes this stage; if so, none begins until this block is left.

    Held by the database session, not by a transaction: nothing may stay open for as long as a computation takes.
    """
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT pg_try_advisory_lock{_COMPUTES}", [stage_id])
        (is_alone,) = cursor.fetchone()
    try:
        yield is_alone
    finally:
        if is_alone:
            with connection.cursor() as cursor:
                cursor.execute(f"SELECT pg_advisory_unlock{_COMPUTES}", [stage_id])
