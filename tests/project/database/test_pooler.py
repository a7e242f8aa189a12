"""The site behind PgBouncer in transaction mode: time-outs, session-level features, and the number of connections."""

import asyncio
import os
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from typing import Any

import psycopg
import pytest
from django.conf import settings
from django.db import OperationalError, connection, transaction

from apps.core.scale import pooler as pooler_module
from apps.core.scale import server_connections
from apps.core.scale.server_connections import Connections, connections_needed
from apps.core.threads import ThreadPool, in_thread
from project.config import ROOT
from project.database.parameters import direct_connection_parameters
from project.limits.rates import PART_LOCK_WAIT
from tests.conftest import PREFIX
from tests.e2e import content
from tests.e2e.server import Server, demo_database
from tests.pooler import Pooler, pooler
from tests.project.server.test_full_house import live_session, perform, performer
from tests.servers import Socket, database, request
from tests.waiting import until, wait_until

SIZE = 3
OF_THE_SITE = """\
SELECT application_name, count(*)::integer FROM pg_stat_activity
WHERE datname = current_database() AND usename = %s GROUP BY 1
"""
EFFECTIVE = "SELECT name, setting::integer FROM pg_settings WHERE name = ANY(%s)"


@pytest.fixture(scope="module")
def between() -> Iterator[Pooler]:
    """A pooler with at most three connections to a database."""
    with pooler(size=SIZE) as made:
        yield made


@pytest.fixture(scope="module")
def site(
    between: Pooler, django_db_modify_db_settings: None, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Server]:
    """A web process behind the pooler, with the demo competition."""
    with demo_database(f"{PREFIX}{os.getpid()}_pooled") as address:
        direct = content.site_address(address)
        addresses = {"DATABASE_URL": between.address(direct), "DATABASE_DIRECT_URL": direct}
        server = Server(tmp_path_factory.mktemp("pooled"), address, **addresses)
        try:
            server.start()
            yield server
        finally:
            server.kill()


def through(site: Server) -> "psycopg.Connection[Any]":
    """Open a connection through the pooler, with the site's options."""
    return psycopg.connect(site.environment["DATABASE_URL"], autocommit=True, prepare_threshold=None)


def sessions(site: Server) -> dict[str, int]:
    """Return the number of the site's database sessions by application name."""
    with database(site) as operator:
        return dict(operator.execute(OF_THE_SITE, [operator_of(site)]).fetchall())


def operator_of(site: Server) -> str:
    with through(site) as pooled:
        return pooled.info.user


def test_time_outs_apply_through_the_pooler(site: Server) -> None:
    with through(site) as pooled:
        assert dict(pooled.execute(EFFECTIVE, [list(settings.TIMEOUTS)]).fetchall()) == settings.TIMEOUTS
    assert "time-outs" not in site.said(), "the start has checked them, too"


async def test_change_arrives_and_only_bus_and_rankings_hold_direct_sessions(site: Server) -> None:
    viewer = await Socket(site).live(live_session(site))
    await asyncio.to_thread(perform, site, 5)
    await viewer.until(performer(site))
    for status in await asyncio.gather(*(request(site, f"/participants?q={number}") for number in range(20))):
        assert status[0] == 200

    def only_pooled_remain() -> bool:
        counts = sessions(site)
        assert (counts.pop("parterre bus"), counts.pop("parterre rankings")) == (1, 1)
        return sum(counts.values()) <= SIZE

    await until(only_pooled_remain, "direct sessions of a ranking or of the start have ended")
    viewer.leave()


def test_ranking_is_computed_on_a_direct_session(site: Server) -> None:
    command = [sys.executable, "manage.py", "ranking", "compute", "--json"]
    with database(site) as operator:
        [(stage_id,)] = operator.execute("SELECT min(id) FROM stages").fetchall()
    subprocess.run([*command, str(stage_id)], cwd=ROOT, env=site.environment, check=True, stdout=subprocess.DEVNULL)
    with database(site) as operator:
        held = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND database = %s::oid"
        [(oid,)] = operator.execute("SELECT oid FROM pg_database WHERE datname = current_database()").fetchall()

        def is_alone() -> bool:
            return operator.execute(held, [oid]).fetchone() == (1,)

        wait_until(is_alone, "only the worker's own lock is held; its computation has ended")


def test_pooler_without_the_time_outs_is_a_finding(site: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "POOLED", True)
    address = psycopg.conninfo.conninfo_to_dict(site.environment["DATABASE_URL"])
    assert pooler_module.findings(address) == []
    monkeypatch.setattr(settings, "TIMEOUTS", {**settings.TIMEOUTS, "lock_timeout": 7})
    [sentence] = pooler_module.findings(address)
    assert "(lock_timeout)" in sentence


@pytest.fixture
def watched(transactional_db: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[ThreadPool]:
    """The threads that read watched parts, with the settings for a pooler."""
    monkeypatch.setattr(settings, "POOLED", True)
    made = ThreadPool("watched", 1, PART_LOCK_WAIT)
    yield made
    made.stop()


def rows(sql: str) -> list[Any]:
    with connection.cursor() as cursor:
        cursor.execute(sql)
        return list(cursor.fetchall())


async def test_watched_parts_have_a_short_lock_timeout_behind_a_pooler(watched: ThreadPool) -> None:
    assert await watched.run(partial(rows, "SHOW lock_timeout")) == [(f"{PART_LOCK_WAIT}ms",)]
    query = "SELECT current_setting('lock_timeout'), pg_backend_pid() FROM generate_series(1, 2)"
    assert [row[0] for row in await watched.run(partial(rows, query))] == [f"{PART_LOCK_WAIT}ms"] * 2

    def alone() -> list[Any]:
        connection.execute_wrappers.clear()
        return rows("SHOW lock_timeout")

    assert await watched.run(alone) != [(f"{PART_LOCK_WAIT}ms",)], "the setting lasts for one transaction"


async def test_locked_table_ends_the_read_of_a_part(watched: ThreadPool) -> None:
    def locked() -> None:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("LOCK TABLE counters IN ROW EXCLUSIVE MODE")
            with pytest.raises(OperationalError, match="lock timeout"):
                asyncio.run_coroutine_threadsafe(watched.run(lock), loop).result(60)

    def lock() -> None:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("LOCK TABLE counters IN SHARE MODE")

    loop = asyncio.get_running_loop()
    await in_thread(locked)


@pytest.mark.django_db
def test_needed_connections_are_compared_with_the_server(monkeypatch: pytest.MonkeyPatch) -> None:
    assert connections_needed(1) == Connections(pooled=18, direct=7)
    assert connections_needed(20) == Connections(pooled=360, direct=45)
    assert server_connections.findings(direct_connection_parameters()) == []
    monkeypatch.setattr(server_connections, "connections_needed", lambda processes: Connections(10_000, processes))
    [sentence] = server_connections.findings(direct_connection_parameters())
    assert sentence.startswith("The database server takes 297 connections")
    assert "this site may need 10001 with 1 processes." in sentence
