"""Computes rankings in one process of the site at a time, elected by an advisory lock of a database session.

The lock has a connection of its own, so that it is released with the process or the network. Then another process is
elected, and begins with all stages. Each computation runs as `manage.py ranking compute`, a process of lower priority.
"""

import asyncio
import json
import logging
import os
import sys
from asyncio.subprocess import DEVNULL, PIPE
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial

import psycopg
from django.db import OperationalError

from apps.competition.selectors.public.stages import stage_names
from apps.core.bus.listeners import Bus
from apps.core.threads import in_thread
from apps.ranking.limits import AGAIN, EVERY, LONGEST
from apps.ranking.services import ranking_failure_note
from project.config import ROOT
from project.process.election import FAILURES, LOOK, answer, lock_connection, quiet

log = logging.getLogger(__name__)
LOCK = b"SELECT pg_try_advisory_lock(hashtext('parterre ranking computes'))"
ASKED_EVERY = 5.0  # seconds between two attempts to take the lock, and between two checks of the connection
# topics of writes that may move performances to another stage, or rename a performer
FIELD_TOPICS = ("stages", "sessions", "featured_participants")
PROGRAM = (sys.executable, str(ROOT / "manage.py"), "ranking", "compute")
PRIORITY = 10  # added to this process's niceness; the kernel limits the sum to 19


class ComputationFailed(Exception):
    """The process of a computation failed; the message is its output."""


class RankingWorker:
    """Tracks which stages are out of date, and computes them together, at most once every EVERY seconds."""

    def __init__(self, bus: Bus) -> None:
        self.bus = bus
        self.is_elected = False
        self.outdated: set[int] = set()
        self.are_all_outdated = True
        self.due: dict[int, float] = {}  # the loop's time at which each stage must be computed again
        self.changed = asyncio.Event()
        self.stops: dict[str, Callable[[], None]] = {}

    async def run(self, parameters: Mapping[str, str]) -> None:
        """Try to become the elected process, and compute rankings while elected, until cancelled.

        `parameters` are libpq's.
        """
        while True:
            try:
                async with await lock_connection(parameters) as connection:
                    while not await answer(connection, LOCK):  # noqa: ASYNC110 - released locks are not announced
                        await asyncio.sleep(ASKED_EVERY)
                    await self._compute_while(connection)
            except FAILURES as error:
                log.warning("ranking worker: connection lost: %s", error)
            await asyncio.sleep(ASKED_EVERY)

    async def _compute_while(self, connection: psycopg.AsyncConnection) -> None:
        """Compute outdated stages until the connection is lost, and the lock with it."""
        computing = asyncio.create_task(self._compute_endlessly())
        self.is_elected = True
        try:
            while not computing.done():
                await answer(connection, LOOK)
                await quiet(connection, ASKED_EVERY)
        finally:
            self.is_elected = False
            computing.cancel()
            (ended,) = await asyncio.gather(computing, return_exceptions=True)
            if isinstance(ended, Exception):
                log.error("ranking worker stopped; the next try is in %d s", ASKED_EVERY, exc_info=ended)
            for stop in self.stops.values():
                stop()
            self.stops.clear()

    async def _compute_endlessly(self) -> None:
        """Compute the stages that are out of date or due; begin with all stages."""
        loop = asyncio.get_running_loop()
        for topic in FIELD_TOPICS:
            self._listen(topic, self._all_change)
        self._all_change()
        while True:
            try:
                async with asyncio.timeout_at(min(self.due.values(), default=None)):
                    await self.changed.wait()
            except TimeoutError:
                pass
            began = loop.time()
            self.changed.clear()
            try:
                await self._stages_find()
            except OperationalError as error:  # an outage, which `project/database/outage.py` logs as well
                log.warning("ranking worker: stages could not be read (%s); the next try is in %d s", error, EVERY)
                self.changed.set()
            except Exception:
                log.exception("ranking worker: stages could not be read; the next try is in %d s", EVERY)
                self.changed.set()
            now_due = {stage_id for stage_id, at in self.due.items() if at <= began}
            stages, self.outdated = self.outdated | now_due, set()
            if stages:
                await self._compute(sorted(stages))
            await asyncio.sleep(max(0.0, began + EVERY - loop.time()))

    async def _stages_find(self) -> None:
        """Read the stages and subscribe to their ratings, if the stages may have changed."""
        if self.are_all_outdated:
            stages = await in_thread(stage_names)
            self.are_all_outdated = False
            for stage in stages:
                self._listen(f"stage.{stage.id}.ratings", partial(self._change, stage.id))
            self.outdated = {stage.id for stage in stages}
            self.due = {stage_id: at for stage_id, at in self.due.items() if stage_id in self.outdated}

    async def _compute(self, stages: Sequence[int]) -> None:
        """Compute these stages. If their process fails, record it for each stage, and try again after AGAIN seconds."""
        due_in: Mapping[int, float | None] = dict.fromkeys(stages, AGAIN)
        try:
            due_in = await computation(stages)
        except (OSError, TimeoutError, ValueError, ComputationFailed):
            log.exception("rankings of stages %s could not be computed; the next try is in %d s", stages, AGAIN)
            for stage_id in stages:
                await in_thread(partial(ranking_failure_note, stage_id=stage_id))
        now = asyncio.get_running_loop().time()
        for stage_id, seconds in due_in.items():
            self.due.pop(stage_id, None)
            if seconds is not None:
                self.due[stage_id] = now + seconds

    def _listen(self, topic: str, listener: Callable[[], None]) -> None:
        if topic not in self.stops:
            self.stops[topic] = self.bus.subscribe(topic, listener)

    def _change(self, stage_id: int) -> None:
        self.outdated.add(stage_id)
        self.changed.set()

    def _all_change(self) -> None:
        self.are_all_outdated = True
        self.changed.set()


async def computation(stages: Sequence[int]) -> Mapping[int, float | None]:
    """Compute stages in another process. Returns for each the seconds until it is due again, None for never.

    The process ends with its caller, and limits its own CPU time. Raises ComputationFailed, OSError, or TimeoutError
    after LONGEST seconds a stage.
    """
    command = (*PROGRAM, *map(str, stages), "--json")
    child = await asyncio.create_subprocess_exec(*command, stdin=DEVNULL, stdout=PIPE, stderr=PIPE)
    try:
        with suppress(OSError):  # the process has ended already: its exit code is checked below
            os.setpriority(os.PRIO_PROCESS, child.pid, os.getpriority(os.PRIO_PROCESS, 0) + PRIORITY)
        async with asyncio.timeout(LONGEST * len(stages)):
            printed, errors = await child.communicate()
    finally:
        if child.returncode is None:
            child.kill()
            await child.wait()
    if child.returncode:
        raise ComputationFailed(errors.decode(errors="replace")[-2000:])
    return {int(stage_id): due_in for stage_id, due_in in json.loads(printed).items()}
