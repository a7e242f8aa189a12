"""One table is locked while viewers watch: screens that do not need it keep changing. `make soak` locks every table."""

import os
from collections.abc import Iterator

import pytest
from django.conf import settings
from pytest_django.plugin import DjangoDbBlocker

from tests.conftest import PREFIX
from tests.e2e import content
from tests.e2e.accounts import LISTENER, session_begin
from tests.e2e.server import Server, demo_database
from tests.project.database.locked import news_watch, selected_video, stage_watch, table_lock, tables_of
from tests.project.server.test_full_house import HALL

LOCKED = ("blog_posts", "session_comments", "mails")  # needed by the first screen, by the second, and by none


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


async def test_screens_without_the_locked_table_stay_current(site: tuple[Server, content.Desk]) -> None:
    server, desk = site
    watches = [stage_watch(server, desk), news_watch(server, desk)]
    cookie = f"{settings.SESSION_COOKIE_NAME}={desk.do(session_begin, LISTENER)}"
    assert set(LOCKED) <= set(tables_of(server))
    assert "blog_posts" in watches[1].needs - watches[0].needs
    async with selected_video(server, watches):
        for watch in watches:
            await watch.change(server)
        for table in LOCKED:
            answers = await table_lock(server, table, watches, cookie)
            assert set(answers.statuses) <= {200, 302, 503}, (table, answers.statuses)
