"""Find dangling references in all tables, after actions of administrators.

PostgreSQL enforces most references as foreign keys. This module checks the others: keys without a constraint, and
references by several columns or to one of several tables.
"""

from django.apps import apps
from django.db import connection
from django.db.models import ForeignKey

BY_HAND = {
    "marks of pieces that the program does not have": """
        SELECT count(*) FROM piece_ratings AS mark WHERE NOT EXISTS (
            SELECT FROM session_participant_pieces AS entry
            WHERE entry.session_participant_id = mark.session_participant_id AND entry.piece_id = mark.piece_id
        )""",
    "ratings without a mark": """
        SELECT count(*) FROM rating_submissions AS one WHERE NOT EXISTS (
            SELECT FROM piece_ratings AS mark
            WHERE (mark.user_id, mark.session_participant_id) = (one.user_id, one.session_participant_id)
        ) AND NOT EXISTS (
            SELECT FROM performance_ratings AS mark
            WHERE (mark.user_id, mark.session_participant_id) = (one.user_id, one.session_participant_id)
        )""",
    "counts of pieces that the program does not have": """
        SELECT count(*) FROM (
            SELECT session_participant_id, piece_id FROM piece_rating_counts
            GROUP BY session_participant_id, piece_id HAVING sum(count) <> 0
        ) AS counted WHERE NOT EXISTS (
            SELECT FROM session_participant_pieces AS entry
            WHERE entry.session_participant_id = counted.session_participant_id AND entry.piece_id = counted.piece_id
        )""",
    "reports of texts that are gone": """
        SELECT count(*) FROM report_cases AS one WHERE NOT EXISTS (
            SELECT FROM (
                SELECT 'post' AS kind, id FROM posts UNION ALL SELECT 'post_comment', id FROM post_comments
                UNION ALL SELECT 'session_comment', id FROM session_comments
                UNION ALL SELECT 'rating_comment', id FROM performance_ratings
            ) AS text WHERE text.kind = one.kind AND text.id = one.subject_id
        )""",
    "performers of sessions that are not live": """
        SELECT count(*) FROM session_participants AS one JOIN sessions ON sessions.id = one.session_id
        WHERE one.is_performing AND NOT sessions.is_live""",
    "appearances in another stage than their session": """
        SELECT count(*) FROM session_participants AS one JOIN sessions ON sessions.id = one.session_id
        WHERE one.stage_id <> sessions.stage_id""",
    "orders of playing with a gap": """
        SELECT count(*) FROM (
            SELECT session_id FROM (
                SELECT session_id, order_number FROM session_participants
                UNION ALL SELECT session_id, order_number FROM session_withdrawals
            ) AS places GROUP BY session_id
            HAVING max(order_number) <> count(*) OR count(DISTINCT order_number) <> count(*)
        ) AS gaps""",
    "moments of parts that the item does not have": """
        SELECT count(*) FROM session_participant_piece_parts AS moment
        JOIN session_participant_pieces AS entry ON entry.id = moment.entry_id
        JOIN piece_parts AS part ON part.id = moment.part_id WHERE part.piece_id <> entry.piece_id""",
    "slots with a gap": """
        SELECT count(*) FROM (
            SELECT stage_id FROM stage_slots GROUP BY stage_id HAVING max(order_number) <> count(*)
        ) AS gaps""",
    "programs with a gap": """
        SELECT count(*) FROM (
            SELECT session_participant_id FROM session_participant_pieces
            GROUP BY session_participant_id HAVING max(order_number) <> count(*)
        ) AS gaps""",
}


def orphans() -> dict[str, int]:
    """Return the number of dangling rows by kind, for the kinds that have any."""
    found = {}
    with connection.cursor() as cursor:
        for what, query in {**_keys(), **BY_HAND}.items():
            cursor.execute(query)
            (count,) = cursor.fetchone()
            if count:
                found[what] = count
    return found


def _keys() -> dict[str, str]:
    """Return a query for each foreign key without a constraint. Rows of counters matter if their sum is not zero."""
    return {
        f"{field.model._meta.db_table}.{field.column}": _key_query(field)
        for model in apps.get_models()
        for field in model._meta.local_fields
        if isinstance(field, ForeignKey) and not field.db_constraint
    }


def _key_query(field: ForeignKey) -> str:
    table, column, other = field.model._meta.db_table, field.column, field.related_model._meta.db_table
    is_sum = any(each.name == "count" for each in field.model._meta.local_fields)
    counted = f" GROUP BY {column} HAVING sum(count) <> 0" if is_sum else ""
    some = f"SELECT {column} FROM {table} WHERE {column} IS NOT NULL{counted}"  # noqa: S608 - names of our tables
    there = f"SELECT FROM {other} WHERE {other}.{field.target_field.column} = one.{column}"
    return f"SELECT count(*) FROM ({some}) AS one WHERE NOT EXISTS ({there})"  # noqa: S608
