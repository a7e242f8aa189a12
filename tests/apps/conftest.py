"""Shared fixtures of the apps' tests: actors, and a listener on the real database."""

import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import psycopg
import pytest
from django.db import connection

from apps.accounts.actors import ANONYMOUS, Viewer
from apps.core.bus.topics import CHANNEL
from tests.factories import AdminFactory, UserFactory, viewer_of
from tests.pooled import direct_parameters


@pytest.fixture
def admin(db) -> Viewer:
    """Return an administrator."""
    return viewer_of(AdminFactory())


@pytest.fixture(params=["fan", "anonymous", "administrator who was deactivated", "administrator who lost the right"])
def unprivileged(request, db) -> Viewer:
    """Return each viewer without administrator rights; the last two were loaded before their account changed."""
    if request.param == "anonymous":
        return ANONYMOUS
    if request.param == "fan":
        return viewer_of(UserFactory())
    user = AdminFactory()
    viewer = viewer_of(user)
    user.is_active, user.is_admin = request.param.endswith("right"), not request.param.endswith("right")
    user.save()
    return viewer


@dataclass
class Listener:
    """A separate connection that listens like the bus."""

    connection: psycopg.Connection

    def heard(self) -> set[str]:
        """Return the topics published since the last call. A NOTIFY of the mark follows everything committed so far."""
        self.connection.execute("SELECT pg_notify(%s, 'mark')", [CHANNEL])
        topics: set[str] = set()
        while "mark" not in topics:
            topics |= {note.payload for note in self.connection.notifies(timeout=5, stop_after=1)}
        return topics - {"mark"}


@pytest.fixture
def listener(transactional_db) -> Iterator[Listener]:
    """Return a listener on the test's database."""
    with psycopg.connect(**direct_parameters(), autocommit=True) as listening:
        listening.execute(f"LISTEN {CHANNEL}")
        yield Listener(listening)


def run_together(*actions: Callable[[], object], connect: bool = True) -> list[object]:
    """Run the actions at the same moment in threads and return their results or exceptions, in order.

    Each thread connects to the database before the start, unless `connect` is false.
    """
    results: list[object] = [None] * len(actions)
    start = threading.Barrier(len(actions))

    def run(index: int, action: Callable[[], object]) -> None:
        try:
            if connect:
                connection.ensure_connection()
            start.wait(20)
            results[index] = action()
        except Exception as error:  # noqa: BLE001 - handed to the test
            results[index] = error
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=pair) for pair in enumerate(actions)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
    return results
