"""The backend's connection; Django looks for it by this name."""

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
    """Django's wrapper; a connection is tested before it is handed out, and refused at once during an outage."""

    def get_new_connection(self, conn_params: dict[str, Any]) -> "Connection[Any]":
        """Return a connection of the pool; raises PoolTimeout as the pool does, in an outage without waiting."""
        watched = replica_outage if self.alias == ALIAS else outage
        if watched.away:
            raise PoolTimeout(f"{watched.name} is away")
        taken: Connection[Any] = super().get_new_connection(conn_params)
        pool: ConnectionPool[Connection[Any]] | None = self.pool
        if pool is None or _lives(taken):
            return taken
        # What ended this one has ended the others as well, as a rule. The pool's own check looks at two, then waits.
        pool.drain()
        taken.close()  # else the pool would wait for what was asked
        pool.putconn(taken)
        again: Connection[Any] = super().get_new_connection(conn_params)
        return again


def _lives(connection: "Connection[Any]") -> bool:
    """Whether the server answers on this connection: 0.05 ms where it does, DATABASE_PATIENCE where it is silent."""
    asked, until = connection.pgconn, time.monotonic() + DATABASE_PATIENCE
    answers = select.poll()
    answers.register(asked.socket, select.POLLIN)
    has_answered = False
    try:
        asked.send_query(b"")
        while True:
            while asked.is_busy():
                if not answers.poll(max(0.0, until - time.monotonic()) * 1000):
                    return False
                asked.consume_input()
            if (answer := asked.get_result()) is None:
                return has_answered
            has_answered = answer.status == ExecStatus.EMPTY_QUERY
    except OperationalError:
        return False
