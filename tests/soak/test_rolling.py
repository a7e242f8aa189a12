"""Two processes behind nginx are restarted one after the other while hundreds of viewers read and write."""

import asyncio
from collections import Counter
from pathlib import Path

import psycopg
from django.conf import settings
from pytest_django import DjangoDbBlocker

from tests.e2e import content
from tests.e2e.accounts import session_begin
from tests.e2e.server import Server
from tests.project.server.test_full_house import live_session
from tests.rolling import behind, people
from tests.soak.writers import Writer

VIEWERS = 360
WRITERS = 20
READERS = 4
ROUNDS = 2
DRAIN = 5.0
AWAY = 15.0  # seconds until a viewer of a restarted process has the whole page again


async def test_rolling_restart_loses_no_note(database: str, tmp_path: Path, django_db_blocker: DjangoDbBlocker) -> None:
    folders = [tmp_path / "web-1", tmp_path / "web-2"]
    for each in folders:
        each.mkdir()
    with behind(tmp_path, [Server(each, database, DRAIN_SECONDS=str(DRAIN)) for each in folders]) as site:
        with psycopg.connect(database) as look:
            names = [name for (name,) in look.execute("SELECT username FROM users ORDER BY id").fetchall()]
        desk = content.Desk(psycopg.conninfo.conninfo_to_dict(database)["dbname"], django_db_blocker.unblock)
        cookies = [f"{settings.SESSION_COOKIE_NAME}={desk.do(session_begin, name)}" for name in names]
        desk.leave()
        writers = [Writer(site, cookies[number % len(cookies)], f"w{number}") for number in range(WRITERS)]
        exits: list[int] = []
        page = live_session(site.processes[0])
        async with people(site, page, viewers=VIEWERS, readers=READERS), asyncio.TaskGroup() as group:
            writing = [group.create_task(writer.write()) for writer in writers]
            for _ in range(ROUNDS):
                exits += await site.roll(VIEWERS)
            for task in writing:
                task.cancel()
        with psycopg.connect(database) as look:
            stored = Counter(text for (text,) in look.execute("SELECT message FROM error_logs").fetchall())
    acknowledged = [text for writer in writers for text in writer.acknowledged]
    print(  # noqa: T201 - what a soak measured
        f"{len(acknowledged)} acknowledged, {sum(writer.repeated for writer in writers)} repeated, pages {site.pages}, "
        f"handshakes {site.handshakes}, closed {site.closed}, longest away {max(site.away):.1f} s, "
        f"longest stop {max(site.stopped):.1f} s"
    )
    assert exits == [0] * 2 * ROUNDS
    assert site.pages.keys() == {200}
    assert site.handshakes.keys() == {101}
    assert site.closed.keys() == {1012}
    assert len(acknowledged) == len(set(acknowledged)) > WRITERS
    assert {text: stored[text] for text in acknowledged} == dict.fromkeys(acknowledged, 1), "none lost, none doubled"
    assert max(stored.values()) == 1
    assert max(site.away) < AWAY
    assert max(site.stopped) < DRAIN + 15
