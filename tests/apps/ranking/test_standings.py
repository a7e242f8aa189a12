"""Test the standings that an account sees of its own marks: which count, why others do not, and what is missing."""

import datetime as dt

import pytest
from django.db import connection

from apps.accounts.actors import OPERATOR
from apps.accounts.data_rights import account_data
from apps.accounts.models import User
from apps.ranking.counting import Standing
from apps.ranking.enums import AfterClosing, NotCounted
from apps.ranking.limits import NEW_FOR
from apps.ranking.models import RankingAccount, RankingDecision, RankingRun
from apps.ranking.selectors import own_standings, stage_counting
from apps.ranking.services import ranking_close, ranking_compute, ranking_reopen
from apps.ratings.models import PieceRating
from tests.apps.ranking.halls import age, audience, give, listeners, stage_of

pytestmark = pytest.mark.django_db


def standings_of(user, appearances):
    """Return the standing of each of these performances, in their order; None for one without a mark."""
    standings = own_standings(user_id=user.pk)
    return [standings.get(appearance.pk) for appearance in appearances]


def closed(appearances):
    """Close the stage's ranking at a new run."""
    stage_id = appearances[0].session.stage_id
    assert ranking_compute(stage_id=stage_id).run_id
    ranking_close(actor=OPERATOR, stage_id=stage_id, confirmed=True)


def test_standing_counts_or_has_the_number_of_missing_performances():
    appearances = stage_of(4)
    for user, marked in zip(listeners(3), (1, 2, 3), strict=True):
        give(user, appearances[:marked], [10, 11, 12][:marked])
        standings = own_standings(user_id=user.pk)
        if marked < 3:
            assert set(standings.values()) == {Standing(NotCounted.FEW, missing=3 - marked)}
        else:
            expected = [*(Standing(mark=mark) for mark in (10.0, 11.0, 12.0)), None]
            assert standings_of(user, appearances) == expected
            assert all(each.counts for each in standings.values())


def test_missing_performances_exclude_those_that_wait_for_approval():
    appearances = stage_of(3)
    (user,) = listeners(1)
    give(user, appearances[:1], [10])
    give(user, appearances[1:2], [11], approved=False)
    assert standings_of(user, appearances[:2]) == [Standing(NotCounted.FEW, missing=1), Standing(NotCounted.WAITING)]
    give(user, appearances[2:], [12], approved=False)
    assert standings_of(user, appearances[:1]) == [Standing(NotCounted.FEW, missing=0)]


def test_standing_has_the_number_of_pieces_missing_to_half_of_the_program():
    for pieces, marked, missing in ((5, 1, 2), (5, 2, 1), (4, 1, 1), (6, 1, 2)):
        (appearance,) = stage_of(1, pieces=pieces)
        for user, approved in zip(listeners(2), (True, False), strict=True):
            give(user, [appearance], [10], pieces=marked, approved=approved)
            assert standings_of(user, [appearance]) == [Standing(NotCounted.PARTIAL, missing=missing)]


def test_new_account_has_the_time_from_which_it_counts():
    appearances = stage_of(3)
    (user,) = listeners(1)
    give(user, appearances[:2], [10, 11])
    age([user], hours=23)
    user.refresh_from_db()
    due_at = user.created_at + dt.timedelta(seconds=NEW_FOR)
    assert set(standings_of(user, appearances[:2])) == {Standing(NotCounted.NEW, missing=1, due_at=due_at)}
    give(user, appearances[2:], [12])
    assert set(standings_of(user, appearances)) == {Standing(NotCounted.NEW, due_at=due_at)}


def test_left_out_account_has_the_reason_in_that_stage_only():
    here, there = stage_of(5), stage_of(5)
    (user,) = listeners(1)
    give(user, [*here, *there], [9, 10, 11, 12, 13] * 2)
    stage_id = here[0].session.stage_id
    RankingDecision.objects.create(user=user, stage_id=stage_id, is_left_out=True, reason="A second account.")
    assert set(standings_of(user, here)) == {Standing(NotCounted.LEFT_OUT, words="A second account.")}
    assert all(each.counts for each in standings_of(user, there))
    assert own_standings(user_id=user.pk, stage_ids=[there[0].session.stage_id]).keys() == {each.pk for each in there}
    closed(here)
    assert {each.reason for each in standings_of(user, here)} == {NotCounted.LEFT_OUT}


def test_closed_ranking_counts_the_same_marks_later():
    appearances = stage_of(4, pieces=2)
    steady, changed, waited, late, young = users = listeners(5)
    for user in users[:4]:
        give(user, appearances[:3], [10, 11, 12], approved=user is not waited)
    give(young, appearances[:3], [10, 11, 13])
    age([young], hours=23)
    closed(appearances)
    age([young], hours=30)
    PieceRating.objects.filter(user=waited).update(approved=True)
    PieceRating.objects.filter(user=changed, appearance=appearances[0]).update(
        score=20, updated_at=dt.datetime.now(dt.UTC) + dt.timedelta(seconds=1)
    )
    give(late, appearances[3:], [9], updated_at=dt.datetime.now(dt.UTC) + dt.timedelta(seconds=1))
    counted = [Standing(mark=mark) for mark in (10.0, 11.0, 12.0)]
    assert standings_of(steady, appearances) == [*counted, None]
    assert standings_of(changed, appearances[:3]) == [
        Standing(after_closing=AfterClosing.GIVEN, mark=10.0),
        *counted[1:],
    ]
    assert standings_of(late, appearances) == [*counted, Standing(after_closing=AfterClosing.GIVEN)]
    for user in (waited, young):
        assert set(standings_of(user, appearances[:3])) == {Standing(after_closing=AfterClosing.DUE)}
    # taking a mark away leaves the others in the closed ranking
    PieceRating.objects.filter(user=steady, appearance=appearances[0]).delete()
    assert standings_of(steady, appearances[:3]) == [None, *counted[1:]]
    ranking_reopen(actor=OPERATOR, stage_id=appearances[0].session.stage_id)
    assert set(standings_of(steady, appearances[1:3])) == {Standing(NotCounted.FEW, missing=1)}
    assert set(standings_of(waited, appearances[:3])) == set(counted)


