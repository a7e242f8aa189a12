"""Leader election of ranking workers: one process computes at a time, and another takes over."""

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from functools import partial

import psycopg
import pytest
from django.db import connection

from apps.accounts.actors import OPERATOR
from apps.accounts.models import User
from apps.competition.models import Session
from apps.competition.services.stages import stage_delete
from apps.core.bus.listeners import Bus
from apps.core.threads import in_thread
from apps.ranking import services
from apps.ranking.models import RankingRun
from apps.ranking.selectors import run_get
from apps.ratings.enums import RatingKind
from apps.ratings.models import PieceRating
from apps.ratings.services.moderation import mark_approve
from project.database.parameters import connection_parameters
from project.process import ranking_worker
from project.process.ranking_worker import RankingWorker
from tests import waiting
from tests.apps.ranking import waiting_computation
from tests.apps.ranking.halls import audience, give, listeners, stage_of
from tests.e2e import content
from tests.e2e.attached import rankings_compute
from tests.screen import SECONDS

PATIENCE = 120.0  # seconds: the computation has a low priority
pytestmark = pytest.mark.django_db(transaction=True)
HOLDERS = """
SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND granted
AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
AND objid = (hashtext('parterre ranking computes')::bigint & 4294967295)::oid
"""


IN_A_CHILD = ranking_worker.computation


@pytest.fixture(autouse=True)
def quick(db, monkeypatch) -> None:
    """Shorten the intervals from 30 s to 0.2 s, and compute in this process.

    A test that restores IN_A_CHILD computes in child processes, which have the test database.
    """
    monkeypatch.setattr(ranking_worker, "computation", rankings_compute)
    monkeypatch.setattr(ranking_worker, "EVERY", 0.2)
    monkeypatch.setattr(ranking_worker, "ASKED_EVERY", 0.2)
    monkeypatch.setattr(ranking_worker, "LONGEST", PATIENCE)
    monkeypatch.setenv("DATABASE_URL", content.site_address(content.address(connection.settings_dict["NAME"])))


@pytest.fixture
def stage_id(db) -> int:
    appearances = stage_of(4)
    audience(appearances, 12)
    return appearances[0].session.stage_id


@asynccontextmanager
async def workers(count: int) -> AsyncIterator[list[RankingWorker]]:
    """Run this many workers, each with a bus and a database connection of its own."""
    parameters = {name: str(value) for name, value in connection_parameters().items() if value}
    buses = [Bus() for _ in range(count)]
    made = [RankingWorker(bus) for bus in buses]
    tasks = [asyncio.create_task(each.run(parameters)) for each in (*buses, *made)]
    try:
        await asyncio.gather(*(asyncio.wait_for(bus.connected.wait(), SECONDS) for bus in buses))
        yield made
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def until(holds: Callable[[], object]) -> None:
    """Wait until the condition, which reads the database, is true."""
    await waiting.until(lambda: in_thread(holds), "the ranking is computed", seconds=PATIENCE)


def runs(stage_id: int) -> list[int]:
    return list(RankingRun.objects.filter(stage_id=stage_id).order_by("pk").values_list("marks", flat=True))


@pytest.mark.limit(300, reason="waits for a computation of low priority")
async def test_one_worker_computes_and_another_takes_over(stage_id, monkeypatch) -> None:
    computed_by: list[RankingWorker] = []
    under_way = most = 0
    compute = RankingWorker._compute

    async def watched(worker, stages):
        nonlocal under_way, most
        computed_by.append(worker)
        under_way += 1
        most = max(most, under_way)
        try:
            await compute(worker, stages)
        finally:
            under_way -= 1

    monkeypatch.setattr(RankingWorker, "_compute", watched)
    async with workers(3) as made:
        await until(lambda: runs(stage_id) == [48])
        (elected,) = (each for each in made if each.is_elected)
        for total in (52, 56):
            await in_thread(lambda: _another_listener(stage_id))
            await until(lambda total=total: total in runs(stage_id))
        assert set(computed_by) == {elected}
        assert most == 1
        await in_thread(_connection_of_the_elected_end)
        await in_thread(lambda: _another_listener(stage_id))
        await until(lambda: 60 in runs(stage_id))
        assert sum(each.is_elected for each in made) == 1
        assert computed_by[-1].is_elected
    assert under_way == 0


