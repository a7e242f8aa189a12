"""Transactions over more rows than a page's time limits allow, for work that no page waits for."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection, transaction

ENDLESS = "; ".join(
    f"SET LOCAL {limit} = 0"
    for limit in ("statement_timeout", "transaction_timeout", "idle_in_transaction_session_timeout")
)


@contextmanager
def long_transaction() -> Iterator[None]:
    """Open a transaction that may take any time; its statements still wait only briefly for a lock.

    In an open transaction, the limits are lifted until that one ends.
    """
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute(ENDLESS)
        yield
