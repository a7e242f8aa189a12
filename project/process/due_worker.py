"""Runs a function whenever something of it is due: each process waits for the next time, and one of them does it."""

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import Executor
from datetime import timedelta

from django.db import OperationalError

from apps.core.bus.listeners import Bus
from apps.core.threads import in_thread

log = logging.getLogger(__name__)
SHORTEST = 1.0  # seconds between two runs, for a row that another transaction has locked
AGAIN = 5.0  # seconds until the next try after a failure
LONGEST = 30.0  # seconds between two runs, in case the bus lost a notification
Work = Callable[[], timedelta | None]  # does what is due, and returns how long until the next is; None without one


class DueWorker:
    """Calls `work` when the next time comes, when one of `topics` changes, and every LONGEST seconds.

    It runs in a thread of `executor`, else in one of the loop's, which other reads wait for.
    """

    def __init__(self, bus: Bus, work: Work, *topics: str, executor: Executor | None = None) -> None:
        self.bus, self.work, self.topics, self.executor = bus, work, topics, executor
        self.changed = asyncio.Event()

    async def run(self) -> None:
        """Do what is due until cancelled."""
        stops = [self.bus.subscribe(topic, self.changed.set) for topic in self.topics]
        try:
            while True:
                self.changed.clear()
                wait = await self._run()
                try:
                    async with asyncio.timeout(wait):
                        await self.changed.wait()
                except TimeoutError:
                    pass
        finally:
            for stop in stops:
                stop()

    async def _run(self) -> float:
        """Do what is due, and return the seconds until the next run; failures are logged."""
        try:
            left = await in_thread(self.work, self.executor)
        except OperationalError as error:  # an outage, which `project/database/outage.py` logs as well
            log.warning("%s failed (%s); the next try is in %d s", self.work.__name__, error, AGAIN)
            return AGAIN
        except Exception:
            log.exception("%s failed; the next try is in %d s", self.work.__name__, AGAIN)
            return AGAIN
        return LONGEST if left is None else min(LONGEST, max(SHORTEST, left / timedelta(seconds=1)))
