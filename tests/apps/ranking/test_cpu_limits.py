"""Test that a computation ends at its limit of CPU time, and that the other stages of its process are computed."""

import io
import json
import signal
import time
from contextlib import suppress

import pytest
from django.core.management import call_command

from apps.ranking import services
from apps.ranking.cpu_limits import CpuLimitReached, cpu_limited
from apps.ranking.limits import AGAIN
from apps.ranking.models import RankingRun
from tests.apps.ranking.halls import audience, give, listeners, stage_of


def test_computation_ends_at_its_limit_and_resets_the_timer():
    before = signal.getitimer(signal.ITIMER_PROF), signal.getsignal(signal.SIGPROF)
    for _ in range(2):  # CPU time used earlier does not count
        begun = time.process_time()
        with pytest.raises(CpuLimitReached, match="more than 0 s of CPU"), cpu_limited(0.4):
            spend(30)
        assert 0.15 < time.process_time() - begun < 1.5  # the kernel counts ticks
    assert (signal.getitimer(signal.ITIMER_PROF), signal.getsignal(signal.SIGPROF)) == before


def test_suppressed_signal_is_sent_again():
    def twice():
        with suppress(CpuLimitReached):
            spend(30)
        spend(30)

    with pytest.raises(CpuLimitReached), cpu_limited(0.1):
        twice()


def spend(seconds):
    """Use so many seconds of CPU."""
    until = time.process_time() + seconds
    while time.process_time() < until:
        pass


def test_work_below_the_limit_is_finished():
    with cpu_limited(60):
        assert sum(range(1_000)) == 499_500


@pytest.mark.django_db
def test_stage_at_its_limit_fails_and_the_next_one_is_computed(monkeypatch, caplog):
    stages = [stage_of(3) for _ in range(2)]
    for appearances in stages:
        audience(appearances, 12)
    first, second = (appearances[0].session.stage_id for appearances in stages)
    services.ranking_compute(stage_id=first)
    give(listeners(1)[0], stages[0], [1, 2, 3])
    compute = services.weights_of

    def endless(counting, zone):
        while counting.field[0].id == stages[0][0].pk:
            pass
        return compute(counting, zone)

    monkeypatch.setattr(services, "weights_of", endless)
    monkeypatch.setattr(services, "CPU_LEAST", 1.0)
    numbers = (str(first), str(second))
    call_command("ranking", "compute", *numbers, "--json", stdout=(answer := io.StringIO()), stderr=io.StringIO())
    assert json.loads(answer.getvalue()) == {str(first): AGAIN, str(second): None}
    assert "CpuLimitReached" in caplog.text
    assert RankingRun.objects.get(stage_id=first).failed_at is not None
    assert RankingRun.objects.get(stage_id=second).marks == 36
