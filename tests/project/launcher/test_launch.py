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

import pytest

from project.config import ROOT
from project.database.embedded import Cluster
from tests.e2e.server import free_port
from tests.project.config.test_settings import OURS
from tests.project.config.test_settings import process as command

READY = "Parterre is at "


@contextmanager
def site(data: Path, port: int, **environment: str) -> Iterator["subprocess.Popen[str]"]:
    """Start a site and yield its process."""
    ours = {**dict.fromkeys(OURS, ""), "PARTERRE_DATA": str(data), "PORT": str(port), "DRAIN_SECONDS": "0.1"}
    with subprocess.Popen(
        [sys.executable, "-m", "project.launcher.launch"], cwd=ROOT, text=True, start_new_session=True,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        env={**os.environ, **ours, **environment},
    ) as process:  # fmt: skip
        try:
            yield process
        finally:
            process.kill()


def said_until_ready(process: "subprocess.Popen[str]") -> str:
    """Return the output up to the line with the address."""
    assert process.stdout
    lines: list[str] = []
    for line in process.stdout:
        lines.append(line)
        if line.startswith(READY):
            return "".join(lines)
    raise AssertionError("".join(lines))


def status(port: int, path: str) -> int:
    """Return the status of this address, after retrying until the process listens."""
    while True:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=20) as response:
                return int(response.status)
        except urllib.error.HTTPError as error:
            return error.code
        except urllib.error.URLError as error:
            if not isinstance(error.reason, ConnectionRefusedError):
                raise


def stop(process: "subprocess.Popen[str]", how: signal.Signals) -> tuple[int, str]:
    """Send a signal, and return the exit code and the last output."""
    process.send_signal(how)
    said, _ = process.communicate(timeout=60)
    return process.returncode, said


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The data folder of a site that has served once."""
    folder = tmp_path_factory.mktemp("data")
    with site(folder, free_port()) as process:
        said_until_ready(process)
        assert stop(process, signal.SIGINT)[0] == 0
    return folder


def test_from_nothing_to_a_page_and_back(tmp_path: Path) -> None:
    port = free_port()
    with site(tmp_path, port, DEMO="1") as process:
        said = said_until_ready(process)
        assert f"{READY}http://localhost:{port} " in said
        assert "Demo accounts" in said
        assert status(port, "/healthz") == 200
        assert status(port, "/") == 200
        assert status(port, "/static/missing.css") == 404
        code, last = stop(process, signal.SIGINT)
    assert code == 0
    assert "Traceback" not in last
    assert not Cluster(tmp_path).answers()


def test_the_next_start_serves_and_ends_as_a_service_manager_wants(data: Path) -> None:
    port = free_port()
    with site(data, port) as process:
        said_until_ready(process)
        assert status(port, "/healthz") == 200
        assert status(port, "/") == 200
        code, last = stop(process, signal.SIGTERM)
    assert code == 0
    assert "Traceback" not in last
    assert not Cluster(data).answers()


def test_site_that_a_shell_started_in_the_background_can_be_interrupted(data: Path) -> None:
    port = free_port()
    ignored = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with site(data, port) as process:
            signal.signal(signal.SIGINT, ignored)
            said_until_ready(process)
            assert status(port, "/healthz") == 200
            assert stop(process, signal.SIGINT)[0] == 0
    finally:
        signal.signal(signal.SIGINT, ignored)


def test_two_sites_share_a_database_and_each_stops_alone(data: Path) -> None:
    first_port, second_port = free_port(), free_port()
    with site(data, first_port) as first, site(data, second_port) as second:
        assert "Demo accounts" not in said_until_ready(first) + said_until_ready(second)
        assert (status(first_port, "/healthz"), status(second_port, "/healthz")) == (200, 200)
        assert stop(first, signal.SIGINT)[0] == 0
        assert status(second_port, "/") == 200
        assert stop(second, signal.SIGINT)[0] == 0
    assert not Cluster(data).answers()


# Variables that a shell may set for another server.
ANOTHER = {
    "PGHOST": "nowhere.example",
    "PGHOSTADDR": "192.0.2.1",
    "PGPORT": "6000",
    "PGUSER": "nobody",
    "PGDATABASE": "nothing",
    "PGOPTIONS": "-c search_path=nothing",
    "PGSERVICE": "nothing",
    "PGSSLMODE": "verify-full",
    "PGREQUIREAUTH": "scram-sha-256",
    "PGDATA": "/nowhere",
}


def test_variables_for_another_server_do_not_reach_the_embedded_one(data: Path) -> None:
    port = free_port()
    with site(data, port, **ANOTHER) as launched:
        said_until_ready(launched)
        assert status(port, "/") == 200
        while status(port, "/readyz") != 200:
            assert launched.poll() is None
        listed = command(data, "manage.py", "live", "list", **ANOTHER)
        assert (listed.returncode, listed.stderr) == (0, "")
        assert stop(launched, signal.SIGINT)[0] == 0
    assert not Cluster(data).answers()


def test_taken_port_is_said_plainly(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with site(tmp_path, port) as process:
            said, _ = process.communicate(timeout=60)
    assert process.returncode == 1
    assert said == f"Port {port} cannot be used: Address already in use. Choose another one: make run PORT=8001\n"
    assert not Cluster(tmp_path).answers()


def test_stop_during_the_start_is_quiet_and_leaves_nothing(tmp_path: Path) -> None:
    with site(tmp_path, free_port()) as process:
        while not (tmp_path / "postgres" / "postmaster.pid").exists():
            assert process.poll() is None
        code, said = stop(process, signal.SIGINT)
    assert (code, said) == (0, "")
    assert not Cluster(tmp_path).answers()


def test_stop_while_a_named_tuple_is_made_is_quiet(tmp_path: Path) -> None:
    (tmp_path / "interrupted.py").write_text(
        "import signal\n"
        "from project.launcher import launch\n"
        "launch.launch = lambda: exec('signal.raise_signal(signal.SIGINT)')\n"
        "launch.main()\n"
    )
    found = os.pathsep.join([str(tmp_path), str(ROOT)])
    ended = subprocess.run(
        [sys.executable, "-m", "interrupted"], env={**os.environ, "PYTHONPATH": found}, cwd=tmp_path,
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "", "")
