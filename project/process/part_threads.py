"""Threads and connections for the reads of shared parts that people watch: pages and writes that wait take none.

Each thread has a connection of its own in Django's place for the default one, from a pool of its own.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from django.db import connections

from components.threads import in_thread
from project.limits.rates import PART_LOCK_WAIT, PART_THREADS

Result = TypeVar("Result")
POOL = "parts"  # by this name Django knows the pool


class PartThreads:
    """Started by the first read."""

    def __init__(self) -> None:
        self.executor = ThreadPoolExecutor(PART_THREADS, "parts", initializer=_connection_replace)

    async def run(self, function: Callable[[], Result]) -> Result:
        """What `function` returns or raises, in one of these threads."""
        return await in_thread(function, self.executor)

    @property
    def waiting(self) -> int:
        """How many reads wait for a thread."""
        return self.executor._work_queue.qsize()  # noqa: SLF001 - it has no other name

    def stop(self) -> None:
        """Take no more work, and close the connections."""
        self.executor.shutdown(wait=False, cancel_futures=True)
        _connection().close_pool()


def _connection() -> Any:
    """A connection of this pool; it gives up soon where somebody else holds a lock, for it is tried again."""
    default = connections["default"]
    options: dict[str, Any] = dict(default.settings_dict["OPTIONS"])
    options["pool"] = {**options["pool"], "min_size": 1, "max_size": PART_THREADS}
    options["options"] = f"{options.get('options', '')} -c lock_timeout={PART_LOCK_WAIT}"
    return type(default)({**default.settings_dict, "OPTIONS": options}, alias=POOL)


def _connection_replace() -> None:
    """Give the thread that runs this a connection of this pool."""
    connections["default"] = _connection()
