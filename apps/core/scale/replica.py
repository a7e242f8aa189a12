"""Read from the read replica while it has every change that this process knows; else read from the primary.

    with read_from_replica() as reading:
        for attempt in reading.attempts():
            with attempt:
                rows = list(…)

A transaction does not know the position of its own commit in the write-ahead log (WAL). The first read after a change
therefore asks the primary for the current position, once for all changes that arrived together. Each read then asks the
replica, on the connection that it reads from, whether it has replayed that position. Without DATABASE_REPLICA_URL no
query is made.
"""

import logging
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

import psycopg
from django.conf import settings
from django.db import Error, InterfaceError, OperationalError, connections

ALIAS = "replica"
WAL_POSITION = "SELECT pg_current_wal_insert_lsn()::text"  # the flushed position may lag behind a published commit
# Returns NULL on a server that is not a replica. Waits once, because the last change may still be in transit.
HAS_REPLAYED = """\
SELECT CASE WHEN NOT pg_is_in_recovery() THEN NULL
    WHEN pg_last_wal_replay_lsn() >= %(needed)s::pg_lsn THEN true
    WHEN pg_sleep(%(patience)s) IS NULL THEN false
    ELSE pg_last_wal_replay_lsn() >= %(needed)s::pg_lsn END
"""
PATIENCE = 0.01  # seconds that a read waits for a replica that is behind
RETRY_AFTER = 1.0  # seconds until a replica that did not answer is tried again
LOGGED_AFTER = 5.0  # seconds of lag after which a warning is logged
Result = TypeVar("Result")
log = logging.getLogger(__name__)


class ReplicaFailed(BaseException):
    """The replica did not answer a query. A BaseException, so that no handler keeps the read from being retried."""


FAILURES = (ReplicaFailed, OperationalError, InterfaceError)


class Replica:
    """The WAL position that this process requires of the replica, and one connection for each thread."""

    def __init__(self) -> None:
        self.last_seen_change = object()  # replaced at each change that arrives
        self.required: tuple[object, str] = (None, "")  # a seen change, and the WAL position that covers it
        self.thread_local = threading.local()
        self.away_until = 0.0  # monotonic seconds
        self.behind_since: float | None = None
        self.is_lag_logged = False
        self.reads = {True: 0, False: 0}  # so far: from the replica, and from the primary instead

    def require_up_to_date(self) -> None:
        """Require the replica to have replayed everything committed so far before the next read."""
        self.last_seen_change = object()

    def connection(self) -> Any:
        """Return this thread's connection to the replica if it has replayed enough, else None."""
        if time.monotonic() < self.away_until:
            self.reads[False] += 1
            return None
        connection = self._thread_connection()
        try:
            has_replayed = self._has_replayed(connection, self._required_position(self.last_seen_change))
        except (Error, ReplicaFailed):  # `project/database/outage.py` watches and logs outages
            has_replayed, self.away_until = None, time.monotonic() + RETRY_AFTER
        self._note(has_replayed=has_replayed)
        if has_replayed:
            return connection
        connection.close()
        return None

    def stop(self) -> None:
        """Close the connection pool of the replica."""
        if settings.REPLICA_DATABASE:
            self._thread_connection().close_pool()

    def _required_position(self, change: object) -> str:
        """Return the primary's WAL position after `change` arrived; one query for each change."""
        required = self.required
        if required[0] is not change:
            primary = connections["default"]
            with primary.cursor() as cursor:
                cursor.execute(WAL_POSITION)
                required = self.required = (change, cursor.fetchone()[0])
            if not primary.in_atomic_block:
                primary.close()  # back to the pool while the replica is read
        return required[1]

    def _has_replayed(self, connection: Any, needed: str) -> bool | None:
        with connection.cursor() as cursor:
            cursor.execute(HAS_REPLAYED, {"needed": needed, "patience": PATIENCE})
            (answer,) = cursor.fetchone()
        has_replayed: bool | None = answer
        return has_replayed

    def _note(self, *, has_replayed: bool | None) -> None:
        """Count the read; log once when the replica lags and once when it has caught up."""
        self.reads[bool(has_replayed)] += 1
        if has_replayed:
            if self.is_lag_logged:
                log.warning("read replica: caught up")
            self.behind_since, self.is_lag_logged = None, False
        elif has_replayed is not None:
            now = time.monotonic()
            self.behind_since = self.behind_since or now
            if now - self.behind_since >= LOGGED_AFTER and not self.is_lag_logged:
                self.is_lag_logged = True
                log.warning("read replica: behind by more than %.0f s; reads go to the primary", LOGGED_AFTER)

    def _thread_connection(self) -> Any:
        connection = getattr(self.thread_local, "connection", None)
        if connection is None:
            default = connections["default"]
            connection = type(default)({**default.settings_dict, **settings.REPLICA_DATABASE}, alias=ALIAS)
            connection.execute_wrappers.append(_execute_on_replica)
            self.thread_local.connection = connection
        return connection


replica = Replica()


class Reading:
    """One read: from the replica until that fails, or from the primary."""

    def __init__(self, primary: Any = None, connection: Any = None) -> None:
        self.primary, self.connection = primary, connection
        self.is_due = False

    def attempts(self) -> Iterator["Reading"]:
        """Yield this object for a read in `with`, and once more for the primary if the replica failed in it."""
        self.is_due = True
        while self.is_due:
            self.is_due = False
            yield self

    def __enter__(self) -> None:
        """Begin an attempt."""

    def __exit__(self, _type: object, error: BaseException | None, _trace: object) -> bool:
        """Swallow a failure of the replica and make another attempt due, at the primary."""
        if self.connection is None or not isinstance(error, FAILURES):
            return False
        self.end()
        self.is_due = True
        return True

    def end(self) -> None:
        """Read from the primary from here on."""
        if self.connection is not None:
            connections["default"] = self.primary
            self.connection.close()
            self.connection = None


@contextmanager
def read_from_replica() -> Iterator[Reading]:
    """Let this thread's default connection be the replica's inside the block, if the replica is up to date.

    A write inside the block fails.
    """
    if not settings.REPLICA_DATABASE:
        yield Reading()
        return
    reading = Reading(connections["default"], replica.connection())
    if reading.connection is not None:
        connections["default"] = reading.connection
    try:
        yield reading
    finally:
        if reading.connection is None:
            replica.require_up_to_date()  # the primary may have shown a change that is not published yet
        reading.end()


def replica_read(function: Callable[[], Result]) -> Result:
    """Return the result of `function`, which only reads; it is called again for the primary if the replica fails."""
    results: list[Result] = []
    with read_from_replica() as reading:
        for attempt in reading.attempts():
            with attempt:
                results.append(function())
    return results[0]


def _execute_on_replica(execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:  # noqa: FBT001 - the signature of Django's execute wrappers
    """Run a query on the replica. A write raises its own error; any other error becomes ReplicaFailed."""
    try:
        return execute(sql, params, many, context)
    except Error as error:
        if isinstance(error.__cause__, psycopg.errors.ReadOnlySqlTransaction):
            raise
        raise ReplicaFailed(str(error)) from error
