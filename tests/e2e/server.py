"""The server process of the site under test, with its own port and database; a test may kill it."""

import fcntl
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import cycle
from pathlib import Path
from tempfile import gettempdir
from typing import IO

import psycopg
from django.conf import settings

from project.config import ROOT
from project.database.embedded import file_lock
from project.database.roles import serving_role
from tests.databases import migrated_template
from tests.e2e import content
from tests.time_limit import preparation

# The ports are below the system's ephemeral ports, so that a port is free again after a kill. Each process of a test
# run uses its own hundred, because two processes may find the same port free at once. Two concurrent runs may share a
# hundred, and a site answers only some time after the check: a lock file avoids this race condition.
FIRST_PORT = 20_000 + 100 * (os.getpid() % 100)
PORTS = cycle(range(FIRST_PORT, FIRST_PORT + 100))
LOCKS: dict[int, IO[str]] = {}
PATIENCE = 180.0  # seconds until a start without an exit has failed
RUN = "TEST_RUN"  # environment variable with the name of this test run, set by tests/conftest.py for all processes
# The preparation of a start before it serves.
PREPARE = """\
from project.config import environment_read
from project.launcher.launch import prepare

prepare(environment_read())
"""


def free_port() -> int:
    """Return a free port and lock it against other test runs until this process ends."""
    return next(port for port in PORTS if _is_ours(port) and _is_free(port))


def _is_ours(port: int) -> bool:
    if port in LOCKS:
        return True
    try:
        lock = (Path(gettempdir()) / f"parterre-port-{port}").open("w")
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    LOCKS[port] = lock
    return True


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
        return True


class Server:
    """One web process, started as by `make run`, with the serving role; its log persists across restarts."""

    module = "tests.e2e.attached"
    tree, python = ROOT, sys.executable

    def __init__(self, folder: Path, owner_database_url: str, **environment: str) -> None:
        self.port = free_port()
        self.address = f"http://localhost:{self.port}"
        self.log = folder / "server.log"
        # Empty rather than absent: a file .env would fill absent variables.
        blank = dict.fromkeys(("DEBUG", "ALLOWED_HOSTS", "INTERFACE", "VENUE_TIME_ZONE", "BUS_URL"), "")
        self.environment = {
            **os.environ,
            **blank,
            "DATABASE_URL": content.site_address(owner_database_url),
            "OWNER_DATABASE_URL": owner_database_url,
            "PARTERRE_DATA": str(folder),
            "PORT": str(self.port),
            "PUBLIC_URL": self.address,
            "SECRET_KEY": settings.SECRET_KEY,  # tests create sessions, which require their own key
            "DEMO": "1",
            "DEMO_ALIVE": "0",  # tests decide what happens
            "DRAIN_SECONDS": "0.2",
            **environment,
        }
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start the process and wait until it answers."""
        self.kill()
        static_files_copy(self.log.parent)
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [self.python, "-m", self.module], cwd=self.tree, env=self.environment, stdin=subprocess.PIPE,
                stdout=log, stderr=log, start_new_session=True,
            )  # fmt: skip
        until = time.monotonic() + PATIENCE
        while not self.answers():
            if self.process.poll() is not None or time.monotonic() > until:
                raise AssertionError(f"The site did not start:\n{self.said()}")
            time.sleep(0.05)

    def answers(self) -> bool:
        """Return whether the server answers at its port."""
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/healthz", timeout=5) as response:
                return bool(response.status == 200)
        except (urllib.error.URLError, OSError):
            return False

    def end(self, how: signal.Signals) -> int:
        """Send the signal, wait until the process ends, and return its exit code."""
        if self.process is None:
            return 0
        with self.process as ending:
            ending.send_signal(how)
            code = ending.wait(PATIENCE)
        self.process = None
        return code

    def kill(self) -> None:
        """Kill the process with SIGKILL, like a power cut."""
        self.end(signal.SIGKILL)

    def stop(self) -> int:
        """Stop the process with SIGTERM and return its exit code."""
        return self.end(signal.SIGTERM)

    def said(self, since: int = 0) -> str:
        """Return the server's log from byte `since`."""
        return self.log.read_bytes()[since:].decode(errors="replace") if self.log.exists() else ""


def run_folder() -> Path:
    """Return the folder that the processes of this test run share; the run's leader removes it."""
    return Path(gettempdir()) / os.environ.get(RUN, f"no-run-{os.getpid()}")


@contextmanager
def demo_database(name: str) -> Iterator[str]:
    """Yield the address of a new database with the demo, and drop it afterwards.

    One process of a test run prepares a template database; each copy takes a hundredth of that time.
    """
    folder = run_folder()
    folder.mkdir(exist_ok=True)
    template, made = f"{folder.name}_demo", folder / "made"
    with preparation(), file_lock(folder / "lock", fcntl.LOCK_EX):
        if not made.exists():
            _site_prepare(folder, template)
            made.touch()
    with content.database(name, template) as address:
        yield address


def _site_prepare(folder: Path, name: str) -> None:
    """Create this database as a copy of the migrated template, and prepare the demo there and in this folder."""
    migrated = migrated_template()
    with psycopg.connect(content.address("postgres"), autocommit=True) as operator:
        operator.execute(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')
        operator.execute(f'CREATE DATABASE "{name}" TEMPLATE "{migrated}"')
    if role := serving_role():  # only tests may empty tables
        with psycopg.connect(content.address(name)) as owner:
            owner.execute(f'REVOKE TRUNCATE ON ALL TABLES IN SCHEMA public FROM "{role}"')
    site = Server(folder, content.address(name))
    command = [site.python, "-c", PREPARE]
    done = subprocess.run(command, cwd=site.tree, env=site.environment, check=False, capture_output=True, text=True)
    assert done.returncode == 0, f"The site was not prepared:\n{done.stdout}{done.stderr}"


def static_files_copy(folder: Path) -> None:
    """Copy the static files of this run into a site's folder, so that a start need not collect them."""
    collected = run_folder() / "static"
    if (run_folder() / "made").exists() and not (folder / "static").exists():
        shutil.copytree(collected, folder / "static")
        shutil.copy(collected.with_name("static.stamp"), folder / "static.stamp")
