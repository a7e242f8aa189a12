"""A real streaming replica of the embedded server that all tests use; it can lag, stop and restart."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import mkdtemp
from typing import Any
from urllib.parse import urlencode, urlsplit

import pytest
from django.db import connection

from project.config import environment_read
from project.database.embedded import SUPERUSER, Cluster
from tests.e2e import content


class ReplicaServer:
    """A read replica of a primary; it lags while it is paused."""

    def __init__(self, primary: Cluster) -> None:
        self.primary = primary
        self.data = Path(mkdtemp(prefix="parterre-standby-"))
        self.cluster = Cluster(self.data)

    def make(self) -> None:
        """Copy the primary's data and start replication."""
        if not (self.primary.programs / "pg_basebackup").exists():
            pytest.skip("left out: the embedded server came without pg_basebackup")
        runner = self.primary.runner(self.primary.folder)
        runner.give(self.data)
        self.cluster.folder.mkdir(mode=0o700)
        runner.give(self.cluster.folder)
        self.primary.run(
            runner, "pg_basebackup", f"--pgdata={self.cluster.folder}", f"--host={self.primary.sockets}",
            f"--username={SUPERUSER}", "--wal-method=stream", "--checkpoint=fast", "--write-recovery-conf",
        )  # fmt: skip
        self.start()

    def start(self) -> None:
        """Start the replica and wait until it answers."""
        self.cluster.leftovers_clear()
        self.cluster.launch()

    def stop(self) -> None:
        """Stop the replica; open connections are closed."""
        cluster = self.cluster
        if cluster.server_lives():  # not whether it answers, which may take long on a busy machine
            cluster.run(
                cluster.runner(cluster.folder), "pg_ctl", "stop", "--wait", "--mode=fast", f"--pgdata={cluster.folder}"
            )

    def pause(self) -> None:
        """Pause the replay: receive the primary's WAL without applying it."""
        with self.cluster.connection() as operator:
            operator.execute("SELECT pg_wal_replay_pause()")
            while operator.execute("SELECT pg_get_wal_replay_pause_state()").fetchone() != ("paused",):
                pass

    def resume(self) -> None:
        """Resume the replay."""
        with self.cluster.connection() as operator:
            operator.execute("SELECT pg_wal_replay_resume()")

    def has_all(self) -> bool:
        """Return whether the replica has replayed all of the primary's current WAL."""
        with self.primary.connection() as primary, self.cluster.connection() as own:
            end = primary.execute("SELECT pg_current_wal_insert_lsn()::text").fetchone()
            return own.execute("SELECT pg_last_wal_replay_lsn() >= %s::pg_lsn", end).fetchone() == (True,)

    def address(self, owner_address: str) -> str:
        """Return the address of this database on the replica, for a site's DATABASE_REPLICA_URL."""
        query = urlencode({"host": str(self.cluster.sockets)})
        return urlsplit(content.site_address(owner_address))._replace(query=query).geturl()

    def settings(self) -> dict[str, Any]:
        """Return the Django database settings of the test database on the replica."""
        known = connection.settings_dict
        pool = {"min_size": 1, "max_size": 12, "timeout": 1}
        return {"HOST": str(self.cluster.sockets), "NAME": known["NAME"], "OPTIONS": {**known["OPTIONS"], "pool": pool}}


@contextmanager
def replica_server() -> Iterator[ReplicaServer]:
    """Yield a running replica of the embedded server."""
    if environment_read().database_url:
        pytest.skip("left out: a standby is made of the embedded server only")
    made = ReplicaServer(Cluster(environment_read().data))
    try:
        made.make()
        yield made
    finally:
        made.stop()
        shutil.rmtree(made.data, ignore_errors=True)
