"""Where the database is, for those who connect without Django, and whether it can serve this site."""

from typing import Any

import psycopg
from django.conf import settings
from django.db import connection

from project.config import Refusal
from project.database.roles import parameters_of

OLDEST_SERVER = 170_000  # PostgreSQL 17: `transaction_timeout`
NO_REPLICA = "The server that DATABASE_REPLICA_URL names"
WHERE = ("host", "port", "user", "password", "dbname", "sslmode", "sslrootcert", "sslcert", "sslkey")


def connection_parameters() -> dict[str, Any]:
    """Return where the database is, without the options of the site's own connections."""
    return {name: value for name, value in connection.get_connection_params().items() if name in WHERE}


def owner_connection_parameters() -> dict[str, Any]:
    """Return the same for the owner."""
    return {name: value for name, value in parameters_of(settings.OWNER_DATABASE).items() if name in WHERE}


def direct_connection_parameters() -> dict[str, Any]:
    """Return the same for the role that serves, at the server itself: for what holds a session of the database."""
    if not settings.POOLED:
        return connection_parameters()
    return {name: value for name, value in parameters_of(settings.DIRECT_DATABASE).items() if name in WHERE}


def replica_parameters() -> dict[str, str]:
    """Return the same as texts for the standby, nothing when there is none."""
    if not settings.REPLICA_DATABASE:
        return {}
    return {
        name: str(value) for name, value in parameters_of(settings.REPLICA_DATABASE).items() if name in WHERE and value
    }


def replica_findings() -> list[str]:
    """Return a sentence when DATABASE_REPLICA_URL names nothing that can be read in the primary's place."""
    if not (known := replica_parameters()):
        return []
    try:
        with psycopg.connect(**known, autocommit=True, connect_timeout=5) as server:  # type: ignore[arg-type]  # texts
            if server.execute("SELECT pg_is_in_recovery()").fetchone() == (True,):
                return []
    except psycopg.OperationalError as error:
        return [f"{NO_REPLICA} does not answer: {str(error).strip().splitlines()[-1]}"]
    return [f"{NO_REPLICA} is no standby, and is not read."]


def session_parameters(name: str) -> dict[str, str]:
    """Return the same as texts, for connections that the server's views show as `parterre NAME`."""
    texts = {name: str(value) for name, value in direct_connection_parameters().items() if value}
    return {**texts, "application_name": f"parterre {name}"}


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
