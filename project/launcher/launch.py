"""Started by `make run` and by a container: checks, prepares the database and files, then serves."""

import gc
import io
import logging
import os
import pkgutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from importlib import import_module
from typing import Any

import django
import psycopg
from django.apps import apps
from django.conf import settings
from django.core.management import call_command
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from django.utils.module_loading import module_has_submodule

from apps.core.scale import pooler, server_connections
from project.config import ROOT, Environment, Refusal, environment_read
from project.database import embedded, parameters, roles
from project.launcher import checks
from project.launcher.memory import memory_save

# Objects between two collections of garbage until the process serves. Imported packages leave none: with Python's own
# thresholds a sixth of the time of their import is spent on collections, with these half of that.
COLLECTIONS = (10_000, 10, 10)
MIGRATION_LOCK = 0x70617274  # "part" in ASCII; an advisory lock of this project
REWRITES = (
    "The database role %s serves, and owns the tables or is a superuser: whoever breaks into a query may rewrite the "
    "audit. Let another role serve (docs/operations.md, Two roles)."
)
log = logging.getLogger(__name__)


def say(text: str) -> None:
    """Write a line for the operator to stdout."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def port_require(environment: Environment) -> None:
    """Raise Refusal if another program uses the port."""
    family = socket.AF_INET6 if ":" in environment.interface else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((environment.interface, environment.port))
        except OSError as error:
            raise Refusal(
                f"Port {environment.port} cannot be used: {error.strerror}. Choose another one: make run PORT=8001"
            ) from error


@contextmanager
def one_at_a_time() -> "Iterator[psycopg.Connection[Any]]":
    """Exclude other processes of the same database from this context, and yield a connection of the owner."""
    # Disable all time-outs, also those of the role: waiting for another process's migration is no error.
    endless = " ".join(f"-c {name}=0" for name in settings.TIMEOUTS)
    with psycopg.connect(**parameters.owner_connection_parameters(), autocommit=True, options=endless) as owner:
        owner.execute("SELECT pg_advisory_lock(%s)", [MIGRATION_LOCK])
        yield owner


def migrations() -> Iterator[tuple[str, str]]:
    """Yield app and name of every migration, by the names of the files: a web process needs no module of them."""
    for config in apps.get_app_configs():
        if module_has_submodule(config.module, "migrations"):
            folder = import_module(f"{config.name}.migrations").__path__
            yield from ((config.label, module.name) for module in pkgutil.iter_modules(folder))


def migrate() -> None:
    """Migrate the database's schema, in a process that is started only if migrations are pending.

    Raises Refusal if a migration fails, or if the database is too old to be migrated by this version.
    """
    applied = MigrationRecorder(connection).applied_migrations()
    if any(migration not in applied for migration in migrations()):
        checks.release_require()
        connection.close()
        # A separate process, because the settings give a migration other time-outs.
        command = [sys.executable, str(ROOT / "manage.py"), "migrate", "--no-input", "--verbosity=0"]
        if subprocess.run(command, check=False).returncode:  # noqa: S603
            raise Refusal("The database could not be migrated; the lines above say why.")


def content_load(environment: Environment) -> None:
    """Load the catalogue of pieces, the demo if configured, and what the search lacks. They only add missing rows.

    New works of an installed catalogue wait for `manage.py catalogue` where other processes may serve: those of the
    version before cannot show their categories.
    """
    from apps.competition.selectors.admin.pieces import catalogue_is_new  # noqa: PLC0415 - needs Django's set-up

    if catalogue_is_new() or not environment.database_url:
        call_command("catalogue", stdout=io.StringIO())
    if environment.demo:
        call_command("demo")
    call_command("search", "complete", stdout=io.StringIO())


def prepare(environment: Environment) -> None:
    """Do everything before serving. Raises Refusal if the site must not serve."""
    gc.set_threshold(*COLLECTIONS)
    memory_save()
    django.setup()
    from project.server import static_files  # noqa: PLC0415 - needs Django's set-up

    checks.site_require()
    port_require(environment)
    with one_at_a_time() as owner:
        roles.serving_role_prepare(owner)
        if settings.POOLED:
            pooler.timeouts_set(parameters.direct_connection_parameters())
        parameters.database_require(parameters.connection_parameters())
        migrate()
        content_load(environment)
    if not environment.on_loopback and roles.can_rewrite_audit(parameters.connection_parameters()):
        log.warning(REWRITES, connection.settings_dict["USER"])
    for sentence in (
        *pooler.findings(parameters.connection_parameters()),
        *server_connections.findings(parameters.direct_connection_parameters()),
        *parameters.replica_findings(),
    ):
        log.warning(sentence)
    if not environment.debug:
        static_files.collect()
    connection.close()


def launch() -> None:
    """Serve until stopped."""
    environment = environment_read()
    checks.settings_require()
    with embedded.database():
        prepare(environment)
        from project.launcher.serve import serve  # noqa: PLC0415 - imports the pages, which need Django's set-up

        ready = partial(say, f"\nParterre is at {environment.public_url} - stop it with Ctrl-C.\n")
        guard = serve(port=environment.port, interface=environment.interface, on_listen=ready)
        if guard is not None and not environment.database_url:
            guard.cancel()  # the embedded server may take longer to stop
        # From here on only the database must stop, and a second Ctrl-C must not interrupt that.
        signal.signal(signal.SIGINT, signal.SIG_IGN)


def main() -> None:
    """Launch the site. Exits quietly when stopped, or with a sentence when refused."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "project.settings")
    # Until the server handles these signals, they end the preparation quietly. A shell makes `command &` ignore SIGINT,
    # so the handler is set explicitly. It does not raise KeyboardInterrupt: after one that passed through `exec` of a
    # string, as in every named tuple, `python -m` ends with the signal although it was caught.
    for end in (signal.SIGINT, signal.SIGTERM):
        signal.signal(end, lambda *_: sys.exit(0))
    try:
        launch()
    except Refusal as refusal:
        sys.exit(str(refusal))
    except KeyboardInterrupt:  # in the moment before the server handles it
        sys.exit(0)


if __name__ == "__main__":
    main()
