"""Watches whether the database answers: during an outage requests are refused at once instead of waiting."""

import asyncio
import logging

import psycopg

from project.limits.rates import DATABASE_ASKED_EVERY, DATABASE_PATIENCE

log = logging.getLogger(__name__)
TOO_MANY = "53300"  # it answers, and those who have a connection are served
FAILURES = (psycopg.Error, OSError, TimeoutError)


class Outage:
    """Asks the database once a second over a connection of its own, which also ends at once when the server does."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.away = False  # read from any thread

    async def run(self, parameters: dict[str, str]) -> None:
        """Ask until cancelled; `parameters` are libpq's."""
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
                # the stubs want a type for each of libpq's names; all of them are texts; a pooler has nothing prepared
                return await psycopg.AsyncConnection.connect(**parameters, autocommit=True, prepare_threshold=None)  # type: ignore[arg-type]
        except FAILURES as error:
            if getattr(error, "sqlstate", None) != TOO_MANY and not self.away:
                log.warning("%s is away: %s", self.name, error)
                self.away = True
        return None

    async def _ask(self, connection: psycopg.AsyncConnection) -> None:
        """Ask until there is no answer, or the connection ends."""
        while await _answers(connection):
            try:
                async for _ in connection.notifies(timeout=DATABASE_ASKED_EVERY):
                    pass  # there is none: this waits, and hears of the connection's end
            except FAILURES:
                return


async def _answers(connection: psycopg.AsyncConnection) -> bool:
    """Whether there is an answer in time. Not by a timeout around it: psycopg would try for ten seconds to cancel."""
    asked = asyncio.create_task(connection.execute("SELECT 1"))
    asked.add_done_callback(lambda done: done.cancelled() or done.exception())  # seen, when nobody waits any more
    try:
        done, _ = await asyncio.wait({asked}, timeout=DATABASE_PATIENCE)
    finally:
        asked.cancel()
    return bool(done) and asked.exception() is None


outage, replica_outage = Outage("the database"), Outage("the standby")
