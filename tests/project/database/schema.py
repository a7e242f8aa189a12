"""What a database's catalog contains, to compare two schemas. The order of a table's columns is not compared."""

import re
from typing import Any

import psycopg

QUERIES = {
    "tables": """
        SELECT relname, relkind, relpersistence, reloptions, relrowsecurity, obj_description(oid, 'pg_class')
        FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind NOT IN ('i', 'S', 't')
    """,
    "columns": """
        SELECT attrelid::regclass::text, attname, format_type(atttypid, atttypmod), attnotnull, attidentity,
            attgenerated, attcollation::regcollation::text, attcompression, attstattarget,
            pg_get_expr(adbin, adrelid), col_description(attrelid, attnum)
        FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
        LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
        WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND attnum > 0 AND NOT attisdropped
    """,
    "constraints": """
        SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid), convalidated,
            obj_description(oid, 'pg_constraint')
        FROM pg_constraint WHERE connamespace = 'public'::regnamespace
    """,
    "indexes": """
        SELECT pg_get_indexdef(indexrelid), indisvalid, indisready, obj_description(indexrelid, 'pg_class')
        FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid WHERE relnamespace = 'public'::regnamespace
    """,
    "sequences": """
        SELECT sequencename, data_type::text, start_value, min_value, max_value, increment_by, cycle
        FROM pg_sequences WHERE schemaname = 'public'
    """,
    "triggers": """
        SELECT pg_get_triggerdef(pg_trigger.oid), tgenabled, obj_description(pg_trigger.oid, 'pg_trigger')
        FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid
        WHERE relnamespace = 'public'::regnamespace AND NOT tgisinternal
    """,
    "functions": """
        SELECT pg_get_functiondef(oid), proacl::text, obj_description(oid, 'pg_proc')
        FROM pg_proc WHERE pronamespace = 'public'::regnamespace
    """,
    "types": """
        SELECT typname, typtype FROM pg_type
        WHERE typnamespace = 'public'::regnamespace AND typrelid = 0 AND typelem = 0
    """,
    "extensions": "SELECT extname FROM pg_extension",
}


def one_line(value: Any) -> Any:
    """Return a definition without SQL comments and with single spaces."""
    if not isinstance(value, str):
        return value
    text = " ".join(re.sub(r"--[^\n]*", "", value).split())
    return re.sub(r"(?<=[(]) | (?=[)])", "", text)


def schema(connection: "psycopg.Connection[Any]") -> dict[str, set[tuple[Any, ...]]]:
    """Return the rows of the catalog that describe the schema, by kind."""
    return {
        kind: {tuple(one_line(str(value) if isinstance(value, list) else value) for value in row) for row in
               connection.execute(query).fetchall()}
        for kind, query in QUERIES.items()
    }  # fmt: skip


def schema_differences(one: dict[str, set[tuple[Any, ...]]], other: dict[str, set[tuple[Any, ...]]]) -> list[str]:
    """Return a line for each row of the catalog that only one of both has."""
    return [
        f"{sign} {kind} {row}"
        for kind in QUERIES
        for sign, rows in (("-", one[kind] - other[kind]), ("+", other[kind] - one[kind]))
        for row in sorted(rows, key=str)
    ]
