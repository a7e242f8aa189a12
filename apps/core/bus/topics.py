"""Names of topics, and how they are published: by PostgreSQL, when the transaction that changes them commits.

A trigger publishes as well (`apps/community/sql/report_cases_end.sql`).
"""

import re

from django.db import connection, transaction

CHANNEL = "parterre"
TOPIC_LENGTH = 200  # the limit of PostgreSQL is 7,999 bytes
TOPIC = re.compile(
    r"[a-z_]+(?:\.(?:[a-z_]+|[0-9]+))*", re.ASCII
)  # such as session.42.performer; every process reads every topic


def publish_topics(*topics: str) -> None:
    """Notify all processes that these topics changed, when the running transaction commits.

    Raises ValueError for a topic that is too long or contains more than names and ids, and TransactionManagementError
    outside a transaction.
    """
    if not connection.in_atomic_block:
        raise transaction.TransactionManagementError("topics are published inside the transaction that changes them")
    for topic in topics:
        if len(topic) > TOPIC_LENGTH or not TOPIC.fullmatch(topic):
            raise ValueError(f"topic of {len(topic)} characters, at most {TOPIC_LENGTH}: topics never carry data")
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_notify(%s, topic) FROM unnest(%s::text[]) AS topic", [CHANNEL, list(topics)])
