"""The one process that listens for all: whoever holds a lock of a database session hands on what it hears.

The lock ends with its connection, and then another process takes it. A relay whose machine is gone leaves a session
that PostgreSQL believes in for hours: who hears nothing of it, although Valkey carries, has that session ended.
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
    from apps.core.scale.valkey import Carrier  # whose packages are installed only where BUS_URL is


STEPS = (1.0, 2.0)  # seconds before connecting again
ASKED_EVERY = 1.0  # seconds between two tries to become the relay
SPEAKS_EVERY = 0.5  # seconds after which the relay says that it is there
BEAT = 2.0  # seconds between its notifications to itself
LOCK = "SELECT pg_try_advisory_lock(hashtext('parterre bus relay'))"
SESSION = "pid || ' ' || extract(epoch FROM backend_start)"  # of all sessions there ever were, only one is called so
TERM = f"SELECT {SESSION} FROM pg_stat_activity WHERE pid = pg_backend_pid()"  # noqa: S608 - it is ours
OUST = f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE {SESSION} = %s"  # noqa: S608 - it is ours
log = logging.getLogger(__name__)


class Relay:
    """This process as a candidate, or as the relay."""

    def __init__(self, carrier: "Carrier", own: str) -> None:
        self.carrier, self.own = carrier, own
        self.is_elected = False

    async def run(self, parameters: Mapping[str, str]) -> None:
        """Try to become the relay, and be it, until cancelled; `parameters` are libpq's."""
        retries = Retries(STEPS)
        while True:
            try:
                async with await connect(parameters) as connection:
                    retries.succeed()
                    await self._stand(connection)
                    await self._hand_on(connection)
            except LOSSES as error:
                log.warning("bus: %s: %s", "no longer the relay" if self.is_elected else "not a candidate", error)
            finally:
                self.is_elected = False
            await retries.wait()

    async def _stand(self, connection: psycopg.AsyncConnection) -> None:
        """Return once this process has the lock; whoever cannot reach Valkey does not ask for it."""
        while not (await self.carrier.echo() and await _value(connection, LOCK)):
            await asyncio.sleep(ASKED_EVERY)
            if term := self.carrier.silent:
                self.carrier.silent = ""
                if await _value(connection, OUST, term):
                    log.warning("bus: ended the session of a relay that said nothing")

    async def _hand_on(self, connection: psycopg.AsyncConnection) -> None:
        """Say what the database says until either is lost. The first bundle tells everybody to read again."""
        listening = Listening(connection, self.own, BEAT)
        await listening.begin()
        # a session whose role was set sees nothing of itself: then its term is a name that nobody can oust it by
        term, number = str(await _value(connection, TERM) or uuid4()), 0
        self.is_elected = True
        log.info("bus: this process is the relay")
        await self.carrier.say(term, number, [])
        while True:
            # one bundle, one message: what else all of its readers need of the database is to be asked for here
            topics = list(dict.fromkeys(await listening.bundle(SPEAKS_EVERY)))
            number += bool(topics)
            await self.carrier.say(term, number, topics)


async def _value(connection: psycopg.AsyncConnection, query: str, *values: str) -> object:
    """Return the one value of a query, None without a row; raises TimeoutError when the database does not answer."""
    async with asyncio.timeout(SILENCE):
        cursor = await connection.execute(query.encode(), values)
        row = await cursor.fetchone()
    return row[0] if row else None
