"""One table is locked: pages that need it are answered in time, and what people watch without it stays true."""

import asyncio
import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import psycopg
import pytest

from project.serve import THREADS
from tests.conftest import PREFIX
from tests.e2e import content
from tests.e2e.server import Server
from tests.project.test_full_house import HALL
from tests.servers import PATIENCE, Socket, database, request

ENDLESS = "-c statement_timeout=0 -c lock_timeout=0"  # nothing but the site's own threads and deadlines frees a thread
CHANGES = 5
WAITING = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"


@pytest.fixture
def server(tmp_path: Path, django_db_modify_db_settings: None) -> Iterator[Server]:
    """A process with the demo competition, whose queries wait for locks as long as they have to."""
    with content.database(f"{PREFIX}{os.getpid()}_locked") as address:
        made = Server(tmp_path, f"{address}&options={quote(ENDLESS)}", **HALL)
        try:
            made.start()
            yield made
        finally:
            made.kill()


def participants(operator: "psycopg.Connection[Any]") -> list[int]:
    """Whose pages show ratings."""
    return [number for (number,) in operator.execute("SELECT id FROM participants ORDER BY id").fetchall()]


async def blocked(operator: "psycopg.Connection[Any]", server: Server) -> None:
    """Wait until every thread for pages waits for the lock."""
    async with asyncio.timeout(PATIENCE):
        while operator.execute(WAITING).fetchone()[0] < THREADS:  # type: ignore[index]  # a count has one row
            await request(server, "/healthz")


async def test_pages_that_wait_for_a_table_keep_no_change_from_those_who_watch(server: Server) -> None:
    viewer = await Socket(server).live("/news")
    with database(server) as operator, psycopg.connect(server.environment["DATABASE_URL"]) as lock:
        lock.execute("LOCK TABLE performance_ratings IN ACCESS EXCLUSIVE MODE")
        pages = [f"/participants/{number}?late={n}" for n in range(3) for number in participants(operator)]
        assert len(pages) > 3 * THREADS, "more than there are threads, so most wait for one"
        waiting = [asyncio.create_task(request(server, page)) for page in pages]
        await blocked(operator, server)
        for number in range(CHANGES):
            with operator.transaction():
                operator.execute("UPDATE blog_posts SET title = %s", [f"Change {number}."])
                operator.execute("SELECT pg_notify('parterre', 'latest_news')")
            await viewer.until(b"Change %d." % number)
        answers = await asyncio.gather(*waiting)
        assert operator.execute(WAITING).fetchone() >= (THREADS,), "all of this while the table was locked"
    assert Counter(status for status, _ in answers) == {503: len(pages)}
    assert all(b"\r\nretry-after: " in answer.lower() and b"</html>" in answer for _, answer in answers)
    status, _ = await request(server, pages[0])
    assert status == 200
