"""One process at a time computes rankings, in its own time, and another takes over."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta

import psycopg
import pytest

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
from tests.screen import SECONDS

pytestmark = pytest.mark.django_db(transaction=True)
HOLDERS = """
SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND granted
AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
AND objid = (hashtext('parterre ranking computes')::bigint & 4294967295)::oid
"""


@pytest.fixture(autouse=True)
def quick(monkeypatch) -> None:
    """Times of a test: what takes half a minute and five seconds takes a fifth of a second."""
    monkeypatch.setattr(ranking_worker, "EVERY", 0.2)
    monkeypatch.setattr(ranking_worker, "ASKED_EVERY", 0.2)


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
    async with asyncio.timeout(SECONDS):
        while not await in_thread(work):  # noqa: ASYNC110 - the database is looked at
            await asyncio.sleep(0.02)


def runs(stage_id: int) -> list[int]:
    return list(RankingRun.objects.filter(stage_id=stage_id).order_by("pk").values_list("marks", flat=True))


async def test_two_processes_never_compute_at_once_and_the_other_takes_over(stage_id, monkeypatch) -> None:
    under_way: list[str] = []
    most = 0
    answer = ranking_worker.ranking_answer

    async def watched(marks: str):
        nonlocal most
        under_way.append(marks)
        most = max(most, len(under_way))
        try:
            return await answer(marks)
        finally:
            under_way.remove(marks)

    monkeypatch.setattr(ranking_worker, "ranking_answer", watched)
    async with workers(3) as made:
        await until(lambda: runs(stage_id) == [48])
        (elected,) = (each for each in made if each.is_elected)
        for total in (52, 56):
            await in_thread(lambda: _another_listener(stage_id))
            await until(lambda total=total: total in runs(stage_id))
        assert [each.computations > 0 for each in made] == [each is elected for each in made]
        await in_thread(_connection_of_the_elected_end)
        await until(
            lambda: (
                any(each.is_elected and each.computations for each in made if each is not elected)
                or (elected.is_elected and elected.computations > 3)
            )
        )
        assert sum(each.is_elected for each in made) == 1
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


async def test_it_computes_again_when_the_next_account_is_a_day_old(stage_id) -> None:
    await in_thread(lambda: _another_listener(stage_id))
    newest = await in_thread(lambda: User.objects.order_by("-pk").first())
    born = datetime.now(UTC) - timedelta(days=1) + timedelta(seconds=3)
    await in_thread(lambda: User.objects.filter(pk=newest.pk).update(created_at=born))
    async with workers(1):
        await until(lambda: runs(stage_id) == [48])
        await until(lambda: 52 in runs(stage_id))


async def test_a_failure_is_logged_noted_and_tried_again(stage_id, monkeypatch, caplog) -> None:
    monkeypatch.setattr(ranking_worker, "AGAIN", 0.5)
    answer = ranking_worker.ranking_answer

    async def failing(marks: str):
        raise ranking_worker.ComputationFailed("no answer within 20 s")

    async with workers(1):
        await until(lambda: runs(stage_id) == [48])
        monkeypatch.setattr(ranking_worker, "ranking_answer", failing)
        await in_thread(lambda: _another_listener(stage_id))
        await until(lambda: RankingRun.objects.filter(stage_id=stage_id, failed_at__isnull=False).exists())
        monkeypatch.setattr(ranking_worker, "ranking_answer", answer)
        await until(lambda: 52 in runs(stage_id))
    assert any(f"the ranking of stage {stage_id} could not be computed" in each.message for each in caplog.records)
