"""What a migration may do while processes of the version before still serve: `make lint` runs this, without a database.

Migrations run before the first new process starts, so the version before reads and writes what they leave. Refused is
what it would trip over: tables and columns that go or are renamed, columns that hold less or that it does not fill,
constraints that it does not know, unique ones that its upserts name, an index whose building lets its writes wait, and
SQL or Python that drops or rewrites. A migration that has to, says why that is right:

    BESIDE_THE_VERSION_BEFORE = "Nothing has read this table since version 4."

Tables that the same migration creates are its own. What is released (`tests/migrations_released.py`) is not judged.
Not refused are indexes that go (reads are slower, not wrong), and what PostgreSQL does without looking at rows:
nullable columns, columns with a `db_default`, a longer `varchar`.
"""

import importlib
import os
import re
import sys
from collections.abc import Iterator, Sequence
from typing import Any

import django
from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import connection, migrations, models
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ProjectState

from tests.migrations_released import RELEASED

REASON = "BESIDE_THE_VERSION_BEFORE"
TEXTS = re.compile(r"--[^\n]*|/\*.*?\*/|'(?:[^']|'')*'", re.DOTALL)
FUNCTION = re.compile(r"CREATE\s+(?:OR\s+REPLACE\s+)?FUNCTION.*?(\$\w*\$).*?\1", re.DOTALL | re.IGNORECASE)
DANGEROUS = re.compile(
    r"\b(?:DROP|RENAME|TRUNCATE|SET\s+NOT\s+NULL|ADD\s+CONSTRAINT|ALTER\s+(?:COLUMN\s+)?\S+\s+(?:SET\s+DATA\s+)?TYPE)\b"
    r"|\bCREATE\s+(?:UNIQUE\s+)?INDEX\s+(?!CONCURRENTLY)"
    r"|(?:^|;|\bBEGIN|\bTHEN|\bLOOP|\bDO)\s*(?:UPDATE|DELETE\s+FROM)\b",
    re.IGNORECASE,
)
VARCHAR = re.compile(r"varchar\((\d+)\)")
Columns = dict[str, "models.Field[Any, Any]"]


def tables(state: ProjectState) -> dict[str, type[models.Model]]:
    """Return the models of this state by table, those of many-to-many fields too."""
    found = state.apps.get_models(include_auto_created=True)
    return {model._meta.db_table: model for model in found if model._meta.managed and not model._meta.proxy}


def columns(model: type[models.Model]) -> Columns:
    """Return the fields that are columns, by column."""
    return {field.column: field for field in model._meta.local_concrete_fields}


def holds_as_much(before: str | None, after: str | None) -> bool:
    """Whether a column of the second type takes everything that the first did, without a row being written."""
    if before == after:
        return True
    old, new = VARCHAR.fullmatch(before or ""), VARCHAR.fullmatch(after or "")
    return bool(old and (after in {"text", "varchar"} or (new and int(new[1]) >= int(old[1]))))


def new_column_findings(name: str, field: "models.Field[Any, Any]") -> Iterator[str]:
    """Yield what is wrong with a column that the version before never fills."""
    if not (field.null or field.has_db_default() or field.generated or field.primary_key):
        yield f"{name} is new, NOT NULL and has no db_default: the version before writes rows without it"


def changed_column_findings(
    name: str, before: "models.Field[Any, Any]", after: "models.Field[Any, Any]"
) -> Iterator[str]:
    """Yield what is wrong with how a column changed."""
    old, new = before.db_type(connection), after.db_type(connection)
    if not holds_as_much(old, new):
        yield f"{name} is rewritten from {old} to {new}"
    if before.null and not after.null:
        yield f"{name} becomes NOT NULL: the version before may write NULL"
    if before.has_db_default() and not after.has_db_default():
        yield f"{name} loses its db_default: the version before leaves it to the database"
    if after.unique and not before.unique:
        yield f"{name} becomes unique: the version before does not know"


def column_findings(table: str, before: Columns, after: Columns) -> Iterator[str]:
    """Yield what is wrong with the columns of a table that stays."""
    for column, field in before.items():
        if column not in after:
            yield f"{table}.{column} goes: the version before reads it"
        else:
            yield from changed_column_findings(f"{table}.{column}", field, after[column])
    for column in after.keys() - before.keys():
        yield from new_column_findings(f"{table}.{column}", after[column])


