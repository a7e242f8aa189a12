"""The objects and background tasks of one web process: its bus, shared parts, limits and timers."""

import asyncio
import gc
import logging
import time
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from functools import partial
from typing import Any

from django.conf import settings

from apps.accounts.mail import links_prune, mails_wake
from apps.accounts.services.accounts import unconfirmed_prune
from apps.accounts.services.profile import answers_prune
from apps.accounts.services.sessions import sessions_prune
from apps.community.services.report_expiry import reports_show_again
from apps.competition.events import LiveChanged
from apps.competition.selectors.public.sessions import sessions_begun
from apps.competition.services.program_undo import program_undos_prune
from apps.core.audit import audit_prune
from apps.core.bus.listeners import Bus
from apps.core.commands import command_answers_prune
from apps.core.observability import security_counts_write
from apps.core.rate_limits import rate_limits_prune
from apps.core.scale.common_counts import CommonCounts
from apps.core.scale.replica import replica
from apps.core.services import errors_prune
from apps.core.threads import ThreadPool, in_thread
from apps.imports.services.participant_files import imports_prune
from apps.news.services import posts_publish_due
from apps.notifications.services.announcements import announcements_work
from apps.notifications.services.notices import notices_send
from apps.notifications.services.notifications import notifications_prune
from apps.notifications.services.pushes import pushes_send
from apps.ratings.services.rating_moderation import decisions_prune
from components.runtime.rendering.live_parts import LiveParts
from project.database.outage import outage, replica_outage
from project.database.parameters import connection_parameters, replica_parameters, session_parameters
from project.limits.connections import ConnectionLimits
from project.limits.rates import PART_CHECK, PART_LOCK_WAIT, PART_THREADS
from project.limits.render_admission import RenderAdmission
from project.observability.metrics import layouts, numbers
from project.process.commands import Reactions
from project.process.demo_worker import DemoWorker
from project.process.due_worker import DueWorker
from project.process.notified_windows import NotifiedWindows
from project.process.ranking_worker import RankingWorker
from project.process.session_monitor import SessionMonitor

log = logging.getLogger(__name__)
MINUTE = 60.0
BEGUN_WITHIN = timedelta(seconds=2 * MINUTE)  # two periods: a session may be published twice, but is never missed
POLLED_WITHIN = 45.0  # seconds after a poll in which its window counts as open; it polls every 15 s
PRUNING = 600.0  # seconds between two prunings
PRUNE_FUNCTIONS = (
    rate_limits_prune,
    command_answers_prune,
    answers_prune,
    links_prune,
    sessions_prune,
    unconfirmed_prune,
    audit_prune,
    errors_prune,
    decisions_prune,
    imports_prune,
    reports_show_again,
    program_undos_prune,
    notifications_prune,
)


