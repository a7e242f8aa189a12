"""A small connection pool in autocommit mode, for counters that must survive a rollback of the request."""

import threading
from collections.abc import Callable
from typing import Any, TypeVar

import psycopg
from django.db import connections

CONNECTIONS = 4  # at most, per process
WAIT = 3.0  # seconds to wait for a free connection
CONNECT = 3  # seconds to connect
NAME = "parterre counters"  # application name of these connections in pg_stat_activity

Connection = psycopg.Connection[Any]
Result = TypeVar("Result")


class PoolBusy(psycopg.OperationalError):
    """All connections of this pool stay in use for longer than WAIT."""


# Raised under overload; a caller that counts guesses must refuse the guess.
BUSY = (PoolBusy, psycopg.errors.LockNotAvailable, psycopg.errors.QueryCanceled)


class AutocommitPool:
    """At most CONNECTIONS connections per process, opened on demand and kept for reuse."""

    def __init__(self) -> None:
        self.slots = threading.BoundedSemaphore(CONNECTIONS)
        self.free: list[tuple[str, Connection]] = []

    def run(self, work: Callable[[Connection], Result]) -> Result:
        """Return the result of `work`, called with a connection in autocommit mode. A lost connection is replaced.

        Raises what `work` raises, psycopg.Error when the database does not answer, and PoolBusy.
        """
        if not self.slots.acquire(timeout=WAIT):
            raise PoolBusy(f"no connection for counting within {WAIT} s")
        try:
            return self._run(work)
        finally:
            self.slots.release()

    def _run(self, work: Callable[[Connection], Result]) -> Result:
        parameters = connections["default"].get_connection_params()
        parameters.pop("cursor_factory", None)
        name = str(parameters["dbname"])
        while (used_before := self._free(name)) is not None:
            try:
                return self._use(name, used_before, work)
            except psycopg.OperationalError:
                if not used_before.broken:
                    raise
                continue  # lost since its last use; other kept connections may be lost too
        fresh = psycopg.connect(**parameters, autocommit=True, connect_timeout=CONNECT, application_name=NAME)
        return self._use(name, fresh, work)

    def _free(self, name: str) -> Connection | None:
        try:
            of, free = self.free.pop()
        except IndexError:
            return None
        if of == name:
            return free
        free.close()
        return self._free(name)

    def _use(self, name: str, connection: Connection, work: Callable[[Connection], Result]) -> Result:
        try:
            return work(connection)
        finally:
            if not connection.closed:
                self.free.append((name, connection))

    def close(self) -> None:
        """Close the unused connections."""
        while self.free:
            self.free.pop()[1].close()


autocommit_pool = AutocommitPool()
