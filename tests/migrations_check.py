"""Check that migrations are compatible with running processes of the previous version (`make lint`; no database).

Migrations run before the first new process starts, so the previous version reads and writes the migrated tables.
Refused are changes that break it:

- tables and columns that are dropped or renamed;
- columns that hold less, or that are NOT NULL without a `db_default`;
- new constraints, and dropped unique constraints, which upserts may name;
- an index that blocks writes while it is built;
- SQL or Python that drops or rewrites data.

A migration that needs such a change states why it is safe:

    BESIDE_THE_VERSION_BEFORE = "Nothing has read this table since version 4."

Allowed are changes to tables that the same migration creates, dropped indexes (reads are slower, not wrong), and
changes that PostgreSQL makes without scanning rows: nullable columns, columns with a `db_default`, a longer `varchar`.
Released migrations (`tests/migrations_released.py`) are not checked.
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
    """Return the models of this state by table, with those of many-to-many fields."""
    found = state.apps.get_models(include_auto_created=True)
    return {model._meta.db_table: model for model in found if model._meta.managed and not model._meta.proxy}


def columns(model: type[models.Model]) -> Columns:
    """Return the fields that have a column, by column."""
    return {field.column: field for field in model._meta.local_concrete_fields}


def holds_as_much(before: str | None, after: str | None) -> bool:
    """Return whether the second column type accepts all values of the first without a table rewrite."""
    if before == after:
        return True
    old, new = VARCHAR.fullmatch(before or ""), VARCHAR.fullmatch(after or "")
    return bool(old and (after in {"text", "varchar"} or (new and int(new[1]) >= int(old[1]))))


def new_column_findings(name: str, field: "models.Field[Any, Any]") -> Iterator[str]:
    """Yield the problems of a new column, which the previous version never fills."""
    if not (field.null or field.has_db_default() or field.generated or field.primary_key):
        yield f"{name} is new, NOT NULL and has no db_default: the version before writes rows without it"


def changed_column_findings(
    name: str, before: "models.Field[Any, Any]", after: "models.Field[Any, Any]"
) -> Iterator[str]:
    """Yield the problems of a changed column."""
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
    """Yield the problems in the columns of a kept table."""
    for column, field in before.items():
        if column not in after:
            yield f"{table}.{column} goes: the version before reads it"
        else:
            yield from changed_column_findings(f"{table}.{column}", field, after[column])
    for column in after.keys() - before.keys():
        yield from new_column_findings(f"{table}.{column}", after[column])


def constraint_findings(table: str, before: type[models.Model], after: type[models.Model]) -> Iterator[str]:
    """Yield the problems in the constraints of a kept table."""
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
    """Yield the problems that an operation causes in the `known` tables, by the difference of the two states."""
    old, new = tables(before), tables(after)
    for table in sorted(known & old.keys()):
        if table not in new:
            yield f"{table} goes: the version before reads it"
        else:
            yield from column_findings(table, columns(old[table]), columns(new[table]))
            yield from constraint_findings(table, old[table], new[table])


def statements(operation: migrations.RunSQL) -> str:
    """Return the SQL of this operation without string literals, comments, and bodies of defined functions."""
    parts = [operation.sql] if isinstance(operation.sql, str) else operation.sql
    texts = (part if isinstance(part, str) else part[0] for part in parts)
    return TEXTS.sub("''", FUNCTION.sub("", ";".join(texts)))


def code_findings(operation: Operation, known: set[str], state: ProjectState, app: str) -> Iterator[str]:
    """Yield the problems of an operation that are not visible in the state: Python, SQL, and blocking indexes."""
    if isinstance(operation, migrations.RunPython):
        yield "Python runs over rows, and nobody but its author knows what the version before makes of them"
    elif isinstance(operation, migrations.RunSQL) and (found := DANGEROUS.search(statements(operation))):
        yield f"SQL says {' '.join(found[0].strip('; ').split())}"
    elif isinstance(operation, migrations.AddIndex) and not isinstance(operation, AddIndexConcurrently):
        table = state.apps.get_model(app, operation.model_name)._meta.db_table
        if table in known:
            yield f"{table} gets an index while writes wait: AddIndexConcurrently, with atomic = False, lets them go on"


def parts(operation: Operation) -> Sequence[Operation]:
    """Return the operations that this operation runs on the database."""
    if isinstance(operation, migrations.SeparateDatabaseAndState):
        return [part for each in operation.database_operations for part in parts(each)]
    return [operation]


def findings(migration: migrations.Migration, state: ProjectState) -> list[str]:
    """Return the problems of a migration, one sentence each; `state` is the state before it."""
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
    """Return one line for each problem in the migrations that are not released."""
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
    """Print the refused changes. Return the exit code."""
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
