"""Lists in numbered pages, read and counted in the database."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from django.db.models import QuerySet

Row = TypeVar("Row")


@dataclass(frozen=True, slots=True)
class Page(Generic[Row]):
    """One page of a list; `total` counts what all pages have."""

    rows: tuple[Row, ...]
    number: int
    total: int
    size: int

    @property
    def pages(self) -> int:
        """How many pages there are; an empty list has one."""
        return pages_of(self.total, self.size)


def pages_of(total: int, size: int) -> int:
    """Return how many pages of `size` rows `total` rows fill; none fill one."""
    return max(1, -(-total // size))


def page_of(
    found: "QuerySet[Any, Any]", *, number: int, size: int, read: "Callable[[QuerySet[Any, Any]], tuple[Row, ...]]"
) -> Page[Row]:
    """Return the page of that number, counted from 1, the nearest one when there is none; `read` makes its rows.

    One query besides those of `read`.
    """
    total = found.order_by().count()
    shown = min(max(1, number), pages_of(total, size))
    return Page(read(found[(shown - 1) * size : shown * size]), shown, total, size)
