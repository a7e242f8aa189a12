"""The database server and the test databases of every test process (the xdist controller and its workers)."""

import gc
import logging
import os
import shlex
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from shutil import rmtree
from tempfile import gettempdir
from typing import Any

import hypothesis
import psycopg
import pytest
from hypothesis.internal import charmap

from apps.core.database.autocommit_pool import autocommit_pool
from apps.core.observability import ErrorLogHandler, row_limit
from project.config import environment_read
from project.database import embedded
from tests import time_limit
from tests.costs import Collected, Costs
from tests.e2e import content
from tests.e2e.server import RUN, run_folder
from tests.hashing import QUICK
from tests.order import ordered
from tests.rate_limits import attempts_clear

HELD = ExitStack()
CLEARED: list[tuple[str, Any]] = []  # the free connections of the counters' pool after the last clearing
# Objects between two collections of garbage, also while tests are collected. Python's own thresholds cost 8 % of the
# CPU time of tests that render.
gc.set_threshold(10_000, 10, 10)
PREFIX = "test_parterre_"
LOOSE = "-c synchronous_commit=off"  # test data need not survive a crash
# Most tests are one transaction, which may be slow on a busy machine and hold its locks for long.
ENDLESS = "-c transaction_timeout=0 -c idle_in_transaction_session_timeout=0 -c lock_timeout=5s"


# No deadline: a busy machine makes correct code slow. `make test` repeats the same few examples; `make soak` tries more
# of them (EXAMPLES), and new ones.
EXAMPLES = int(os.environ.get("EXAMPLES", "25"))
hypothesis.settings.register_profile(
    "parterre", deadline=None, derandomize="FRESH" not in os.environ, max_examples=EXAMPLES
)
hypothesis.settings.load_profile("parterre")


def alive(pid: int) -> bool:
    """Return whether a process with this id runs."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def leftovers_drop() -> None:
    """Drop the test databases and remove the folders of killed runs."""
    for folder in Path(gettempdir()).glob(f"{PREFIX}*"):
        if not alive(int(folder.name.removeprefix(PREFIX))):
            rmtree(folder, ignore_errors=True)
    with embedded.Cluster(environment_read().data).connection() as connection:
        rows = connection.execute("SELECT datname FROM pg_database WHERE starts_with(datname, %s)", [PREFIX])
        for (name,) in rows.fetchall():
            owner = str(name).removeprefix(PREFIX).partition("_")[0]
            if owner.isdigit() and not alive(int(owner)):
                connection.execute(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')


def characters_prepare() -> None:
    """Let another process build Hypothesis's table of characters: that needs 2 s and 200 MB, once for all workers."""
    if not charmap.charmap_file().exists():
        command = [sys.executable, "-c", "from hypothesis.internal import charmap; charmap.charmap()"]
        subprocess.run(command, check=True)


class Failures:
    """Names each failed test when it fails, and at the end the command that repeats them."""

    def __init__(self, config: pytest.Config) -> None:
        self.plugins = config.pluginmanager
        self.names: dict[str, None] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Print the name of a failed test: the reports come at the end."""
        if report.failed and (terminal := self.plugins.get_plugin("terminalreporter")):
            self.names[report.nodeid] = None
            terminal.write_line(f" FAILED {report.nodeid}")

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        """Print the command that repeats the failed tests."""
        if self.names:
            terminalreporter.write_line(f"repeat them: .venv/bin/python -m pytest {shlex.join(self.names)}")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Order the tests for the workers of this run."""
    if worker := getattr(config, "workerinput", None):
        items[:] = ordered(items, worker["workercount"])


def pytest_collection_finish(session: pytest.Session) -> None:
    """Leave what was imported out of all collections of garbage, as a web process does."""
    gc.collect()
    gc.freeze()


