"""The logging handler that stores records in the error log's table.

`LOGGING["handlers"]["errors"] = {"class": "apps.core.observability.error_log.ErrorLogHandler", "level": "ERROR"}`.
"""

import logging
import queue
import threading
import traceback
from typing import Any

import psycopg
from django.db import DatabaseError, connections
from psycopg import sql

from apps.core.enums import Severity
from apps.core.observability.error_rows import TABLE, UNRECORDED, error_columns

_WAITING = 1000  # records that may wait; more are dropped to bound memory
_CONNECT_SECONDS = 3
_INTERNAL = frozenset({UNRECORDED, "psycopg", "psycopg.pool", "django.db.backends"})


class ErrorLogHandler(logging.Handler):
    """Hands records to a thread that stores them over a connection of its own: no request waits for it."""

    def __init__(self, level: int | str = logging.ERROR) -> None:
        super().__init__(level)
        self._waiting: queue.Queue[dict[str, Any] | threading.Event | None] = queue.Queue(_WAITING)
        self._starting = threading.Lock()
        self._thread: threading.Thread | None = None

    def emit(self, record: logging.LogRecord) -> None:
        """Take one record; never raises, never waits."""
        if record.name in _INTERNAL or threading.current_thread() is self._thread:
            return
        try:
            self._waiting.put_nowait(_columns(record))
            self._start()
        except queue.Full:
            pass
        except Exception:  # noqa: BLE001 - a log handler must not fail, whatever a record's arguments do
            self.handleError(record)

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 - the name is logging's
        """Leave a record that cannot be written to the other handlers."""

    def drain(self, seconds: float = 5.0) -> bool:
        """Wait until what was taken so far is stored or given up; returns whether it was in time."""
        done = threading.Event()
        try:
            self._waiting.put(done, timeout=seconds)
        except queue.Full:
            return False
        self._start()
        return done.wait(seconds)

    def close(self) -> None:
        """Store what waits, then end the thread."""
        if self._thread is not None and self.drain(1.0):
            self._waiting.put(None)
            self._thread.join(1.0)
        super().close()

    def _start(self) -> None:
        """Start the thread with the first record, and again after a fork."""
        with self._starting:
            if self._thread is None or not self._thread.is_alive():
                self._thread = threading.Thread(target=self._run, name="error-log", daemon=True)
                self._thread.start()

    def _run(self) -> None:
        """Store records until told to end."""
        store = _Store()
        while (item := self._waiting.get()) is not None:
            if isinstance(item, threading.Event):
                item.set()
            else:
                store.insert(item)
            if self._waiting.empty():
                store.close()  # errors are rare, connections are counted


class _Store:
    """The error log's table, over one connection that is opened when it is needed."""

    def __init__(self) -> None:
        self._connection: psycopg.Connection[Any] | None = None

    def insert(self, columns: dict[str, Any]) -> None:
        """Insert one row, with a second try on a new connection; if both fail, it is in the server's log only."""
        for _ in range(2):
            try:
                self._connection = self._connection or _connect()
                _insert(self._connection, columns)
            except (psycopg.Error, DatabaseError, OSError, ValueError):
                self.close()
            else:
                return

    def close(self) -> None:
        """Close the connection if there is one."""
        if self._connection:
            self._connection.close()
        self._connection = None


def _columns(record: logging.LogRecord) -> dict[str, Any]:
    """Return the columns of one log record."""
    details: dict[str, Any] = {"logger": record.name, "line": f"{record.module}:{record.lineno}"}
    if record.exc_info and record.exc_info[0]:
        details["type"] = record.exc_info[0].__name__
        details["trace"] = "".join(traceback.format_exception(*record.exc_info))
    severity = Severity.CRITICAL if record.levelno >= logging.CRITICAL else Severity.ERROR
    return error_columns(record.getMessage(), details, severity)


def _connect() -> "psycopg.Connection[Any]":
    """Return a connection outside of the pool: an exhausted pool is one of the errors to record."""
    parameters = connections["default"].get_connection_params()
    parameters.pop("cursor_factory", None)
    return psycopg.connect(**parameters, autocommit=True, connect_timeout=_CONNECT_SECONDS)


def _insert(connection: "psycopg.Connection[Any]", columns: dict[str, Any]) -> None:
    """Insert one row; not through Django's models, whose connections belong to the pool."""
    names = sql.SQL(", ").join(map(sql.Identifier, columns))
    values = sql.SQL(", ").join(map(sql.Placeholder, columns))
    table = sql.Identifier(TABLE)
    statement = sql.SQL("INSERT INTO {} ({}) VALUES ({})").format(table, names, values)
    connection.execute(statement, columns)
