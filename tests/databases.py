"""The test database of each process: a copy of a migrated template, which is made once for a state of the sources."""

import fcntl
import hashlib
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

TEMPLATE = "test_parterre_template_"
KEPT = 3  # newest templates of other states, which other checkouts may use
SOURCES = ("apps", "project")  # whose migrations, SQL files, signals and roles make the schema
PACKAGES = "requirements-dev.txt"


def template_name() -> str:
    """Return the name of the template for the sources as they are now."""
    digest = hashlib.blake2b((ROOT / PACKAGES).read_bytes(), digest_size=8)
    for folder in SOURCES:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in {".py", ".sql"}:
                digest.update(f"{path.relative_to(ROOT)}\0".encode() + path.read_bytes())
    return TEMPLATE + digest.hexdigest()


@contextmanager
def migrated_database(name: str) -> Iterator[None]:
    """Connect Django to a new database of this name, a copy of the template, and drop it afterwards."""
    template = template_name()
    with file_lock(Path(gettempdir()) / "parterre-template.lock", fcntl.LOCK_EX):
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
    """Create and migrate the template under another name: a killed run then leaves no incomplete template."""
    default: dict[str, Any] = settings.DATABASES["default"]
    before, default["TEST"]["NAME"] = default["NAME"], f"{name}_new"
    connection.creation.create_test_db(verbosity=0, autoclobber=True, serialize=False)
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
