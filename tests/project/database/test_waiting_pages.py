"""Pages that wait for a locked table are answered in time, and watched pages that do not need it keep changing."""

import asyncio
import os
from collections import Counter
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

import psycopg
import pytest

from project.launcher.serve import THREADS
from tests.conftest import PREFIX
from tests.e2e import content
from tests.e2e.server import Server, demo_database
from tests.project.server.test_full_house import HALL
from tests.servers import Socket, database, request
from tests.waiting import until

ENDLESS = "-c statement_timeout=0 -c lock_timeout=0"  # only the site's own deadlines free a thread
CHANGES = 5
PLAYED = """
SELECT DISTINCT participant_id
FROM performing_times AS stay JOIN session_participants AS appearance ON appearance.id = stay.session_participant_id
"""
WAITING = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, django_db_modify_db_settings: None) -> Iterator[Server]:
    """A process with the demo competition; its queries wait for locks without a time-out."""
    with demo_database(f"{PREFIX}{os.getpid()}_locked") as address:
        made = Server(tmp_path_factory.mktemp("locked"), f"{address}&options={quote(ENDLESS)}", **HALL)
        try:
            made.start()
            yield made
        finally:
            made.kill()


async def blocked(operator: "psycopg.Connection[Any]", server: Server) -> list[asyncio.Task[tuple[int, bytes]]]:
    """Request pages with ratings until every thread for pages waits for the lock. Return the requests."""
    numbers = [number for (number,) in operator.execute(PLAYED).fetchall()]
    requests: list[asyncio.Task[tuple[int, bytes]]] = []
    assert len(numbers) > THREADS, "requests for one page share a thread"

    async def all_wait() -> bool:
        late = len(requests)
        if sum(not sent.done() for sent in requests) <= THREADS:  # more would only load the process
            requests.extend(asyncio.create_task(request(server, f"/participants/{n}?late={late}")) for n in numbers)
        await request(server, "/healthz")
        return operator.execute(WAITING).fetchone() >= (THREADS,)

    await until(all_wait, "all threads for pages wait for the lock")
    return requests


async def changes(operator: "psycopg.Connection[Any]", viewer: Socket, title: str) -> None:
    """Change the title of the news, and wait until the viewer receives it."""
    with operator.transaction():
        operator.execute("UPDATE blog_posts SET title = %s", [title])
        operator.execute("SELECT pg_notify('parterre', 'latest_news')")
    await viewer.until(title.encode())


async def test_pages_waiting_for_a_lock_do_not_delay_changes(server: Server) -> None:
    viewer = await Socket(server).live("/news")
    with database(server) as operator, psycopg.connect(content.address(operator.info.dbname)) as lock:
        lock.execute("LOCK TABLE performance_ratings IN ACCESS EXCLUSIVE MODE")
        waiting = await blocked(operator, server)
        for number in range(CHANGES):
            await changes(operator, viewer, f"Change {number}.")
        answers = await asyncio.gather(*waiting)
        assert operator.execute(WAITING).fetchone() >= (THREADS,), "the table was locked all the time"
    assert Counter(status for status, _ in answers) == {503: len(waiting)}
    assert all(b"\r\nretry-after: " in answer.lower() and b"</html>" in answer for _, answer in answers)

    async def is_served() -> bool:
        return (await request(server, "/participants?again=1"))[0] == 200

    await until(is_served, "a page is served after the waiting requests")
