"""The database's clock in tests: it cannot be moved, so all stored times are moved the other way."""

from datetime import timedelta

from tests.owner import as_owner

COLUMNS = """
SELECT format(
    CASE attribute.atttypid WHEN 'timestamptz'::regtype THEN '%%1$I = %%1$I - %%2$L::interval'
    ELSE '%%1$I = ARRAY(SELECT at - %%2$L::interval FROM unnest(%%1$I) WITH ORDINALITY AS each (at, n) ORDER BY n)' END,
    attribute.attname, %s::interval
), class.relname
FROM pg_attribute AS attribute JOIN pg_class AS class ON class.oid = attribute.attrelid
WHERE class.relnamespace = 'public'::regnamespace AND class.relkind = 'r' AND attribute.attgenerated = ''
    AND NOT attribute.attisdropped AND attribute.atttypid IN ('timestamptz'::regtype, 'timestamptz[]'::regtype)
"""
NUMBERS = """
UPDATE session_reactions SET timestamp = timestamp - (extract(epoch FROM %(by)s::interval) * 1000)::bigint;
UPDATE session_reaction_moments SET second = second - extract(epoch FROM %(by)s::interval)::bigint
"""


def clock_set(by: timedelta) -> None:
    """Set the clock ahead by this much, or back if it is negative: every stored time is as much further in the past."""
    with as_owner() as cursor:
        cursor.execute("SET session_replication_role = replica")  # without triggers
        cursor.execute(COLUMNS, [by])
        changes: dict[str, list[str]] = {}
        for change, table in cursor.fetchall():
            changes.setdefault(table, []).append(change)
        for table, each in changes.items():
            cursor.execute(f"UPDATE {table} SET {', '.join(each)}")  # noqa: S608 - the names are the catalog's
        cursor.execute(NUMBERS, {"by": by})
        cursor.execute("SET session_replication_role = origin")
