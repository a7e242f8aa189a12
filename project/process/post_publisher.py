"""Publishes drafts whose time has come: each process waits for the next one, and one of them publishes it."""

import asyncio
import logging
from datetime import timedelta

from django.db import OperationalError

from apps.core.bus.listeners import Bus
from apps.core.threads import in_thread
from apps.news.services import posts_publish_due

log = logging.getLogger(__name__)
SHORTEST = 1.0  # seconds between two reads, for a draft that another transaction has locked
AGAIN = 5.0  # seconds until the next try after a failure
LONGEST = 60.0  # seconds between two reads, in case the bus lost a notification


class PostPublisher:
    """Reads the drafts that are due when the next time comes, when a time changes, and every LONGEST seconds."""

    def __init__(self, bus: Bus) -> None:
        self.bus = bus
        self.changed = asyncio.Event()

    async def run(self) -> None:
        """Publish what is due until cancelled."""
        stop = self.bus.subscribe("planned_posts", self.changed.set)
        try:
            while True:
                self.changed.clear()
                wait = await self._publish()
                try:
                    async with asyncio.timeout(wait):
                        await self.changed.wait()
                except TimeoutError:
                    pass
        finally:
            stop()

    async def _publish(self) -> float:
        """Publish the drafts that are due, and return the seconds until the next read; failures are logged."""
        try:
            left = await in_thread(posts_publish_due)
        except OperationalError as error:  # an outage, which `project/database/outage.py` logs as well
            log.warning("drafts that are due could not be published (%s); the next try is in %d s", error, AGAIN)
            return AGAIN
        except Exception:
            log.exception("drafts that are due could not be published; the next try is in %d s", AGAIN)
            return AGAIN
        return LONGEST if left is None else min(LONGEST, max(SHORTEST, left / timedelta(seconds=1)))
