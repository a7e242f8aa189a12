"""Test when a stage's ranking is being counted: while a long computation runs, and not after one that ended or died."""

import io
import os
import signal
import subprocess
import sys
from datetime import timedelta

import pytest
from django.core.management import call_command
from django.db import connection
from django.utils import timezone

from apps.accounts.actors import OPERATOR
from apps.ranking import method2, services
from apps.ranking.limits import COUNTED_LONG, LONGEST
from apps.ranking.models import RankingRun
from apps.ranking.selectors import run_get
from apps.ratings.models import PieceRating
from project.config import ROOT
from tests.apps.ranking import waiting_computation
from tests.apps.ranking.halls import give, listeners
from tests.e2e import content

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def few_are_many(monkeypatch):
    monkeypatch.setattr(services, "COUNTED_LONG", 60)


@pytest.fixture
def watched(monkeypatch):
    """Return the list of what each computation sees of the newest run while the method computes."""
    seen, ranking = [], method2.ranking

    def watching(*marks, **seeds):
        seen.append(run_get(stage_id=seeds["stage"]))
        return ranking(*marks, **seeds)

    monkeypatch.setattr(method2, "ranking", watching)
    return seen


def another_rater(appearances):
    give(listeners(1)[0], appearances, [1, 2, 3, 4, 5])


def test_a_long_computation_is_noted_at_the_run_before_and_not_at_its_own(appearances, stage_id, watched, listener):
    services.ranking_compute(stage_id=stage_id)  # 60 marks are not more than the limit
    another_rater(appearances)
    listener.heard()
    first = run_get(stage_id=stage_id)
    services.ranking_compute(stage_id=stage_id)
    before, during = watched
    assert before is None
    assert during.id == first.id
    assert during.is_being_counted
    assert during.made_at == first.made_at
    after = run_get(stage_id=stage_id)
    assert (after.marks, after.counting_since, after.is_being_counted) == (65, None, False)
    assert not RankingRun.objects.filter(counting_since__isnull=False).exists()
    assert listener.heard() == {f"ranking.{stage_id}"}


def test_a_short_computation_is_not_noted(appearances, stage_id, watched, monkeypatch):
    monkeypatch.setattr(services, "COUNTED_LONG", COUNTED_LONG)
    services.ranking_compute(stage_id=stage_id)
    another_rater(appearances)
    services.ranking_compute(stage_id=stage_id)
    assert not watched[1].is_being_counted


def test_before_the_first_run_there_is_nothing_to_note(appearances, stage_id, watched, listener):
    another_rater(appearances)
    listener.heard()
    services.ranking_compute(stage_id=stage_id)
    assert watched == [None]
    assert run_get(stage_id=stage_id).marks == 65


def test_the_page_hears_of_the_beginning_before_the_end(appearances, stage_id, monkeypatch, listener):
    services.ranking_compute(stage_id=stage_id)
    another_rater(appearances)
    listener.heard()
    heard, ranking = [], method2.ranking

    def watching(*marks, **seeds):
        heard.append(listener.heard())
        return ranking(*marks, **seeds)

    monkeypatch.setattr(method2, "ranking", watching)
    services.ranking_compute(stage_id=stage_id)
    assert heard == [{f"ranking.{stage_id}"}]
    assert listener.heard() == {f"ranking.{stage_id}"}


@pytest.mark.parametrize("endless", [True, False], ids=["at the limit of CPU time", "with an error"])
def test_a_computation_that_ends_without_a_run_is_over(appearances, stage_id, monkeypatch, endless):
    services.ranking_compute(stage_id=stage_id)
    another_rater(appearances)
    seen = []

    def failing(*_marks, **_seeds):
        seen.append(run_get(stage_id=stage_id).is_being_counted)
        while endless:
            pass
        return 1 / 0

    monkeypatch.setattr(method2, "ranking", failing)
    monkeypatch.setattr(services, "CPU_LEAST", 1.0)
    call_command("ranking", "compute", str(stage_id), stderr=(said := io.StringIO()))
    assert "could not be computed" in said.getvalue()
    run = run_get(stage_id=stage_id)
    assert seen == [True]
    assert (run.marks, run.is_being_counted, run.failed_at is None) == (60, False, False)


