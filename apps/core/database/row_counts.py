"""Counts of rows, kept by triggers of PostgreSQL that add what each statement inserts and deletes (ADR 14).

A table of counts has the columns of its key and `count`; the rows of one key are summed. A statement replaces those
rows of its key that no other transaction has locked by one row, so no write ever waits for a count.

    migrations.RunSQL(*counting_sql("session_comments", "session_comment_counts", "session_id"))
"""

from django.db import models

_MOMENTS = (
    ("INSERT", "NEW TABLE AS rows_after"),
    ("UPDATE", "OLD TABLE AS rows_before NEW TABLE AS rows_after"),
    ("DELETE", "OLD TABLE AS rows_before"),
)


class RowCount(models.Model):
    """How many rows of another table have one key: the sum over the rows with that key."""

    count = models.BigIntegerField()

    class Meta:
        abstract = True


def counting_sql(table: str, counts: str, *keys: str, where: str = "true") -> tuple[str, str]:
    """Return the SQL that counts what `table` has by these columns, from now on and in `counts`, and its reverse.

    Only rows for which `where` holds are counted. Nobody writes the table between the count and the triggers: making
    these locks it for as long as counting takes. Migrations call this, so what it returns stays as it is.
    """
    by = ", ".join(keys)
    begin = f"INSERT INTO {counts} ({by}, count) SELECT {by}, count(*) FROM {table} WHERE {where} GROUP BY {by};"  # noqa: S608
    drops = [f"DROP TRIGGER {counts}_{moment.lower()} ON {table};" for moment, _ in _MOMENTS]
    end = "\n".join([*drops, f"DELETE FROM {counts};"])  # noqa: S608 - our own names
    return f"{count_triggers_sql(table, counts, *keys, where=where)}\n{begin}", end


def count_triggers_sql(table: str, counts: str, *keys: str, where: str = "true") -> str:
    """Return the SQL that counts from now on, in place of other keys or another condition.

    It leaves `counts` as it is: the caller sees to it that what stands there is right.
    """
    by = ", ".join(keys)
    return "\n".join(
        f"CREATE OR REPLACE TRIGGER {counts}_{moment.lower()} AFTER {moment} ON {table} REFERENCING {tables} "
        f"FOR EACH STATEMENT EXECUTE FUNCTION rows_count('{counts}', '{by}', '{where}');"
        for moment, tables in _MOMENTS
    )
