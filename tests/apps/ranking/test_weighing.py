"""Test the weights of accounts as the site computes them: from stored marks, their times, and decisions."""

import datetime as dt
from zoneinfo import ZoneInfo

import pytest

from apps.accounts.actors import OPERATOR
from apps.core.database.fields import venue_zone
from apps.ranking import method2, services
from apps.ranking.counting import ApprovedMark, CountedMark
from apps.ranking.models import RankingAccount, RankingDecision, RankingRow
from apps.ranking.selectors import own_standings, stage_counting
from apps.ranking.weighing import LEFT_OUT, account_mark, weights_of
from tests.apps.ranking.halls import give, later, listeners, stage_of

pytestmark = pytest.mark.django_db
WARSAW = ZoneInfo("Europe/Warsaw")
PERFORMANCES, HONEST, BRIGADE = 8, 24, 6


def hall():
    """Return performances, honest listeners of the evening, and a brigade that lifts the first one days later."""
    appearances = stage_of(PERFORMANCES)
    honest, brigade = listeners(HONEST), listeners(BRIGADE)
    for number, user in enumerate(honest):
        marks = [12 + at % 4 + (number * (at + 3) + at) % 3 for at in range(PERFORMANCES)]
        give(user, appearances, marks, updated_at=later(appearances, minutes=20 + number))
    for number, user in enumerate(brigade):
        marks = [25, *(12 + at % 4 + number % 3 for at in range(1, 4))]
        give(user, appearances[:4], marks, updated_at=later(appearances, days=3, minutes=number))
    return appearances, honest, brigade


def weights(appearances):
    return weights_of(stage_counting(stage_id=appearances[0].session.stage_id), venue_zone())


def test_only_the_brigade_weighs_less():
    appearances, _honest, brigade = hall()
    lowered = weights(appearances)
    assert lowered.keys() == {user.pk for user in brigade}
    assert {weight.quarters for weight in lowered.values()} <= {1, 2}
    assert {weight.why["performance"] for weight in lowered.values()} == {appearances[0].pk}
    assert all(weight.why["score"] >= 0.2 for weight in lowered.values())


def test_decisions_override_weights():
    appearances, _honest, brigade = hall()
    stage_id, (full, left, other, *_) = appearances[0].session.stage_id, brigade
    services.ranking_compute(stage_id=stage_id)
    decide = {"actor": OPERATOR, "stage_id": stage_id, "reason": "Met in the hall."}
    services.decision_make(**decide, user_id=full.pk, is_left_out=False)
    services.decision_make(**decide, user_id=left.pk, is_left_out=True)
    lowered = weights(appearances)
    assert full.pk not in lowered
    assert lowered[left.pk] == LEFT_OUT
    services.ranking_compute(stage_id=stage_id)
    stored = dict(RankingAccount.objects.values_list("user_id", "quarters"))
    assert (stored[full.pk], stored[left.pk]) == (4, 0)
    assert stored[other.pk] in {1, 2}
    for user in (full, other, left):
        standings = own_standings(user_id=user.pk).values()
        assert {standing.counts for standing in standings} == {user is not left}


@pytest.mark.parametrize("decided", [False, True])
def test_run_uses_the_method_with_these_weights(decided):
    appearances, honest, brigade = hall()
    stage_id = appearances[0].session.stage_id
    for user in brigade if decided else ():
        RankingDecision.objects.create(user=user, stage_id=stage_id, reason="Met in the hall.")
    quarters = {user.pk: 4 for user in honest} | {pk: each.quarters for pk, each in weights(appearances).items()}
    assert all((quarters.get(user.pk, 4) == 4) == decided for user in brigade)
    services.ranking_compute(stage_id=stage_id)
    names = {each.pk: each.participant.name for each in appearances}
    marks = [
        method2.Given(str(pk), names[mark.appearance_id], mark.points, mark.pieces, quarters.get(pk, 4))
        for pk, mark in stage_counting(stage_id=stage_id).marks
    ]
    expected = {row.performer: row.score for row in method2.ranking(marks, stage=stage_id, run=1).rows}
    stored = RankingRow.objects.values_list("appearance_id", "score")
    assert {names[pk]: 100 * score for pk, score in stored} == expected


def marked(at, evening=()):
    return account_mark(CountedMark(7, ApprovedMark(3, 35, 2, at)), evening, WARSAW)


def test_mark_after_midnight_belongs_to_the_day_before():
    evening = dt.datetime(2026, 10, 3, 23, 50, tzinfo=WARSAW)
    days = [marked(evening + dt.timedelta(hours=hours)).day for hours in (0, 1, 5, 6, 24)]
    assert [day - days[0] for day in days] == [0, 0, 0, 1, 1]
    mark = marked(evening)
    assert (mark.account, mark.performance, mark.mark) == (7, 3, 175_000)


def test_mark_is_of_the_evening_within_any_of_its_spans():
    start = dt.datetime(2026, 10, 3, 18, tzinfo=dt.UTC)
    spans = ((start, start + dt.timedelta(hours=6)), (start, start + dt.timedelta(hours=9)))
    moments = [start + dt.timedelta(hours=hours) for hours in (-1, 0, 5, 8, 10)]
    assert [marked(at, spans).is_of_the_evening for at in moments] == [False, True, True, True, False]
