"""What every test needs: the database server, held by this process and by each of xdist's workers."""

import logging
import os
from contextlib import ExitStack

import psycopg
import pytest

from apps.core.log import ErrorLogHandler
from project import embedded
from project.environment import environment_read

HELD = ExitStack()
PREFIX = "test_parterre_"


def alive(pid: int) -> bool:
    """Whether a process with this number runs."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def leftovers_drop() -> None:
    """Drop the test databases of runs that were killed before they could."""
    with embedded.Cluster(environment_read().data).connection() as connection:
        rows = connection.execute("SELECT datname FROM pg_database WHERE starts_with(datname, %s)", [PREFIX])
        for (name,) in rows.fetchall():
            owner = str(name).removeprefix(PREFIX).partition("_")[0]
            if owner.isdigit() and not alive(int(owner)):
                connection.execute(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')


def pytest_configure(config: pytest.Config) -> None:
    """Hold the server; the run's leader also tidies up after runs that were killed."""
    from django.conf import settings

    HELD.enter_context(embedded.database())
    # Nothing is collected for a test: addresses of static files are plain, whatever is on the disk.
    plain = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    settings.STORAGES = {**settings.STORAGES, "staticfiles": plain}
    # A test's failures are its own: no thread writes them to whatever database there is.
    root = logging.getLogger()
    for handler in [each for each in root.handlers if isinstance(each, ErrorLogHandler)]:
        root.removeHandler(handler)
    if not hasattr(config, "workerinput") and not environment_read().database_url:
        try:
            leftovers_drop()
        except psycopg.Error as error:  # two runs that begin together drop the same leftovers
            config.issue_config_time_warning(pytest.PytestConfigWarning(str(error)), stacklevel=2)


def pytest_unconfigure(config: pytest.Config) -> None:
    """Let go of the server."""
    HELD.close()


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings_parallel_suffix: None) -> None:
    """Give every process its own test databases, so that runs beside each other do not meet."""
    from django.conf import settings

    default = settings.DATABASES["default"]
    # What a test has written need not survive a power cut.
    default["OPTIONS"]["options"] += " -c synchronous_commit=off"
    default["TEST"] = {**default.get("TEST", {}), "NAME": f"{PREFIX}{os.getpid()}"}
