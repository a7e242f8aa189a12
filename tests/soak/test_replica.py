"""A web process reads from a real replica, which lags, stops and returns while viewers watch and request pages."""

import asyncio
import os
from collections.abc import Iterator
from itertools import cycle
from pathlib import Path

import psycopg
import pytest

from tests.conftest import PREFIX
from tests.e2e import content
from tests.e2e.server import Server
from tests.project.observability.test_metrics import numbers_of
from tests.project.server.test_full_house import live_session, perform, performer
from tests.replica import ReplicaServer, replica_server
from tests.servers import Socket, request

CHANGES = 5  # in each state of the replica
AT_REPLICA, AT_PRIMARY = "reads_from_replica_total replica", "reads_from_replica_total primary"


@pytest.fixture
def follower(django_db_setup: None) -> Iterator[ReplicaServer]:
    """Yield a replica of the server that all tests use."""
    with replica_server() as made:
        yield made


@pytest.fixture
def site(follower: ReplicaServer, tmp_path: Path) -> Iterator[Server]:
    """Yield a web process with the demo competition, which may read from the replica."""
    name = f"{PREFIX}{os.getpid()}_standby"
    with content.database(name) as address:
        with psycopg.connect(address, autocommit=True) as operator:
            operator.execute(f'ALTER DATABASE "{name}" SET synchronous_commit = on')  # else a replica always lags
        made = Server(tmp_path, address, DATABASE_REPLICA_URL=follower.address(address))
        try:
            made.start()
            yield made
        finally:
            made.kill()


async def test_what_was_told_is_seen_whatever_the_standby_does(site: Server, follower: ReplicaServer) -> None:
    page, orders = live_session(site), cycle((4, 5, 6))

    async def changes() -> tuple[float, float]:
        before, viewer = await numbers_of(site), await Socket(site).live(page)
        for _ in range(CHANGES):
            await asyncio.to_thread(perform, site, next(orders))
            name = performer(site)
            await viewer.until(name)
            status, answer = await request(site, page)
            assert status == 200
            assert name in answer, "a page shows no less than what its process was told"
        viewer.leave()
        after = await numbers_of(site)
        return after[AT_REPLICA] - before[AT_REPLICA], after[AT_PRIMARY] - before[AT_PRIMARY]

    assert (await changes())[0], "it is read"
    await asyncio.to_thread(follower.pause)
    there, here = await changes()
    assert (there, here > 0) == (0, True), "while it lags it is not read"
    await asyncio.to_thread(follower.resume)
    assert (await changes())[0], "it has caught up"
    await asyncio.to_thread(follower.stop)
    there, here = await changes()
    assert (there, here > 0) == (0, True)
    await asyncio.to_thread(follower.start)
    known = (await numbers_of(site))[AT_REPLICA]
    asked = iter(range(10_000))
    async with asyncio.timeout(60):
        while (await numbers_of(site))[AT_REPLICA] == known:
            await request(site, f"/participants?q={next(asked)}")
    assert (await changes())[0], "it has returned"
    said = site.said()
    assert (said.count("the standby is away"), said.count("the standby is back")) == (1, 1)
    assert "could not be read" not in said
