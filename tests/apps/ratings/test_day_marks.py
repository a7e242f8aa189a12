"""Test a day's marks, which fall back to the last session's, and the summary of one user's marks."""

import datetime as dt
from decimal import Decimal

import pytest

from apps.ranking.own_states import own_states
from apps.ratings.selectors.lists import DayMarks, day_marks
from apps.ratings.selectors.own import own_beside_audience, own_recent
from tests.components.conftest import busy_session_with
from tests.factories import (
    AppearanceFactory,
    PieceRatingFactory,
    ProgramEntryFactory,
    SessionFactory,
    UserFactory,
)

pytestmark = pytest.mark.django_db
MORNING = dt.datetime(2021, 10, 12, tzinfo=dt.UTC)
DAY = dt.timedelta(days=1)


def of_day(since=MORNING):
    return day_marks(since=since, until=since + DAY)


def entry(**session):
    return ProgramEntryFactory(session_participant=AppearanceFactory(session=SessionFactory(**session)))


def marked(entry, *scores, approved=True):
    for score in scores:
        PieceRatingFactory(entry=entry, score=score, approved=approved)


def test_without_any_mark_there_is_nothing(django_assert_num_queries):
    marked(entry(), 20, approved=False)
    with django_assert_num_queries(2):
        assert of_day() == DayMarks()


@pytest.mark.parametrize("count", [1, 30])
def test_a_days_marks_are_those_of_its_sessions_and_of_the_live_one(count, django_assert_num_queries):
    morning, busy_session = entry(starts_at=MORNING), entry(starts_at=MORNING + DAY - dt.timedelta(seconds=1))
    since_yesterday = entry(starts_at=MORNING - dt.timedelta(hours=2), is_live=True)
    marked(entry(starts_at=MORNING - dt.timedelta(seconds=1)), 1)
    marked(entry(starts_at=MORNING + DAY), 2)
    marked(morning, *[25] * count)
    marked(busy_session, 25, 7)
    marked(since_yesterday, 9)
    with django_assert_num_queries(1):
        found = of_day()
    assert (found.session, found.figures.count, found.figures.most_frequent) == ("", count + 3, (25,))
    given = {mark: times for mark, times in enumerate(found.figures.distribution, start=1) if times}
    assert given == {7: 1, 9: 1, 25: count + 1}


def test_before_the_first_mark_of_a_day_the_last_session_with_marks_stands(django_assert_num_queries):
    marked(entry(starts_at=MORNING - 2 * DAY, title="The day before"), 3)
    marked(entry(starts_at=MORNING - DAY, title="Stage I, evening session"), 19, 19, 4)
    entry(starts_at=MORNING - dt.timedelta(hours=1))
    marked(entry(starts_at=MORNING, title="Today"), 25, approved=False)
    with django_assert_num_queries(2):
        found = of_day()
    assert (found.session, found.figures.count, found.figures.most_frequent) == ("Stage I, evening session", 3, (19,))
    assert found.figures.mean == Decimal("14.0")


@pytest.mark.parametrize("count", [1, 3])
def test_how_far_performances_are_marked(count, django_assert_num_queries):
    fan, appearances = UserFactory(), busy_session_with(count + 1, is_live=False).appearances
    for appearance in appearances[:count]:
        PieceRatingFactory(entry=appearance.program.first(), user=fan)
    with django_assert_num_queries(5):
        found = own_states(user_id=fan.pk, appearance_ids=own_recent(user_id=fan.pk))
    assert {pk: (each.marked, each.pieces) for pk, each in found.items()} == {
        appearance.pk: (1, 2) for appearance in appearances[:count]
    }
    PieceRatingFactory(entry=appearances[0].program.last(), user=fan, approved=True)
    found = own_states(user_id=fan.pk, appearance_ids=own_recent(user_id=fan.pk))
    assert [pk for pk, each in found.items() if each.marked == each.pieces] == [appearances[0].pk]


@pytest.mark.parametrize("others", [1, 20])
def test_ones_own_mean_stands_beside_the_halls_of_the_same_pieces(others, django_assert_num_queries):
    fan, appearances = UserFactory(), busy_session_with(2, is_live=False).appearances
    (first, second), (third, fourth) = (tuple(each.program.all()) for each in appearances)
    for entry, score in ((first, 20), (second, 10), (third, 25)):
        PieceRatingFactory(entry=entry, user=fan, score=score)
    marked(first, *[10] * others)
    marked(second, 18)
    marked(fourth, 1)  # the fan has not
    with django_assert_num_queries(1):
        own = own_beside_audience(user_id=fan.pk)
    assert (own.count, own.shared, own.own_mean, own.audience_mean) == (3, 2, Decimal("15.0"), Decimal("14.0"))


def test_nobody_elses_marks_are_ones_own():
    marked(entry(), 20)
    own = own_beside_audience(user_id=UserFactory().pk)
    assert (own.count, own.shared, own.own_mean, own.audience_mean) == (0, 0, None, None)
