"""The benchmark's database on the embedded server, and the server processes under measurement."""

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

from benchmarks import busy_session
from project.config import ROOT, environment_read
from project.database import embedded

DATABASE = "parterre_bench"
PORTS = range(8220, 8250)
PATIENCE = 60.0  # seconds until a start counts as failed
# Empty rather than absent: otherwise a file .env would set them.
BLANK = dict.fromkeys(("DEBUG", "SECRET_KEY", "ALLOWED_HOSTS", "INTERFACE", "VENUE_TIME_ZONE", "DEMO"), "")


@contextlib.contextmanager
def database(name: str) -> Iterator[str]:
    """Create an empty database of this name for this context, and yield its URL."""
    data = environment_read().data
    with embedded.lock_share(data):
        cluster = embedded.Cluster(data)
        with cluster.connection() as server:
            server.execute(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)'.encode())
            server.execute(f'CREATE DATABASE "{name}"'.encode())
        try:
            yield f"postgresql://{embedded.SUPERUSER}@/{name}?host={quote(str(cluster.sockets), safe='')}"
        finally:
            with cluster.connection() as server:
                server.execute(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)'.encode())


def free_port() -> int:
    """Return a free port of PORTS. Exits if all are in use."""
    for port in PORTS:
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            with contextlib.suppress(OSError):
                probe.bind(("127.0.0.1", port))
                return port
    raise SystemExit(f"All ports from {PORTS[0]} to {PORTS[-1]} are in use.")


@dataclass(frozen=True, slots=True)
class Serving:
    """A running server process."""

    pid: int
    port: int


@dataclass(frozen=True, slots=True)
class House:
    """The database and files of the benchmark's servers, and the ids in the database."""

    folder: Path
    database_url: str
    evening: dict[str, Any]

    def environment(self, port: int, kind: str) -> dict[str, str]:
        """Return the environment variables of a process of this kind."""
        return environment(self.folder, self.database_url, port) | {"BENCH_KIND": kind}

    @contextlib.contextmanager
    def server(self, kind: str, **variables: str) -> Iterator[Serving]:
        """Run a fresh process of the site with the peers mounted, and with additional environment variables."""
        port = free_port()
        command = [sys.executable, "-m", "benchmarks.server"]
        known = self.environment(port, kind) | variables
        with started(command, known, port, self.folder / f"{kind}.log") as serving:
            yield serving


def environment(folder: Path, database_url: str, port: int) -> dict[str, str]:
    """Return the environment variables of all processes: production's, on loopback, all viewers at one address."""
    return {
        **os.environ,
        **BLANK,
        "DJANGO_SETTINGS_MODULE": "benchmarks.settings",
        "DATABASE_URL": database_url.replace(f"//{embedded.SUPERUSER}@", f"//{embedded.SITE}@"),
        "OWNER_DATABASE_URL": database_url,
        "PARTERRE_DATA": str(folder),
        "PORT": str(port),
        "PUBLIC_URL": f"http://127.0.0.1:{port}",
        "DRAIN_SECONDS": "0",
        "VENUE_ADDRESSES": "127.0.0.0/8,::1",
    }


@contextlib.contextmanager
def started(command: list[str], variables: dict[str, str], port: int, log: Path) -> Iterator[Serving]:
    """Run `command` in this context, from its first answer. Exits if it does not start within PATIENCE."""
    with log.open("ab") as output:
        process = subprocess.Popen(
            command, cwd=ROOT, env=variables, stdin=subprocess.DEVNULL, stdout=output, stderr=output,
            start_new_session=True,
        )  # fmt: skip
    try:
        until = time.monotonic() + PATIENCE
        while not answers(port):
            if process.poll() is not None or time.monotonic() > until:
                raise SystemExit(f"A server did not start:\n{log.read_text(errors='replace')}")
            time.sleep(0.1)
        yield Serving(process.pid, port)
    finally:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def delivery(opened: House, serving: Serving, *, viewers: int, changes: int) -> dict[str, float]:
    """Return the milliseconds until the last viewer has a change of performer: median, 99th percentile and maximum."""
    order = {
        "kind": "site", "port": serving.port, "pid": serving.pid, "session": opened.evening["session"],
        "appearances": opened.evening["appearances"], "viewers": [viewers], "changes": changes, "rounds": 1,
    }  # fmt: skip
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.viewers", json.dumps(order)], cwd=ROOT, check=True, stdout=subprocess.PIPE
    )
    figures = json.loads(done.stdout)[str(viewers)]
    return {"last": figures["last_ms"], "p99": figures["p99_ms"], "worst": figures["worst_ms"]}


def answers(port: int) -> bool:
    """Return whether a server answers at the port, with any status."""
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz", timeout=5):
            return True
    except urllib.error.HTTPError:
        return True
    except (urllib.error.URLError, OSError):
        return False


@contextlib.contextmanager
def opened(name: str = DATABASE, participants: int = busy_session.APPEARANCES) -> Iterator[House]:
    """Create a database with one live session, and a folder for the servers' files."""
    with database(name) as database_url, tempfile.TemporaryDirectory(prefix="parterre-bench-") as folder:
        made = subprocess.run(
            [sys.executable, "-m", "benchmarks.busy_session", str(participants)], cwd=ROOT, check=True,
            stdout=subprocess.PIPE, env=environment(Path(folder), database_url, PORTS[0]),
        )  # fmt: skip
        yield House(Path(folder), database_url, json.loads(made.stdout.splitlines()[-1]))
