"""Counters that every process shares: a cache in a table of ours, over connections of its own.

Django's database cache drops rows beyond 300 (a locked address was free after 600 others), and it lives in the
request's transaction (a rolled-back one forgets its attempts). Here rows leave only by expiry, on PostgreSQL's clock,
and every statement is a transaction, so that `add` is a lock between processes.
"""

import json
import threading
import time
from typing import Any

import psycopg
from django.core.cache.backends.base import DEFAULT_TIMEOUT, BaseCache
from django.db import connections
from psycopg_pool import ConnectionPool

CONNECTIONS = 4  # of one process
WAIT = 3.0  # seconds for one of them
IDLE = 60.0  # seconds after which one that nobody needs is closed
PRUNE = 60.0  # seconds between two prunings of one process
FOREVER = 100 * 365 * 86_400  # seconds

_GET = "SELECT value::text FROM counters WHERE key = %s AND expires_at > clock_timestamp()"
_INSERT = (
    "INSERT INTO counters (key, value, expires_at) VALUES (%s, %s, clock_timestamp() + make_interval(secs => %s)) "
    "ON CONFLICT (key) DO UPDATE SET value = excluded.value, expires_at = excluded.expires_at"
)
_ADD = f"{_INSERT} WHERE counters.expires_at <= clock_timestamp()"
_TOUCH = (
    "UPDATE counters SET expires_at = clock_timestamp() + make_interval(secs => %s) "
    "WHERE key = %s AND expires_at > clock_timestamp()"
)
_DELETE = "DELETE FROM counters WHERE key = %s AND expires_at > clock_timestamp()"
_PRUNE = "DELETE FROM counters WHERE expires_at <= clock_timestamp()"
_CLEAR = "DELETE FROM counters"

_pools: dict[str, "ConnectionPool[psycopg.Connection[Any]]"] = {}
_opening = threading.Lock()
_pruned = time.monotonic()  # when this process did it last


def _pool() -> "ConnectionPool[psycopg.Connection[Any]]":
    """Return this process's connections to the database that Django uses now."""
    parameters = connections["default"].get_connection_params()
    parameters.pop("cursor_factory", None)
    name = str(parameters["dbname"])
    with _opening:
        if name not in _pools:
            _pools[name] = ConnectionPool(
                kwargs={**parameters, "autocommit": True}, min_size=0, max_size=CONNECTIONS, timeout=WAIT,
                max_idle=IDLE, check=ConnectionPool.check_connection, open=True, name="counters",
            )  # fmt: skip
        return _pools[name]


def pools_close() -> None:
    """Close the process's connections, before its database goes."""
    with _opening:
        while _pools:
            _pools.popitem()[1].close()


def is_used() -> bool:
    """Whether this process has counted anything."""
    return bool(_pools)


class Counters(BaseCache):
    """Django's cache over the table `counters`; values are what JSON can hold."""

    def __init__(self, _location: str, params: dict[str, Any]) -> None:
        super().__init__(params)

    def get(self, key: str, default: Any = None, version: int | None = None) -> Any:
        """Return what is stored under `key`, or `default` when there is nothing or it has expired."""
        with _pool().connection() as connection:
            row = connection.execute(_GET, [self.make_and_validate_key(key, version)]).fetchone()
        return default if row is None else json.loads(row[0])

    def set(self, key: str, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None) -> None:
        """Store `value` for `timeout` seconds."""
        self._write(_INSERT, [self.make_and_validate_key(key, version), json.dumps(value), self._seconds(timeout)])
        self._prune()

    def add(self, key: str, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None) -> bool:
        """Store `value` unless there is one; returns whether it was stored, to one of all who ask at once."""
        return self._write(_ADD, [self.make_and_validate_key(key, version), json.dumps(value), self._seconds(timeout)])

    def touch(self, key: str, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None) -> bool:
        """Let what is stored live for `timeout` seconds from now; returns whether there is something."""
        return self._write(_TOUCH, [self._seconds(timeout), self.make_and_validate_key(key, version)])

    def delete(self, key: str, version: int | None = None) -> bool:
        """Forget what is stored; returns whether there was something."""
        return self._write(_DELETE, [self.make_and_validate_key(key, version)])

    def clear(self) -> None:
        """Forget everything."""
        self._write(_CLEAR, [])

    def _write(self, statement: str, values: list[Any]) -> bool:
        with _pool().connection() as connection:
            return connection.execute(statement.encode(), values).rowcount > 0

    def _seconds(self, timeout: Any) -> float:
        if timeout is None:
            return FOREVER
        return float(self.default_timeout or FOREVER) if timeout is DEFAULT_TIMEOUT else float(timeout)

    def _prune(self) -> None:
        global _pruned  # noqa: PLW0603 - Django makes a cache for every request
        if time.monotonic() - _pruned > PRUNE:
            _pruned = time.monotonic()
            self._write(_PRUNE, [])
