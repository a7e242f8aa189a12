"""Keeps the demo alive in one process of the site at a time, and only while a window is open.

A process with an open window takes an advisory lock, does one step of the demo every few seconds in a worker thread,
and releases the lock when its last window closes. Then another process with a window takes over.
"""

import asyncio
import logging
import time
from collections.abc import Callable, Mapping
from datetime import timedelta
from functools import partial
from random import Random

import psycopg
from django.conf import settings
from django.db import OperationalError

from apps.core.threads import in_thread
from apps.demo.enums import Act
from apps.demo.life.step import Life
from apps.demo.limits import PACE
from project.process.election import FAILURES, LOOK, answer, lock_connection, quiet

log = logging.getLogger(__name__)
LOCK = b"SELECT pg_try_advisory_lock(hashtext('parterre demo lives'))"
LOOKS_EVERY = 1.0  # seconds between two checks for open windows
ASKED_EVERY = 5.0  # seconds between two attempts to take the lock, and after a demo that may not live now


class DemoWorker:
    """The steps of this process; `is_watched` returns whether one of its windows is open."""

    def __init__(self, is_watched: Callable[[], bool]) -> None:
        self.is_watched = is_watched
        self.is_elected = False
        self.random = Random()  # noqa: S311 - decides what invented listeners do

    async def run(self, parameters: Mapping[str, str]) -> None:
        """Do the demo's steps while this process is watched and elected, until cancelled or the demo is over.

        Returns at once on a site whose demo may not be alive. `parameters` are libpq's.
        """
        is_over = not settings.DEMO_ALIVE
        while not is_over:
            if not self.is_watched():
                await asyncio.sleep(LOOKS_EVERY)
                continue
            try:
                async with await lock_connection(parameters) as connection:
                    is_over = await self._live_elected(connection)
            except FAILURES as error:
                log.warning("demo worker: connection lost: %s", error)
                await asyncio.sleep(ASKED_EVERY)

    async def _live_elected(self, connection: psycopg.AsyncConnection) -> bool:
        """Wait for the lock and live, while this process is watched. Returns whether the demo is over.

        Raises one of FAILURES when the connection is lost.
        """
        while self.is_watched():
            if await answer(connection, LOCK):
                self.is_elected = True
                try:
                    return await self._live(connection)
                finally:
                    self.is_elected = False
            await quiet(connection, ASKED_EVERY)
        return False

    async def _live(self, connection: psycopg.AsyncConnection) -> bool:
        """Do one step after the other while this process is watched. Returns whether the demo is over."""
        life, began = Life(self.random), time.monotonic()
        while self.is_watched():
            await answer(connection, LOOK)
            act = await self._step(life, time.monotonic() - began)
            if act is Act.OVER:
                return True
            pause = ASKED_EVERY if act is Act.STOPPED else self.random.uniform(*PACE)
            until = time.monotonic() + pause
            while self.is_watched() and (left := until - time.monotonic()) > 0:
                await quiet(connection, min(left, LOOKS_EVERY))
        return False

    async def _step(self, life: Life, watched: float) -> Act:
        """Return what the next step did: nothing, if it failed, which is logged."""
        try:
            return await in_thread(partial(life.step, watched_for=timedelta(seconds=watched)))
        except OperationalError as error:  # an outage, which `project/database/outage.py` logs as well
            log.warning("the demo could not do its next step: %s", error)
        except Exception:
            log.exception("the demo could not do its next step")
        return Act.NOTHING
