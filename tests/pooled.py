"""`POOLER=1 pytest tests/apps`: run all queries of the tests through a PgBouncer in transaction mode."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
from django.conf import settings
from django.db import connection, connections
from psycopg import sql

from project.database.roles import parameters_of
from tests.pooler import pooler

LOCK_WAIT = "20s"  # the pooler is one more process that slows down a lock's owner on a busy machine
DJANGOS = ("cursor_factory", "context")


def settings_of(options: str) -> dict[str, str]:
    """Return the settings in `-c name=value …` by name; the last value of a name wins."""
    pairs = (word.partition("=") for word in options.split() if word != "-c")
    return {name: value for name, _, value in pairs}


def direct_parameters() -> dict[str, Any]:
    """Return psycopg's parameters for the test database itself, past any pooler."""
    known = parameters_of(settings.DIRECT_DATABASE if settings.POOLED else connection.settings_dict)
    return {name: value for name, value in known.items() if name not in DJANGOS}


@contextmanager
def database_pooled(options: str) -> Iterator[None]:
    """Connect to the test database through a pooler; its role for tests gets these options."""
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
