"""The error log, the security log, and the request that a log line belongs to."""

import json
import logging
import queue
import threading
import time
import traceback
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from ipaddress import ip_address, ip_network
from secrets import token_hex
from typing import Any

import psycopg
from django.conf import settings
from django.db import DatabaseError, connections
from psycopg import sql

from apps.core.enums import Severity
from apps.core.limits import ADDRESS_LENGTH, USER_AGENT_LENGTH
from apps.core.text_rules import cut, scrub

ID_BYTES = 8


@dataclass(slots=True)
class RequestContext:
    """A request or socket: the page's path without its query, the browser, the account, its number, whose client."""

    page_url: str = ""
    user_agent: str = ""
    user_id: int | None = None
    request_id: str = ""
    client: str = ""  # the address as it is counted

    @classmethod
    def of(
        cls,
        headers: Iterable[tuple[bytes, bytes]],
        path: str,
        user_id: int | None,
        request_id: str = "",
        client: str = "",
    ) -> "RequestContext":
        """Return the context of an ASGI scope's headers; number and client default to those of the current one."""
        agent = next((value.decode("latin1") for name, value in headers if name == b"user-agent"), "")
        number = request_id or current_context().request_id or token_hex(ID_BYTES)
        return cls(
            path.partition("?")[0], agent[:USER_AGENT_LENGTH], user_id, number, client or current_context().client
        )


_current: ContextVar[RequestContext | None] = ContextVar("request", default=None)


def current_context() -> RequestContext:
    """Return the current context."""
    return _current.get() or RequestContext()


def context_for(headers: Iterable[tuple[bytes, bytes]], path: str) -> RequestContext:
    """Return the current context, or one of these headers when there is none."""
    return _current.get() or RequestContext.of(headers, path, None)


def identify(user_id: int | None) -> None:
    """Set the account of the current request or socket."""
    current_context().user_id = user_id


@contextmanager
def request_context(context: RequestContext) -> Iterator[None]:
    """Make this the current context inside."""
    token = _current.set(context)
    try:
        yield
    finally:
        _current.reset(token)


TABLE = "error_logs"
MESSAGE_LENGTH = 2000  # characters
DETAILS_LENGTH = 50_000
UNRECORDED = "parterre.unrecorded"  # the logger of errors that could not be recorded; the error log leaves it alone


def error_columns(message: str, details: dict[str, Any] | None, severity: str) -> dict[str, Any]:
    """Return the columns of one error with the current request, shortened and without secrets."""
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
    """Return a text masked and cut to its column; cut again, since a mask may be longer than what it masks."""
    return scrub(cut(text, longest))[:longest]


def _mask(value: Any) -> Any:
    """Return `value` as JSON, every text in it cut and masked."""
    if isinstance(value, dict):
        return {_mask(str(name)): _mask(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [_mask(each) for each in value]
    if value is None or isinstance(value, int | float):
        return value
    return scrub(cut(str(value), DETAILS_LENGTH))


def _cut_json(text: str) -> str:
    """Return the beginning of a JSON text as one that is not too long: its quotes may double its length."""
    return json.dumps({"cut": text[:20_000]}, ensure_ascii=False)


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


log = logging.getLogger("parterre.security")
KINDS = 200  # that are counted apart within a minute

_counts: dict[tuple[str, str], int] = {}
_lock = threading.Lock()


def security_event(event: str, *, account: int | None = None, reason: str = "") -> None:
    """Write a line about an event of a signed-in person."""
    _write(logging.INFO, event, account=account, reason=reason)


def security_count(event: str, *, account: int | None = None, reason: str = "", client: str = "") -> None:
    """Count an event that any stranger can cause; the first of its kind in a minute is written at once.

    `client` is an address as `address_key` returns it, for work that belongs to no request.
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
    """Write a line for each kind that was counted since the last call; the process calls it each minute."""
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
ADDRESS_BITS_6 = 64  # one household or phone holds a whole /64


def address_key(client: Iterable[object] | None) -> str:
    """Return the address by which an ASGI scope's client is counted, in IPv6 its /64; empty when there is none."""
    host = str(next(iter(client), "")) if client else ""
    try:
        address = ip_address(host)
    except ValueError:
        return ""
    if address.version == 4:  # noqa: PLR2004 - the name of the protocol
        return str(address)
    if address.ipv4_mapped:
        return str(address.ipv4_mapped)
    return str(ip_network((address, ADDRESS_BITS_6), strict=False))


def factor(key: str) -> int:
    """Return by how much the limits of this address are multiplied."""
    if not key:
        return 1
    host = ip_network(key).network_address
    return VENUE_FACTOR if any(host in venue for venue in settings.VENUE_ADDRESSES) else 1


BOUNDS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)  # seconds


class Times:
    """A histogram of durations in seconds."""

    def __init__(self) -> None:
        self.counts = [0] * (len(BOUNDS) + 1)
        self.total = 0.0
        self.lock = threading.Lock()  # queries are timed in worker threads

    def observe(self, seconds: float) -> None:
        """Count one."""
        index = bisect_left(BOUNDS, seconds)
        with self.lock:
            self.counts[index] += 1
            self.total += seconds

    @contextmanager
    def measure(self) -> Iterator[None]:
        """Count the time that the work inside takes, failed or not."""
        begun = time.perf_counter()
        try:
            yield
        finally:
            self.observe(time.perf_counter() - begun)
