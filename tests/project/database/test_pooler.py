"""The site behind PgBouncer in transaction mode: its time-outs, what holds a session, how many connections it has."""

from collections.abc import Iterator
from typing import Any

import psycopg
import pytest
from django.conf import settings

from tests.e2e import content
from tests.e2e.server import Server
from tests.pooler import Pooler, pooler



@pytest.fixture(scope="module")
def before() -> Iterator[Pooler]:
    """A pooler that has at most three connections to a database."""
    with pooler(size=3) as made:
        yield made


@pytest.fixture(scope="module")
def site(before: Pooler, tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Iterator[Server]:
    """A web process behind it, with the demo competition."""
    with content.database(f"test_parterre_pooled_{worker_id}") as address:
        direct = content.site_address(address)
        addresses = {"DATABASE_URL": before.address(direct), "DATABASE_DIRECT_URL": direct}
        server = Server(tmp_path_factory.mktemp("pooled"), address, **addresses)
        try:
            server.start()
            yield server
        finally:
            server.kill()



def through(site: Server) -> "psycopg.Connection[Any]":
    """A connection by way of the pooler, as the site has them."""
    return psycopg.connect(site.environment["DATABASE_URL"], autocommit=True, prepare_threshold=None)


def test_time_outs_are_read_through_the_pooler(site: Server) -> None:
    with through(site) as pooled:
        asked = "SELECT name, setting::integer FROM pg_settings WHERE name = ANY(%s)"
        assert dict(pooled.execute(asked, [list(settings.TIMEOUTS)]).fetchall()) == settings.TIMEOUTS
    assert "time-outs" not in site.said(), "the start found them on the role, too"


def test_statement_that_runs_too_long_is_ended(site: Server) -> None:
    with through(site) as pooled, pytest.raises(psycopg.errors.QueryCanceled, match="statement timeout"):
        pooled.execute("SELECT pg_sleep(60)")
