"""The newest rows of several groups, without reading all of them."""

from collections.abc import Collection

from django.db.models.expressions import RawSQL

from apps.core.database.paging import Cursor

# The newest `limit` rows of all groups belong to the `limit` groups whose newest rows are the newest.
_NEWEST = """(
    WITH latest AS (
        SELECT one, newest.created_at, newest.id
        FROM unnest(%s::bigint[]) AS one CROSS JOIN LATERAL (
            SELECT created_at, id FROM {table} WHERE {column} = one AND NOT is_hidden{before}
            ORDER BY created_at DESC, id DESC LIMIT 1
        ) AS newest
        ORDER BY newest.created_at DESC, newest.id DESC LIMIT %s
    )
    SELECT newest.id FROM latest CROSS JOIN LATERAL (
        SELECT created_at, id FROM {table} WHERE {column} = one AND NOT is_hidden{before}
        ORDER BY created_at DESC, id DESC LIMIT %s
    ) AS newest
    ORDER BY newest.created_at DESC, newest.id DESC LIMIT %s
)"""


def newest_ids(table: str, column: str, groups: Collection[int], limit: int, *, before: Cursor | None = None) -> RawSQL:
    """Return the ids of the newest `limit` rows with one of these values in `column`, hidden ones left out.

    With `before` those that follow this cursor. For `filter(pk__in=…)`. With an index of `column`, `is_hidden`,
    `created_at` and the id it reads one row of each group and at most `limit` rows of `limit` groups.
    """
    later = [before.at, before.id] if before else []
    sql = _NEWEST.format(table=table, column=column, before=" AND (created_at, id) < (%s, %s)" if before else "")
    return RawSQL(sql, [sorted(groups), *later, limit, *later, limit, limit])  # noqa: S611 - names that the caller's module has as constants
