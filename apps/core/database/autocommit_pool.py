"""A few connections outside of the pool, for counts that stay when the request's transaction is rolled back."""

import threading
from collections.abc import Callable
from typing import Any, TypeVar

import psycopg
from django.db import connections

CONNECTIONS = 4  # of one process
WAIT = 3.0  # seconds for one of them
CONNECT = 3  # seconds to connect
NAME = "parterre counters"  # of these connections, as the server's views show it

Connection = psycopg.Connection[Any]
Result = TypeVar("Result")


class PoolBusy(psycopg.OperationalError):
    """More is to be counted at once than this process's connections take."""


# Too much is counted at once; whoever counts guesses must refuse then.
BUSY = (PoolBusy, psycopg.errors.LockNotAvailable, psycopg.errors.QueryCanceled)


class AutocommitPool:
    """At most CONNECTIONS connections of this process, each opened when it is needed and kept for the next use."""

    def __init__(self) -> None:
        self.slots = threading.BoundedSemaphore(CONNECTIONS)
        self.free: list[tuple[str, Connection]] = []

    def run(self, work: Callable[[Connection], Result]) -> Result:
        """Return what `work` returns for a connection in autocommit; a connection that was lost is replaced.

        Raises what `work` raises, psycopg.Error when the database does not answer, PoolBusy.
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
                continue  # lost since its last use; the others may be too
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
        """Close the unused ones."""
        while self.free:
            self.free.pop()[1].close()


autocommit_pool = AutocommitPool()
