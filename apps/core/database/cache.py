"""Counters shared by all processes: a Django cache in a table, on connections in autocommit mode.

Django's database cache is not suitable. It deletes rows beyond 300, so that 600 other addresses unlock a locked one. It
also uses the transaction of the request, so that a rollback loses attempts. This cache deletes rows only when they
expire, by PostgreSQL's clock. Each statement is a transaction, so `add` works as a lock between processes.
"""

import json
import time
from typing import Any

from django.core.cache.backends.base import DEFAULT_TIMEOUT, BaseCache
from psycopg import Cursor

from apps.core.database.autocommit_pool import autocommit_pool

PRUNE = 60.0  # seconds between two deletions of expired rows by one process
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

_pruned = time.monotonic()  # time of the last deletion of expired rows by this process


def _run(statement: str, values: list[Any]) -> "Cursor[Any]":
    """Run one statement in its own transaction. Raises psycopg.Error."""
    return autocommit_pool.run(lambda connection: connection.execute(statement.encode(), values))


def counters_now() -> float:
    """Return PostgreSQL's clock in seconds since 1970, the same for every process."""
    row = _run(_NOW, []).fetchone()
    return float(row[0]) if row else 0.0


class Counters(BaseCache):
    """Django's cache on the table `counters`; values must be JSON-serialisable."""

    def __init__(self, _location: str, params: dict[str, Any]) -> None:
        super().__init__(params)

    def get(self, key: str, default: Any = None, version: int | None = None) -> Any:
        """Return the value of `key`, or `default` when it is missing or expired."""
        row = _run(_GET, [self.make_and_validate_key(key, version)]).fetchone()
        return default if row is None else json.loads(row[0])

    def get_many(self, keys: Any, version: int | None = None) -> dict[Any, Any]:
        """Return the values of these keys that are not expired, by key."""
        names = {self.make_and_validate_key(key, version): key for key in keys}
        return {names[name]: json.loads(value) for name, value in _run(_GET_MANY, [list(names)]).fetchall()}

    def set(self, key: str, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None) -> None:
        """Store `value` for `timeout` seconds."""
        self._write(_INSERT, [self.make_and_validate_key(key, version), json.dumps(value), self._seconds(timeout)])
        self._prune()

    def add(self, key: str, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None) -> bool:
        """Store `value` unless the key exists; return whether it was stored. Of concurrent calls only one succeeds."""
        return self._write(_ADD, [self.make_and_validate_key(key, version), json.dumps(value), self._seconds(timeout)])

    def touch(self, key: str, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None) -> bool:
        """Extend the expiry of a key to `timeout` seconds from now; return whether the key exists."""
        return self._write(_TOUCH, [self._seconds(timeout), self.make_and_validate_key(key, version)])

    def delete(self, key: str, version: int | None = None) -> bool:
        """Delete a key; return whether it existed."""
        return self._write(_DELETE, [self.make_and_validate_key(key, version)])

    def clear(self) -> None:
        """Delete all keys."""
        self._write(_CLEAR, [])

    def _write(self, statement: str, values: list[Any]) -> bool:
        return _run(statement, values).rowcount > 0

    def _seconds(self, timeout: Any) -> float:
        if timeout is None:
            return FOREVER
        return float(self.default_timeout or FOREVER) if timeout is DEFAULT_TIMEOUT else float(timeout)

    def _prune(self) -> None:
        global _pruned  # noqa: PLW0603 - Django creates a cache object for every request
        if time.monotonic() - _pruned > PRUNE:
            _pruned = time.monotonic()
            self._write(_PRUNE, [])
