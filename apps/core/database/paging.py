"""Paging: keyset pages for lists by time, numbered pages for competition data, and tables of row counts.

A keyset page starts at a cursor, so that new rows do not move it. Competition data has its own order and changes rarely
while a user reads, so its lists have numbered pages.
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
CURSOR_LENGTH = 100  # maximum length of a cursor in an address


@dataclass(frozen=True, slots=True)
class Cursor:
    """A position in a list ordered by time: after the row of this moment, kind and id, even if that row is deleted.

    `kind` is for lists merged from several tables, in which rows of the same moment are ordered by kind.
    """

    at: datetime
    id: int
    kind: str = ""

    def __str__(self) -> str:
        return "~".join([self.at.isoformat(), *([self.kind] if self.kind else []), str(self.id)])

    @classmethod
    def read(cls, text: str, kinds: Collection[str] = ("",)) -> "Cursor | None":
        """Return the cursor in `text`, with its moment in UTC. None for a malformed text or a kind not in `kinds`."""
        at, _, rest = text[:CURSOR_LENGTH].partition("~")
        kind, _, number = rest.rpartition("~")
        try:
            moment, pk = datetime.fromisoformat(at), int(number)
            # in UTC, because Python accepts offsets and moments that PostgreSQL rejects
            in_utc = moment.astimezone(UTC)
        except (ValueError, OverflowError):
            return None
        is_one = moment.tzinfo is not None and 0 <= pk < 2**63 and kind in kinds
        return cls(in_utc, pk, kind) if is_one else None

    def after(self, moment: str, kind: str = "") -> Q:
        """Return the condition that a row of `kind` comes after this cursor, newest first by the field `moment`."""
        later = Q(**{f"{moment}__lt": self.at})
        if kind < self.kind:
            return later
        # `until` repeats part of the condition, so that an index scan starts at the right row
        until = Q(**{f"{moment}__lte": self.at})
        return until & (later | Q(id__lt=self.id)) if kind == self.kind else until


@dataclass(frozen=True, slots=True)
class KeysetPage(Generic[Row]):
    """One page of a list by time; the cursors are texts for an address."""

    rows: tuple[Row, ...] = ()
    start: str = ""  # the cursor after which this page begins; empty for the first page
    older: str = ""  # the cursor after which the next page begins; empty for the last page


class ReadAfter(Protocol[Row_co]):
    """Reads at most `limit` rows of a list, only rows after the cursor `before` if there is one."""

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
    """Return the page of `size` rows after the cursor `before`, the first page for an empty or malformed cursor.

    `cursor` returns the cursor of a row. A page ends before the sum of `weigh` over its rows exceeds `heaviest`, but
    contains at least one row. It needs as many queries as `read`.
    """
    start = Cursor.read(before, kinds)
    rows = tuple(read(before=start, limit=size + 1))
    weights = accumulate(map(weigh, rows[:size]))
    shown = sum(weight <= heaviest for weight in weights) or min(1, len(rows))
    return KeysetPage(rows[:shown], str(start or ""), str(cursor(rows[shown - 1])) if len(rows) > shown else "")


@dataclass(frozen=True, slots=True)
class NumberedPage(Generic[Row]):
    """One page of a list; `total` is the number of rows on all pages."""

    rows: tuple[Row, ...]
    number: int
    total: int
    size: int

    @property
    def pages(self) -> int:
        """Number of pages; at least 1."""
        return pages_of(self.total, self.size)


def pages_of(total: int, size: int) -> int:
    """Return the number of pages of `size` rows for `total` rows, at least 1."""
    return max(1, -(-total // size))


def numbered_page(
    found: "QuerySet[Any, Any]", *, number: int, size: int, read: "Callable[[QuerySet[Any, Any]], tuple[Row, ...]]"
) -> NumberedPage[Row]:
    """Return page `number` of a queryset, counted from 1, or the nearest existing page; `read` returns its rows.

    One query in addition to those of `read`.
    """
    return page_of(found, total=found.order_by().count(), number=number, size=size, read=read)


def page_of(
    found: Any, *, total: int, number: int, size: int, read: Callable[[Any], tuple[Row, ...]]
) -> NumberedPage[Row]:
    """Return page `number` of `total` rows, as `numbered_page` does; `read` returns the rows of a slice."""
    shown = min(max(1, number), pages_of(total, size))
    return NumberedPage(read(found[(shown - 1) * size : shown * size]), shown, total, size)


class RowCount(models.Model):
    """Number of rows of another table for one key: the sum of `count` over the rows with that key."""

    count = models.BigIntegerField()

    class Meta:
        abstract = True


def plans_renew() -> None:
    """Drop this connection's cached plans, so that foreign key checks are planned again; for writes of many rows.

    PostgreSQL keeps one plan for each check per connection. A plan made while the table had one page scans the whole
    table for every row: 8 s instead of 0.1 s for ten thousand rows, which exceeds the statement timeout.
    """
    with connection.cursor() as cursor:
        cursor.execute("DISCARD PLANS")
