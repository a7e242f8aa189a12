"""Test which marks count: half of the program, three performances, old accounts, and decisions."""

import datetime as dt

import pytest

from apps.competition.models import PerformingTime, ProgramEntry
from apps.ranking.enums import NotCounted
from apps.ranking.models import RankingDecision
from apps.ranking.selectors import stage_counting
from apps.ratings.models import PieceRating
from tests.apps.ranking.halls import age, give, later, listeners, stage_of

pytestmark = pytest.mark.django_db
MINUTES = dt.timedelta(minutes=1)


def counted(appearances):
    return stage_counting(stage_id=appearances[0].session.stage_id)


def left_out(appearances):
    """Return the number of uncounted marks by reason, without empty reasons."""
    return {reason: count for reason, count in counted(appearances).not_counted.items() if count}


def test_mark_is_the_mean_of_approved_marks_of_half_the_program():
    appearances = stage_of(5, pieces=4)
    first, second, third, partial, waiting = appearances
    (user,) = listeners(1)
    give(user, appearances[:3], [10, 11, 12], pieces=2)
    entry = first.program.order_by("order_number")[2]
    PieceRating.objects.create(user=user, appearance=first, piece_id=entry.piece_id, score=16, approved=True)
    give(user, [partial], [13], pieces=1)
    give(user, [waiting], [14], approved=False)
    marks = {each.appearance_id: each.mark for each in counted(appearances).marks}
    assert marks == {first.pk: 12.0, second.pk: 11.0, third.pk: 12.0}
    assert left_out(appearances) == {NotCounted.PARTIAL: 1, NotCounted.WAITING: 1}


def test_only_pieces_of_the_present_program_count_once_each():
    appearances = stage_of(3, pieces=2)
    (user,) = listeners(1)
    give(user, appearances, [10, 12, 14])
    entry = appearances[0].program.order_by("order_number")[0]
    PieceRating.objects.filter(piece_id=entry.piece_id).update(score=20)
    PieceRating.objects.filter(piece_id=entry.piece_id).delete()
    entry.delete()
    again = appearances[1].program.order_by("order_number")[0]
    PieceRating.objects.filter(piece_id=again.piece_id).update(score=22)
    ProgramEntry.objects.create(appearance=appearances[1], piece_id=again.piece_id, order_number=9, slot=again.slot)
    marks = {each.appearance_id: each.mark for each in counted(appearances).marks}
    assert [marks[each.pk] for each in appearances] == [10, 17, 14]


def test_rater_counts_from_three_performances_on():
    appearances = stage_of(3)
    two, three = listeners(2)
    give(two, appearances[:2], [10, 20])
    give(three, appearances, [10, 20, 15])
    assert {each.user_id for each in counted(appearances).marks} == {three.pk}
    assert left_out(appearances) == {NotCounted.FEW: 2}


def test_marks_count_in_their_own_stage():
    here, there = stage_of(3), stage_of(3)
    (user,) = listeners(1)
    give(user, [*here, *there], [10, 11, 12, 20, 21, 22])
    assert sorted(each.mark for each in counted(here).marks) == [10, 11, 12]


def test_account_counts_when_it_is_a_day_old():
    appearances = stage_of(3)
    young, old = users = listeners(2)
    for user in users:
        give(user, appearances, [10, 11, 12])
    age([young], hours=23)
    age([old], hours=25)
    counting = counted(appearances)
    assert {each.user_id for each in counting.marks} == {old.pk}
    assert counting.not_counted[NotCounted.NEW] == 3
    assert 3_500 < counting.due_in <= 3_600
    age([young], hours=25)
    assert counted(appearances).due_in is None
    assert left_out(appearances) == {}


def test_uniform_marks_and_crowds_count():
    appearances = stage_of(5)
    (uniform,) = listeners(1)
    give(uniform, appearances, [25] * 5)
    crowd(appearances, 31, begin=later(appearances, days=3))
    assert left_out(appearances) == {}


def crowd(appearances, count, *, begin, span=10 * MINUTES, mark=25, others=(10, 12)):
    """Accounts that mark the first performance within `span`, and two others days later."""
    users = listeners(count)
    for number, user in enumerate(users):
        at = begin + number * span / max(1, count - 1)
        give(user, appearances[:1], [mark], updated_at=at)
        give(user, appearances[1:3], others, updated_at=begin + dt.timedelta(days=2 + number))
    return users


def test_evening_lasts_from_the_start_and_while_music_is_played():
    appearances = stage_of(3)
    start = appearances[0].session.starts_at
    hours = dt.timedelta(hours=1)
    assert counted(appearances).evenings[appearances[0].pk] == ((start, start + 6 * hours),)
    PerformingTime.objects.create(appearance=appearances[1], began_at=start + hours, ended_at=start + 9 * hours)
    spans = ((start, start + 6 * hours), (start + hours, start + 7 * hours), (start, start + 9 * hours))
    assert set(counted(appearances).evenings.values()) == {spans}


def test_decision_holds_in_its_stage_only():
    here, there = stage_of(5), stage_of(5)
    users = let_out, left, young = listeners(3)
    for user in users:
        give(user, [*here, *there], [9, 10, 11, 12, 13] * 2)
    age([let_out, young], hours=1)
    stage_id = here[0].session.stage_id
    RankingDecision.objects.create(user=let_out, stage_id=stage_id, reason="Met in the hall.")
    RankingDecision.objects.create(user=left, stage_id=stage_id, is_left_out=True, reason="A second account.")
    assert {each.user_id for each in counted(here).marks} == {let_out.pk}
    assert {each.user_id for each in counted(here).left_out} == {left.pk}
    assert left_out(here) == {NotCounted.LEFT_OUT: 5, NotCounted.NEW: 5}
    assert {each.user_id for each in counted(there).marks} == {left.pk}


def test_first_reason_is_counted():
    appearances = stage_of(2)
    (user,) = listeners(1)
    give(user, appearances, [25] * 2)
    age([user], hours=1)
    assert left_out(appearances) == {NotCounted.NEW: 2}
    RankingDecision.objects.create(
        user=user, stage_id=appearances[0].session.stage_id, is_left_out=True, reason="A second account."
    )
    assert left_out(appearances) == {NotCounted.LEFT_OUT: 2}


def test_number_of_queries_does_not_depend_on_performances(django_assert_num_queries):
    for performances in (3, 12):
        appearances = stage_of(performances)
        for user in listeners(performances):
            give(user, appearances, [10] * performances)
        with django_assert_num_queries(7 + 3):  # and three of the transaction without time limits
            counted(appearances)
