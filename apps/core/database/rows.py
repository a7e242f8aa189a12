"""Fill result types from querysets by the names of their fields.

    @dataclass(frozen=True, slots=True)
    class SessionCard:
        id: int
        stage: Annotated[str, Column("stage__name")]

    cards = rows_of(Session.objects.order_by("id"), SessionCard)

A field is read from the column or annotation of its own name, or from its `Column`. A field with `Part` is not a
column: it keeps its default until the selector fills it.
"""

from collections.abc import Iterable
from dataclasses import dataclass, fields
from functools import cache
from itertools import starmap
from typing import Any, TypeVar, get_type_hints

from django.db.models import QuerySet
from django.db.models.expressions import Combinable

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Column:
    """The lookup or expression that fills a field of another name."""

    source: str | Combinable


@dataclass(frozen=True, slots=True)
class Part:
    """Marks an optional part of a result, which is not a column."""


def columns_of(result: type[Any]) -> tuple[str | Combinable, ...]:
    """Return the columns of a result type for `values_list`, in the order of its fields."""
    # mypy does not accept a `type` as Hashable
    kind: Any = result
    return _columns(kind)


@cache
def _columns(result: type[Any]) -> tuple[str | Combinable, ...]:
    hints = get_type_hints(result, include_extras=True)
    notes = {name: getattr(hint, "__metadata__", ()) for name, hint in hints.items()}
    columns = (field.name for field in fields(result) if not any(isinstance(note, Part) for note in notes[field.name]))
    return tuple(next((note.source for note in notes[name] if isinstance(note, Column)), name) for name in columns)


def rows_of(found: QuerySet[Any, Any], result: type[Result]) -> tuple[Result, ...]:
    """Return the rows of a queryset as results. One query."""
    return results(found.values_list(*columns_of(result)), result)


def row_of(found: QuerySet[Any, Any], result: type[Result]) -> Result | None:
    """Return the first row of a queryset as a result, None without one. One query."""
    return next(iter(rows_of(found[:1], result)), None)


def rows_with(found: QuerySet[Any, Any], result: type[Result], *others: str) -> list[tuple[Result, tuple[Any, ...]]]:
    """Return each row as a result, with its values of the other columns. One query."""
    columns = columns_of(result)
    rows = found.values_list(*columns, *others)
    return [(result(*row[: len(columns)]), row[len(columns) :]) for row in rows]


def results(rows: Iterable[tuple[Any, ...]], result: type[Result]) -> tuple[Result, ...]:
    """Return rows that have the columns of a result type as results."""
    return tuple(starmap(result, rows))
