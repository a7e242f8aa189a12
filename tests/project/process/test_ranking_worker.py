"""One process at a time computes rankings, in its own time, and another takes over."""

import asyncio
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta

import psycopg
import pytest
from django.db import connection

from apps.accounts.actors import OPERATOR
from apps.accounts.models import User
from apps.core.bus import Bus
from apps.core.threads import in_thread
from apps.ranking import services
from apps.ranking.models import RankingRun
from apps.ratings.enums import RatingKind
from apps.ratings.models import PieceRating
from apps.ratings.services import mark_approve
from project.database.parameters import connection_parameters
from project.process import ranking_worker
from project.process.ranking_worker import RankingWorker
from tests.apps.ranking.halls import audience, give, listeners, stage_of
from tests.e2e import content
from tests.screen import SECONDS

PATIENCE = 120.0  # seconds: what computes gives way to everything else on a busy machine
pytestmark = pytest.mark.django_db(transaction=True)
HOLDERS = """
SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND granted
AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
AND objid = (hashtext('parterre ranking computes')::bigint & 4294967295)::oid
"""


@pytest.fixture(autouse=True)
def quick(db, monkeypatch) -> None:
    """Times of a test, a fifth of a second instead of half a minute; processes that compute find its database."""
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
    """Workers as in so many processes, each with a bus and a connection of its own."""
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


async def until(work) -> None:
    """Wait until it is so."""
    async with asyncio.timeout(PATIENCE):
        while not await in_thread(work):  # noqa: ASYNC110 - the database is looked at
            await asyncio.sleep(0.02)


def runs(stage_id: int) -> list[int]:
    return list(RankingRun.objects.filter(stage_id=stage_id).order_by("pk").values_list("marks", flat=True))


async def test_two_processes_never_compute_at_once_and_the_other_takes_over(stage_id, monkeypatch) -> None:
    under_way = most = 0
    compute = ranking_worker.computation

    async def watched(stages):
        nonlocal under_way, most
        under_way += 1
        most = max(most, under_way)
        try:
            return await compute(stages)
        finally:
            under_way -= 1

    monkeypatch.setattr(ranking_worker, "computation", watched)
    async with workers(3) as made:
        await until(lambda: runs(stage_id) == [48])
        (elected,) = (each for each in made if each.is_elected)
        for total in (52, 56):
            await in_thread(lambda: _another_listener(stage_id))
            await until(lambda total=total: total in runs(stage_id))
        assert [each.computations > 0 for each in made] == [each is elected for each in made]
        await in_thread(_connection_of_the_elected_end)
        before = elected.computations
        await until(lambda: not elected.is_elected or elected.computations > before)
        await until(lambda: sum(each.is_elected for each in made) == 1)
        await in_thread(lambda: _another_listener(stage_id))
        await until(lambda: 60 in runs(stage_id))
    assert most == 1


def _another_listener(stage_id: int) -> None:
    """Somebody marks all performances, and the last mark is approved by a moderator, which is heard."""
    from apps.competition.models import SessionParticipant

    appearances = list(SessionParticipant.objects.filter(session__stage_id=stage_id).order_by("pk"))
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


async def test_a_closed_ranking_is_left_alone_and_an_opened_one_is_computed(stage_id) -> None:
    async with workers(1):
        await until(lambda: runs(stage_id) == [48])
        await in_thread(lambda: services.ranking_close(actor=OPERATOR, stage_id=stage_id, confirmed=True))
        await in_thread(lambda: _another_listener(stage_id))
        other = await in_thread(_other_stage)
        await until(lambda: runs(other) == [48])  # a stage that came later, and after it: the closed one was passed
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


@pytest.mark.parametrize("margin", [4, 3_600])
async def test_it_computes_again_when_the_next_account_is_a_day_old(stage_id, margin) -> None:
    await in_thread(lambda: _another_listener(stage_id))
    newest = await in_thread(lambda: User.objects.order_by("-pk").first())
    born = datetime.now(UTC) - timedelta(days=1) + timedelta(seconds=margin)
    await in_thread(lambda: User.objects.filter(pk=newest.pk).update(created_at=born))
    async with workers(1) as (worker,):
        await until(lambda: runs(stage_id))
        if margin == 3_600:
            assert await in_thread(lambda: runs(stage_id)) == [48]
            await until(lambda: worker.due)
            assert 0 < worker.due[stage_id] - asyncio.get_running_loop().time() <= margin
        else:
            await until(lambda: 52 in runs(stage_id))


async def test_a_failure_is_logged_noted_and_tried_again(stage_id, monkeypatch, caplog, tmp_path) -> None:
    monkeypatch.setattr(ranking_worker, "AGAIN", 0.5)
    program, broken = ranking_worker.PROGRAM, tmp_path / "broken.py"
    broken.write_text("raise SystemExit('no such mark')")
    async with workers(1):
        await until(lambda: runs(stage_id) == [48])
        monkeypatch.setattr(ranking_worker, "PROGRAM", (sys.executable, str(broken)))
        await in_thread(lambda: _another_listener(stage_id))
        await until(lambda: RankingRun.objects.filter(stage_id=stage_id, failed_at__isnull=False).exists())
        monkeypatch.setattr(ranking_worker, "PROGRAM", program)
        await until(lambda: 52 in runs(stage_id))
    assert "no such mark" in caplog.text


async def test_a_process_that_takes_too_long_is_ended(monkeypatch, tmp_path) -> None:
    endless, its_pid = tmp_path / "endless.py", tmp_path / "pid"
    endless.write_text(
        "import os, pathlib, sys\npathlib.Path(sys.argv[1]).write_text(str(os.getpid()))\nwhile True: pass"
    )
    monkeypatch.setattr(ranking_worker, "PROGRAM", (sys.executable, str(endless), str(its_pid)))
    monkeypatch.setattr(ranking_worker, "LONGEST", 3.0)
    with pytest.raises(TimeoutError):
        await ranking_worker.computation([1])
    with pytest.raises(ProcessLookupError):
        os.kill(int(its_pid.read_text()), 0)


async def test_its_process_has_a_lower_priority(monkeypatch, tmp_path) -> None:
    says, go = tmp_path / "says.py", tmp_path / "go"
    os.mkfifo(go)
    says.write_text("import json, os, sys\nopen(sys.argv[1]).read()\nprint(json.dumps({1: os.nice(0)}))")
    monkeypatch.setattr(ranking_worker, "PROGRAM", (sys.executable, str(says), str(go)))
    computing = asyncio.create_task(ranking_worker.computation([1]))
    await asyncio.to_thread(go.write_text, "")  # it opens when the process reads, which is after its start
    assert await computing == {1: min(19, os.nice(0) + ranking_worker.PRIORITY)}
