"""Test the marks of a day, which fall back to those of the last session, and the summary of one user's marks."""

import datetime as dt
from decimal import Decimal

import pytest

from apps.ranking.own_states import own_states
from apps.ratings.selectors.lists import DayMarks, day_marks
from apps.ratings.selectors.own import own_beside_audience, own_recent
from tests.components.conftest import busy_session_with
from tests.factories import AppearanceFactory, PieceRatingFactory, ProgramEntryFactory, SessionFactory

pytestmark = pytest.mark.django_db
MORNING = dt.datetime(2021, 10, 12, tzinfo=dt.UTC)
DAY = dt.timedelta(days=1)


def of_day(since=MORNING):
    return day_marks(since=since, until=since + DAY)


def entry(**session):
    return ProgramEntryFactory(appearance=AppearanceFactory(session=SessionFactory(**session)))


def marked(entry, *scores, approved=True):
    for score in scores:
        PieceRatingFactory(entry=entry, score=score, approved=approved)


def test_day_marks_are_those_of_its_sessions_and_of_the_live_one(django_assert_num_queries):
    morning, evening = entry(starts_at=MORNING), entry(starts_at=MORNING + DAY - dt.timedelta(seconds=1))
    marked(morning, 20, approved=False)
    with django_assert_num_queries(2):
        assert of_day() == DayMarks(), "without an approved mark"
    marked(entry(starts_at=MORNING - dt.timedelta(seconds=1)), 1)
    marked(entry(starts_at=MORNING + DAY), 2)
    marked(evening, 25, 7)
    marked(entry(starts_at=MORNING - dt.timedelta(hours=2), is_live=True), 9)
    for count, more in ((1, 1), (30, 29)):
        marked(morning, *[25] * more)
        with django_assert_num_queries(1):
            marks = of_day()
        assert (marks.session, marks.figures.count, marks.figures.most_frequent) == ("", count + 3, (25,))
        counts = {mark: times for mark, times in enumerate(marks.figures.distribution, start=1) if times}
        assert counts == {7: 1, 9: 1, 25: count + 1}


def test_day_without_marks_has_those_of_the_last_session(django_assert_num_queries):
    marked(entry(starts_at=MORNING - 2 * DAY, title="The day before"), 3)
    marked(entry(starts_at=MORNING - DAY, title="Stage I, evening session"), 19, 19, 4)
    entry(starts_at=MORNING - dt.timedelta(hours=1))
    marked(entry(starts_at=MORNING, title="Today"), 25, approved=False)
    with django_assert_num_queries(2):
        marks = of_day()
    assert (marks.session, marks.figures.count, marks.figures.most_frequent) == ("Stage I, evening session", 3, (19,))
    assert marks.figures.mean == Decimal("14.0")


def test_own_states_count_marked_pieces(fan, django_assert_num_queries):
    def states():
        return own_states(user_id=fan.id, appearance_ids=own_recent(user_id=fan.id))

    appearances = busy_session_with(4, is_live=False).appearances
    for count, appearance in enumerate(appearances[:3], 1):
        PieceRatingFactory(entry=appearance.program.first(), user_id=fan.id)
        with django_assert_num_queries(5 + 3):  # what waiting marks need to count
            marked_pieces = {pk: (own.marked, own.pieces) for pk, own in states().items()}
        assert marked_pieces == {appearance.pk: (1, 2) for appearance in appearances[:count]}
    PieceRatingFactory(entry=appearances[0].program.last(), user_id=fan.id, approved=True)
    assert [pk for pk, own in states().items() if own.marked == own.pieces] == [appearances[0].pk]


def test_own_mean_is_compared_with_the_audience_mean_of_the_same_pieces(fan, django_assert_num_queries):
    appearances = busy_session_with(2, is_live=False).appearances
    (first, second), (third, fourth) = (tuple(appearance.program.all()) for appearance in appearances)
    marked(fourth, 1)  # a piece without a mark of the fan
    own = own_beside_audience(user_id=fan.id)
    assert (own.count, own.shared, own.own_mean, own.audience_mean) == (0, 0, None, None)
    for entry, score in ((first, 20), (second, 10), (third, 25)):
        PieceRatingFactory(entry=entry, user_id=fan.id, score=score)
    marked(second, 18)
    for others in (1, 19):
        marked(first, *[10] * others)
        with django_assert_num_queries(1):
            own = own_beside_audience(user_id=fan.id)
        assert (own.count, own.shared, own.own_mean, own.audience_mean) == (3, 2, Decimal("15.0"), Decimal("14.0"))
