"""`POOLER=1 pytest tests/apps`: all that tests ask of the database goes through a PgBouncer in transaction mode."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
from django.conf import settings
from django.db import connection, connections
from psycopg import sql

from project.database.roles import parameters_of
from tests.pooler import pooler

LOCK_WAIT = "20s"  # a busy machine has one process more to run between two that wait for each other
DJANGOS = ("cursor_factory", "context")


def settings_of(options: str) -> dict[str, str]:
    """Return what `-c name=value …` sets, the last of each name."""
    pairs = (word.partition("=") for word in options.split() if word != "-c")
    return {name: value for name, _, value in pairs}


def direct_parameters() -> dict[str, Any]:
    """How psycopg reaches the test database itself, whatever stands before it."""
    known = parameters_of(settings.DIRECT_DATABASE if settings.POOLED else connection.settings_dict)
    return {name: value for name, value in known.items() if name not in DJANGOS}


@contextmanager
def database_pooled(options: str) -> Iterator[None]:
    """Until this ends the test database is reached through a pooler, by the role of tests, which has these options."""
    default: dict[str, Any] = connection.settings_dict
    direct = {**default, "OPTIONS": {**default["OPTIONS"], "options": options}}
    with psycopg.connect(**direct_parameters(), autocommit=True) as server:
        names = sql.Identifier(default["USER"]), sql.Identifier(server.info.dbname)
        for name, value in {**settings_of(options), "lock_timeout": LOCK_WAIT}.items():
            statement = sql.SQL("ALTER ROLE {} IN DATABASE {} SET {} = {}")
            server.execute(statement.format(*names, sql.Identifier(name), sql.Literal(value)))
    with pooler(size=30) as between:
        before = {name: default[name] for name in ("HOST", "PORT", "OPTIONS", "DISABLE_SERVER_SIDE_CURSORS")}
        pooled = {name: value for name, value in default["OPTIONS"].items() if name != "options"}
        settings.POOLED, settings.DIRECT_DATABASE = True, direct
        default.update(HOST="127.0.0.1", PORT=str(between.port), OPTIONS=pooled)
        default["DISABLE_SERVER_SIDE_CURSORS"] = True
        yield
        connections.close_all()
        connection.close_pool()
        default.update(before)
        settings.POOLED = False
