"""Reads at a standby of the database, while it has everything that this process was told of; else at the primary.

    with reads_elsewhere() as reading:
        for each in reading.tries():
            with each:
                rows = list(…)

A commit's own place in the server's log is not known inside its transaction. So the first read after this process was
told of a change asks the primary how far its log is by now, once for all that was told together. Each read then asks
the standby whether it has come so far, on the connection that it reads from. Without DATABASE_REPLICA_URL nothing is
asked.
"""

import logging
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
from django.conf import settings
from django.db import Error, InterfaceError, OperationalError, connections

ALIAS = "replica"
LOG_END = "SELECT pg_current_wal_insert_lsn()::text"  # not where it is flushed: a commit may be told before it is
# None of a server that is no standby. What the primary has just written may still be on its way.
HAS_REPLAYED = """\
SELECT CASE WHEN NOT pg_is_in_recovery() THEN NULL
    WHEN pg_last_wal_replay_lsn() >= %(needed)s::pg_lsn THEN true
    WHEN pg_sleep(%(patience)s) IS NULL THEN false
    ELSE pg_last_wal_replay_lsn() >= %(needed)s::pg_lsn END
"""
PATIENCE = 0.01  # seconds that a read waits for a standby that is behind
AGAIN = 1.0  # seconds until one that did not answer is asked again
SAID_AFTER = 5.0  # seconds of being behind after which the log says so
log = logging.getLogger(__name__)


class StandbyFailed(BaseException):
    """The standby did not answer a query: past whatever catches failures, the read is made again at the primary."""


FAILURES = (StandbyFailed, OperationalError, InterfaceError)


class Standby:
    """What the standby must have before this process reads from it, and each thread's connection to it."""

    def __init__(self) -> None:
        self.told = object()  # another one whenever this process is told something
        self.needed: tuple[object, str] = (None, "")  # where the primary's log was, and what was told by then
        self.own = threading.local()
        self.away_until = 0.0  # the monotonic clock's
        self.behind_since: float | None = None
        self.is_said = False
        self.reads = {True: 0, False: 0}  # so far: at the standby, and at the primary instead

    def newest_require(self) -> None:
        """Have what is read from now on be no older than what is committed now, or was read at the primary before."""
        self.told = object()

    def connection(self) -> Any:
        """Return this thread's connection to the standby if that has what is needed, else None."""
        if time.monotonic() < self.away_until:
            self.reads[False] += 1
            return None
        elsewhere = self._of_thread()
        try:
            has_replayed = self._ask(elsewhere, self._needed(self.told))
        except (Error, StandbyFailed):  # whether it is away is watched elsewhere, and said there
            has_replayed, self.away_until = None, time.monotonic() + AGAIN
        self._note(has_replayed=has_replayed)
        if has_replayed:
            return elsewhere
        elsewhere.close()
        return None

    def stop(self) -> None:
        """Close the connections."""
        if settings.REPLICA_DATABASE:
            self._of_thread().close_pool()

    def _needed(self, told: object) -> str:
        """Return how far the primary's log was after this was told; asked once for each."""
        known = self.needed
        if known[0] is not told:
            primary = connections["default"]
            with primary.cursor() as cursor:
                cursor.execute(LOG_END)
                known = self.needed = (told, cursor.fetchone()[0])
            if not primary.in_atomic_block:
                primary.close()  # it goes back to the pool while the standby is read
        return known[1]

    def _ask(self, elsewhere: Any, needed: str) -> bool | None:
        with elsewhere.cursor() as cursor:
            cursor.execute(HAS_REPLAYED, {"needed": needed, "patience": PATIENCE})
            (answer,) = cursor.fetchone()
        has_replayed: bool | None = answer
        return has_replayed

    def _note(self, *, has_replayed: bool | None) -> None:
        """Count, and say once that the standby is behind and once that it is not any more."""
        self.reads[bool(has_replayed)] += 1
        if has_replayed:
            if self.is_said:
                log.warning("the standby has caught up")
            self.behind_since, self.is_said = None, False
        elif has_replayed is not None:
            now = time.monotonic()
            self.behind_since = self.behind_since or now
            if now - self.behind_since >= SAID_AFTER and not self.is_said:
                self.is_said = True
                log.warning("the standby is behind; the primary is read meanwhile")

    def _of_thread(self) -> Any:
        made = getattr(self.own, "connection", None)
        if made is None:
            default = connections["default"]
            made = type(default)({**default.settings_dict, **settings.REPLICA_DATABASE}, alias=ALIAS)
            made.execute_wrappers.append(_fail)
            self.own.connection = made
        return made


standby = Standby()


class Reading:
    """Where this thread reads at the moment: at the standby until that fails, or at the primary."""

    def __init__(self, primary: Any = None, elsewhere: Any = None) -> None:
        self.primary, self.elsewhere = primary, elsewhere
        self.is_due = False

    def tries(self) -> Iterator["Reading"]:
        """Yield this for a read that stands in `with`, and once more, at the primary, when the standby failed in it."""
        self.is_due = True
        while self.is_due:
            self.is_due = False
            yield self

    def __enter__(self) -> None:
        """Begin to read."""

    def __exit__(self, _type: object, error: BaseException | None, _trace: object) -> bool:
        """Go to the primary when the standby failed, which is then nobody's failure."""
        if self.elsewhere is None or not isinstance(error, FAILURES):
            return False
        self.end()
        self.is_due = True
        return True

    def end(self) -> None:
        """Read at the primary from now on."""
        if self.elsewhere is not None:
            connections["default"] = self.primary
            self.elsewhere.close()
            self.elsewhere = None


@contextmanager
def reads_elsewhere() -> Iterator[Reading]:
    """Until this ends this thread may read at the standby: all that uses Django's default connection does.

    A write fails there; it belongs elsewhere.
    """
    if not settings.REPLICA_DATABASE:
        yield Reading()
        return
    reading = Reading(connections["default"], standby.connection())
    if reading.elsewhere is not None:
        connections["default"] = reading.elsewhere
    try:
        yield reading
    finally:
        if reading.elsewhere is None:
            standby.newest_require()  # the primary may have shown what nobody was told of yet: nothing older may follow
        reading.end()


def _fail(execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:  # noqa: FBT001 - Django's shape
    """Run a query at the standby; a write that strayed here is the writer's failure, everything else the standby's."""
    try:
        return execute(sql, params, many, context)
    except Error as error:
        if isinstance(error.__cause__, psycopg.errors.ReadOnlySqlTransaction):
            raise
        raise StandbyFailed(str(error)) from error
