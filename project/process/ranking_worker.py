"""Sees to it that rankings are computed, in one process of the site at a time: who holds a lock of a database session.

The lock is held on a connection of its own, so that it ends with the process or the network; then another process
sees to it, and begins with all stages. Each computation is a process of lower priority, `manage.py ranking compute`.
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

from apps.competition.selectors.public.stages import stage_names
from apps.core.bus.listeners import Bus
from apps.core.threads import in_thread
from apps.ranking.limits import AGAIN, EVERY, LONGEST
from apps.ranking.services import ranking_failure_note
from project.config import ROOT

log = logging.getLogger(__name__)
LOCK = b"SELECT pg_try_advisory_lock(hashtext('parterre ranking computes'))"
LOOK = b"SELECT true"
ASKED_EVERY = 5.0  # seconds between two tries to become the one that computes, and between two looks at the connection
PATIENCE = 5.0  # seconds that the database may take to answer
FIELD_TOPICS = ("stages", "sessions")  # what may move performances from one stage to another
FAILURES = (psycopg.Error, OSError, TimeoutError)
PROGRAM = (sys.executable, str(ROOT / "manage.py"), "ranking", "compute")
PRIORITY = 10  # added to this process's niceness; the kernel bounds the sum at 19


class ComputationFailed(Exception):
    """The process of a computation failed, with what it said."""


class RankingWorker:
    """Which stages are out of date, and their computation, all of them at most every EVERY seconds."""

    def __init__(self, bus: Bus) -> None:
        self.bus = bus
        self.is_elected = False
        self.outdated: set[int] = set()
        self.are_all_outdated = True
        self.due: dict[int, float] = {}  # by stage, in the loop's time
        self.changed = asyncio.Event()
        self.stops: dict[str, Callable[[], None]] = {}

    async def run(self, parameters: Mapping[str, str]) -> None:
        """Try to be the one that computes, and compute while it is, until cancelled; `parameters` are libpq's."""
        while True:
            try:
                async with asyncio.timeout(PATIENCE):
                    # the stubs want a type for each of libpq's names; all of them are texts
                    connection = await psycopg.AsyncConnection.connect(**parameters, autocommit=True)  # type: ignore[arg-type]
                async with connection:
                    while not await _answer(connection, LOCK):  # noqa: ASYNC110 - nobody says that it is free
                        await asyncio.sleep(ASKED_EVERY)
                    await self._compute_while(connection)
            except FAILURES as error:
                log.warning("ranking: connection lost: %s", error)
            await asyncio.sleep(ASKED_EVERY)

    async def _compute_while(self, connection: psycopg.AsyncConnection) -> None:
        """Compute what is out of date until the connection is lost, and with it the lock."""
        computing = asyncio.create_task(self._compute_endlessly())
        self.is_elected = True
        try:
            while not computing.done():
                await _answer(connection, LOOK)
                async for _ in connection.notifies(timeout=ASKED_EVERY):
                    pass  # there is none: this waits, and hears of the connection's end at once
        finally:
            self.is_elected = False
            computing.cancel()
            (ended,) = await asyncio.gather(computing, return_exceptions=True)
            if isinstance(ended, Exception):
                log.error("rankings are computed no longer; the next try is in %d s", ASKED_EVERY, exc_info=ended)
            for stop in self.stops.values():
                stop()
            self.stops.clear()

    async def _compute_endlessly(self) -> None:
        """Compute what is out of date or due, at first all stages."""
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
            except Exception:
                log.exception("the stages could not be read; the next try is in %d s", EVERY)
                self.changed.set()
            now_due = {stage_id for stage_id, at in self.due.items() if at <= began}
            stages, self.outdated = self.outdated | now_due, set()
            if stages:
                await self._compute(sorted(stages))
            await asyncio.sleep(max(0.0, began + EVERY - loop.time()))

    async def _stages_find(self) -> None:
        """Read which stages there are and listen to their marks, when that may have changed."""
        if self.are_all_outdated:
            stages = await in_thread(stage_names)
            self.are_all_outdated = False
            for stage in stages:
                self._listen(f"stage.{stage.id}.ratings", partial(self._change, stage.id))
            self.outdated = {stage.id for stage in stages}
            self.due = {stage_id: at for stage_id, at in self.due.items() if stage_id in self.outdated}

    async def _compute(self, stages: Sequence[int]) -> None:
        """Compute these stages; if their process fails it is noted at each, and tried again after AGAIN seconds."""
        due_in: Mapping[int, float | None] = dict.fromkeys(stages, AGAIN)
        try:
            due_in = await computation(stages)
        except (OSError, TimeoutError, ValueError, ComputationFailed):
            log.exception("rankings could not be computed; the next try is in %d s", AGAIN)
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
    """Compute stages in another process; returns in how many seconds each is due again, None for never.

    The process ends with its caller. Raises ComputationFailed, TimeoutError after LONGEST seconds for each, OSError.
    """
    command = (*PROGRAM, *map(str, stages), "--json")
    child = await asyncio.create_subprocess_exec(*command, stdin=DEVNULL, stdout=PIPE, stderr=PIPE)
    try:
        with suppress(OSError):  # gone already: its answer says why
            os.setpriority(os.PRIO_PROCESS, child.pid, os.getpriority(os.PRIO_PROCESS, 0) + PRIORITY)
        async with asyncio.timeout(LONGEST * len(stages)):
            answer, errors = await child.communicate()
    finally:
        if child.returncode is None:
            child.kill()
            await child.wait()
    if child.returncode:
        raise ComputationFailed(errors.decode(errors="replace")[-2000:])
    return {int(stage_id): due_in for stage_id, due_in in json.loads(answer).items()}


async def _answer(connection: psycopg.AsyncConnection, question: bytes) -> bool:
    """Return what the database says to a question of one value; raises one of FAILURES when it does not."""
    async with asyncio.timeout(PATIENCE):
        cursor = await connection.execute(question)
        row = await cursor.fetchone()
    return bool(row and row[0])
