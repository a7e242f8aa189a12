"""Test when a stage's ranking is being counted: during a long computation, and not after it ended or was killed."""

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

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def low_threshold(monkeypatch):
    monkeypatch.setattr(services, "COUNTED_LONG", 60)


@pytest.fixture
def watched(monkeypatch):
    """Return a list with the newest run as each computation sees it while the method computes."""
    seen, ranking = [], method2.ranking

    def watching(*marks, **seeds):
        seen.append(run_get(stage_id=seeds["stage"]))
        return ranking(*marks, **seeds)

    monkeypatch.setattr(method2, "ranking", watching)
    return seen


def another_rater(appearances):
    give(listeners(1)[0], appearances, [1, 2, 3, 4, 5])


def test_long_computation_is_noted_at_the_previous_run(appearances, stage_id, watched, monkeypatch, listener):
    services.ranking_compute(stage_id=stage_id)  # 60 marks are not more than the limit
    another_rater(appearances)
    listener.heard()
    first = run_get(stage_id=stage_id)
    topics, ranking = [], method2.ranking

    def listening(*marks, **seeds):
        topics.append(listener.heard())
        return ranking(*marks, **seeds)

    monkeypatch.setattr(method2, "ranking", listening)
    services.ranking_compute(stage_id=stage_id)
    assert topics == [{f"ranking.{stage_id}"}], "published at the beginning"
    assert listener.heard() == {f"ranking.{stage_id}"}, "and at the end"
    before, during = watched
    assert before is None
    assert (during.id, during.made_at, during.is_being_counted) == (first.id, first.made_at, True)
    after = run_get(stage_id=stage_id)
    assert (after.marks, after.counting_since, after.is_being_counted) == (65, None, False)
    assert not RankingRun.objects.filter(counting_since__isnull=False).exists()


def test_first_and_short_computations_are_not_noted(appearances, stage_id, watched, monkeypatch):
    another_rater(appearances)
    services.ranking_compute(stage_id=stage_id)
    assert watched == [None]
    assert run_get(stage_id=stage_id).marks == 65
    monkeypatch.setattr(services, "COUNTED_LONG", COUNTED_LONG)
    another_rater(appearances)
    services.ranking_compute(stage_id=stage_id)
    assert not watched[1].is_being_counted


@pytest.mark.parametrize("endless", [True, False], ids=["at the limit of CPU time", "with an error"])
def test_failed_computation_is_no_longer_counted(appearances, stage_id, monkeypatch, endless):
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
    call_command("ranking", "compute", str(stage_id), stderr=(errors := io.StringIO()))
    assert "could not be computed" in errors.getvalue()
    run = run_get(stage_id=stage_id)
    assert seen == [True]
    assert (run.marks, run.is_being_counted, run.failed_at is None) == (60, False, False)


def test_closed_ranking_is_not_being_counted(appearances, stage_id, monkeypatch):
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


def test_ranking_closed_after_the_read_is_not_noted(appearances, stage_id, watched, monkeypatch, listener):
    services.ranking_compute(stage_id=stage_id)
    another_rater(appearances)
    weights_of = services.weights_of

    def closing(*arguments):
        services.ranking_close(actor=OPERATOR, stage_id=stage_id, confirmed=True)
        listener.heard()
        return weights_of(*arguments)

    monkeypatch.setattr(services, "weights_of", closing)
    services.ranking_compute(stage_id=stage_id)
    assert watched[-1].counting_since is None
    assert listener.heard() == set()


@pytest.mark.django_db(transaction=True)
def test_count_of_a_killed_process_ends(appearances, stage_id, tmp_path, monkeypatch):
    """It ends with an equal run, with the next run, and after half an hour, also if the clock was set back."""
    first = services.ranking_compute(stage_id=stage_id).run_id
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
    noted_at = RankingRun.objects.get().counting_since
    assert noted_at is not None

    assert timedelta(minutes=30).total_seconds() == LONGEST
    now = timezone.now()
    for hours in (-9_000, -0.4, 0, 0.4, 0.6, 9_000):
        with monkeypatch.context() as patch:
            patch.setattr(timezone, "now", lambda hours=hours: now + timedelta(hours=hours))
            assert run_get(stage_id=stage_id).is_being_counted == (abs(hours) < 0.5), hours

    newest = PieceRating.objects.order_by("-pk").values_list("user_id", flat=True).first()
    PieceRating.objects.filter(user=newest).delete()
    assert services.ranking_compute(stage_id=stage_id).run_id == first
    assert not run_get(stage_id=stage_id).is_being_counted

    RankingRun.objects.update(counting_since=noted_at)
    another_rater(appearances)
    assert services.ranking_compute(stage_id=stage_id).run_id != first
    run = run_get(stage_id=stage_id)
    assert (run.marks, run.is_being_counted) == (65, False)
    assert not RankingRun.objects.filter(counting_since__isnull=False).exists()


@pytest.mark.parametrize("days", [-400, 400], ids=["back", "forward"])
def test_clock_jump_during_a_computation_leaves_no_note(appearances, stage_id, monkeypatch, days):
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
