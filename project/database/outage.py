"""Detects outages of the database, so that requests fail at once instead of waiting for a connection."""

import asyncio
import logging

import psycopg

from project.limits.rates import DATABASE_ASKED_EVERY, DATABASE_PATIENCE

log = logging.getLogger(__name__)
TOO_MANY = "53300"  # the server answers, but all of its connections are in use: no outage
FAILURES = (psycopg.Error, OSError, TimeoutError)


class Outage:
    """Probes one database every second over a dedicated connection, and detects the server's end at once."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.away = False  # read from any thread

    async def run(self, parameters: dict[str, str]) -> None:
        """Probe until cancelled. `parameters` are libpq's."""
        self.away = False
        try:
            while True:
                if (connection := await self._connected(parameters)) is None:
                    await asyncio.sleep(DATABASE_ASKED_EVERY)
                    continue
                if self.away:
                    log.warning("%s is back", self.name)
                self.away = False
                try:
                    await self._ask(connection)
                finally:
                    await connection.close()
        finally:
            self.away = False

    async def _connected(self, parameters: dict[str, str]) -> psycopg.AsyncConnection | None:
        try:
            async with asyncio.timeout(DATABASE_PATIENCE):
                # the stubs want a type for each libpq parameter, and all are strings; poolers do not support prepared
                # statements
                return await psycopg.AsyncConnection.connect(**parameters, autocommit=True, prepare_threshold=None)  # type: ignore[arg-type]
        except FAILURES as error:
            if getattr(error, "sqlstate", None) != TOO_MANY and not self.away:
                log.warning("%s is away: %s", self.name, error)
                self.away = True
        return None

    async def _ask(self, connection: psycopg.AsyncConnection) -> None:
        """Probe until an answer is missing or the connection ends."""
        while await _answers(connection):
            try:
                async for _ in connection.notifies(timeout=DATABASE_ASKED_EVERY):
                    pass  # no notifications arrive: the loop waits, and detects the end of the connection
            except FAILURES:
                return


async def _answers(connection: psycopg.AsyncConnection) -> bool:
    """Whether the server answers within DATABASE_PATIENCE.

    An `asyncio.timeout` is no alternative: psycopg would try for ten seconds to cancel the query.
    """
    query = asyncio.create_task(connection.execute("SELECT 1"))
    query.add_done_callback(lambda done: done.cancelled() or done.exception())  # retrieved even without a waiter
    try:
        done, _ = await asyncio.wait({query}, timeout=DATABASE_PATIENCE)
    finally:
        query.cancel()
    return bool(done) and query.exception() is None


outage, replica_outage = Outage("the database"), Outage("the standby")
