"""A live query: one viewer's read, repeated when its topics change."""

import asyncio
import logging
from collections.abc import Callable, Iterable
from contextvars import copy_context
from functools import partial
from typing import Any

from apps.core.scale.replica import replica_read
from apps.core.threads import in_thread
from project.process.web_process import once, process

log = logging.getLogger(__name__)
PACE = 0.2  # seconds between two reads: on a busy evening ratings change faster than a viewer can read
RETRY = 2.0  # seconds until a failed read is repeated


class LiveQuery:
    """Reads again after each change of its topics.

    Runs one read at a time, retries after errors, and never misses the last change.
    """

    def __init__(
        self, topics: Iterable[str], read: Callable[[], Any], show: Callable[[Any], None], *, from_replica: bool = False
    ) -> None:
        self.read, self.show, self.from_replica = read, show, from_replica  # `from_replica` allows the read replica
        self.stops = [process.bus.subscribe(topic, self.refresh) for topic in topics]
        self.is_due = self.is_behind = False  # `is_behind` until the due read is shown
        self.task: asyncio.Task[None] | None = None
        self.shown: asyncio.Future[None] | None = None  # completed when the due read is shown
        self.context = copy_context()  # log records of reads that the bus starts carry the socket's context

    def refresh(self) -> None:
        """Schedule a read."""
        self.is_due = self.is_behind = True
        if self.task is None:
            self.task = asyncio.create_task(self._run(), context=self.context)

    async def current(self) -> None:
        """Wait until the due read, if any, is shown or has failed."""
        if self.is_behind:
            self.shown = self.shown or asyncio.get_running_loop().create_future()
            await asyncio.shield(self.shown)

    def end(self) -> None:
        """Unsubscribe and stop reading."""
        for stop in self.stops:
            stop()
        self.stops = []  # break a reference cycle
        if self.task is not None:
            self.task.cancel()
            self.task = None  # a task cancelled before its first step does not clear itself

    async def _run(self) -> None:
        try:
            while self.is_due:
                self.is_due = False
                pause = await self._show()
                self.is_behind = self.is_due
                self._complete()
                await asyncio.sleep(pause)
        finally:
            self.task = None
            self._complete()

    def _complete(self) -> None:
        if self.shown is not None:
            self.shown.set_result(None)
            self.shown = None

    async def _show(self) -> float:
        """Read and show the result. Returns the seconds until the next read may start."""
        try:
            read = partial(replica_read, self.read) if self.from_replica else self.read
            self.show(await once((self.read, self.from_replica, process.bus.sequence), lambda: in_thread(read)))
        except Exception:
            log.exception("live query %s failed; the next try is in %d s", getattr(self.read, "read", self.read), RETRY)
            self.is_due = True
            return RETRY
        return PACE
