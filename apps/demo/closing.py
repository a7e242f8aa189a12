"""Close the ranking of the demo's stage that is over, so that its files are published."""

from datetime import datetime

from django.db import transaction
from django.utils import timezone

from apps.accounts.actors import OPERATOR
from apps.competition.models import Stage
from apps.demo.competition import JUDGED
from apps.demo.models import LoadedDemo
from apps.demo.moments import moment
from apps.ranking.models import RankingRun
from apps.ranking.services import ranking_close, ranking_compute

_CLOSED = (-13, "21:00")  # day and time of the closing


def ranking_load(*, now: datetime | None = None) -> bool:
    """Compute the ranking of the demo's archived stage, close it, and return True.

    Return False without a write if the demo is not loaded, if there is a ranking of the stage, or while another process
    computes it.
    """
    stage_id = Stage.objects.filter(name=JUDGED).exclude(archived_at=None).values_list("pk", flat=True).first()
    if stage_id is None or not LoadedDemo.objects.exists() or RankingRun.objects.filter(stage=stage_id).exists():
        return False
    run_id = ranking_compute(stage_id=stage_id).run_id
    if run_id is None:
        return False
    at = moment(now or timezone.now(), *_CLOSED)
    with transaction.atomic():
        ranking_close(actor=OPERATOR, stage_id=stage_id, confirmed=True)
        RankingRun.objects.filter(pk=run_id).update(made_at=at, final_at=at)
    return True
