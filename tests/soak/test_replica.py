"""A web process reads from a real replica, which lags, stops and returns while viewers watch and request pages."""

import asyncio
import os
from collections.abc import Iterator
from itertools import count, cycle
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
from tests.waiting import until

CHANGES = 5  # in each state of the replica
AT_REPLICA, AT_PRIMARY = "reads_from_replica_total replica", "reads_from_replica_total primary"


@pytest.fixture
def replica(django_db_setup: None) -> Iterator[ReplicaServer]:
    """Yield a replica of the server that all tests use."""
    with replica_server() as server:
        yield server


@pytest.fixture
def site(replica: ReplicaServer, tmp_path: Path) -> Iterator[Server]:
    """Yield a web process with the demo competition, which may read from the replica."""
    name = f"{PREFIX}{os.getpid()}_replica"
    with content.database(name) as address:
        with psycopg.connect(address, autocommit=True) as operator:
            operator.execute(f'ALTER DATABASE "{name}" SET synchronous_commit = on')  # else a replica always lags
        process = Server(tmp_path, address, DATABASE_REPLICA_URL=replica.address(address))
        try:
            process.start()
            yield process
        finally:
            process.kill()


async def test_changes_are_shown_in_every_state_of_the_replica(site: Server, replica: ReplicaServer) -> None:
    page, orders = live_session(site), cycle((4, 5, 6))

    async def changes() -> tuple[float, float]:
        before, viewer = await numbers_of(site), await Socket(site).live(page)
        for _ in range(CHANGES):
            await asyncio.to_thread(perform, site, next(orders))
            name = performer(site)
            await viewer.until(name)
            status, answer = await request(site, page)
            assert status == 200
            assert name in answer, "the page is older than the last change that its process knows"
        viewer.leave()
        after = await numbers_of(site)
        return after[AT_REPLICA] - before[AT_REPLICA], after[AT_PRIMARY] - before[AT_PRIMARY]

    assert (await changes())[0], "the replica is read"
    await asyncio.to_thread(replica.pause)
    at_replica, at_primary = await changes()
    assert (at_replica, at_primary > 0) == (0, True), "the replica is not read while it lags"
    await asyncio.to_thread(replica.resume)
    assert (await changes())[0], "the replica is read after it has caught up"
    await asyncio.to_thread(replica.stop)
    at_replica, at_primary = await changes()
    assert (at_replica, at_primary > 0) == (0, True)
    await asyncio.to_thread(replica.start)
    before, queries = (await numbers_of(site))[AT_REPLICA], count()

    async def is_read() -> bool:
        await request(site, f"/participants?q={next(queries)}")
        return (await numbers_of(site))[AT_REPLICA] != before

    await until(is_read, "a read from the returned replica")
    assert (await changes())[0], "the replica is read after its return"
    log = site.said()
    assert (log.count("the standby is away"), log.count("the standby is back")) == (1, 1)
    assert "could not be read" not in log
