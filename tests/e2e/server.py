"""The site under a browser: a real server process on a port and a database of its own, which may be killed."""

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
from tests.e2e import content

# Below those that the system gives to clients, since ours must be free again after a kill; and each process of a test
# run takes its own hundred in turn, since two that are tried at the same moment are both free. Two runs at a time may
# have the same hundred, and a site answers at its port long after that was free: so a lock says whose it is.
FIRST_PORT = 20_000 + 100 * (os.getpid() % 100)
PORTS = cycle(range(FIRST_PORT, FIRST_PORT + 100))
LOCKS: dict[int, IO[str]] = {}
PATIENCE = 180.0  # seconds until a start has failed that did not end by itself
RUN = "TEST_RUN"  # names this run of tests in the environment, for all of its processes; tests/conftest.py sets it
# What a start does before it serves.
PREPARE = """\
from project.config import environment_read
from project.launcher.launch import prepare

prepare(environment_read())
"""


def free_port() -> int:
    """A port that nobody listens at, nor any other run of tests before this process ends."""
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
    """One web process, started as `make run` starts it, serving as the plain role; its log grows through its lives."""

    module = "tests.e2e.attached"
    tree, python = ROOT, sys.executable

    def __init__(self, folder: Path, owner_database_url: str, **environment: str) -> None:
        self.port = free_port()
        self.address = f"http://localhost:{self.port}"
        self.log = folder / "server.log"
        # Empty, and not merely absent: otherwise a file .env would fill them.
        blank = dict.fromkeys(("DEBUG", "ALLOWED_HOSTS", "INTERFACE", "VENUE_TIME_ZONE", "BUS_URL"), "")
        self.environment = {
            **os.environ,
            **blank,
            "DATABASE_URL": content.site_address(owner_database_url),
            "OWNER_DATABASE_URL": owner_database_url,
            "PARTERRE_DATA": str(folder),
            "PORT": str(self.port),
            "PUBLIC_URL": self.address,
            "SECRET_KEY": settings.SECRET_KEY,  # tests make sessions, which only their own key can read
            "DEMO": "1",
            "DRAIN_SECONDS": "0.2",
            **environment,
        }
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start and return once it answers."""
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
        """Whether somebody answers at the port."""
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/healthz", timeout=5) as response:
                return bool(response.status == 200)
        except (urllib.error.URLError, OSError):
            return False

    def end(self, how: signal.Signals) -> int:
        """Send the signal and return the exit code of the process, which is gone then."""
        if self.process is None:
            return 0
        with self.process as ending:
            ending.send_signal(how)
            code = ending.wait(PATIENCE)
        self.process = None
        return code

    def kill(self) -> None:
        """End it as a power cut would."""
        self.end(signal.SIGKILL)

    def stop(self) -> int:
        """Ask it to end and return its exit code."""
        return self.end(signal.SIGTERM)

    def said(self, since: int = 0) -> str:
        """What it has written, from byte `since` on."""
        return self.log.read_bytes()[since:].decode(errors="replace") if self.log.exists() else ""


def run_folder() -> Path:
    """Return where the processes of this run of tests keep what they share; the run's leader removes it."""
    return Path(gettempdir()) / os.environ.get(RUN, f"no-run-{os.getpid()}")


@contextmanager
def demo_database(name: str) -> Iterator[str]:
    """A database as a site with the demo leaves it before it first serves, as long as this lasts; gives its address.

    One process of a run of tests prepares a site; its database is copied in a hundredth of the time.
    """
    folder = run_folder()
    folder.mkdir(exist_ok=True)
    template, made = f"{folder.name}_demo", folder / "made"
    with file_lock(folder / "lock", fcntl.LOCK_EX):
        if not made.exists():
            _site_prepare(folder, template)
            made.touch()
    with content.database(name, template) as address:
        yield address


def _site_prepare(folder: Path, name: str) -> None:
    """Create this database, and do in it and in this folder what the first start of a site with the demo does."""
    with psycopg.connect(content.address("postgres"), autocommit=True) as operator:
        operator.execute(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')
        operator.execute(f'CREATE DATABASE "{name}"')
    site = Server(folder, content.address(name))
    command = [site.python, "-c", PREPARE]
    done = subprocess.run(command, cwd=site.tree, env=site.environment, check=False, capture_output=True, text=True)
    assert done.returncode == 0, f"The site was not prepared:\n{done.stdout}{done.stderr}"


def static_files_copy(folder: Path) -> None:
    """Give a site's folder the static files that this run has collected; a start collects them where they differ."""
    collected = run_folder() / "static"
    if (run_folder() / "made").exists() and not (folder / "static").exists():
        shutil.copytree(collected, folder / "static")
        shutil.copy(collected.with_name("static.stamp"), folder / "static.stamp")
