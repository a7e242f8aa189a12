"""The database goes away and returns: requests fail at once while it is away, and no dead connection is used."""

import asyncio
import re
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.db import connection

from project.database.embedded import SITE
from project.launcher.serve import THREADS
from tests.e2e import content
from tests.project.relay import Relay
from tests.project.small import Small, small_site_in_thread
from tests.servers import request
from tests.waiting import until

pytestmark = pytest.mark.django_db(transaction=True)
MANY = 3 * THREADS


async def number(site: Small, name: str) -> float:
    """Return one metric of the process."""
    _, answer = await request(site, "/metrics")
    line = re.search(rf"^parterre_{name} (\S+)$", answer.decode(), re.MULTILINE)
    assert line, name
    return float(line[1])


async def metric_until(site: Small, name: str, value: float) -> None:
    """Wait until a metric of the process has this value."""

    async def has_value() -> bool:
        return await number(site, name) == value

    await until(has_value, f"{name} is {value}")


async def pages(site: Small, mark: str) -> list[tuple[int, bytes]]:
    """Request more pages at once than there are threads, none of them cached."""
    return await asyncio.gather(*(request(site, f"/read?{mark}={number}") for number in range(MANY)))


async def statuses(site: Small, mark: str) -> set[int]:
    return {status for status, _ in await pages(site, mark)}


async def test_outage_fails_requests_at_once_and_pool_recovers(tmp_path: Path, database_relay: Relay) -> None:
    async with small_site_in_thread(tmp_path, address=database_relay.address) as small:
        await idle_connections_end(small)
        assert await statuses(small, "second") == {200}
        database_relay.cut()
        await metric_until(small, "database_away", 1)
        before = await number(small, "pool_wait_seconds_count")
        answers = await pages(small, "away")
        assert {status for status, _ in answers} == {503}
        assert all(b"\r\nretry-after: 5\r\n" in answer.lower() for _, answer in answers)
        assert await number(small, "pool_wait_seconds_count") == before, "no request waits for a connection"
        await database_relay.open()
        await metric_until(small, "database_away", 0)
        assert await statuses(small, "back") == {200}
        database_relay.freeze()  # the connections of the pool no longer answer; a page of forms needs none
        async with asyncio.timeout(30):
            assert (await request(small, "/login"))[0] == 200


async def idle_connections_end(small: Small) -> None:
    """End every connection of the full and idle pool. The database server keeps running."""
    address = content.address(connection.settings_dict["NAME"])
    with psycopg.connect(address) as operator:
        operator.execute("LOCK TABLE users IN ACCESS EXCLUSIVE MODE")
        waiting: list[asyncio.Task[Any]] = []

        async def is_full() -> bool:
            # on a busy machine some pages are given up before the last ones have a connection
            if not waiting or waiting[-1].done():
                waiting.append(asyncio.create_task(pages(small, f"first-{len(waiting)}")))
            return await number(small, "pool_connections") == THREADS

        await until(is_full, f"pool_connections is {THREADS}")
    await asyncio.gather(*waiting)
    with psycopg.connect(address, autocommit=True) as operator:
        operator.execute(
            "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity"
            " WHERE datname = current_database() AND usename = %s AND pid <> pg_backend_pid()",
            [SITE],
        )


async def test_silent_database_counts_as_away(tmp_path: Path, database_relay: Relay) -> None:
    async with small_site_in_thread(tmp_path, "DATABASE_PATIENCE=1", address=database_relay.address) as process:
        database_relay.freeze()
        await metric_until(process, "database_away", 1)
        assert await statuses(process, "frozen") == {503}
        database_relay.thaw()
        await metric_until(process, "database_away", 0)
