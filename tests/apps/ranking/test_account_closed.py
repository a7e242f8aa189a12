"""Test that the marks of a closed account leave the ranking of a stage, unless the stage is closed too."""

import pytest

from apps.accounts.actors import OPERATOR
from apps.accounts.models import User
from apps.accounts.services.roles import account_activate, account_deactivate
from apps.ranking.models import RankingRow, RankingRun
from apps.ranking.selectors import stage_counting
from apps.ranking.services import ranking_close, ranking_compute, ranking_reopen
from tests.apps.ranking.halls import audience, stage_of

pytestmark = pytest.mark.django_db
RATERS = 6


@pytest.fixture
def stage():
    appearances = stage_of(3)
    audience(appearances, RATERS)
    return appearances[0].session.stage


def newest(stage):
    return list(RankingRun.objects.filter(stage=stage).order_by("-pk").values()[:1]), list(RankingRow.objects.values())


def test_marks_leave_the_ranking_and_come_back(stage):
    user = User.objects.earliest("pk")
    before = stage_counting(stage_id=stage.pk)
    assert len(before.marks) == 3 * RATERS
    account_deactivate(actor=OPERATOR, account_id=user.pk)
    counting = stage_counting(stage_id=stage.pk)
    assert {each.user_id for each in before.marks} - {each.user_id for each in counting.marks} == {user.pk}
    assert counting.not_counted == before.not_counted
    account_activate(actor=OPERATOR, account_id=user.pk)
    assert sorted(stage_counting(stage_id=stage.pk).marks, key=repr) == sorted(before.marks, key=repr)


def test_closed_ranking_keeps_the_marks(stage):
    assert ranking_compute(stage_id=stage.pk).run_id
    ranking_close(actor=OPERATOR, stage_id=stage.pk, confirmed=True)
    closed = newest(stage)
    account_deactivate(actor=OPERATOR, account_id=User.objects.earliest("pk").pk)
    assert ranking_compute(stage_id=stage.pk).run_id is None
    assert newest(stage) == closed
    ranking_reopen(actor=OPERATOR, stage_id=stage.pk)
    assert ranking_compute(stage_id=stage.pk).run_id
    assert newest(stage)[0][0]["raters"] == RATERS - 1
