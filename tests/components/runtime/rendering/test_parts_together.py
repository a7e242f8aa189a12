"""Rows of a list as separate parts: rows that are rendered together cost one read."""

from typing import Any

import pytest

from components.runtime.markup import html
from components.runtime.rendering.live_parts import LiveParts
from components.runtime.rendering.parts import REGISTERED, public_part, read_together, shared_part
from tests.components.runtime.rendering.boards import Screen, settled


class Shelf:
    """The data source of books and of the list that holds them; `reads` records which rows each read fetched."""

    def __init__(self) -> None:
        self.books = {number: f"book {number}" for number in range(1, 6)}
        self.numbers = [1, 2, 3]
        self.reads: list[tuple[int, ...]] = []

        @public_part(topics=lambda number: ("books", f"book.{number}"), together=self.read)
        def book(number: int, *, language: str) -> Any:
            return html.li(read_together(self.read, number) or "gone")

        @public_part(topics=lambda: ("shelf",))
        def shelf(*, language: str) -> Any:
            return html.ol(*(shared_part(book(number, language=language)) for number in self.numbers))

        self.book, self.ref = book, shelf(language="en")

    def read(self, numbers: tuple[int, ...]) -> dict[int, str]:
        self.reads.append(numbers)
        if 13 in numbers:
            raise RuntimeError("no such book")
        return {number: self.books[number] for number in numbers if number in self.books}

    def shown(self, screen: Screen) -> list[str]:
        """Return the texts of the books in the browser, in the list's order."""
        _, model = screen.held[self.ref.key]
        keys = [child["attributes"]["part"] for child in model["children"]]
        return [screen.held[key][1]["children"][0] for key in keys]


@pytest.fixture
def shelf(monkeypatch: pytest.MonkeyPatch) -> Shelf:
    monkeypatch.setattr("components.runtime.rendering.parts.REGISTERED", dict(REGISTERED))
    return Shelf()


async def test_list_and_its_rows_cost_two_reads(parts: LiveParts, shelf: Shelf) -> None:
    screen = Screen()
    await screen.watch(parts, shelf.ref)
    assert (shelf.reads, shelf.shown(screen)) == ([(1, 2, 3)], ["book 1", "book 2", "book 3"])


async def test_rows_that_change_together_are_read_together(parts: LiveParts, shelf: Shelf) -> None:
    screen = Screen()
    await screen.watch(parts, shelf.ref)
    shelf.reads.clear()
    shelf.books = {1: "first", 2: "second"}
    parts.bus.notify_listeners("books")
    await settled(parts)
    assert [sorted(read) for read in shelf.reads] == [[1, 2, 3]]
    assert shelf.shown(screen) == ["first", "second", "gone"]
    shelf.books[3] = "third"
    parts.bus.notify_listeners("book.3")
    await settled(parts)
    assert (shelf.reads[1:], shelf.shown(screen)) == ([(3,)], ["first", "second", "third"])


async def test_row_that_cannot_be_read_fails_alone(
    parts: LiveParts, shelf: Shelf, caplog: pytest.LogCaptureFixture
) -> None:
    screen = Screen()
    await screen.watch(parts, shelf.ref)
    shelf.numbers = [4, 13, 5]
    parts.bus.notify_listeners("shelf")
    await settled(parts)
    models = [screen.held[shelf.book(number, language="en").key][1] for number in (4, 5)]
    assert [model["children"][0] for model in models] == ["book 4", "book 5"]
    assert "parts could not be read together" in caplog.text


async def test_expired_rows_are_read_before_the_notification(parts: LiveParts, shelf: Shelf) -> None:
    screen = Screen()
    await screen.watch(parts, shelf.ref)
    shelf.reads.clear()
    shelf.books = {1: "mine", 2: "book 2", 3: "book 3"}
    parts.expire([shelf.ref])
    lives = {live.ref.key: live for live in await parts.complete([shelf.ref])}
    assert lives[shelf.book(1, language="en").key].pieces == ("<li>mine</li>",)
    assert [sorted(read) for read in shelf.reads] == [[1, 2, 3]]
    assert shelf.shown(screen) == ["mine", "book 2", "book 3"], "sockets get it too"
