"""Each table of the site is locked in turn: parts that do not need it stay current and fast, pages get answers."""

import os
from collections.abc import Iterator

import pytest
from django.conf import settings
from pytest_django.plugin import DjangoDbBlocker

from tests.conftest import PREFIX
from tests.e2e import content
from tests.e2e.accounts import LISTENER, session_begin
from tests.e2e.server import Server, demo_database
from tests.project.server.test_full_house import HALL
from tests.soak.locked import news_watch, selected_video, stage_watch, table_lock, tables_of

CHANGE_WITHIN, PAGE_WITHIN = 2.0, 6.0  # seconds


@pytest.fixture(scope="module")
def site(
    django_db_modify_db_settings: None, django_db_blocker: DjangoDbBlocker, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Server, content.Desk]]:
    """A web process with the demo competition, and a desk that calls services on its database."""
    name = f"{PREFIX}{os.getpid()}_locked"
    with demo_database(name) as address:
        desk = content.Desk(name, django_db_blocker.unblock)
        made = Server(tmp_path_factory.mktemp("locked"), address, **HALL)
        try:
            made.start()
            yield made, desk
        finally:
            desk.leave()
            made.kill()


async def test_locked_table_delays_only_parts_that_read_it(site: tuple[Server, content.Desk]) -> None:
    server, desk = site
    watches = [stage_watch(server, desk), news_watch(server, desk)]
    cookie = f"{settings.SESSION_COOKIE_NAME}={desk.do(session_begin, LISTENER)}"
    late: list[str] = []
    async with selected_video(server, watches):
        for watch in watches:
            await watch.change(server)
        for table in tables_of(server):
            for watch in watches:
                watch.slowest = 0.0
            requests = await table_lock(server, table, watches, cookie)
            assert set(requests.statuses) <= {200, 302, 503}, (table, requests.statuses)
            slow = [f"{watch.page} {watch.slowest:.1f} s" for watch in watches if watch.slowest > CHANGE_WITHIN]
            slow += [f"a page {requests.slowest:.1f} s"] if requests.slowest > PAGE_WITHIN else []
            late += [f"{table}: {', '.join(slow)}"] if slow else []
    assert not late, "\n".join(late)