def test_rules_of_version_1_hold_for_the_rankings_that_it_closed():
    appearances = stage_of(5)
    first, same = listeners(2)
    give(first, appearances[:3], [25, 10, 12])
    give(same, appearances, [25] * 5)
    closed(appearances)
    assert all(each.counts for user in (first, same) for each in standings_of(user, appearances) if each)
    columns = {"number": None, "input_digest": None, "sheets": None}
    RankingRun.objects.update(method=1, burst=3, uniform=5, **columns)
    RankingAccount.objects.update(marks={})
    RankingAccount.objects.filter(user=first).update(is_in_burst=True)
    assert standings_of(first, appearances[:1]) == [Standing(NotCounted.BURST)]
    assert set(standings_of(same, appearances)) == {Standing(NotCounted.UNIFORM)}


def test_run_of_an_earlier_version_counts_by_time_and_rules():
    appearances = stage_of(4)
    (user,) = listeners(1)
    give(user, appearances[:3], [10, 11, 12])
    closed(appearances)
    RankingAccount.objects.all().delete()
    RankingRun.objects.update(has_accounts=False)
    give(user, appearances[3:], [9], updated_at=dt.datetime.now(dt.UTC) + dt.timedelta(seconds=1))
    assert [each.counts for each in standings_of(user, appearances)] == [True, True, True, False]


def rows():
    return set(RankingAccount.objects.values_list("pk", "user_id"))


def row_versions():
    with connection.cursor() as cursor:
        cursor.execute("SELECT user_id, ctid::text FROM ranking_accounts")
        return set(cursor.fetchall())


def test_account_rows_follow_the_newest_run_by_differences():
    appearances = stage_of(4)
    first, second = audience(appearances[:3], 2)
    stage_id = appearances[0].session.stage_id
    assert ranking_compute(stage_id=stage_id).run_id
    before, versions = rows(), row_versions()
    give(first, appearances[3:], [20])
    assert ranking_compute(stage_id=stage_id).run_id
    assert rows() == before
    assert {user_id for user_id, _ in row_versions() - versions} == {first.pk}
    assert RankingAccount.objects.get(user=first).marks[str(appearances[3].pk)] == 20.0
    PieceRating.objects.filter(user=second, appearance=appearances[0]).delete()
    assert ranking_compute(stage_id=stage_id).run_id
    assert {user_id for _, user_id in rows()} == {first.pk}


def test_equal_marks_of_another_account_make_a_new_run():
    appearances = stage_of(3)
    audience(appearances, 10)
    one, other = listeners(2)
    give(one, appearances, [10, 11, 12])
    stage_id = appearances[0].session.stage_id
    run_id = ranking_compute(stage_id=stage_id).run_id
    assert ranking_compute(stage_id=stage_id).run_id == run_id
    PieceRating.objects.filter(user=one).update(user=other)
    assert ranking_compute(stage_id=stage_id).run_id != run_id
    ranking_close(actor=OPERATOR, stage_id=stage_id, confirmed=True)
    assert not RankingAccount.objects.filter(user=one).exists()
    assert RankingAccount.objects.get(user=other).rater
    assert [each.counts for each in standings_of(other, appearances)] == [True] * 3
    assert standings_of(one, appearances) == [None] * 3


def test_account_deleted_during_the_computation_is_left_out(monkeypatch):
    appearances = stage_of(3)
    staying, leaving = audience(appearances, 2)
    counted = stage_counting(stage_id=appearances[0].session.stage_id)

    def counting_then_deletion(*, stage_id):
        PieceRating.objects.filter(user=leaving).delete()
        User.objects.filter(pk=leaving.pk).delete()
        return counted

    monkeypatch.setattr("apps.ranking.services.stage_counting", counting_then_deletion)
    assert ranking_compute(stage_id=appearances[0].session.stage_id).run_id
    assert [row.user_id for row in RankingAccount.objects.all()] == [staying.pk]


def test_account_row_is_exported_and_deleted_with_the_account():
    appearances = stage_of(3)
    (user,) = listeners(1)
    give(user, appearances, [10, 11, 12])
    assert ranking_compute(stage_id=appearances[0].session.stage_id).run_id
    (export,) = [each.export for each in account_data() if each.columns == ("ranking_accounts.user_id",)]
    marks = {each.participant.name: mark for each, mark in zip(appearances, [10.0, 11.0, 12.0], strict=True)}
    stage = appearances[0].session.stage.name
    content = {"stage": stage, "marks": marks, "in_burst": False, "weight": 1.0, "why": None, "rater": None}
    assert export(user.pk) == {"ranking_accounts": [content]}
    PieceRating.objects.all().delete()
    User.objects.filter(pk=user.pk).delete()
    assert not RankingAccount.objects.exists()


def test_own_standings_take_three_queries_for_any_number_of_stages(django_assert_num_queries):
    (user, other) = listeners(2)
    for stages in (1, 4):
        while RankingRun.objects.count() < stages:
            appearances = stage_of(3)
            give(user, appearances, [10, 11, 12])
            closed(appearances)
        with django_assert_num_queries(3):
            assert len(own_standings(user_id=user.pk)) == 3 * stages
    with django_assert_num_queries(1):
        assert own_standings(user_id=other.pk) == {}
