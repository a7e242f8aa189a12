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
PACE = 0.2  # seconds from one read to the next: in an evening ratings come faster than anybody reads
RETRY = 2.0  # seconds until what could not be read is tried again


class LiveQuery:
    """Reads again after each change, one read at a time, never misses the last one, and tries again what failed."""

    def __init__(
        self, topics: Iterable[str], read: Callable[[], Any], show: Callable[[Any], None], *, from_replica: bool = False
    ) -> None:
        self.read, self.show, self.from_replica = read, show, from_replica  # `from_replica`: a standby may be read
        self.stops = [process.bus.subscribe(topic, self.refresh) for topic in topics]
        self.is_due = self.is_behind = False  # `is_behind` until what was due is shown
        self.task: asyncio.Task[None] | None = None
        self.shown: asyncio.Future[None] | None = None  # somebody waits for the read that is due
        self.context = copy_context()  # what the bus starts is logged as the socket's that follows

    def refresh(self) -> None:
        """Read again, soon."""
        self.is_due = self.is_behind = True
        if self.task is None:
            self.task = asyncio.create_task(self._run(), context=self.context)

    async def current(self) -> None:
        """Wait until a read that is due was shown, or could not be."""
        if self.is_behind:
            self.shown = self.shown or asyncio.get_running_loop().create_future()
            await asyncio.shield(self.shown)

    def end(self) -> None:
        """Stop reading."""
        for stop in self.stops:
            stop()
        self.stops = []  # they refer back to this
        if self.task is not None:
            self.task.cancel()
            self.task = None  # cancelled before its first step, it would not do so itself

    async def _run(self) -> None:
        try:
            while self.is_due:
                self.is_due = False
                pause = await self._show()
                self.is_behind = self.is_due
                self._tell()
                await asyncio.sleep(pause)
        finally:
            self.task = None
            self._tell()

    def _tell(self) -> None:
        """Tell whoever waits."""
        if self.shown is not None:
            self.shown.set_result(None)
            self.shown = None

    async def _show(self) -> float:
        """Show what is read now; returns the seconds that must pass before the next read."""
        try:
            read = partial(replica_read, self.read) if self.from_replica else self.read
            self.show(await once((self.read, self.from_replica, process.bus.sequence), lambda: in_thread(read)))
        except Exception:
            log.exception("a leaf could not be read")
            self.is_due = True
            return RETRY
        return PACE