def constraint_findings(table: str, before: type[models.Model], after: type[models.Model]) -> Iterator[str]:
    """Yield what is wrong with the constraints of a table that stays."""
    old = {each.name: each for each in before._meta.constraints}
    new = {each.name: each for each in after._meta.constraints}
    for name in new.keys() - old.keys():
        yield f"{table} gains {name}: the version before may write what it refuses"
    for name in old.keys() - new.keys():
        if isinstance(old[name], models.UniqueConstraint):
            yield f"{table} loses {name}: an upsert of the version before may name it"
    for together in set(after._meta.unique_together) - set(before._meta.unique_together):
        yield f"{table} becomes unique by {', '.join(together)}: the version before does not know"


def state_findings(before: ProjectState, after: ProjectState, known: set[str]) -> Iterator[str]:
    """Yield what an operation takes from the tables that were known, and what it asks of who writes them."""
    old, new = tables(before), tables(after)
    for table in sorted(known & old.keys()):
        if table not in new:
            yield f"{table} goes: the version before reads it"
        else:
            yield from column_findings(table, columns(old[table]), columns(new[table]))
            yield from constraint_findings(table, old[table], new[table])


def statements(operation: migrations.RunSQL) -> str:
    """Return the SQL of this operation without texts, comments, and the bodies of functions that it only defines."""
    parts = [operation.sql] if isinstance(operation.sql, str) else operation.sql
    texts = (part if isinstance(part, str) else part[0] for part in parts)
    return TEXTS.sub("''", FUNCTION.sub("", ";".join(texts)))


def code_findings(operation: Operation, known: set[str], state: ProjectState, app: str) -> Iterator[str]:
    """Yield what is wrong with an operation that the state does not show."""
    if isinstance(operation, migrations.RunPython):
        yield "Python runs over rows, and nobody but its author knows what the version before makes of them"
    elif isinstance(operation, migrations.RunSQL) and (found := DANGEROUS.search(statements(operation))):
        yield f"SQL says {' '.join(found[0].strip('; ').split())}"
    elif isinstance(operation, migrations.AddIndex) and not isinstance(operation, AddIndexConcurrently):
        table = state.apps.get_model(app, operation.model_name)._meta.db_table
        if table in known:
            yield f"{table} gets an index while writes wait: AddIndexConcurrently, with atomic = False, lets them go on"


def parts(operation: Operation) -> Sequence[Operation]:
    """Return what this operation does to the database."""
    if isinstance(operation, migrations.SeparateDatabaseAndState):
        return [part for each in operation.database_operations for part in parts(each)]
    return [operation]


def findings(migration: migrations.Migration, state: ProjectState) -> list[str]:
    """Return what the version before would trip over, a sentence each; `state` is how things are before."""
    if str(getattr(importlib.import_module(type(migration).__module__), REASON, "")).strip():
        return []
    app, known, found = migration.app_label, set(tables(state)), []
    for operation in migration.operations:
        inner = state.clone()
        for part in parts(operation):
            after = inner.clone()
            part.state_forwards(app, after)
            found += [*state_findings(inner, after, known), *code_findings(part, known, inner, app)]
            inner = after
        state = state.clone()
        operation.state_forwards(app, state)
    return found


def refusals(loader: MigrationLoader, released: dict[str, str]) -> list[str]:
    """Return a line for each finding in what was not released."""
    graph = loader.graph
    done = {node for last in released.items() for node in graph.forwards_plan(last)}
    plan = [node for leaf in graph.leaf_nodes() for node in graph.forwards_plan(leaf)]
    lines = []
    for node in dict.fromkeys(plan):
        if node not in done:
            parents = [parent.key for parent in graph.node_map[node].parents]
            before = loader.project_state([*released.items(), *parents], at_end=True)
            lines += [f"{'.'.join(node)}: {finding}." for finding in findings(graph.nodes[node], before)]
    return lines


def main() -> int:
    """Say what is refused; returns the exit code."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "project.settings")
    django.setup()
    lines = refusals(MigrationLoader(None), RELEASED)
    for line in lines:
        sys.stdout.write(f"{line}\n")
    if lines:
        sys.stdout.write(f"Two versions run side by side. Add only, or say in {REASON} why that is right.\n")
    return int(bool(lines))


if __name__ == "__main__":
    sys.exit(main())
