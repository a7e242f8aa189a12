"""The test database of each process: a copy of a migrated template, which is made once for a state of the schema."""

import fcntl
import hashlib
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import gettempdir

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


def migrated_template() -> str:
    """Return the name of the migrated template; make it if no process has made it for this state of the schema."""
    template = template_name()
    with preparation(), file_lock(Path(gettempdir()) / "parterre-template.lock", fcntl.LOCK_EX):
        if not _exists(template):
            _template_make(template)
    return template


@contextmanager
def migrated_database(name: str) -> Iterator[None]:
    """Connect Django to a new database of this name, a copy of the template, and drop it afterwards."""
    with content.database(name, migrated_template()):
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

    The variable BEFORE names the template of sources that these ones continue: only what is new is migrated. A process
    of its own migrates, because that needs 60 MB and a site's process may need the template first.
    """
    new, earlier = f"{name}_new", os.environ.get(BEFORE, "")
    start = earlier if _exists(earlier) else "template1"
    with psycopg.connect(content.address("postgres"), autocommit=True) as operator:
        operator.execute(f'DROP DATABASE IF EXISTS "{new}" WITH (FORCE)')
        operator.execute(f'CREATE DATABASE "{new}" TEMPLATE "{start}"')
        operator.execute(f'ALTER DATABASE "{new}" SET synchronous_commit = off')
        _migrate(content.address(new))
        operator.execute(f'ALTER DATABASE "{new}" RENAME TO "{name}"')
        older = "SELECT datname FROM pg_database WHERE starts_with(datname, %s) ORDER BY oid DESC OFFSET %s"
        for (old,) in operator.execute(older, [TEMPLATE, KEPT]).fetchall():
            operator.execute(f'DROP DATABASE IF EXISTS "{old}" WITH (FORCE)')


def _migrate(address: str) -> None:
    """Migrate this database, and let the serving role empty its tables between two tests."""
    site = {"DATABASE_URL": content.site_address(address), "OWNER_DATABASE_URL": address}
    command = [sys.executable, "manage.py", "migrate", "--no-input", "--verbosity=0"]
    done = subprocess.run(command, cwd=ROOT, env={**os.environ, **site}, check=False, capture_output=True, text=True)
    assert done.returncode == 0, f"The template was not migrated:\n{done.stdout}{done.stderr}"
    if role := serving_role():
        with psycopg.connect(address) as owner:
            owner.execute(f'GRANT TRUNCATE ON ALL TABLES IN SCHEMA public TO "{role}"')


def _connect(name: str) -> str:
    """Let Django's connection use this database; return the name of the one before."""
    before = connection.settings_dict["NAME"]
    settings.DATABASES["default"]["NAME"] = connection.settings_dict["NAME"] = name
    return str(before)
