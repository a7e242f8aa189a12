"""Each table of the site is locked in turn: parts that do not need it stay current and fast, pages get answers."""

from django.conf import settings

from tests.e2e import content
from tests.e2e.accounts import LISTENER, session_begin
from tests.e2e.server import Server
from tests.project.database.locked import news_watch, selected_video, stage_watch, table_lock, tables_of
from tests.project.database.test_locked_tables import site

__all__ = ["site"]
CHANGE_WITHIN, PAGE_WITHIN = 2.0, 6.0  # seconds


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
