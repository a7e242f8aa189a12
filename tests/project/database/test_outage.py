"""The database goes away and returns: requests fail at once while it is away, and no dead connection is used."""

import asyncio
import re
from collections.abc import AsyncIterator
from pathlib import Path

import psycopg
import pytest
from django.db import connection

from project.database.embedded import SITE
from project.launcher.serve import THREADS
from tests.e2e import content
from tests.project.relay import Relay, relay
from tests.project.small import Small
from tests.servers import request

pytestmark = pytest.mark.django_db(transaction=True)
MANY = 3 * THREADS


@pytest.fixture
async def way(tmp_path: Path) -> AsyncIterator[Relay]:
    """A relay to the database."""
    async with relay(tmp_path) as made:
        yield made


@pytest.fixture
async def small(tmp_path: Path, way: Relay) -> AsyncIterator[Small]:
    """A process that reaches the database through the relay."""
    process = Small(tmp_path, way.address)
    await asyncio.to_thread(process.start)
    yield process
    await asyncio.to_thread(process.leave)


async def number(site: Small, name: str) -> float:
    """Return one metric of the process."""
    _, answer = await request(site, "/metrics")
    found = re.search(rf"^parterre_{name} (\S+)$", answer.decode(), re.MULTILINE)
    assert found, name
    return float(found[1])


async def until(site: Small, name: str, wanted: float) -> None:
    """Wait until a metric of the process has this value."""
    async with asyncio.timeout(60):
        while await number(site, name) != wanted:
            pass


async def pages(site: Small, which: str) -> list[tuple[int, bytes]]:
    """Request more pages at once than there are threads, none of them cached."""
    return await asyncio.gather(*(request(site, f"/read?{which}={number}") for number in range(MANY)))


async def test_nobody_waits_for_a_database_that_is_known_to_be_away(small: Small, way: Relay) -> None:
    assert {status for status, _ in await pages(small, "before")} == {200}
    way.cut()
    await until(small, "database_away", 1)
    before = await number(small, "pool_wait_seconds_count")
    answers = await pages(small, "away")
    assert {status for status, _ in answers} == {503}
    assert all(b"\r\nretry-after: 5\r\n" in answer.lower() for _, answer in answers)
    assert await number(small, "pool_wait_seconds_count") == before
    await way.open()
    await until(small, "database_away", 0)
    assert {status for status, _ in await pages(small, "back")} == {200}


async def test_a_frozen_database_is_known_to_be_away(tmp_path: Path, way: Relay) -> None:
    process = Small(tmp_path, way.address, "DATABASE_PATIENCE=1")
    try:
        await asyncio.to_thread(process.start)
        way.freeze()
        await until(process, "database_away", 1)
        assert {status for status, _ in await pages(process, "frozen")} == {503}
        way.thaw()
        await until(process, "database_away", 0)
    finally:
        await asyncio.to_thread(process.leave)


async def test_a_page_of_forms_does_not_wait_for_a_connection_that_fell_silent(small: Small, way: Relay) -> None:
    assert {status for status, _ in await pages(small, "before")} == {200}  # the pool has connections that answered
    way.freeze()
    async with asyncio.timeout(30):
        assert (await request(small, "/login"))[0] == 200


async def test_connections_that_died_cost_nobody_a_page(small: Small) -> None:
    """Every connection of the pool is idle when it is ended. The server keeps running."""
    address = content.address(connection.settings_dict["NAME"])
    with psycopg.connect(address) as operator:
        operator.execute("LOCK TABLE users IN ACCESS EXCLUSIVE MODE")
        waiting = asyncio.create_task(pages(small, "first"))
        await until(small, "pool_connections", THREADS)
    await waiting
    with psycopg.connect(address, autocommit=True) as operator:
        operator.execute(
            "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity"
            " WHERE datname = current_database() AND usename = %s AND pid <> pg_backend_pid()",
            [SITE],
        )
    assert {status for status, _ in await pages(small, "second")} == {200}
