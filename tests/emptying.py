"""How the tables are emptied after a test that commits: as by Django's `flush`, in a twentieth of its time.

Almost every test leaves a few rows in a few tables. To delete them takes some milliseconds; to TRUNCATE all tables, and
to send `post_migrate` so that what migrations made comes back, hundreds.
"""

from typing import Any

from django.db import connection, transaction
from django.test import TransactionTestCase

OF_MIGRATIONS = {"django_content_type", "auth_permission"}  # stay as they are
FEW = 64  # pages in all tables that are not empty; beyond, what was deleted would make them slower to read
flush = TransactionTestCase._fixture_teardown


def tables_empty(test_case: TransactionTestCase) -> None:
    """Delete all rows that a test has written."""
    if not (_may_delete() and _few_deleted()):
        flush(test_case)


def tables_truncate(cursor: Any) -> None:
    """Make all tables as small as they were, of which PostgreSQL knows nothing, and have what it planned forgotten."""
    cursor.execute(f"TRUNCATE {', '.join(_tables().values())}")


def _tables() -> dict[str, str]:
    """Return the tables that tests write, as they are written in SQL, by name."""
    names = connection.introspection.django_table_names(only_existing=True, include_views=False)
    return {name: connection.ops.quote_name(name) for name in names if name not in OF_MIGRATIONS}


def _may_delete() -> bool:
    """Whether the tests' own role is a superuser, who may delete past triggers and foreign keys."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT rolsuper FROM pg_roles WHERE rolname = session_user")
        return bool(cursor.fetchone()[0])


def _few_deleted() -> bool:
    tables = _tables()
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL ROLE NONE")
        cursor.execute("SET LOCAL session_replication_role = replica")
        cursor.execute(f"LOCK TABLE {', '.join(tables.values())} IN EXCLUSIVE MODE")  # whoever still writes ends first
        sizes = _sizes(cursor, tables)
        if sum(sizes.values()) > FEW:
            return False
        if sizes:
            cursor.execute("; ".join(f"DELETE FROM {tables[name]}" for name in sizes))  # noqa: S608 - our own tables
    return True


def _sizes(cursor: Any, tables: dict[str, str]) -> dict[str, int]:
    """Return how many pages each table has that is not empty."""
    names = [value for name, table in tables.items() for value in (name, table)]
    of_one = "SELECT %s, pg_relation_size(%s) / 8192 WHERE EXISTS (SELECT FROM {})"
    cursor.execute(" UNION ALL ".join(of_one.format(table) for table in tables.values()), names)
    return dict(cursor.fetchall())
