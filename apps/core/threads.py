"""Blocking functions in worker threads beside the event loop, each with a pooled connection."""

import asyncio
from collections.abc import Callable
from concurrent.futures import Executor, ThreadPoolExecutor
from contextvars import copy_context
from typing import Any, TypeVar

from django.conf import settings
from django.db import close_old_connections, connections

Result = TypeVar("Result")


async def in_thread(function: Callable[[], Result], executor: Executor | None = None) -> Result:
    """Return the result of `function`, or raise its error, from a thread of `executor` or of the loop's default one.

    The thread's database connection goes back to the pool. A call that is still queued is dropped when its caller is
    cancelled.

    Channels' `database_sync_to_async` leaves a reference cycle after a failure (traceback and future refer to each
    other). The cycle keeps the caller's objects alive until garbage collection.
    """

    def work() -> Result:
        close_old_connections()
        try:
            return function()
        finally:
            close_old_connections()

    running = asyncio.get_running_loop().run_in_executor(executor, copy_context().run, work)
    try:
        return await running
    finally:
        del running


class ThreadPool:
    """Worker threads with their own connection pool, so that other work cannot exhaust it.

    In each thread Django's default connection comes from the pool `name`. It waits at most `lock_wait` milliseconds for
    a lock. The threads start with the first call.
    """

    def __init__(self, name: str, threads: int, lock_wait: float) -> None:
        self.name, self.threads, self.lock_wait = name, threads, lock_wait
        self.executor = ThreadPoolExecutor(threads, name, initializer=self._connection_replace)

    async def run(self, function: Callable[[], Result]) -> Result:
        """Return the result of `function`, or raise its error, from one of these threads."""
        return await in_thread(function, self.executor)

    @property
    def waiting(self) -> int:
        """Number of functions in the queue."""
        return self.executor._work_queue.qsize()  # noqa: SLF001 - there is no public name for the queue

    def stop(self) -> None:
        """Accept no more work, and close the connections."""
        self.executor.shutdown(wait=False, cancel_futures=True)
        self._connection().close_pool()

    def _connection(self) -> Any:
        default = connections["default"]
        options: dict[str, Any] = dict(default.settings_dict["OPTIONS"])
        options["pool"] = {**options["pool"], "min_size": 1, "max_size": self.threads}
        if not settings.POOLED:
            options["options"] = f"{options.get('options', '')} -c lock_timeout={self.lock_wait}"
        made = type(default)({**default.settings_dict, "OPTIONS": options}, alias=self.name)
        if settings.POOLED:
            made.execute_wrappers.append(self._lock_wait)
        return made

    def _lock_wait(self, execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:  # noqa: FBT001 - Django's shape
        """Run a query with a lock timeout in one message through a pooler, which resets settings at each commit."""
        done = execute(f"SET LOCAL lock_timeout = {self.lock_wait}; {sql}", params, many, context)
        context["cursor"].nextset()
        return done

    def _connection_replace(self) -> None:
        connections["default"] = self._connection()
