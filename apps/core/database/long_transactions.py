"""Transactions over more rows than a page's time limits allow, for work that no page waits for."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection, transaction


@contextmanager
def long_transaction() -> Iterator[None]:
    """Open a transaction whose statements may take any time; each still waits only briefly for a lock.

    In an open transaction, the limits are lifted until that one ends.
    """
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("SET LOCAL statement_timeout = 0; SET LOCAL transaction_timeout = 0")
        yield
