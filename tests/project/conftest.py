"""Fixtures for tests of the web process: a page table for tests, and a running process."""

from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path

import pytest
from django.test import Client

from apps.accounts.models import User
from apps.accounts.services.accounts import account_create
from components.routes import Access, Route
from tests.factories import PASSWORD
from tests.project.accounts.profile.posting import signed_in
from tests.project.pages import Board, page_route
from tests.project.relay import Relay, relay
from tests.serving import serving

Table = Callable[..., None]


@pytest.fixture
def fan(transactional_db: None) -> User:
    """An account with a confirmed address and the usual password."""
    return account_create(email="fan@example.org", password=PASSWORD, username="fan_of_g")


@pytest.fixture
def browser(client: Client, fan: User) -> Client:
    """A browser without CSRF checks in which `fan` has signed in."""
    return signed_in(client)


@pytest.fixture
def board() -> Iterator[Board]:
    """The data of the pages. Releases held reads after the test."""
    made = Board()
    yield made
    made.may_read.set()


@pytest.fixture
def table(monkeypatch: pytest.MonkeyPatch) -> Table:
    """Return a function that replaces the page table with these pages."""

    def put(*routes: Route) -> None:
        monkeypatch.setattr("components.routes.table", lambda: routes)

    return put


@pytest.fixture
async def process_runs() -> AsyncIterator[None]:
    async with serving():
        yield


@pytest.fixture
def pages(table: Table, board: Board) -> None:
    """A home page, a page with an id, one for members, one for administrators, and one that fails."""
    part = board.part("part")
    table(
        page_route(board, "/", topics=("home",), parts=lambda _: ((part, ()),)),
        page_route(board, "/list"),
        page_route(board, "/list/{id}"),
        page_route(board, "/mine", access=Access.SIGNED_IN),
        page_route(board, "/backstage", access=Access.ADMIN),
        page_route(board, "/broken"),
    )
    board.failing.add("/broken")


@pytest.fixture
async def database_relay(tmp_path: Path) -> AsyncIterator[Relay]:
    """A relay to the test's database."""
    async with relay(tmp_path) as made:
        yield made
