"""The backend's connection; Django looks for it by this name."""

from typing import Any

from django.db.backends.postgresql import base
from psycopg import Connection, OperationalError
from psycopg_pool import ConnectionPool, PoolTimeout

from apps.core.database.standby import ALIAS
from project.database.outage import outage, standby_outage


class DatabaseWrapper(base.DatabaseWrapper):
    """Django's wrapper; a connection is tested before it is handed out, and refused at once during an outage."""

    def get_new_connection(self, conn_params: dict[str, Any]) -> "Connection[Any]":
        """Return a connection of the pool; raises PoolTimeout as the pool does, in an outage without waiting."""
        watched = standby_outage if self.alias == ALIAS else outage
        if watched.away:
            raise PoolTimeout(f"{watched.name} is away")
        taken: Connection[Any] = super().get_new_connection(conn_params)
        pool: ConnectionPool[Connection[Any]] | None = self.pool
        if pool is None or _lives(taken):
            return taken
        # What ended this one has ended the others as well, as a rule. The pool's own check looks at two, then waits.
        pool.drain()
        pool.putconn(taken)
        again: Connection[Any] = super().get_new_connection(conn_params)
        return again


def _lives(connection: "Connection[Any]") -> bool:
    """Whether the server answers on this connection: 0.05 ms where it does."""
    try:
        ConnectionPool.check_connection(connection)
    except OperationalError:
        return False
    return True
