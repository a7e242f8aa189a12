"""Relay election: the process that holds an advisory lock listens to PostgreSQL and forwards topics to all.

The lock ends with its connection, and then another process takes it. If the relay's machine fails, PostgreSQL may keep
its session and lock for hours. A process that receives no message from the relay, although Valkey works, terminates
that session.
"""

import asyncio
import logging
from collections.abc import Mapping
from typing import TYPE_CHECKING
from uuid import uuid4

import psycopg

from apps.core.bus.postgresql import SILENCE, Listening, connect
from apps.core.bus.retries import LOSSES, Retries

if TYPE_CHECKING:
    from apps.core.scale.valkey import Carrier  # its packages are installed only with BUS_URL


STEPS = (1.0, 2.0)  # seconds before a reconnect
ASKED_EVERY = 1.0  # seconds between two attempts to become the relay
SPEAKS_EVERY = 0.5  # seconds between two messages of the relay at most
BEAT = 2.0  # seconds between its heartbeats to itself
LOCK = "SELECT pg_try_advisory_lock(hashtext('parterre bus relay'))"
SESSION = "pid || ' ' || extract(epoch FROM backend_start)"  # unique among all sessions, past and present
TERM = f"SELECT {SESSION} FROM pg_stat_activity WHERE pid = pg_backend_pid()"  # noqa: S608 - a constant
OUST = f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE {SESSION} = %s"  # noqa: S608 - a constant
log = logging.getLogger(__name__)


class Relay:
    """This process as a candidate for the relay, or as the relay."""

    def __init__(self, carrier: "Carrier", own: str) -> None:
        self.carrier, self.own = carrier, own
        self.is_elected = False

    async def run(self, parameters: Mapping[str, str]) -> None:
        """Try to become the relay, and serve as relay, until cancelled; `parameters` are libpq's."""
        retries = Retries(STEPS)
        while True:
            try:
                async with await connect(parameters) as connection:
                    retries.succeed()
                    await self._win_election(connection)
                    await self._forward(connection)
            except LOSSES as error:
                log.warning("bus: %s: %s", "no longer the relay" if self.is_elected else "not a candidate", error)
            finally:
                self.is_elected = False
            await retries.wait()

    async def _win_election(self, connection: psycopg.AsyncConnection) -> None:
        """Return once this process has the lock. A process that cannot reach Valkey does not try to take it."""
        while not (await self.carrier.echo() and await _value(connection, LOCK)):
            await asyncio.sleep(ASKED_EVERY)
            if term := self.carrier.silent:
                self.carrier.silent = ""
                if await _value(connection, OUST, term):
                    log.warning("bus: terminated session %s of a silent relay", term)

    async def _forward(self, connection: psycopg.AsyncConnection) -> None:
        """Forward topics from PostgreSQL to Valkey until either connection is lost.

        The first message makes all reload.
        """
        listening = Listening(connection, self.own, BEAT)
        await listening.begin()
        # a session after SET ROLE cannot see its own row; a random term then cannot be terminated by other processes
        term, number = str(await _value(connection, TERM) or uuid4()), 0
        self.is_elected = True
        log.info("bus: this process is the relay")
        await self.carrier.say(term, number, [])
        while True:
            # One bundle is one message. A database query on behalf of all receivers belongs here.
            topics = list(dict.fromkeys(await listening.bundle(SPEAKS_EVERY)))
            number += bool(topics)
            await self.carrier.say(term, number, topics)


async def _value(connection: psycopg.AsyncConnection, query: str, *values: str) -> object:
    """Return the only value of a query, None without a row. Raises TimeoutError when the database does not answer."""
    async with asyncio.timeout(SILENCE):
        cursor = await connection.execute(query.encode(), values)
        row = await cursor.fetchone()
    return row[0] if row else None
