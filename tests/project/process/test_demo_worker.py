"""The worker of a living demo: one process does the steps, only while its windows are open, and another takes over."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta

import pytest
from django.db import OperationalError, connection

from apps.core.threads import in_thread
from apps.demo.enums import Act
from apps.demo.life.step import Life
from apps.live.models import SessionReaction
from project.database.parameters import connection_parameters
from project.process import demo_worker
from project.process.demo_worker import DemoWorker
from tests.apps.demo.living import demo_load, rows_of
from tests.factories import UserFactory
from tests.screen import SECONDS
from tests.waiting import until

pytestmark = pytest.mark.django_db(transaction=True)
WRITTEN = ("session_reactions", "session_comments", "posts", "piece_ratings", "audit_entries", "performing_times")
PIDS = "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'parterre demo test'"


@pytest.fixture(autouse=True)
def demo(db, settings, tmp_path, monkeypatch) -> None:
    """Let a demo live, and shorten the times between steps."""
    settings.DATA, settings.DEMO_ALIVE = tmp_path, True
    for name in ("LOOKS_EVERY", "ASKED_EVERY"):
        monkeypatch.setattr(demo_worker, name, 0.05)
    monkeypatch.setattr(demo_worker, "PACE", (0.01, 0.02))


@pytest.fixture
def loaded(demo) -> None:
    demo_load()


class Process:
    """A worker with a window that is open or not. It counts its steps, and how often it looked for windows."""

    def __init__(self, *, is_open: bool) -> None:
        self.is_open, self.looks, self.acts = is_open, 0, list[Act]()
        self.worker = DemoWorker(self._is_watched)

    def _is_watched(self) -> bool:
        self.looks += 1
        return self.is_open


def parameters() -> dict[str, str]:
    """Return libpq's parameters of a worker's connection."""
    known = {name: str(value) for name, value in connection_parameters().items() if value}
    return known | {"application_name": "parterre demo test"}


@asynccontextmanager
async def running(*processes: Process) -> AsyncIterator[None]:
    """Run these workers, each with a connection of its own."""
    tasks = [asyncio.create_task(each.worker.run(parameters())) for each in processes]
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


@pytest.fixture
def counted(monkeypatch) -> dict[DemoWorker, list[Act]]:
    """Return the acts of each worker, while it runs."""
    acts: dict[DemoWorker, list[Act]] = {}
    step = DemoWorker._step

    async def noted(worker, life, watched):
        act = await step(worker, life, watched)
        acts.setdefault(worker, []).append(act)
        return act

    monkeypatch.setattr(DemoWorker, "_step", noted)
    return acts


def connections() -> int:
    with connection.cursor() as cursor:
        cursor.execute(PIDS)
        return int(cursor.fetchone()[0])


async def test_one_process_acts_while_it_has_a_window_and_another_takes_over(loaded, counted) -> None:
    process, before = Process(is_open=False), await in_thread(lambda: rows_of(*WRITTEN))
    async with running(process):
        await until(lambda: process.looks > 10, "the worker has come so far")
        assert await in_thread(connections) == 0, "without a window"
    assert counted == {}
    assert await in_thread(lambda: rows_of(*WRITTEN)) == before
    first, second = Process(is_open=True), Process(is_open=True)
    async with running(first, second):
        await until(lambda: sum(map(len, counted.values())) >= 6, "the worker has come so far")
        assert len(counted) == 1
        one, other = (first, second) if first.worker in counted else (second, first)
        assert (one.worker.is_elected, other.worker.is_elected) == (True, False)
        one.is_open = False
        await until(lambda: len(counted.get(other.worker, ())) >= 3, "the worker has come so far")
        assert (one.worker.is_elected, other.worker.is_elected) == (False, True)
        done = len(counted[one.worker])
        other.is_open = False
        await until(lambda: not other.worker.is_elected, "the worker has come so far")
        assert len(counted[one.worker]) == done
    assert await in_thread(SessionReaction.objects.exists)


async def test_failed_step_is_logged_and_the_worker_continues(loaded, monkeypatch, caplog) -> None:
    process, failures = Process(is_open=True), [RuntimeError("a bug"), OperationalError("an outage")]
    done: list[timedelta] = []

    def step(_life, *, watched_for):
        if failures:
            raise failures.pop(0)
        done.append(watched_for)
        return Act.REACTED

    monkeypatch.setattr(Life, "step", step)
    async with running(process):
        await until(lambda: len(done) >= 2, "the worker has come so far")
    assert [each.getMessage() for each in caplog.records if each.name == demo_worker.__name__] == [
        "the demo could not do its next step",
        "the demo could not do its next step: an outage",
    ]
    assert done == sorted(done)


async def test_first_real_account_ends_the_worker(loaded, counted) -> None:
    process = Process(is_open=True)
    await in_thread(UserFactory)
    async with asyncio.timeout(SECONDS):
        await process.worker.run(parameters())
    assert counted[process.worker] == [Act.OVER]


async def test_disabled_worker_does_not_look_for_windows(settings) -> None:
    settings.DEMO_ALIVE = False
    process = Process(is_open=True)
    async with asyncio.timeout(SECONDS):
        await process.worker.run({})
    assert process.looks == 0
