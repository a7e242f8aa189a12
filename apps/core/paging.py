"""Lists in numbered pages, read and counted in the database; and where lists by time go on."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
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


def moment_and_id(at: str, number: str) -> tuple[datetime, int] | None:
    """Return the two that a cursor in an address is made of, the moment in UTC; None when they are none."""
    try:
        moment, pk = datetime.fromisoformat(at), int(number)
        # in UTC, for Python reads offsets that PostgreSQL does not, and moments that are no date there
        in_utc = moment.astimezone(UTC)
    except (ValueError, OverflowError):
        return None
    return (in_utc, pk) if moment.tzinfo is not None and 0 <= pk < 2**63 else None