def _another_listener(stage_id: int) -> None:
    """A new listener rates all performances. A moderator approves the last mark, which publishes the change."""
    from apps.competition.models import Appearance

    appearances = list(Appearance.objects.filter(session__stage_id=stage_id).order_by("pk"))
    (user,) = listeners(1)
    give(user, appearances, [9, 10, 11, 12])
    last = PieceRating.objects.filter(user=user).order_by("pk").last()
    PieceRating.objects.filter(pk=last.pk).update(approved=False)
    mark_approve(actor=OPERATOR, kind=RatingKind.PIECE, mark_id=last.pk)


def _connection_of_the_elected_end() -> None:
    with psycopg.connect(**connection_parameters(), autocommit=True) as watching:
        holders = watching.execute(HOLDERS).fetchall()
        assert len(holders) == 1
        watching.execute("SELECT pg_terminate_backend(%s)", holders[0])


async def test_closed_ranking_is_not_computed_until_reopened(stage_id) -> None:
    async with workers(1):
        await until(lambda: runs(stage_id) == [48])
        await in_thread(lambda: services.ranking_close(actor=OPERATOR, stage_id=stage_id, confirmed=True))
        await in_thread(lambda: _another_listener(stage_id))
        other = await in_thread(_other_stage)
        await until(lambda: runs(other) == [48])  # the worker has passed over the closed stage
        assert await in_thread(lambda: runs(stage_id)) == [48]
        await in_thread(lambda: services.ranking_reopen(actor=OPERATOR, stage_id=stage_id))
        await until(lambda: 52 in runs(stage_id))


def _other_stage() -> int:
    from django.db import transaction

    from apps.competition.events import StagesChanged
    from apps.core.events import publish

    appearances = stage_of(4)
    audience(appearances, 12)
    with transaction.atomic():
        publish(StagesChanged())
    return appearances[0].session.stage_id


async def test_ranking_is_computed_when_an_account_is_a_day_old(stage_id) -> None:
    await in_thread(lambda: _another_listener(stage_id))
    for margin in (4, 8, 16, 32, 64):  # seconds: too late a first ranking is no evidence
        await in_thread(partial(_becomes_a_day_old, stage_id, margin))
        async with workers(1):
            await until(lambda: runs(stage_id))
            if await in_thread(lambda: runs(stage_id)) == [48]:
                await until(lambda: 52 in runs(stage_id))
                return
    pytest.fail("no first ranking came within a minute")


def _becomes_a_day_old(stage_id: int, seconds: float) -> None:
    """Set the newest account to become a day old in this many seconds, and delete the rankings."""
    newest = User.objects.order_by("-pk").first()
    born = datetime.now(UTC) - timedelta(days=1) + timedelta(seconds=seconds)
    User.objects.filter(pk=newest.pk).update(created_at=born)
    RankingRun.objects.filter(stage_id=stage_id).delete()


async def test_deleted_stage_is_not_computed(stage_id) -> None:
    gone = await in_thread(_other_stage)
    async with workers(1) as (worker,):
        await until(lambda: runs(gone) == [48])
        for total in (52, 56):  # once 52 is stored, the previous ranking is recorded
            await in_thread(lambda: _another_listener(stage_id))
            await until(lambda total=total: total in runs(stage_id))
            if total == 52:
                worker.due[gone] = asyncio.get_running_loop().time() + 3_600  # as if a listener were new
                await in_thread(partial(_stage_delete, gone))
    assert gone not in worker.due
    assert not await in_thread(RankingRun.objects.filter(failed_at__isnull=False).exists)


