"""The error log, the security log, histograms, and the request context that log records carry."""

import json
import logging
import queue
import threading
import time
import traceback
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from ipaddress import ip_address, ip_network
from secrets import token_hex
from time import monotonic
from typing import Any

import psycopg
from django.conf import settings
from django.db import DatabaseError, connections
from psycopg import sql

from apps.core.enums import Severity
from apps.core.limits import ADDRESS_LENGTH, MINUTE, USER_AGENT_LENGTH
from apps.core.text_rules import cut, scrub

ID_BYTES = 8


@dataclass(slots=True)
class RequestContext:
    """Context of a request or socket: path without query, browser, account id, request id and client address."""

    page_url: str = ""
    user_agent: str = ""
    user_id: int | None = None
    request_id: str = ""
    client: str = ""  # as `address_key` returns it


_current: ContextVar[RequestContext | None] = ContextVar("request", default=None)


def current_context() -> RequestContext:
    """Return the current context, empty outside a request."""
    return _current.get() or RequestContext()


def context_at(path: str, user_id: int | None) -> RequestContext:
    """Return the current context at another page, for this account; it has an id of its own where none is current."""
    context = current_context()
    number = context.request_id or token_hex(ID_BYTES)
    return replace(context, page_url=path.partition("?")[0], user_id=user_id, request_id=number)


def identify(user_id: int | None) -> None:
    """Set the account of the current request or socket."""
    current_context().user_id = user_id


@contextmanager
def request_context(context: RequestContext) -> Iterator[None]:
    """Make `context` the current one inside the block."""
    token = _current.set(context)
    try:
        yield
    finally:
        _current.reset(token)


TABLE = "error_logs"
MESSAGE_LENGTH = 2000  # characters
DETAILS_LENGTH = 50_000
UNRECORDED = "parterre.unrecorded"  # logger for errors that could not be stored; the error log ignores it


def error_columns(message: str, details: dict[str, Any] | None, severity: str) -> dict[str, Any]:
    """Return the columns of one error in the current context, cut to their length and without secrets."""
    context = current_context()
    text = None if details is None else json.dumps(_mask(details), ensure_ascii=False)
    return {
        "message": _column(message, MESSAGE_LENGTH),
        "error_details": text if text is None or len(text) <= DETAILS_LENGTH else _cut_json(text),
        "user_id": context.user_id,
        "page_url": _column(context.page_url, ADDRESS_LENGTH),
        "user_agent": _column(context.user_agent, USER_AGENT_LENGTH),
        "severity": severity,
    }


def _column(text: str, longest: int) -> str:
    """Return a text masked and cut to its column.

    It is cut again afterwards, because a mask may be longer than its text.
    """
    return scrub(cut(text, longest))[:longest]