def pytest_configure(config: pytest.Config) -> None:
    """Start or join the database server. The xdist controller also cleans up after killed runs."""
    from django.conf import settings

    HELD.enter_context(embedded.database())
    # Tests run without collected static files: their addresses have no hashes, even if there is a collected copy.
    plain = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    settings.STORAGES = {**settings.STORAGES, "staticfiles": plain}
    settings.PASSWORD_HASHERS = QUICK
    # Do not store logged errors: a background thread would write them to the database of another test.
    root = logging.getLogger()
    for handler in [each for each in root.handlers if isinstance(each, ErrorLogHandler)]:
        root.removeHandler(handler)
    config.pluginmanager.register(costs := Costs())
    config.pluginmanager.register(time_limit)
    if hasattr(config, "workerinput"):
        return
    config.pluginmanager.register(Failures(config))
    if path := os.environ.get("COSTS"):
        config.pluginmanager.register(Collected(Path(path), costs))
    if config.getoption("numprocesses", None):
        characters_prepare()
    os.environ[RUN] = f"{PREFIX}{os.getpid()}"  # workers inherit it
    HELD.callback(run_tidy)
    if not environment_read().database_url:
        try:
            leftovers_drop()
        except psycopg.Error as error:  # two runs that begin together drop the same leftovers
            config.issue_config_time_warning(pytest.PytestConfigWarning(str(error)), stacklevel=2)


def run_tidy() -> None:
    """Remove the folder and the database that all processes of this run share (`tests/e2e/server.py`)."""
    if run_folder().exists():
        rmtree(run_folder())
        with psycopg.connect(content.address("postgres"), autocommit=True) as operator:
            operator.execute(f'DROP DATABASE IF EXISTS "{run_folder().name}_demo" WITH (FORCE)')


def pytest_unconfigure(config: pytest.Config) -> None:
    """Release the database server."""
    HELD.close()


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings_parallel_suffix: None) -> str:
    """Give each process its own test databases, so that concurrent runs are isolated. Return the tests' options."""
    from django.conf import settings
    from django.db import connection

    connection.close_pool()  # a test without a database may have opened it, as the serving role
    default = settings.DATABASES["default"]
    strict = f"{default['OPTIONS']['options']} {LOOSE} {ENDLESS}"
    # The owner's role makes databases, roles and the schema; the tests then run as the serving role.
    if environment_read().database_url:
        default.update(settings.OWNER_DATABASE)
    else:
        default["USER"] = embedded.SUPERUSER
        strict = f"{strict} -c role={embedded.SITE}"
    # Creating a database on a busy disk takes longer than the site's query timeout.
    default["OPTIONS"]["options"] = LOOSE
    return strict


@pytest.fixture(scope="session")
def django_db_setup(
    django_test_environment: None, django_db_modify_db_settings: str, django_db_blocker: Any
) -> Iterator[None]:
    """Create the database of this process, and run the tests with the site's timeouts."""
    from django.conf import settings
    from django.db import connection
    from django.test import TransactionTestCase

    from apps.accounts import mail
    from tests.databases import migrated_database
    from tests.emptying import tables_empty

    options = settings.DATABASES["default"]["OPTIONS"]
    with ExitStack() as stack:
        with django_db_blocker.unblock():
            stack.enter_context(migrated_database(f"{PREFIX}{os.getpid()}"))
            connection.close()
            connection.close_pool()
        patch = stack.enter_context(pytest.MonkeyPatch.context())
        patch.setattr(TransactionTestCase, "_fixture_teardown", tables_empty)
        patch.setattr(mail, "PAUSE", 0.0)  # tests need no pause between an answer and its mail
        if os.environ.get("POOLER"):
            from tests.pooled import database_pooled

            stack.enter_context(database_pooled(django_db_modify_db_settings))
        else:
            options["options"] = django_db_modify_db_settings
        yield
        autocommit_pool.close()
        options["options"] = LOOSE
        stack.enter_context(django_db_blocker.unblock())


@pytest.fixture(autouse=True)
def attempts_forgotten() -> Iterator[None]:
    """Wait for a test's mails and clear its limits: neither is part of its transaction."""
    yield
    if "apps.accounts.mail" in sys.modules:
        from tests.mails import mails_settle

        mails_settle()
    # the pool puts a new entry into its list with each use
    if autocommit_pool.free and [*map(id, autocommit_pool.free)] != [*map(id, CLEARED)]:
        attempts_clear()
        CLEARED[:] = autocommit_pool.free
    row_limit.clear()
