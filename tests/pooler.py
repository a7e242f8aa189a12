"""A real PgBouncer in transaction mode on loopback, in front of the server that all tests use."""

import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import mkdtemp
from urllib.parse import parse_qs, quote, urlsplit

from django.conf import settings

from project.config import ROOT, environment_read
from project.database.embedded import SUPERUSER, Cluster, Runner, runner_for
from tests.e2e.server import free_port
from tests.nginx import changed
from tests.programs import listens, program

CONF = ROOT / "docs" / "operations" / "pgbouncer.ini"
PATIENCE = 60.0  # seconds


class Pooler:
    """A PgBouncer with at most `size` connections to each database for each role."""

    def __init__(self, *, size: int = 5) -> None:
        self.program, self.size, self.port = program("pgbouncer"), size, free_port()
        self.folder = Path(mkdtemp(prefix="parterre-pooler-"))
        self.process: subprocess.Popen[bytes] | None = None

    def runner(self) -> Runner:
        """Return the runner of the embedded server: its user is not root and may open the server's socket."""
        if environment_read().database_url:
            return runner_for(Path(self.program), self.folder) or Runner()
        cluster = Cluster(environment_read().data)
        return cluster.runner(cluster.folder)

    def configuration(self, server: str) -> str:
        """Return the configuration with the addresses and paths of this machine and trust authentication."""
        text = changed(CONF.read_text(), "host=database port=5432", server, 1)
        text = changed(text, "listen_addr = *", "listen_addr = 127.0.0.1", 1)
        text = changed(text, "listen_port = 6432", f"listen_port = {self.port}", 1)
        text = changed(text, "auth_type = scram-sha-256", "auth_type = trust", 1)
        text = changed(text, "/etc/pgbouncer/users.txt", f"{self.folder}/users.txt", 1)
        text = changed(text, "default_pool_size = 40", f"default_pool_size = {self.size}", 1)
        return f"{text}logfile = {self.folder}/log\npidfile = {self.folder}/pid\n"

    def start(self) -> None:
        """Start PgBouncer and wait until it listens."""
        site, owner = settings.SITE_DATABASE, settings.OWNER_DATABASE
        server = f"host={site['HOST']}" + (f" port={site['PORT']}" if site.get("PORT") else "")
        users = {each["USER"]: each.get("PASSWORD", "") for each in (site, owner)} | {SUPERUSER: ""}
        (self.folder / "users.txt").write_text("".join(f'"{name}" "{word}"\n' for name, word in users.items()))
        file = self.folder / "pgbouncer.ini"
        file.write_text(self.configuration(server))
        runner = self.runner()
        for each in (self.folder, *self.folder.iterdir()):
            runner.give(each)
        command = [*runner.prefix, self.program, "--quiet", str(file)]
        self.process = subprocess.Popen(command, **runner.options)
        until = time.monotonic() + PATIENCE
        while not listens(self.port):
            assert self.process.poll() is None, self.said()
            assert time.monotonic() < until, self.said()

    def said(self) -> str:
        """Return the log."""
        log = self.folder / "log"
        return log.read_text() if log.exists() else ""

    def address(self, direct: str) -> str:
        """Return the address of the database at `direct` through this pooler."""
        parts = urlsplit(direct)
        who = parts.netloc.rpartition("@")[0]
        assert set(parse_qs(parts.query)) <= {"host"}, "nothing else gets past a pooler"
        return parts._replace(netloc=f"{who}@127.0.0.1:{quote(str(self.port))}", query="").geturl()

    def stop(self) -> None:
        """Terminate PgBouncer."""
        if self.process is not None:
            self.process.terminate()
            self.process.wait(PATIENCE)
            self.process = None
        shutil.rmtree(self.folder, ignore_errors=True)


@contextmanager
def pooler(*, size: int = 5) -> Iterator[Pooler]:
    """Yield a running PgBouncer."""
    made = Pooler(size=size)
    try:
        made.start()
        yield made
    finally:
        made.stop()
