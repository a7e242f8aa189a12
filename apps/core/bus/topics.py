"""What changes are called, and how they are announced: by the transaction that makes them, when it commits.

A trigger announces as well (`apps/community/sql/report_cases_end.sql`).
"""

import re

from django.db import connection, transaction

CHANNEL = "parterre"
TOPIC_LENGTH = 200  # PostgreSQL would take 7,999 bytes
TOPIC = re.compile(
    r"[a-z_]+(?:\.(?:[a-z_]+|[0-9]+))*", re.ASCII
)  # such as session.42.performer: every process reads them


def publish_topics(*topics: str) -> None:
    """Tell all processes, when the running transaction commits, that these topics changed.

    Raises ValueError for a topic that holds more than names and ids, TransactionManagementError outside a transaction.
    """
    if not connection.in_atomic_block:
        raise transaction.TransactionManagementError("topics are published inside the transaction that changes them")
    for topic in topics:
        if len(topic) > TOPIC_LENGTH or not TOPIC.fullmatch(topic):
            raise ValueError(f"a topic of {len(topic)} characters that is no name and ids: topics never carry data")
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_notify(%s, topic) FROM unnest(%s::text[]) AS topic", [CHANNEL, list(topics)])
