"""A complete start in real processes: from an empty folder to a page, two sites side by side, and a clean stop."""

import os
import signal
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest

from project.config import ROOT
from project.database.embedded import Cluster
from tests.e2e.server import free_port
from tests.project.config.test_settings import process as command
from tests.project.config.test_settings import site_environment
from tests.waiting import wait_until

READY = "Parterre is at "


@contextmanager
def site(data: Path, port: int, **environment: str) -> Iterator["subprocess.Popen[str]"]:
    """Start a site and yield its process."""
    own = site_environment(data, PORT=str(port), DRAIN_SECONDS="0.1", **environment)
    with subprocess.Popen(
        [sys.executable, "-m", "project.launcher.launch"], cwd=ROOT, text=True, start_new_session=True,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env={**os.environ, **own},
    ) as process:  # fmt: skip
        try:
            yield process
        finally:
            process.kill()


def output_until_ready(process: "subprocess.Popen[str]") -> str:
    """Return the output up to the line with the address."""
    assert process.stdout
    lines: list[str] = []
    for line in process.stdout:
        lines.append(line)
        if line.startswith(READY):
            return "".join(lines)
    raise AssertionError("".join(lines))


def status(port: int, path: str) -> int:
    """Return the status of this address. The process listens: it has printed its address."""
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=20) as response:
            return int(response.status)
    except urllib.error.HTTPError as error:
        return error.code


def stop(process: "subprocess.Popen[str]", how: signal.Signals) -> tuple[int, str]:
    process.send_signal(how)
    output, _ = process.communicate(timeout=60)
    return process.returncode, output


class FirstStart(NamedTuple):
    """The first start on an empty folder."""

    data: Path
    port: int
    output: str
    statuses: list[int]
    ended: tuple[int, str]


@pytest.fixture(scope="module")
def first_start(tmp_path_factory: pytest.TempPathFactory) -> FirstStart:
    """Start a site on an empty folder, request pages, and stop it."""
    folder, port = tmp_path_factory.mktemp("data"), free_port()
    with site(folder, port) as process:
        output = output_until_ready(process)
        statuses = [status(port, path) for path in ("/healthz", "/", "/static/missing.css")]
        return FirstStart(folder, port, output, statuses, stop(process, signal.SIGINT))


@pytest.fixture
def data(first_start: FirstStart) -> Path:
    """The data folder of a site that has served once."""
    return first_start.data


def test_first_start_serves_and_stops_its_database(first_start: FirstStart) -> None:
    assert f"{READY}http://localhost:{first_start.port} " in first_start.output
    assert first_start.statuses == [200, 200, 404]
    code, last = first_start.ended
    assert code == 0
    assert "Traceback" not in last
    assert not Cluster(first_start.data).answers()


# Variables that a shell may set for another server.
OTHER_SERVER = {
    "PGHOST": "other.example",
    "PGHOSTADDR": "192.0.2.1",
    "PGPORT": "6000",
    "PGUSER": "other",
    "PGDATABASE": "other",
    "PGOPTIONS": "-c search_path=other",
    "PGSERVICE": "other",
    "PGSSLMODE": "verify-full",
    "PGREQUIREAUTH": "scram-sha-256",
    "PGDATA": "/other",
}


def test_two_sites_share_a_database_ignore_another_server_and_stop_alone(data: Path) -> None:
    """A shell starts the first in the background, where SIGINT is ignored until the site handles it."""
    first_port, second_port = free_port(), free_port()
    handler = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with site(data, first_port) as first:
            signal.signal(signal.SIGINT, handler)
            with site(data, second_port, **OTHER_SERVER) as second:
                for each, port in ((first, first_port), (second, second_port)):
                    output_until_ready(each)
                    assert status(port, "/healthz") == 200
                assert stop(first, signal.SIGINT)[0] == 0
                assert status(second_port, "/") == 200
                is_ready = lambda: second.poll() is not None or status(second_port, "/readyz") == 200  # noqa: E731
                wait_until(is_ready, "the site is ready")
                listed = command(data, "manage.py", "live", "list", **OTHER_SERVER)
                assert (listed.returncode, listed.stderr) == (0, "")
                code, last = stop(second, signal.SIGTERM)
    finally:
        signal.signal(signal.SIGINT, handler)
    assert code == 0
    assert "Traceback" not in last
    assert not Cluster(data).answers()


def test_taken_port_is_refused_with_a_sentence(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with site(tmp_path, port) as process:
            output, _ = process.communicate(timeout=60)
    assert process.returncode == 1
    assert output == f"Port {port} cannot be used: Address already in use. Choose another one: make run PORT=8001\n"
    assert not Cluster(tmp_path).answers()


def test_interrupted_start_is_quiet_and_stops_the_database(tmp_path: Path) -> None:
    with site(tmp_path, free_port()) as process:
        pid_file = tmp_path / "postgres" / "postmaster.pid"
        wait_until(lambda: process.poll() is not None or pid_file.exists(), "the database starts")
        assert stop(process, signal.SIGINT) == (0, "")
    assert not Cluster(tmp_path).answers()


def test_interrupt_while_a_named_tuple_is_created_is_quiet(tmp_path: Path) -> None:
    (tmp_path / "interrupted.py").write_text(
        "import signal\n"
        "from project.launcher import launch\n"
        "launch.launch = lambda: exec('signal.raise_signal(signal.SIGINT)')\n"
        "launch.main()\n"
    )
    path = os.pathsep.join([str(tmp_path), str(ROOT)])
    ended = subprocess.run(
        [sys.executable, "-m", "interrupted"], env={**os.environ, "PYTHONPATH": path}, cwd=tmp_path,
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "", "")
