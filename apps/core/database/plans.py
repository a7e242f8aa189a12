"""Plans that a connection keeps, and when it has to make them anew."""

from django.db import connection


def plans_renew() -> None:
    """Let this connection plan anew the checks of foreign keys that it runs at COMMIT; for who wrote thousands of rows.

    PostgreSQL keeps one plan for each check as long as the connection lives. One made while the table was a single
    page reads the whole table, for every row: 8 s instead of 0.1 for ten thousand, past the deadline of a statement.
    """
    with connection.cursor() as cursor:
        cursor.execute("DISCARD PLANS")
