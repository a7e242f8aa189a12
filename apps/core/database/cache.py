"""Counters shared by all processes: a cache in a table, over connections of its own.

Django's database cache deletes rows beyond 300 (a locked address was free after 600 others) and uses the request's
transaction (a rollback forgets attempts). Here rows are deleted only when they expire, by PostgreSQL's clock, and every
statement is a transaction, so that `add` is a lock between processes.
"""

import json
import time
from typing import Any

from django.core.cache.backends.base import DEFAULT_TIMEOUT, BaseCache
from psycopg import Cursor

from apps.core.database.autocommit_pool import autocommit_pool

PRUNE = 60.0  # seconds between two prunings of one process
FOREVER = 100 * 365 * 86_400  # seconds

_GET = "SELECT value::text FROM counters WHERE key = %s AND expires_at > clock_timestamp()"
_GET_MANY = "SELECT key, value::text FROM counters WHERE key = ANY(%s) AND expires_at > clock_timestamp()"
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
_NOW = "SELECT extract(epoch FROM clock_timestamp())::float8"

_pruned = time.monotonic()  # when this process did it last


def _run(statement: str, values: list[Any]) -> "Cursor[Any]":
    """Run one statement, a transaction of its own; raises psycopg.Error."""
    return autocommit_pool.run(lambda connection: connection.execute(statement.encode(), values))


def counters_now() -> float:
    """Return PostgreSQL's clock in seconds since 1970, the same for every process."""
    row = _run(_NOW, []).fetchone()
    return float(row[0]) if row else 0.0


class Counters(BaseCache):
    """Django's cache over the table `counters`; values are what JSON can hold."""

    def __init__(self, _location: str, params: dict[str, Any]) -> None:
        super().__init__(params)

    def get(self, key: str, default: Any = None, version: int | None = None) -> Any:
        """Return what is stored under `key`, or `default` when there is nothing or it has expired."""
        row = _run(_GET, [self.make_and_validate_key(key, version)]).fetchone()
        return default if row is None else json.loads(row[0])

    def get_many(self, keys: Any, version: int | None = None) -> dict[Any, Any]:
        """Return what is stored under these keys and has not expired, by key."""
        names = {self.make_and_validate_key(key, version): key for key in keys}
        return {names[name]: json.loads(value) for name, value in _run(_GET_MANY, [list(names)]).fetchall()}

    def set(self, key: str, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None) -> None:
        """Store `value` for `timeout` seconds."""
        self._write(_INSERT, [self.make_and_validate_key(key, version), json.dumps(value), self._seconds(timeout)])
        self._prune()

    def add(self, key: str, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None) -> bool:
        """Store `value` unless there is one; returns whether it was stored; of several at once, to one only."""
        return self._write(_ADD, [self.make_and_validate_key(key, version), json.dumps(value), self._seconds(timeout)])

    def touch(self, key: str, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None) -> bool:
        """Let the stored value expire `timeout` seconds from now; returns whether there is one."""
        return self._write(_TOUCH, [self._seconds(timeout), self.make_and_validate_key(key, version)])

    def delete(self, key: str, version: int | None = None) -> bool:
        """Forget what is stored; returns whether there was something."""
        return self._write(_DELETE, [self.make_and_validate_key(key, version)])

    def clear(self) -> None:
        """Forget everything."""
        self._write(_CLEAR, [])

    def _write(self, statement: str, values: list[Any]) -> bool:
        return _run(statement, values).rowcount > 0

    def _seconds(self, timeout: Any) -> float:
        if timeout is None:
            return FOREVER
        return float(self.default_timeout or FOREVER) if timeout is DEFAULT_TIMEOUT else float(timeout)

    def _prune(self) -> None:
        global _pruned  # noqa: PLW0603 - Django makes a cache for every request
        if time.monotonic() - _pruned > PRUNE:
            _pruned = time.monotonic()
            self._write(_PRUNE, [])
