"""Test that a computation ends at its limit of CPU time, and that the other stages of its process are computed."""

import io
import json
import resource
import signal
import time

import pytest
from django.core.management import call_command

from apps.ranking import services
from apps.ranking.cpu_limits import CpuLimitReached, cpu_limited
from apps.ranking.limits import AGAIN
from apps.ranking.models import RankingRun
from tests.apps.ranking.halls import audience, give, listeners, stage_of


def test_a_computation_ends_at_its_limit_and_the_limit_with_the_computation():
    before = resource.getrlimit(resource.RLIMIT_CPU), signal.getsignal(signal.SIGXCPU)
    begun = time.process_time()
    with pytest.raises(CpuLimitReached, match="more than 0 s of CPU"):
        busy(begun + 30, limit=0.1)
    assert time.process_time() < begun + 15  # the kernel looks at its own times
    assert (resource.getrlimit(resource.RLIMIT_CPU), signal.getsignal(signal.SIGXCPU)) == before


def busy(until, *, limit):
    with cpu_limited(limit):
        while time.process_time() < until:
            pass


def test_work_below_the_limit_is_done():
    with cpu_limited(60):
        assert sum(range(1_000)) == 499_500


@pytest.mark.django_db(transaction=True)
def test_a_stage_at_its_limit_fails_and_the_next_one_is_computed(monkeypatch, caplog):
    halls = [stage_of(3) for _ in range(2)]
    for hall in halls:
        audience(hall, 12)
    first, second = (hall[0].session.stage_id for hall in halls)
    services.ranking_compute(stage_id=first)
    give(listeners(1)[0], halls[0], [1, 2, 3])
    compute = services.weights_of

    def endless(counting, zone):
        while counting.field[0].id == halls[0][0].pk:
            pass
        return compute(counting, zone)

    monkeypatch.setattr(services, "weights_of", endless)
    monkeypatch.setattr(services, "CPU_LEAST", 2.0)
    stages = (str(first), str(second))
    call_command("ranking", "compute", *stages, "--json", stdout=(answer := io.StringIO()), stderr=io.StringIO())
    assert json.loads(answer.getvalue()) == {str(first): AGAIN, str(second): None}
    assert "CpuLimitReached" in caplog.text
    assert RankingRun.objects.get(stage_id=first).failed_at is not None
    assert RankingRun.objects.get(stage_id=second).marks == 36
