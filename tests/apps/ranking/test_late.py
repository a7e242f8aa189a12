"""Test the stored number of a performance's marks that arrived in its last hour."""

import pytest
from django.db import IntegrityError, transaction

from apps.ranking.models import RankingRow
from apps.ranking.selectors import ranking_get, unusual_get
from apps.ranking.services import ranking_close, ranking_compute
from apps.ratings.models import PieceRating
from tests.apps.ranking.halls import audience, give, later, listeners, stage_of
from tests.factories import AdminFactory, viewer_of

pytestmark = pytest.mark.django_db


def stage(performances=4):
    """Return the performances of a stage that twelve listeners marked on the evening itself, and its id."""
    appearances = stage_of(performances)
    for user in audience(appearances, 12):
        mark_at(user, appearances, hours=1)
    return appearances, appearances[0].session.stage_id


def mark_at(user, appearances, **delta):
    """Move a listener's marks of these performances to a time after the session's start."""
    rows = PieceRating.objects.filter(user=user, appearance__in=appearances)
    rows.update(created_at=later(appearances, **delta), updated_at=later(appearances, **delta))


def late():
    return dict(RankingRow.objects.values_list("appearance_id", "late"))


def test_late_marks_are_of_the_last_hour_but_not_of_the_evening():
    appearances, stage_id = stage()
    ranking_compute(stage_id=stage_id)
    assert set(late().values()) == {0}
    for minutes, user in zip((0, 1, 59, 60, 61), listeners(5), strict=True):
        give(user, appearances[:3], [9, 9, 9])
        mark_at(user, appearances[:3], days=3, minutes=-minutes)
    ranking_compute(stage_id=stage_id)
    places = {each.appearance.id: each.place for each in ranking_get(stage_id=stage_id).performances}
    assert {pk: (place.late, place.raters) for pk, place in places.items()} == {
        **{each.pk: (3, 17) for each in appearances[:3]},
        appearances[3].pk: (0, 12),
    }


def test_performance_below_ten_raters_has_no_late_number():
    appearances, stage_id = stage()
    few = stage_of(1, stage=appearances[0].session.stage)
    for user in listeners(9):
        give(user, [*appearances[:2], *few], [9, 9, 9])
    ranking_compute(stage_id=stage_id)
    row = RankingRow.objects.get(appearance=few[0])
    assert (row.raters, row.late, row.rank) == (9, None, None)
    for columns in ({"late": 0}, {"late": 1}):
        with pytest.raises(IntegrityError), transaction.atomic():
            RankingRow.objects.filter(pk=row.pk).update(**columns)
    with pytest.raises(IntegrityError), transaction.atomic():
        RankingRow.objects.filter(appearance=appearances[0]).update(late=99)


def test_repeated_equal_mark_changes_the_number_without_a_new_run():
    appearances, stage_id = stage()
    ranking_compute(stage_id=stage_id)
    run_id = ranking_get(stage_id=stage_id).run.id
    user = PieceRating.objects.values_list("user_id", flat=True).first()
    mark_at(user, appearances, days=3)
    ranking_compute(stage_id=stage_id)
    assert ranking_get(stage_id=stage_id).run.id == run_id
    assert set(late().values()) == {1}
    ranking_close(actor=viewer_of(AdminFactory()), stage_id=stage_id, confirmed=True)
    mark_at(user, appearances, hours=1)
    ranking_compute(stage_id=stage_id)
    assert set(late().values()) == {1}, "a closed ranking stays"


def test_performances_with_the_largest_late_share_come_first():
    appearances, stage_id = stage()
    (one, other) = listeners(2)
    give(one, appearances[:3], [9, 9, 9])
    mark_at(one, appearances[:3], days=3)
    give(other, appearances[1:], [9, 9, 9])
    mark_at(other, appearances[1:3], days=3, minutes=5)
    mark_at(other, appearances[3:], hours=2)
    ranking_compute(stage_id=stage_id)
    rows = [(row.appearance_id, row.late, row.raters) for row in unusual_get(stage_id=stage_id).late]
    assert rows[2:] == [(appearances[0].pk, 1, 13)]
    assert set(rows[:2]) == {(appearance.pk, 2, 14) for appearance in appearances[1:3]}
