"""Which rows of a list one window has open: those that its address opens, then what is pressed."""

from collections.abc import Callable
from typing import TypeVar

from components.markup import use_state
from components.page import Page

MOST = 40  # rows that one window may have open
Row = TypeVar("Row")
Rows = tuple[Row, ...]
Change = Callable[[Callable[[Rows[Row]], Rows[Row]]], None]


def use_opened_rows(page: Page, first: Rows[Row]) -> tuple[Rows[Row], Change[Row]]:
    """Return the open rows, and what changes them by a function of those before; another address begins with `first`.

    A hook of the page: what its address opens costs a viewer no component.
    """
    (address, opened), set_opened = use_state((page.address, first))

    def change(to: Callable[[Rows[Row]], Rows[Row]]) -> None:
        set_opened(lambda before: (page.address, to(before[1] if before[0] == page.address else first)))

    return (opened if address == page.address else first), change


def toggled(opened: Rows[Row], row: Row) -> Rows[Row]:
    """Return the open rows after a press on one of them, or on another; the oldest of too many closes."""
    others = tuple(each for each in opened if each != row)
    return others if len(others) < len(opened) else (*others, row)[-MOST:]
