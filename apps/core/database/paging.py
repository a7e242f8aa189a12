"""Lists in pages: by a cursor, so that new rows do not move the pages.

Lists of competition data, which are in an order of their own and change little while one reads, have numbered pages.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import accumulate
from typing import Any, Generic, Protocol, TypeVar

from django.db import connection, models
from django.db.models import Q, QuerySet

Row = TypeVar("Row")
Row_co = TypeVar("Row_co", covariant=True)
CURSOR_LENGTH = 100  # characters of a cursor in an address, at most


@dataclass(frozen=True, slots=True)
class Cursor:
    """A position in a list ordered by time: after the row of this moment, kind and id, even if that is deleted.

    `kind` is for lists merged of several tables, in which the kinds of one moment follow each other by name.
    """

    at: datetime
    id: int
    kind: str = ""

    def __str__(self) -> str:
        return "~".join([self.at.isoformat(), *([self.kind] if self.kind else []), str(self.id)])

    @classmethod
    def read(cls, text: str, kinds: Collection[str] = ("",)) -> "Cursor | None":
        """Return the cursor in `text`, of one of `kinds` and with its moment in UTC, or None."""
        at, _, rest = text[:CURSOR_LENGTH].partition("~")
        kind, _, number = rest.rpartition("~")
        try:
            moment, pk = datetime.fromisoformat(at), int(number)
            # in UTC, for Python reads offsets that PostgreSQL does not, and moments that are no date there
            in_utc = moment.astimezone(UTC)
        except (ValueError, OverflowError):
            return None
        is_one = moment.tzinfo is not None and 0 <= pk < 2**63 and kind in kinds
        return cls(in_utc, pk, kind) if is_one else None

    def after(self, moment: str, kind: str = "") -> Q:
        """Return the condition that a row of `kind` comes after this one, the newest first by its field `moment`."""
        later = Q(**{f"{moment}__lt": self.at})
        if kind < self.kind:
            return later
        # `until` repeats part of the condition, so that an index finds where the range begins
        until = Q(**{f"{moment}__lte": self.at})
        return until & (later | Q(id__lt=self.id)) if kind == self.kind else until


@dataclass(frozen=True, slots=True)
class KeysetPage(Generic[Row]):
    """One page of a list by time; the cursors are texts for an address."""

    rows: tuple[Row, ...] = ()
    start: str = ""  # the cursor after which it begins; empty at the top
    older: str = ""  # the cursor after which the list goes on; empty at its end


class ReadAfter(Protocol[Row_co]):
    """Reads at most `limit` rows of a list, those after `before` when it is given."""

    def __call__(self, *, before: Cursor | None, limit: int) -> Sequence[Row_co]: ...  # noqa: D102


def keyset_page(
    read: ReadAfter[Row],
    cursor: Callable[[Row], Cursor],
    *,
    before: str,
    size: int,
    kinds: Collection[str] = ("",),
    weigh: Callable[[Row], int] = lambda _: 0,
    heaviest: int = 0,
) -> KeysetPage[Row]:
    """Return the page of `size` rows after the cursor that is in an address, the first one when that is none.

    `cursor` returns the cursor of a row. A page ends before the row with which its rows would `weigh` more than
    `heaviest`; it has one row in any case. As many queries as `read` has.
    """
    start = Cursor.read(before, kinds)
    found = tuple(read(before=start, limit=size + 1))
    weights = accumulate(map(weigh, found[:size]))
    shown = sum(weight <= heaviest for weight in weights) or min(1, len(found))
    return KeysetPage(found[:shown], str(start or ""), str(cursor(found[shown - 1])) if len(found) > shown else "")


@dataclass(frozen=True, slots=True)
class NumberedPage(Generic[Row]):
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


def numbered_page(
    found: "QuerySet[Any, Any]", *, number: int, size: int, read: "Callable[[QuerySet[Any, Any]], tuple[Row, ...]]"
) -> NumberedPage[Row]:
    """Return the page of that number, counted from 1, the nearest one when there is none; `read` makes its rows.

    One query besides those of `read`.
    """
    return page_of(found, total=found.order_by().count(), number=number, size=size, read=read)


def page_of(
    found: Any, *, total: int, number: int, size: int, read: Callable[[Any], tuple[Row, ...]]
) -> NumberedPage[Row]:
    """Return the page of that number, as `numbered_page`, of `total` rows of which `read` makes a slice's."""
    shown = min(max(1, number), pages_of(total, size))
    return NumberedPage(read(found[(shown - 1) * size : shown * size]), shown, total, size)


class RowCount(models.Model):
    """How many rows of another table have one key: the sum over the rows with that key."""

    count = models.BigIntegerField()

    class Meta:
        abstract = True


def plans_renew() -> None:
    """Let this connection plan anew the checks of foreign keys that it runs at COMMIT; for who wrote thousands of rows.

    PostgreSQL keeps one plan for each check as long as the connection lives. One made while the table was a single
    page reads the whole table, for every row: 8 s instead of 0.1 for ten thousand, past the deadline of a statement.
    """
    with connection.cursor() as cursor:
        cursor.execute("DISCARD PLANS")
