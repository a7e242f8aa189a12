"""Blocking work beside the event loop, each piece in a thread and with a pooled connection of its own."""

import asyncio
from collections.abc import Callable
from concurrent.futures import Executor, ThreadPoolExecutor
from contextvars import copy_context
from typing import Any, TypeVar

from django.db import close_old_connections, connections

Result = TypeVar("Result")


async def in_thread(function: Callable[[], Result], executor: Executor | None = None) -> Result:
    """Return what `function` returns, or raise what it raises, from a thread of `executor` or of the loop's own.

    Its database connection goes back to the pool. Work that waits for a thread goes with a caller who is cancelled.

    Not Channels' own: in the traceback of a failure it leaves the future that holds this failure. Such a cycle keeps
    all that the callers held, a whole viewer, until somebody collects garbage.
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
    """Threads with connections that are theirs alone: work that waits elsewhere takes none of them.

    Each thread has its connection in Django's place for the default one, from a pool that Django knows by `name`. It
    gives up a lock that somebody holds for longer than `lock_wait` milliseconds. The first work starts the threads.
    """

    def __init__(self, name: str, threads: int, lock_wait: float) -> None:
        self.name, self.threads, self.lock_wait = name, threads, lock_wait
        self.executor = ThreadPoolExecutor(threads, name, initializer=self._connection_replace)

    async def run(self, function: Callable[[], Result]) -> Result:
        """Return what `function` returns, or raise what it raises, from one of these threads."""
        return await in_thread(function, self.executor)

    @property
    def waiting(self) -> int:
        """How much work waits for a thread."""
        return self.executor._work_queue.qsize()  # noqa: SLF001 - it has no other name

    def stop(self) -> None:
        """Take no more work, and close the connections."""
        self.executor.shutdown(wait=False, cancel_futures=True)
        self._connection().close_pool()

    def _connection(self) -> Any:
        default = connections["default"]
        options: dict[str, Any] = dict(default.settings_dict["OPTIONS"])
        options["pool"] = {**options["pool"], "min_size": 1, "max_size": self.threads}
        options["options"] = f"{options.get('options', '')} -c lock_timeout={self.lock_wait}"
        return type(default)({**default.settings_dict, "OPTIONS": options}, alias=self.name)

    def _connection_replace(self) -> None:
        connections["default"] = self._connection()