def _mask(value: Any) -> Any:
    """Return `value` as JSON-serialisable data, with every text in it cut and masked."""
    if isinstance(value, dict):
        return {_mask(str(name)): _mask(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [_mask(each) for each in value]
    if value is None or isinstance(value, int | float):
        return value
    return scrub(cut(str(value), DETAILS_LENGTH))


def _cut_json(text: str) -> str:
    """Return a JSON object with the beginning of `text`. Escaping may double the length, so less than half is kept."""
    return json.dumps({"cut": text[:20_000]}, ensure_ascii=False)


_WAITING = 1000  # length of the queue; further records are dropped to bound memory
_CONNECT_SECONDS = 3
ROWS_A_MINUTE = 60  # of a process: nobody can fill the table
BEYOND = "More errors than the error log stores in a minute; they are in the server's log."
_INTERNAL = frozenset({UNRECORDED, "psycopg", "psycopg.pool", "django.db.backends"})


class RowLimit:
    """The limit of rows that this process adds to the error log in a minute. Critical errors have none."""

    def __init__(self) -> None:
        self.beyond = 0  # errors without a row of their own since the process began
        self._minute, self._rows, self._lock = -1.0, 0, threading.Lock()

    def clear(self) -> None:
        """Begin a new minute."""
        with self._lock:
            self._minute, self._rows = monotonic() // MINUTE, 0

    def dropped(self) -> None:
        """Count an error that is not stored at all."""
        with self._lock:
            self.beyond += 1

    def is_over(self, severity: str) -> bool:
        """Count one row more; return whether it is above the limit."""
        if monotonic() // MINUTE != self._minute:
            self.clear()
        with self._lock:
            self._rows += 1
            is_over = self._rows > ROWS_A_MINUTE and severity != Severity.CRITICAL
            self.beyond += is_over
            return is_over


row_limit = RowLimit()


class ErrorLogHandler(logging.Handler):
    """Queues records for a thread that stores them on its own connection, so that no request waits."""

    def __init__(self, level: int | str = logging.ERROR) -> None:
        super().__init__(level)
        self._waiting: queue.Queue[dict[str, Any] | threading.Event | None] = queue.Queue(_WAITING)
        self._starting = threading.Lock()
        self._thread: threading.Thread | None = None

    def emit(self, record: logging.LogRecord) -> None:
        """Queue one record. Never raises, never waits; a full queue drops the record."""
        if record.name in _INTERNAL or threading.current_thread() is self._thread:
            return
        try:
            self._waiting.put_nowait(_columns(record))
            self._start()
        except queue.Full:
            row_limit.dropped()
        except Exception:  # noqa: BLE001 - a log handler must not fail, even if a record's arguments are invalid
            self.handleError(record)

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 - the name is logging's
        """Ignore a record that cannot be formatted; the other handlers report it."""

    def drain(self, seconds: float = 5.0) -> bool:
        """Wait until all queued records are stored or given up; return False after `seconds`."""
        done = threading.Event()
        try:
            self._waiting.put(done, timeout=seconds)
        except queue.Full:
            return False
        self._start()
        return done.wait(seconds)

    def close(self) -> None:
        """Store the queued records, then end the thread."""
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
        """Store records until None is queued."""
        store = _Store()
        while (item := self._waiting.get()) is not None:
            if isinstance(item, threading.Event):
                item.set()
            else:
                store.insert(item)
            if self._waiting.empty():
                store.close()  # errors are rare, and the number of connections is limited


class _Store:
    """The error log's table, on one connection that is opened on demand."""

    def __init__(self) -> None:
        self._connection: psycopg.Connection[Any] | None = None

    def insert(self, columns: dict[str, Any]) -> None:
        """Store one error, with a second attempt on a new connection.

        If both fail, only the server's log has the error.
        """
        for _ in range(2):
            try:
                error_store(self._execute, columns)
            except (psycopg.Error, DatabaseError, OSError, ValueError):
                self.close()
            else:
                return

    def _execute(self, statement: sql.Composed, values: dict[str, Any]) -> int:
        self._connection = self._connection or _connect()
        return self._connection.execute(statement, values).rowcount

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
    """Return a connection outside the pool, because an exhausted pool is one of the errors to record."""
    parameters = connections["default"].get_connection_params()
    parameters.pop("cursor_factory", None)
    return psycopg.connect(**parameters, autocommit=True, connect_timeout=_CONNECT_SECONDS)


# Errors with equal traces are equal, wherever they happened.
_SAME = """
UPDATE {} SET times = times + 1 WHERE id = (
    SELECT id FROM {} WHERE created_at > now() - interval '1 minute' AND severity = %(severity)s
    AND error_details IS NOT DISTINCT FROM %(error_details)s
    AND (message = %(message)s OR position('"trace": ' in error_details) > 0) ORDER BY id DESC LIMIT 1
)"""


def error_store(execute: Callable[[sql.Composed, dict[str, Any]], int], columns: dict[str, Any]) -> None:
    """Count an error in the row of an equal one of the last minute, or insert its row.

    Errors above the limit of this minute are counted in one row. `execute` runs a statement and returns the number of
    changed rows.
    """
    table = sql.Identifier(TABLE)
    same = sql.SQL(_SAME).format(table, table)
    if execute(same, columns):
        return
    if row_limit.is_over(columns["severity"]):
        columns = error_columns(BEYOND, None, Severity.ERROR) | {"page_url": "", "user_id": None, "user_agent": ""}
        if execute(same, columns):
            return
    names = sql.SQL(", ").join(map(sql.Identifier, columns))
    values = sql.SQL(", ").join(map(sql.Placeholder, columns))
    execute(sql.SQL("INSERT INTO {} ({}) VALUES ({})").format(table, names, values), columns)


log = logging.getLogger("parterre.security")
KINDS = 200  # maximum number of kinds that are counted separately within a minute

_counts: dict[tuple[str, str], int] = {}
_lock = threading.Lock()


def security_event(event: str, *, account: int | None = None, reason: str = "") -> None:
    """Write a log line about an event of a signed-in user."""
    _write(logging.INFO, event, account=account, reason=reason)


def security_count(event: str, *, account: int | None = None, reason: str = "", client: str = "") -> None:
    """Count an event that any anonymous visitor can cause; the first of its kind in a minute is written at once.

    `client` is an address as `address_key` returns it, for work outside a request. Above KINDS kinds, events are
    counted without their reason.
    """
    kind = (event, reason)
    with _lock:
        if kind not in _counts and len(_counts) >= KINDS:
            kind = (event, "")
        is_counted = kind in _counts
        _counts[kind] = _counts.get(kind, -1) + 1
    if not is_counted:
        _write(logging.WARNING, event, account=account, reason=kind[1], client=client)


def security_counts_write() -> None:
    """Write a line for each kind that was counted since the last call; the process calls it every minute."""
    with _lock:
        counts = dict(_counts)
        _counts.clear()
    for (event, reason), count in counts.items():
        if count:
            _write(logging.WARNING, event, reason=reason, more=count)


def _write(
    level: int, event: str, *, account: int | None = None, reason: str = "", client: str = "", more: int | None = None
) -> None:
    context = current_context()
    known = {"account": account or context.user_id, "client": client or context.client} if more is None else {}
    log.log(level, event, extra={**known, "reason": reason, "more": more})


VENUE_FACTOR = 10
ADDRESS_BITS_6 = 64  # one household or phone has a whole /64


def address_key(client: Iterable[object] | None) -> str:
    """Return the address that identifies a client in counts, for IPv6 its /64; empty for an unknown client."""
    host = str(next(iter(client), "")) if client else ""
    try:
        address = ip_address(host)
    except ValueError:
        return ""
    if address.version == 4:  # noqa: PLR2004 - the number of the protocol version
        return str(address)
    if address.ipv4_mapped:
        return str(address.ipv4_mapped)
    return str(ip_network((address, ADDRESS_BITS_6), strict=False))


def is_venue(key: str) -> bool:
    """Whether this address, as `address_key` returns it, is one of VENUE_ADDRESSES; False for an unknown client."""
    return bool(key) and any(ip_network(key).overlaps(venue) for venue in settings.VENUE_ADDRESSES)


def factor(key: str) -> int:
    """Return the factor for the limits of this address: VENUE_FACTOR for a venue, otherwise 1."""
    return VENUE_FACTOR if is_venue(key) else 1


BOUNDS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)  # seconds


class Times:
    """A histogram of durations in seconds."""

    def __init__(self) -> None:
        self.counts = [0] * (len(BOUNDS) + 1)
        self.total = 0.0
        self.lock = threading.Lock()  # queries are timed in worker threads

    def observe(self, seconds: float) -> None:
        """Count one duration."""
        index = bisect_left(BOUNDS, seconds)
        with self.lock:
            self.counts[index] += 1
            self.total += seconds

    @contextmanager
    def measure(self) -> Iterator[None]:
        """Count the duration of the block, also if it fails."""
        begun = time.perf_counter()
        try:
            yield
        finally:
            self.observe(time.perf_counter() - begun)
