"""The test database of each process: a copy of a migrated template, which is made once for a state of the schema."""

import fcntl
import hashlib
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import gettempdir
from typing import Any

import psycopg
from django.conf import settings
from django.db import connection

from project.config import ROOT
from project.database.embedded import file_lock
from project.database.roles import serving_role
from tests.e2e import content
from tests.time_limit import preparation

TEMPLATE = "test_parterre_template_"
BEFORE = "TEMPLATE_BEFORE"  # an environment variable
KEPT = 3  # newest templates of other states, which other checkouts may use
PACKAGES = "requirements-dev.txt"
# What makes the schema: these folders and modules of apps and project. `tests/test_suite.py` checks that they contain
# all that the migrations import. A change of other sources needs no new template.
FOLDERS = {"migrations", "sql", "database", "models"}
MODULES = {"models.py", "limits.py", "text_rules.py", "validators.py", "apps.py", "settings.py"}


def is_of_schema(path: Path) -> bool:
    """Return whether the schema of the database depends on this file, whose path is relative to the root."""
    of_python = path.name in MODULES or FOLDERS.intersection(path.parts)
    return path.suffix == ".sql" or (path.suffix == ".py" and bool(of_python))


def template_name() -> str:
    """Return the name of the template for the schema as the sources have it now."""
    digest = hashlib.blake2b((ROOT / PACKAGES).read_bytes(), digest_size=8)
    for folder in ("apps", "project"):
        for path in sorted((ROOT / folder).rglob("*")):
            name = path.relative_to(ROOT)
            if is_of_schema(name):
                digest.update(f"{name}\0".encode() + path.read_bytes())
    return TEMPLATE + digest.hexdigest()


@contextmanager
def migrated_database(name: str) -> Iterator[None]:
    """Connect Django to a new database of this name, a copy of the template, and drop it afterwards."""
    template = template_name()
    with preparation(), file_lock(Path(gettempdir()) / "parterre-template.lock", fcntl.LOCK_EX):
        if not _exists(template):
            _template_make(template)
    with content.database(name, template):
        before = _connect(name)
        yield
        connection.close()
        connection.close_pool()
        _connect(before)


def _exists(name: str) -> bool:
    with psycopg.connect(content.address("postgres"), autocommit=True) as operator:
        return bool(operator.execute("SELECT 1 FROM pg_database WHERE datname = %s", [name]).fetchone())


def _template_make(name: str) -> None:
    """Create and migrate the template under another name: a killed run then leaves no incomplete template.

    The variable BEFORE names the template of sources that these ones continue: only what is new is migrated.
    """
    default: dict[str, Any] = settings.DATABASES["default"]
    before, default["TEST"]["NAME"] = default["NAME"], f"{name}_new"
    if is_continued := _exists(earlier := os.environ.get(BEFORE, "")):
        with psycopg.connect(content.address("postgres"), autocommit=True) as operator:
            operator.execute(f'DROP DATABASE IF EXISTS "{name}_new" WITH (FORCE)')
            operator.execute(f'CREATE DATABASE "{name}_new" TEMPLATE "{earlier}"')
    connection.creation.create_test_db(verbosity=0, autoclobber=True, serialize=False, keepdb=is_continued)
    if role := serving_role():
        with connection.cursor() as cursor:  # the tables are emptied between two tests
            cursor.execute(f'GRANT TRUNCATE ON ALL TABLES IN SCHEMA public TO "{role}"')
    connection.close()
    connection.close_pool()
    _connect(before)
    with psycopg.connect(content.address("postgres"), autocommit=True) as operator:
        operator.execute(f'ALTER DATABASE "{name}_new" RENAME TO "{name}"')
        older = "SELECT datname FROM pg_database WHERE starts_with(datname, %s) ORDER BY oid DESC OFFSET %s"
        for (old,) in operator.execute(older, [TEMPLATE, KEPT]).fetchall():
            operator.execute(f'DROP DATABASE IF EXISTS "{old}" WITH (FORCE)')


def _connect(name: str) -> str:
    """Let Django's connection use this database; return the name of the one before."""
    before = connection.settings_dict["NAME"]
    settings.DATABASES["default"]["NAME"] = connection.settings_dict["NAME"] = name
    return str(before)
