"""The release that a database must have reached before this version can migrate it (ADR 22)."""

from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

OLDEST = "release 1 (commit 363996b4)"


def release_findings() -> list[str]:
    """Return a sentence if the database misses a migration that this version has squashed and deleted."""
    applied = MigrationRecorder(connection).applied_migrations().keys()
    migrations = MigrationLoader(None).disk_migrations
    deleted = {key for migration in migrations.values() for key in migration.replaces} - migrations.keys()
    installed = {app for app, _ in applied}
    missing = sorted(key for key in deleted - applied if key[0] in installed)
    if not missing:
        return []
    name = ".".join(missing[0])
    sentence = (
        f"The database is older than {OLDEST}: migration {name} is missing. "
        "Run `manage.py migrate` of that release first, then start this version."
    )
    return [sentence]
