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

PARAMETERS = ("dbname", "user", "password", "host", "port")


def parameters() -> dict[str, str]:
    """Return libpq's parameters of the test database."""
    site = direct_parameters()
    role = {"options": "-c role=none"}  # the session uses the site's role, which sees only its own sessions
    return role | {name: str(site[name]) for name in PARAMETERS if site.get(name)}


class CountingListener:
    """A listener that counts its calls."""

    def __init__(self) -> None:
        self.count = 0
        self.called = asyncio.Event()

    def __call__(self) -> None:
        self.count += 1
        self.called.set()

    async def until(self, condition: Callable[[], bool], seconds: float = 10) -> None:
        """Wait until `condition` returns true, checked after each call of this listener."""
        async with asyncio.timeout(seconds):
            while not condition():
                self.called.clear()
                await self.called.wait()

    async def until_called(self, more_than: int = 0) -> None:
        """Wait until this listener has been called more than this many times."""
        await self.until(lambda: self.count > more_than)


def publish(*topics: str, fail: bool = False) -> None:
    """Publish in a separate transaction, which may be rolled back."""
    with suppress(ZeroDivisionError), transaction.atomic():
        publish_topics(*topics)
        if fail:
            raise ZeroDivisionError


async def published(*topics: str, fail: bool = False) -> None:
    await database_sync_to_async(publish, thread_sensitive=False)(*topics, fail=fail)


def admin() -> "psycopg.Connection[Any]":
    """Return a separate connection for an operator's actions."""
    operator = psycopg.connect(**parameters(), autocommit=True)
    operator.execute("SET ROLE NONE")  # the serving role does not see the sessions of other roles
    return operator


def backend(bus: Bus) -> int:
    """Return the process id of this bus's connection at the server."""
    with admin() as operator:
        query = "SELECT pid FROM pg_stat_activity WHERE query ~ %s AND pid <> pg_backend_pid()"
        rows = operator.execute(query, [f"^(NOTIFY|LISTEN) {bus.own}"]).fetchall()
    assert len(rows) == 1, rows
    return int(rows[0][0])


@asynccontextmanager
async def listening(address: str = "", **options: str) -> AsyncIterator[Bus]:
    """Run a connected bus; `options` replace libpq's parameters."""
    bus = Bus()
    running = asyncio.create_task(bus.run(parameters() | options, address))
    try:
        await asyncio.wait_for(bus.connected.wait(), 20)
        yield bus
    finally:
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
