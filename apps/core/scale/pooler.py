"""A pooler in transaction mode, such as PgBouncer, between the site and its database; DATABASE_URL names the pooler.

A pooler does not forward startup parameters, so the timeouts of every query are set on the role.
"""

from typing import Any

import psycopg
from django.conf import settings
from psycopg import sql

ASKED = "SELECT name, setting::integer FROM pg_settings WHERE name = ANY(%s)"  # in milliseconds
OLDER = (
    "The pooler that DATABASE_URL names gave a connection without the time-outs of the role ({}). Those from before "
    "the first start end with its server_lifetime, or at once with RECONNECT in its console."
)


def timeouts_set(direct_parameters: dict[str, Any]) -> None:
    """Set the site's timeouts on the role that serves pages, for this database. New sessions of the role have them."""
    with psycopg.connect(**direct_parameters, autocommit=True) as server:
        database = sql.Identifier(server.info.dbname)
        for name, milliseconds in settings.TIMEOUTS.items():
            server.execute(
                sql.SQL("ALTER ROLE CURRENT_USER IN DATABASE {} SET {} = {}").format(
                    database, sql.Identifier(name), sql.Literal(milliseconds)
                )
            )


def findings(parameters: dict[str, Any]) -> list[str]:
    """Return a sentence if a connection from the pooler lacks the site's timeouts, else an empty list."""
    if not settings.POOLED:
        return []
    with psycopg.connect(**parameters, autocommit=True, prepare_threshold=None) as pooled:
        found = dict(pooled.execute(ASKED, [list(settings.TIMEOUTS)]).fetchall())
    others = [name for name, milliseconds in settings.TIMEOUTS.items() if found.get(name) != milliseconds]
    return [OLDER.format(", ".join(others))] if others else []
