"""New notifications in the open windows of this process: one query for all of them, whoever follows the performer."""

import asyncio
import logging
from functools import partial

from apps.core.bus.listeners import Bus
from apps.core.threads import in_thread
from apps.notifications.selectors.notifications import notifications_newest
from project.process.session_monitor import SessionMonitor

log = logging.getLogger(__name__)
PACE = 0.5  # seconds between two reads: the notifications of many followers come in batches
RETRY = 5.0  # seconds until the next try after a failure


class NotifiedWindows:
    """Publishes `account.<id>.notifications` in this process for the accounts of its windows that have new ones.

    It reads after new notifications of any member, and once a minute, because they expire.
    """

    def __init__(self, bus: Bus, session_monitor: SessionMonitor) -> None:
        self.bus, self.session_monitor = bus, session_monitor
        self.changed = asyncio.Event()
        self.newest: dict[int, int] = {}  # the newest notification by account, as last published; 0 for an expired one

    async def run(self) -> None:
        """Read and publish until cancelled."""
        stops = [self.bus.subscribe(topic, self.changed.set) for topic in ("notifications", "clock.minute")]
        try:
            while True:
                await self.changed.wait()
                self.changed.clear()
                await asyncio.sleep(await self._publish())
        finally:
            for stop in stops:
                stop()

    async def _publish(self) -> float:
        """Publish the accounts whose newest notification is another one; return the seconds until the next read."""
        accounts = tuple(self.session_monitor.sockets)
        if not accounts:
            return PACE
        try:
            newest = await in_thread(partial(notifications_newest, user_ids=accounts))
        except Exception:
            log.exception(
                "notifications of %d accounts could not be read; the next try is in %d s", len(accounts), RETRY
            )
            self.changed.set()
            return RETRY
        known, self.newest = self.newest, newest
        for account, notification in newest.items():
            if known.get(account) != notification:
                self.bus.notify_listeners(f"account.{account}.notifications")
        return PACE
