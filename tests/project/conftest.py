"""What the tests of the wiring share: a table of pages of their own."""

from collections.abc import Callable, Iterator

import pytest

from components.routes import Route
from tests.project.pages import Board

Table = Callable[..., None]


@pytest.fixture
def board() -> Iterator[Board]:
    """What the pages read; reads that a failed test still holds up are let go."""
    made = Board()
    yield made
    made.may_read.set()


@pytest.fixture
def table(monkeypatch: pytest.MonkeyPatch) -> Table:
    """Puts these pages in the real ones' place."""

    def put(*routes: Route) -> None:
        monkeypatch.setattr("components.routes.table", lambda: routes)

    return put
