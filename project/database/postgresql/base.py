"""The connection class of the backend, in the module where Django expects it."""

import select
import time
from typing import Any

from django.db.backends.postgresql import base
from psycopg import Connection, OperationalError
from psycopg.pq import ExecStatus
from psycopg_pool import ConnectionPool, PoolTimeout

from apps.core.scale.replica import ALIAS
from project.database.outage import outage, replica_outage
from project.limits.rates import DATABASE_PATIENCE


class DatabaseWrapper(base.DatabaseWrapper):
    """Tests each pooled connection before use, and refuses connections at once during an outage."""

    def get_new_connection(self, conn_params: dict[str, Any]) -> "Connection[Any]":
        """Return a working connection of the pool. Raises PoolTimeout, during an outage without waiting."""
        watched = replica_outage if self.alias == ALIAS else outage
        if watched.away:
            raise PoolTimeout(f"{watched.name} is away")
        pooled: Connection[Any] = super().get_new_connection(conn_params)
        pool: ConnectionPool[Connection[Any]] | None = self.pool
        if pool is None or _lives(pooled):
            return pooled
        # A broken connection usually means that all are broken. The pool's own check tries two, then waits.
        pool.drain()
        pooled.close()  # otherwise the pool would wait for the pending query
        pool.putconn(pooled)
        fresh: Connection[Any] = super().get_new_connection(conn_params)
        return fresh


def _lives(connection: "Connection[Any]") -> bool:
    """Whether the server answers on this connection: after 0.05 ms as a rule, at the latest after DATABASE_PATIENCE."""
    pgconn, until = connection.pgconn, time.monotonic() + DATABASE_PATIENCE
    poll = select.poll()
    poll.register(pgconn.socket, select.POLLIN)
    has_answered = False
    try:
        pgconn.send_query(b"")
        while True:
            while pgconn.is_busy():
                if not poll.poll(max(0.0, until - time.monotonic()) * 1000):
                    return False
                pgconn.consume_input()
            if (answer := pgconn.get_result()) is None:
                return has_answered
            has_answered = answer.status == ExecStatus.EMPTY_QUERY
    except OperationalError:
        return False