def test_a_closed_ranking_is_not_being_counted(appearances, stage_id, monkeypatch):
    services.ranking_compute(stage_id=stage_id)
    another_rater(appearances)
    ranking = method2.ranking

    def closing(*marks, **seeds):
        assert run_get(stage_id=stage_id).is_being_counted
        services.ranking_close(actor=OPERATOR, stage_id=stage_id, confirmed=True)
        assert not run_get(stage_id=stage_id).is_being_counted
        return ranking(*marks, **seeds)

    monkeypatch.setattr(method2, "ranking", closing)
    services.ranking_compute(stage_id=stage_id)
    services.ranking_reopen(actor=OPERATOR, stage_id=stage_id)
    run = run_get(stage_id=stage_id)
    assert (run.marks, run.final_at, run.is_being_counted) == (60, None, False)


def test_one_closed_since_the_marks_were_read_is_not_noted(appearances, stage_id, watched, monkeypatch, listener):
    services.ranking_compute(stage_id=stage_id)
    another_rater(appearances)
    weights_of = services.weights_of

    def closing(*given):
        services.ranking_close(actor=OPERATOR, stage_id=stage_id, confirmed=True)
        listener.heard()
        return weights_of(*given)

    monkeypatch.setattr(services, "weights_of", closing)
    services.ranking_compute(stage_id=stage_id)
    assert watched[-1].counting_since is None
    assert listener.heard() == set()


@pytest.fixture
def killed(appearances, stage_id, tmp_path):
    """Leave behind a note of a computation, a process of its own, that was killed without its caller's notice."""
    services.ranking_compute(stage_id=stage_id)
    another_rater(appearances)
    os.mkfifo(pipe := tmp_path / "pipe")
    address = content.site_address(content.address(connection.settings_dict["NAME"]))
    environment = os.environ | {"DATABASE_URL": address, "DATABASE_DIRECT_URL": ""}
    command = [sys.executable, "-m", waiting_computation.MODULE, str(pipe), str(stage_id), "--json"]
    # the pipe opens for writing once the method has begun
    with subprocess.Popen(command, cwd=ROOT, env=environment) as child, pipe.open("w"):
        assert run_get(stage_id=stage_id).is_being_counted
        child.send_signal(signal.SIGKILL)
        assert child.wait() == -signal.SIGKILL
    assert RankingRun.objects.get().counting_since is not None
    return stage_id


def test_after_a_killed_process_the_next_computation_ends_the_count(killed):
    assert services.ranking_compute(stage_id=killed).run_id
    run = run_get(stage_id=killed)
    assert (run.marks, run.is_being_counted) == (65, False)


def test_after_a_killed_process_an_equal_run_ends_the_count(killed):
    newest = PieceRating.objects.order_by("-pk").values_list("user_id", flat=True).first()
    PieceRating.objects.filter(user=newest).delete()
    before = RankingRun.objects.get()
    assert services.ranking_compute(stage_id=killed).run_id == before.pk
    assert not run_get(stage_id=killed).is_being_counted


def test_after_a_killed_process_the_count_is_over_in_half_an_hour_by_any_clock(killed, monkeypatch):
    assert timedelta(minutes=30).total_seconds() == LONGEST
    now = timezone.now()
    for hours, is_being_counted in (
        (0, True),
        (0.4, True),
        (0.6, False),
        (9_000, False),
        (-0.4, True),
        (-9_000, False),
    ):
        monkeypatch.setattr(timezone, "now", lambda hours=hours: now + timedelta(hours=hours))
        assert run_get(stage_id=killed).is_being_counted is is_being_counted, hours


@pytest.mark.parametrize("days", [-400, 400], ids=["back", "forward"])
def test_a_clock_that_jumps_during_a_computation_leaves_no_note(appearances, stage_id, monkeypatch, days):
    services.ranking_compute(stage_id=stage_id)
    another_rater(appearances)
    ranking, now, seen = method2.ranking, services.database_now, []

    def jumping(*marks, **seeds):
        jumped = timezone.now() + timedelta(days=days)
        monkeypatch.setattr(services, "database_now", lambda: now() + timedelta(days=days))
        monkeypatch.setattr(timezone, "now", lambda: jumped)
        seen.append(run_get(stage_id=stage_id).is_being_counted)
        return ranking(*marks, **seeds)

    monkeypatch.setattr(method2, "ranking", jumping)
    services.ranking_compute(stage_id=stage_id)
    run = run_get(stage_id=stage_id)
    assert (seen, run.marks, run.counting_since) == ([False], 65, None)
