"""Counters of this process, updated where the events happen; `project/server/health.py` exports them."""

import gc
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar
from weakref import WeakSet

from django.db import OperationalError
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.signals import connection_created
from psycopg.errors import DiskFull

from apps.core.observability import Times
from project.limits import rates

if TYPE_CHECKING:  # logging is configured before the apps are loaded
    from components.runtime.rendering.layout import PageLayout

Result = TypeVar("Result")
# Browsers may close with any code. A label for each of them would let clients exhaust the memory.
CLOSE_CODES = rates.OURS | {1000, 1001, 1005, 1006}


@dataclass(slots=True)
class Numbers:
    """Counters since the start of the process."""

    requests: Counter[int] = field(default_factory=Counter)  # by status
    page_bytes: int = 0
    opened: int = 0
    closed: Counter[str] = field(default_factory=Counter)  # by close code
    reconnects: int = 0
    slow_closed: int = 0
    flood_closed: int = 0
    updates: int = 0
    update_bytes: int = 0
    blocked: int = 0
    disk_full: int = 0
    disk_full_at: float | None = None  # monotonic time of the last write refused for a full disk
    request: Times = field(default_factory=Times)
    render: Times = field(default_factory=Times)
    query: Times = field(default_factory=Times)
    lag: Times = field(default_factory=Times)
    collection: Times = field(default_factory=Times)

    def close(self, code: int | None) -> None:
        """Count one closed socket. Without a code it counts as 1005 (RFC 6455: no status received)."""
        known = 1005 if code is None else code
        self.closed[str(known) if known in CLOSE_CODES else "other"] += 1

    def update(self, frame: bytes) -> bytes:
        """Count one update of a viewer's page and return its frame."""
        self.updates += 1
        self.update_bytes += len(frame)
        return frame


numbers = Numbers()
layouts: WeakSet["PageLayout"] = WeakSet()  # all layouts that are not freed; more layouts than viewers indicate a leak


def _timed(execute: Callable[..., Any], *arguments: Any) -> Any:
    """Run and time one query; an execute wrapper of Django. Counts writes refused for a full disk."""
    begun = time.perf_counter()
    try:
        return execute(*arguments)
    except OperationalError as error:
        if isinstance(error.__cause__, DiskFull):
            numbers.disk_full += 1
            numbers.disk_full_at = time.monotonic()
        raise
    finally:
        numbers.query.observe(time.perf_counter() - begun)


def _time_queries(*, connection: BaseDatabaseWrapper, **_: Any) -> None:
    if _timed not in connection.execute_wrappers:  # a thread's connection wrapper outlives its connections
        connection.execute_wrappers.append(_timed)


def queries_time() -> None:
    """Time the queries of all threads from now on, and count writes that the database refuses for a full disk."""
    connection_created.connect(_time_queries, dispatch_uid="metrics")


class _Collections:
    """Times garbage collections; Python calls it at the start and the end of each."""

    begun = 0.0

    def __call__(self, phase: str, _about: dict[str, int]) -> None:
        """Record the start or the end of a collection."""
        now = time.perf_counter()
        if phase == "start":
            self.begun = now
        else:
            numbers.collection.observe(now - self.begun)


def collections_time() -> None:
    """Time every garbage collection from now on."""
    gc.callbacks.append(_Collections())
