"""Test the weights of accounts as the site computes them: from stored marks, their times, and decisions."""

import datetime as dt
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from django.core.exceptions import ValidationError

from apps.accounts.actors import OPERATOR
from apps.accounts.models import User
from apps.core.database.fields import venue_zone
from apps.core.models import AuditEntry
from apps.ranking import method2, services
from apps.ranking.counting import ApprovedMark, CountedMark
from apps.ranking.models import RankingAccount, RankingDecision, RankingRow, RankingRun
from apps.ranking.selectors import own_standings, run_get, stage_counting
from apps.ranking.selectors.files import program_file
from apps.ranking.weighing import LEFT_OUT, VERSION, account_mark, weights_of
from apps.ratings.models import PieceRating
from tests.apps.ranking.halls import give, later, listeners, stage_of
from tests.components.seen import opened, text

pytestmark = pytest.mark.django_db
WARSAW = ZoneInfo("Europe/Warsaw")
PERFORMANCES, HONEST, BRIGADE = 8, 24, 8


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


def test_crowd_is_decided_at_once_with_one_reason(listener):
    appearances, _honest, brigade = hall()
    stage_id, (first, *others) = appearances[0].session.stage_id, brigade
    services.ranking_compute(stage_id=stage_id)
    services.decision_make(actor=OPERATOR, stage_id=stage_id, user_id=first.pk, is_left_out=False, reason="A fan.")
    crowd = {"actor": OPERATOR, "stage_id": stage_id, "appearance_id": appearances[0].pk, "is_left_out": True}
    for is_above, reason, message in ((False, "A crowd.", "no such crowd"), (True, " ", "say why")):
        with pytest.raises(ValidationError, match=message):
            services.crowd_decide(**crowd, is_above=is_above, reason=reason)
    listener.heard()
    assert services.crowd_decide(**crowd, is_above=True, reason="A crowd.") == len(others)
    assert listener.heard() == {f"ranking.{stage_id}", f"stage.{stage_id}.ratings"}
    decided = dict(RankingDecision.objects.values_list("user_id", "reason"))
    assert decided == {first.pk: "A fan."} | {user.pk: "A crowd." for user in others}
    notes = AuditEntry.objects.filter(action="ranking.leave_out").values_list("details__account", "details__reason")
    assert set(notes) == {(user.pk, "A crowd.") for user in others}
    services.ranking_compute(stage_id=stage_id)
    assert RankingAccount.objects.filter(quarters=0).count() == len(others)
    services.ranking_close(actor=OPERATOR, stage_id=stage_id, confirmed=True)
    with pytest.raises(ValidationError, match="closed"):
        services.crowd_decide(**crowd, is_above=True, reason="A crowd.")


def test_newcomers_of_one_session_weigh_less_on_their_evening():
    """The same marks of the same evening, by accounts that were made on that day and by old ones."""
    appearances, _honest, _brigade = hall()
    crowd = listeners(BRIGADE)
    for number, user in enumerate(crowd):
        marks = [25, *(12 + at % 4 + number % 3 for at in range(1, 4))]
        give(user, appearances[:4], marks, updated_at=later(appearances, minutes=30 + number))
    old = {pk: weight.why["thinness"] for pk, weight in weights(appearances).items()}
    User.objects.filter(pk__in=[user.pk for user in crowd]).update(created_at=later(appearances, minutes=5))
    new = {pk: weight.why["thinness"] for pk, weight in weights(appearances).items()}
    assert {old.get(user.pk, 0.5) for user in crowd} == {0.5}
    assert {new[user.pk] for user in crowd} == {1}


def test_open_ranking_notes_once_from_which_version_it_changed():
    appearances, honest, _brigade = hall()
    stage_id = appearances[0].session.stage_id
    services.ranking_compute(stage_id=stage_id)
    assert run_get(stage_id=stage_id).changed_from is None
    RankingRun.objects.update(method=2)
    for mark in (24, 23):  # the note stays with later runs
        services.ranking_compute(stage_id=stage_id)
        run = run_get(stage_id=stage_id)
        assert (run.method, run.changed_from) == (VERSION, 2)
        PieceRating.objects.filter(user=honest[0]).update(score=mark)
    sentence = "the method changed from version 2 to version 3."
    assert text(opened(f"/stages/{stage_id}").main).count(sentence) == 1
    RankingRun.objects.update(method=2)
    services.ranking_close(actor=OPERATOR, stage_id=stage_id, confirmed=True)
    services.ranking_compute(stage_id=stage_id)
    assert run_get(stage_id=stage_id).method == 2
    assert program_file(stage_id=stage_id) == Path(method2.__file__).read_bytes()
    assert sentence not in text(opened(f"/stages/{stage_id}").main)


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
