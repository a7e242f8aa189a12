"""Test the runs that intervals begin with: their storage, the moves between them, and their deletion."""

from decimal import Decimal

import pytest

from apps.competition.models import Session
from apps.competition.services.live import (
    live_restore,
    live_undo_read,
    performer_clear,
    performer_set,
    session_end,
    session_set_live,
)
from apps.ranking import intervals, services
from apps.ranking.models import RankingInterval, RankingRow, RankingRun
from apps.ranking.selectors import ranking_get
from apps.ranking.selectors.intervals import IntervalScores, Moved, interval_scores
from tests.apps.ranking.halls import audience, give, listeners, stage_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def evening():
    """Return a live session of six performances; the first five have a ranking."""
    made = stage_of(6, is_live=True)
    audience(made[:5], 12)
    services.ranking_compute(stage_id=made[0].session.stage_id)
    return made


def interval(admin, appearance):
    """Put the performer on stage and clear the stage."""
    performer_set(actor=admin, appearance_id=appearance.pk)
    return performer_clear(actor=admin, session_id=appearance.session_id)


def compute(evening, scores):
    """Compute the ranking with ten more listeners, who gave these marks to the first performances."""
    for user in listeners(10):
        give(user, evening[: len(scores)], scores)
    return services.ranking_compute(stage_id=evening[0].session.stage_id).run_id


def order(evening):
    """Return the ranked performances from the newest ranking, best first."""
    ranked = [each for each in ranking_get(stage_id=evening[0].session.stage_id).performances if each.place.rank]
    return [each.appearance.id for each in sorted(ranked, key=lambda each: -each.place.score)]


def test_moves_are_between_the_runs_of_two_intervals(evening, admin):
    interval(admin, evening[4])
    assert interval_scores(session_id=evening[0].session_id) is None
    before = order(evening)
    compute(evening, [25, 25, 1, 1, 1, 24])
    interval(admin, evening[5])
    now = order(evening)
    compute(evening, [1, 1, 25, 25, 25, 1])  # during the interval: the moves stay
    assert order(evening) != now != before
    ids = {each.pk for each in evening}
    moved = interval_scores(session_id=evening[0].session_id).moved(ids)
    assert moved == {pk: Moved(now.index(pk) + 1, before.index(pk) + 1 if pk in before else None) for pk in ids}
    assert moved[evening[5].pk].former is None
    two = {now[0], now[3]}
    among = interval_scores(session_id=evening[0].session_id).moved(two)
    assert [among[now[0]].now, among[now[3]].now] == [1, 2]
    assert {each.former for each in among.values()} <= {1, 2, None}


def test_equal_scores_share_a_place():
    scores = IntervalScores({1: Decimal(9), 2: Decimal(9), 3: Decimal(5)}, {3: Decimal(7)})
    assert scores.moved({1, 2, 3}) == {1: Moved(1, None), 2: Moved(1, None), 3: Moved(3, 1)}


def test_interval_runs_are_kept_without_marks_and_secret(evening, admin):
    interval(admin, evening[0])
    [kept] = RankingInterval.objects.values_list("run_id", flat=True)
    newer = [compute(evening, [5 * step, 3, 9]) for step in (1, 2, 3, 4)]
    assert set(RankingRun.objects.values_list("pk", flat=True)) == {kept, *newer[-2:]}
    assert RankingRow.objects.filter(run_id=kept, rank__isnull=False).count() == 5
    old = RankingRun.objects.get(pk=kept)
    assert (bytes(old.file), old.secret) == (b"", None)


def test_closed_ranking_has_no_intervals(evening, admin):
    stage_id = evening[0].session.stage_id
    interval(admin, evening[0])
    newest = [compute(evening, [5 * step, 3, 9]) for step in (1, 2, 3)][-1]
    interval(admin, evening[1])
    services.ranking_close(actor=admin, stage_id=stage_id, confirmed=True)
    assert not RankingInterval.objects.exists()
    assert RankingRun.objects.count() <= 2
    assert RankingRun.objects.get(is_final=True).pk == newest
    interval(admin, evening[2])
    assert not RankingInterval.objects.exists()
    services.ranking_reopen(actor=admin, stage_id=stage_id)
    interval(admin, evening[3])
    assert RankingInterval.objects.get().run_id == newest


def test_next_computation_deletes_intervals_of_a_closed_ranking(evening, admin):
    stage_id = evening[0].session.stage_id
    services.ranking_close(actor=admin, stage_id=stage_id, confirmed=True)
    final = RankingRun.objects.get(is_final=True)
    RankingInterval.objects.create(stage_id=stage_id, session_id=evening[0].session_id, run=final)
    services.ranking_compute(stage_id=stage_id)
    assert not RankingInterval.objects.exists()
    assert RankingRun.objects.filter(pk=final.pk).exists()


def test_interval_begins_only_when_the_stage_becomes_empty(evening, admin):
    session_id = evening[0].session_id
    performer_set(actor=admin, appearance_id=evening[0].pk)
    performer_set(actor=admin, appearance_id=evening[1].pk)
    assert not RankingInterval.objects.exists()
    step = performer_clear(actor=admin, session_id=session_id)
    performer_clear(actor=admin, session_id=session_id)
    assert RankingInterval.objects.count() == 1
    live_restore(actor=admin, **live_undo_read(step.undo))
    assert not RankingInterval.objects.exists()
    back = performer_set(actor=admin, appearance_id=evening[2].pk)
    live_restore(actor=admin, **live_undo_read(back.undo))
    session_end(actor=admin, session_id=session_id)
    assert not RankingInterval.objects.exists()
    session_set_live(actor=admin, session_id=session_id)
    performer_set(actor=admin, appearance_id=evening[2].pk)
    session_set_live(actor=admin, session_id=stage_of(1)[0].session_id)
    assert not RankingInterval.objects.exists()


def test_oldest_intervals_and_their_runs_are_deleted(evening, admin, monkeypatch):
    monkeypatch.setattr(intervals, "INTERVALS_KEPT", 2)
    runs = []
    for step in range(1, 5):
        interval(admin, evening[0])
        runs += RankingInterval.objects.order_by("-pk").values_list("run_id", flat=True)[:1]
        compute(evening, [step, 2 * step, 3])
    assert list(RankingInterval.objects.order_by("pk").values_list("run_id", flat=True)) == runs[-2:]
    assert RankingRun.objects.order_by("pk").first().pk == runs[-2]


def test_first_interval_follows_the_last_of_an_earlier_session(evening, admin):
    interval(admin, evening[0])
    other = stage_of(2, is_live=False, stage=evening[0].session.stage)
    session_set_live(actor=admin, session_id=other[0].session_id)
    for user in listeners(10):
        give(user, [*other, *evening[:5]], [20, 10, 5, 6, 7, 8, 9])
    services.ranking_compute(stage_id=evening[0].session.stage_id)
    interval(admin, other[0])
    moved = interval_scores(session_id=other[0].session_id).moved({each.pk for each in other})
    assert moved == {other[0].pk: Moved(1, None), other[1].pk: Moved(2, None)}


def test_intervals_without_a_ranking_have_no_scores(admin, django_assert_num_queries):
    made = stage_of(3, is_live=True)
    interval(admin, made[0])
    interval(admin, made[1])
    assert list(RankingInterval.objects.values_list("run_id", flat=True)) == [None, None]
    with django_assert_num_queries(1):
        assert interval_scores(session_id=made[0].session_id) == IntervalScores({}, {})
    Session.objects.all().delete()
    assert not RankingInterval.objects.exists()