class Process:
    """Starts when the event loop runs, and stops after the last socket has closed."""

    def __init__(self) -> None:
        self.bus = Bus()
        self.part_threads = ThreadPool("parts", PART_THREADS, PART_LOCK_WAIT)
        self.parts = LiveParts(
            self.bus,
            self.part_threads.run,
            in_thread,
        )
        self.connection_limits = ConnectionLimits()
        self.render_admission = RenderAdmission()
        self.session_monitor = SessionMonitor(self.bus)
        self.reactions = Reactions()
        self.ranking_worker = RankingWorker(self.bus)
        self.demo_worker = DemoWorker(self._is_watched)
        self.notified_windows = NotifiedWindows(self.bus, self.session_monitor)
        self.push_thread = ThreadPoolExecutor(1, "pushes")  # waits for push services, without a database connection
        self.due_workers = (
            DueWorker(self.bus, posts_publish_due, "planned_posts"),
            DueWorker(self.bus, announcements_work, "live", "sessions", "stages"),
            DueWorker(self.bus, pushes_send, "notifications", executor=self.push_thread),
            DueWorker(self.bus, notices_send, "notifications"),
        )
        self.tasks: list[asyncio.Task[None]] = []

    def start(self) -> None:
        """Start the background tasks."""
        database = {name: str(value) for name, value in connection_parameters().items() if value}
        endless = (
            self.bus.run(session_parameters("bus"), settings.BUS_URL),
            outage.run(database),
            self.session_monitor.run(),
            self.ranking_worker.run(session_parameters("rankings")),
            self.demo_worker.run(session_parameters("demo")),
            *(worker.run() for worker in self.due_workers),
            self.notified_windows.run(),
            self._minutes(),
            self._part_checks(),
            self._prunings(),
        )
        self.tasks = [asyncio.create_task(work) for work in endless]
        if settings.BUS_URL:
            groups = {**self.connection_limits.common, "taps": self.reactions.buckets}
            common_counts = CommonCounts(settings.BUS_URL, database["dbname"], groups)
            self.tasks.append(asyncio.create_task(common_counts.run()))
        if parameters := replica_parameters():
            self.tasks.append(asyncio.create_task(replica_outage.run(parameters)))

    async def stop(self) -> None:
        """Store pending taps and security counts, and stop the background tasks."""
        await self.reactions.stop()
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)
        self.push_thread.shutdown(wait=False, cancel_futures=True)
        self.part_threads.stop()
        replica.stop()
        security_counts_write()

    def _is_watched(self) -> bool:
        """Whether a window shows a page of this process: one with a socket, or one that polls."""
        is_polled = time.monotonic() - self.connection_limits.polled_at < POLLED_WITHIN
        return numbers.opened > numbers.closed.total() or is_polled

    async def _minutes(self) -> None:
        """Once a minute, wake the mail queue, write security counts and publish `clock.minute` in this process.

        `clock.minute` moves sessions from upcoming to past.
        """
        while True:
            mails_wake()
            await asyncio.sleep(MINUTE)
            security_counts_write()
            self.bus.notify_listeners("clock.minute")
            await self._begun_tell()

    async def _begun_tell(self) -> None:
        """Publish `LiveChanged` in this process for sessions that have just begun; no write triggers it."""
        try:
            begun = await in_thread(partial(sessions_begun, within=BEGUN_WITHIN))
        except Exception:
            log.exception("sessions that have begun could not be read; the next try is in %d s", MINUTE)
            return
        for session_id, participant_ids in begun.items():
            for topic in LiveChanged((session_id,), participant_ids).topics:
                self.bus.notify_listeners(topic)

    async def _part_checks(self) -> None:
        """Refresh the shown parts periodically, in case the bus lost a notification."""
        while True:
            await asyncio.sleep(PART_CHECK)
            self.parts.check()

    async def _prunings(self) -> None:
        """Delete expired rows periodically: answers, ended sessions, audit entries, imports and others.

        Then collect garbage.
        """
        while True:
            await asyncio.sleep(PRUNING)
            for prune in PRUNE_FUNCTIONS:
                try:
                    await in_thread(prune)
                except Exception:
                    log.exception("%s failed to delete expired rows; the next try is in %d s", prune.__name__, PRUNING)
            if not layouts:  # without viewers only: a full collection blocks the event loop
                gc.collect()


process = Process()


_running: dict[object, asyncio.Task[Any]] = {}


async def once(key: object, work: Callable[[], Awaitable[Any]]) -> Any:
    """Return the result of `work`. Concurrent callers with the same key share one run."""
    task = _running.get(key)
    if task is None:

        async def run() -> Any:
            return await work()

        task = _running[key] = asyncio.create_task(run())
        task.add_done_callback(partial(_end, key))
    try:
        return await asyncio.shield(task)
    finally:
        del task  # break a reference cycle: an exception's traceback refers to this frame, and the frame to the task


def _end(key: object, task: asyncio.Task[Any]) -> None:
    _running.pop(key, None)
    if not task.cancelled():
        task.exception()  # retrieve the exception, even if all callers have left
