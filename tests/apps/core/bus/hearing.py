"""Helpers of the bus tests: a listener that counts, publishing outside the event loop, and an operator's connection."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any

import psycopg
from channels.db import database_sync_to_async
from django.db import transaction

from apps.core.bus.listeners import Bus
from apps.core.bus.topics import publish_topics
from tests.pooled import direct_parameters

WANTED = ("dbname", "user", "password", "host", "port")


def parameters() -> dict[str, str]:
    """Return libpq's parameters of the test database."""
    known = direct_parameters()
    own = {"options": "-c role=none"}  # the session uses the site's role, which sees only its own sessions
    return own | {name: str(known[name]) for name in WANTED if known.get(name)}


class Heard:
    """A listener that counts."""

    def __init__(self) -> None:
        self.count = 0
        self.again = asyncio.Event()

    def __call__(self) -> None:
        self.count += 1
        self.again.set()

    async def until(self, wanted: Callable[[], bool], seconds: float = 10) -> None:
        """Wait until this holds, and check after each message."""
        async with asyncio.timeout(seconds):
            while not wanted():
                self.again.clear()
                await self.again.wait()


def publish(*topics: str, fail: bool = False) -> None:
    """Publish in a separate transaction, which may be rolled back."""
    with suppress(ZeroDivisionError), transaction.atomic():
        publish_topics(*topics)
        if fail:
            raise ZeroDivisionError


async def published(*topics: str, fail: bool = False) -> None:
    """Publish outside the event loop."""
    await database_sync_to_async(publish, thread_sensitive=False)(*topics, fail=fail)


def admin() -> "psycopg.Connection[Any]":
    """Return a separate connection for an operator's actions."""
    beside = psycopg.connect(**parameters(), autocommit=True)
    beside.execute("SET ROLE NONE")  # the serving role does not see the sessions of other roles
    return beside


def backend(bus: Bus) -> int:
    """Return the process id of this bus's connection at the server."""
    with admin() as beside:
        query = "SELECT pid FROM pg_stat_activity WHERE query ~ %s AND pid <> pg_backend_pid()"
        rows = beside.execute(query, [f"^(NOTIFY|LISTEN) {bus.own}"]).fetchall()
    assert len(rows) == 1, rows
    return int(rows[0][0])


@asynccontextmanager
async def listening(address: str = "", **otherwise: str) -> AsyncIterator[Bus]:
    """A bus that has been connected; `otherwise` are libpq's parameters for another way."""
    made = Bus()
    running = asyncio.create_task(made.run(parameters() | otherwise, address))
    try:
        await asyncio.wait_for(made.connected.wait(), 20)
        yield made
    finally:
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