def _stage_delete(stage_id: int) -> None:
    PieceRating.objects.filter(appearance__session__stage=stage_id).delete()
    Session.objects.filter(stage_id=stage_id).delete()
    stage_delete(actor=OPERATOR, stage_id=stage_id)


async def test_failed_computation_is_logged_and_retried(stage_id, monkeypatch, caplog, tmp_path) -> None:
    monkeypatch.setattr(ranking_worker, "AGAIN", 0.5)
    broken = tmp_path / "broken.py"
    broken.write_text("raise SystemExit('no such mark')")
    async with workers(1):
        await until(lambda: runs(stage_id) == [48])
        monkeypatch.setattr(ranking_worker, "PROGRAM", (sys.executable, str(broken)))
        monkeypatch.setattr(ranking_worker, "computation", IN_A_CHILD)
        await in_thread(lambda: _another_listener(stage_id))
        failed = RankingRun.objects.filter(stage_id=stage_id, failed_at__isnull=False)
        await until(failed.exists)
        monkeypatch.setattr(ranking_worker, "computation", rankings_compute)
        await until(lambda: 52 in runs(stage_id))
    assert "no such mark" in caplog.text


async def test_killed_computation_is_retried(stage_id, monkeypatch, tmp_path) -> None:
    monkeypatch.setattr(ranking_worker, "AGAIN", 0.5)
    program, pipe = ranking_worker.PROGRAM, tmp_path / "pipe"
    os.mkfifo(pipe)
    async with workers(1):
        await until(lambda: runs(stage_id) == [48])
        children: list[int] = []
        spawn = asyncio.create_subprocess_exec

        async def noted(*command, **options):
            child = await spawn(*command, **options)
            children.append(child.pid)
            return child

        monkeypatch.setattr(asyncio, "create_subprocess_exec", noted)
        blocked = (sys.executable, "-m", waiting_computation.MODULE, str(pipe))
        monkeypatch.setattr(ranking_worker, "PROGRAM", blocked)
        monkeypatch.setattr(ranking_worker, "computation", IN_A_CHILD)
        await in_thread(lambda: _another_listener(stage_id))
        await until(lambda: run_get(stage_id=stage_id).is_being_counted)
        os.kill(children[-1], signal.SIGKILL)
        monkeypatch.setattr(ranking_worker, "PROGRAM", program)
        await until(lambda: not run_get(stage_id=stage_id).is_being_counted)
        await until(lambda: 52 in runs(stage_id))
    assert not await in_thread(RankingRun.objects.filter(counting_since__isnull=False).exists)


async def test_too_long_computation_is_ended(monkeypatch, tmp_path) -> None:
    endless, its_pid = tmp_path / "endless.py", tmp_path / "pid"
    endless.write_text(
        "import os, pathlib, sys\npathlib.Path(sys.argv[1]).write_text(str(os.getpid()))\nwhile True: pass"
    )
    monkeypatch.setattr(ranking_worker, "PROGRAM", (sys.executable, str(endless), str(its_pid)))
    monkeypatch.setattr(ranking_worker, "LONGEST", 3.0)
    with pytest.raises(TimeoutError):
        await IN_A_CHILD([1])
    with pytest.raises(ProcessLookupError):
        os.kill(int(its_pid.read_text()), 0)


async def test_computation_has_a_lower_priority(monkeypatch, tmp_path) -> None:
    script, go = tmp_path / "priority.py", tmp_path / "go"
    os.mkfifo(go)
    script.write_text("import json, os, sys\nopen(sys.argv[1]).read()\nprint(json.dumps({1: os.nice(0)}))")
    monkeypatch.setattr(ranking_worker, "PROGRAM", (sys.executable, str(script), str(go)))
    computing = asyncio.create_task(IN_A_CHILD([1]))
    await asyncio.to_thread(go.write_text, "")  # opens once the process reads, which is after its start
    assert await computing == {1: min(19, os.nice(0) + ranking_worker.PRIORITY)}
