"""Compile the SQL of a read once per process, for reads that each change or page view repeats.

    @compiled
    def _detail() -> QuerySet[Any, Any]:
        return Session.objects.filter(pk=Parameter("session_id")).values_list("id", "title")

    rows = _detail(session_id=7)

Compiling a query costs Django several times what PostgreSQL and psycopg need to run it. All values of the query except
its parameters are those of the first call, so a time must be the database's (`Now()`).
"""

from collections.abc import Callable
from functools import cache
from typing import Any

from django.db import connection
from django.db.models import BigIntegerField, Expression, Field, QuerySet

Row = tuple[Any, ...]
Statement = tuple[str, tuple[Any, ...], dict[int, Any]]


class Parameter(Expression):
    """A value that each call of a compiled read passes by this name, by default a number."""

    def __init__(self, name: str, output_field: "Field[Any, Any] | None" = None) -> None:
        super().__init__(output_field=output_field or BigIntegerField())
        self.name = name

    def as_sql(self, *_context: Any) -> tuple[str, tuple[Any, ...]]:
        """Return a placeholder, and this object in place of its value."""
        return "%s", (self,)


def compiled(make: Callable[[], "QuerySet[Any, Any]"]) -> Callable[..., list[Row]]:
    """Return a function that returns the rows of this query of `values_list`, with values for its parameters."""

    @cache
    def statement() -> Statement:
        compiler = make().query.get_compiler(connection=connection)
        sql, parameters = compiler.as_sql()
        return sql, tuple(parameters), compiler.get_converters([column for column, *_ in compiler.select])

    def rows(**values: int | str) -> list[Row]:
        sql, parameters, converters = statement()
        with connection.cursor() as cursor:
            cursor.execute(sql, [values[each.name] if isinstance(each, Parameter) else each for each in parameters])
            found: list[Row] = cursor.fetchall()
        return [_converted(row, converters) for row in found] if converters else found

    return rows


def _converted(row: Row, converters: dict[int, Any]) -> Row:
    """Return the row with the values that its fields convert (`Field.from_db_value`)."""
    values = list(row)
    for position, (functions, column) in converters.items():
        for convert in functions:
            values[position] = convert(values[position], column, connection)
    return tuple(values)
