"""Helpers that lock one table of the site's database while viewers watch, request pages and write."""

import asyncio
import itertools
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import psycopg
from django.db import connection
from django.test.utils import CaptureQueriesContext

from apps.accounts.actors import ANONYMOUS
from apps.core.bus.topics import CHANNEL
from components.routes import Redirect, find
from tests.e2e.content import Desk
from tests.e2e.server import Server
from tests.project.server.test_full_house import hear
from tests.servers import Socket, database, request
from tests.waiting import until

TABLES = "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' ORDER BY relname"
NOTIFY = "SELECT pg_notify(%s, unnest(%s::text[]))"
CHANGES = 3  # that each screen must show while another table is locked
ANSWERS = 12  # that the requests for pages must receive during the lock
CLIENTS = 6  # that request pages at once


def tables_of(server: Server) -> list[str]:
    with database(server) as operator:
        return [str(name) for (name,) in operator.execute(TABLES)]


def tables_read(path: str, tables: list[str]) -> set[str]:
    """Return which of these tables the page's load and its parts read for an anonymous visitor."""
    with CaptureQueriesContext(connection) as captured:
        target = find(path, ANONYMOUS)
        assert not isinstance(target, Redirect)
        for ref in target.load(ANONYMOUS, "en").parts.values():
            ref.part.markup(*ref.parameters, language=ref.language)
    statements = " ".join(query["sql"] for query in captured)
    return {name for name in tables if f'"{name}"' in statements}


@dataclass
class Watch:
    """A watched page. Each change is a text that the page then shows, and the statements that make it."""

    page: str
    topics: list[str]
    changes: Iterator[tuple[str, list[tuple[str, list[Any]]]]]
    needs: set[str]
    received: list[bytes] = field(default_factory=list)
    slowest: float = 0.0

    async def change(self, server: Server) -> None:
        """Change the page and wait until its viewer receives it. The tables in `needs` must not be locked."""
        text, statements = next(self.changes)
        known, begun = len(self.received), time.monotonic()
        await asyncio.to_thread(self._write, server, statements)
        await until(lambda: any(text.encode() in frame for frame in self.received[known:]), f"{text} on {self.page}")
        self.slowest = max(self.slowest, time.monotonic() - begun)

    def _write(self, server: Server, statements: list[tuple[str, list[Any]]]) -> None:
        with database(server) as operator, operator.transaction():
            for statement, values in statements:
                operator.execute(statement.encode(), values)
            operator.execute(NOTIFY, [CHANNEL, self.topics])


def stage_watch(server: Server, desk: Desk) -> Watch:
    """Return a watch of the live session, where the performer changes."""
    with database(server) as operator:
        [(session,)] = operator.execute("SELECT id FROM sessions WHERE is_live").fetchall()
        names = operator.execute(
            "SELECT s.id, p.name FROM session_participants s JOIN participants p ON p.id = s.participant_id"
            " WHERE s.session_id = %s AND NOT s.is_performing ORDER BY s.order_number LIMIT 4",
            [session],
        ).fetchall()
    leave = "UPDATE session_participants SET is_performing = false WHERE is_performing"
    enter = "UPDATE session_participants SET is_performing = true WHERE id = %s"
    changes = (
        (str(name), [(leave, list[Any]()), (enter, list[Any]([place]))]) for place, name in itertools.cycle(names)
    )
    page = f"/sessions/{session}"
    needs = desk.do(tables_read, page, tables_of(server)) | {"session_participants"}
    return Watch(page, [f"session.{session}.performer", "live"], changes, needs)


def news_watch(server: Server, desk: Desk) -> Watch:
    """Return a watch of the news, where the title of the newest article changes."""
    with database(server) as operator:
        newest = "SELECT id FROM blog_posts WHERE is_published ORDER BY published_at DESC LIMIT 1"
        [(post,)] = operator.execute(newest).fetchall()
    update = "UPDATE blog_posts SET title = %s WHERE id = %s"
    titles = (f"Encore {number}" for number in itertools.count())
    changes = ((title, [(update, [title, post])]) for title in titles)
    needs = desk.do(tables_read, "/news", tables_of(server)) | {"blog_posts"}
    return Watch("/news", ["latest_news", f"post.{post}"], changes, needs)


@dataclass
class Answers:
    """The answers to continuous requests for pages."""

    statuses: Counter[int] = field(default_factory=Counter)
    slowest: float = 0.0

    async def request_all(self, server: Server, cookie: str, pages: Iterator[str]) -> None:
        """Request one page after the other, each under a new address, until cancelled."""
        for number, page in enumerate(pages):
            begun = time.monotonic()
            headers = {"Cookie": cookie} if number % 2 else {}
            status, _ = await request(server, f"{page}?n={id(self)}-{number}-{begun}", **headers)
            self.statuses[status] += 1
            self.slowest = max(self.slowest, time.monotonic() - begun)


@asynccontextmanager
async def selected_video(server: Server, watches: list[Watch]) -> Any:
    """Keep a viewer on each of these pages; reconnect after a lost socket, as browsers do."""

    async def stay(watch: Watch) -> None:
        while True:
            await hear(await Socket(server).open(watch.page), watch.received)

    staying = [asyncio.create_task(stay(watch)) for watch in watches]
    try:
        yield
    finally:
        for task in staying:
            task.cancel()
        await asyncio.gather(*staying, return_exceptions=True)


async def table_lock(server: Server, table: str, watches: list[Watch], cookie: str) -> Answers:
    """Lock this table until every screen that does not need it has shown changes and many pages were answered.

    Return the answers to the requests for pages. Raise AssertionError if a screen misses a change, during or after the
    lock.
    """
    pages = [watch.page for watch in watches] + ["/", "/participants", "/sessions", "/profile", "/community"]
    answers = Answers()
    requesting: list[asyncio.Task[None]] = []
    operator = await asyncio.to_thread(partial(psycopg.connect, server.environment["OWNER_DATABASE_URL"]))
    try:
        operator.execute(f'LOCK TABLE "{table}" IN ACCESS EXCLUSIVE MODE'.encode())
        requesting = [
            asyncio.create_task(answers.request_all(server, cookie, itertools.cycle(pages[first:] + pages[:first])))
            for first in range(CLIENTS)
        ]
        for watch in (watch for watch in watches if table not in watch.needs):
            for _ in range(CHANGES):
                await watch.change(server)
        await until(lambda: answers.statuses.total() >= ANSWERS, f"{ANSWERS} answers while {table} is locked")
    finally:
        operator.rollback()
        operator.close()
        for task in requesting:
            task.cancel()
        await asyncio.gather(*requesting, return_exceptions=True)
    for watch in watches:
        await watch.change(server)
        watch.received.clear()
    return answers
