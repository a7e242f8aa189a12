"""Where the database is, for those who connect without Django, and whether it can serve this site."""

from typing import Any

import psycopg
from django.db import connection

from project.config.errors import Refusal
from project.database.roles import owner_parameters

OLDEST_SERVER = 170_000  # PostgreSQL 17: `transaction_timeout`
WHERE = ("host", "port", "user", "password", "dbname", "sslmode", "sslrootcert", "sslcert", "sslkey")


def connection_parameters() -> dict[str, Any]:
    """Return where the database is, without the options of the site's own connections."""
    return {name: value for name, value in connection.get_connection_params().items() if name in WHERE}


def owner_connection_parameters() -> dict[str, Any]:
    """Return the same for the owner."""
    return {name: value for name, value in owner_parameters().items() if name in WHERE}


def database_require(parameters: dict[str, Any], variable: str = "DATABASE_URL") -> None:
    """Raise Refusal unless a PostgreSQL that is new enough answers to these parameters, which this variable names."""
    try:
        # Without our options: an old server refuses a connection because of one that it does not know.
        with psycopg.connect(**parameters, connect_timeout=5) as server:
            version = server.info.server_version
    except psycopg.OperationalError as error:
        reason = str(error).strip().splitlines()[-1]
        raise Refusal(f"The database that {variable} names does not answer: {reason}") from error
    if version < OLDEST_SERVER:
        raise Refusal(
            f"The database server is PostgreSQL {version // 10_000}, but it must be {OLDEST_SERVER // 10_000} or newer."
        )
