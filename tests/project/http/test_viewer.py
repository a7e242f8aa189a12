"""Reading the viewer of a request: failed reads are retried; after the last one the page has no profile."""

import logging

import pytest
from django.conf import settings
from django.db import OperationalError

from apps.accounts.models import AuthSession
from apps.accounts.selectors.sessions import NO_SESSION
from apps.core.threads import in_thread
from components.routes import Access
from project.http.viewer import RETRIES, session_by_key
from project.visit import Visit
from tests.factories import AdminFactory, UserFactory
from tests.owner import as_owner
from tests.project.conftest import Table
from tests.project.pages import Board, page_route
from tests.screen import open_page
from tests.serving import page_response, serving, session_cookie

pytestmark = pytest.mark.django_db(transaction=True)


def rename(one: str, other: str) -> None:
    """Rename a table, so that reads fail, or rename it back."""
    with as_owner() as cursor:
        cursor.execute(f"ALTER TABLE {one} RENAME TO {other}")


class Pauses:
    """Records the pauses instead of waiting, and repairs the table in the pause with this number."""

    def __init__(self, repaired_in: int = 0) -> None:
        self.waited: list[float] = []
        self.repaired_in = repaired_in

    async def __call__(self, seconds: float) -> None:
        self.waited.append(seconds)
        if len(self.waited) == self.repaired_in:
            await in_thread(lambda: rename("users_gone", "users"))


def key_of(*cookies: str) -> str:
    """Return the session key of a visit with these Cookie headers."""
    headers = [(b"cookie", cookie.encode()) for cookie in cookies]
    return Visit.of({"path": "/", "query_string": b"", "headers": headers}).session_key


async def headers_of(user) -> list[tuple[bytes, bytes]]:
    return [(b"cookie", (await in_thread(lambda: session_cookie(user))).encode())]


async def session_of(user) -> str:
    return key_of(await in_thread(lambda: session_cookie(user)))


@pytest.mark.parametrize("repaired_in", [1, RETRIES])
async def test_failed_read_is_retried(repaired_in):
    user = await in_thread(AdminFactory)
    key, pauses = await session_of(user), Pauses(repaired_in)
    await in_thread(lambda: rename("users", "users_gone"))
    session = await session_by_key(key, pause=pauses)
    assert session.viewer.is_admin
    assert pauses.waited == [0.3] * repaired_in


async def test_last_failed_read_is_logged_and_gives_no_rights(caplog):
    user = await in_thread(AdminFactory)
    key, pauses = await session_of(user), Pauses()
    await in_thread(lambda: rename("users", "users_gone"))
    try:
        with caplog.at_level(logging.ERROR):
            assert await session_by_key(key, pause=pauses) == NO_SESSION
    finally:
        await in_thread(lambda: rename("users_gone", "users"))
    assert pauses.waited == [0.3] * 5
    assert [record.getMessage() for record in caplog.records if record.name == "project.http.viewer"] == [
        "profile could not be read; the page shows without it"
    ]


async def test_page_is_shown_without_a_profile(table: Table, board: Board, monkeypatch):
    monkeypatch.setattr("project.http.viewer.RETRY_AFTER", 0)
    table(page_route(board, "/"), page_route(board, "/mine", access=Access.SIGNED_IN))
    headers = await headers_of(await in_thread(AdminFactory))
    await in_thread(lambda: rename("users", "users_gone"))
    try:
        async with serving():
            page = await page_response("/", headers)
            closed = await page_response("/mine", headers)
    finally:
        await in_thread(lambda: rename("users_gone", "users"))
    assert page.status_code == 200
    assert page["Cache-Control"] == "no-store"
    assert closed.status_code == 302
    assert "/mine" not in board.reads


async def test_missing_connection_is_not_retried(monkeypatch):
    from psycopg_pool import PoolTimeout

    def away(_key: str) -> None:
        raise OperationalError("no connection") from PoolTimeout("after 3 s")

    monkeypatch.setattr("project.http.viewer.account_session_read", away)
    pauses = Pauses()
    with pytest.raises(OperationalError):
        await session_by_key("something", pause=pauses)
    assert pauses.waited == []


def test_session_key_is_read_from_the_cookie_header():
    name = settings.SESSION_COOKIE_NAME
    assert key_of(f"a=b; {name}=key; c=d") == "key"
    assert key_of("a=b") == key_of() == ""
    assert key_of(f"x{name}=key") == ""
    assert key_of("a=b", f"{name}=key") == "key", "a proxy may send each cookie in a header of its own"


async def test_page_view_extends_the_session(table: Table, board: Board):
    table(page_route(board, "/"))
    user = await in_thread(UserFactory)
    key = await session_of(user)

    def ends() -> object:
        return AuthSession.objects.get().expire_date

    def rested() -> None:
        AuthSession.objects.update(seen_at="2026-01-01T00:00Z")

    before = await in_thread(ends)
    await session_by_key(key)
    assert await in_thread(ends) == before, "it was seen just now"
    await in_thread(rested)
    await session_by_key(key)
    assert await in_thread(ends) > before
    async with open_page("/", user=user):
        assert await in_thread(AuthSession.objects.count) == 2
