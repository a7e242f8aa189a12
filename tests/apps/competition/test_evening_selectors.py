"""Test which participants have played on a day, and which sessions come next."""

import datetime as dt

import pytest
from django.utils import timezone

from apps.accounts.actors import OPERATOR
from apps.competition.selectors.public.sessions import appearances_played, sessions_coming
from apps.competition.services.live import performer_clear, performer_set, session_end, session_set_live
from apps.core.database.fields import venue_day
from tests.factories import AppearanceFactory, SessionFactory

pytestmark = pytest.mark.django_db
HOUR, DAY = dt.timedelta(hours=1), dt.timedelta(days=1)


def played():
    since, until = venue_day(timezone.now())
    return [each.appearance.id for each in appearances_played(since=since, until=until)]


def session_with(count, **session):
    made = SessionFactory(**session)
    return [AppearanceFactory(session=made) for _ in range(count)]


def test_the_halls_day_is_of_its_own_zone(settings):
    settings.VENUE_TIME_ZONE = "Asia/Tokyo"
    begin, end = venue_day(dt.datetime(2027, 10, 12, 16, 0, tzinfo=dt.UTC))
    assert (begin, end) == tuple(dt.datetime(2027, 10, day, 15, 0, tzinfo=dt.UTC) for day in (12, 13))
    settings.VENUE_TIME_ZONE = "Europe/Warsaw"
    begin, end = venue_day(dt.datetime(2026, 10, 25, 12, 0, tzinfo=dt.UTC))
    assert (end - begin, end.astimezone(dt.UTC) - begin.astimezone(dt.UTC)) == (DAY, 25 * HOUR)  # clocks go back


@pytest.mark.parametrize("count", [1, 4])
def test_who_has_played_today_stands_alone_in_the_order_of_playing(count, django_assert_num_queries):
    session_with(2, starts_at=timezone.now() - 5 * DAY)
    begin, _end = venue_day(timezone.now())
    today = session_with(count, starts_at=begin)
    session_with(2, starts_at=begin + DAY)
    with django_assert_num_queries(2):
        assert played() == [each.pk for each in today]


def test_of_a_live_session_those_have_played_who_came_to_the_stage():
    first, second, _third = session_with(3, starts_at=timezone.now() - DAY)
    session_set_live(actor=OPERATOR, session_id=first.session_id)
    earlier = session_with(1, starts_at=timezone.now() - 3 * DAY)
    assert played() == [each.pk for each in earlier]  # no performance yet: the selector returns the previous session
    for each in (first, second):
        performer_set(actor=OPERATOR, session_participant_id=each.pk)
    performer_clear(actor=OPERATOR, session_id=first.session_id)
    assert played() == [first.pk, second.pk]


def test_on_a_day_without_playing_it_is_the_last_session():
    assert played() == []
    session_with(2, starts_at=timezone.now() - 9 * DAY)
    last = session_with(2, starts_at=timezone.now() - 3 * DAY)
    session_with(2, starts_at=timezone.now() + 3 * DAY)
    assert played() == [each.pk for each in last]


def coming():
    return [card.title for card in sessions_coming(now=timezone.now(), limit=2)]


@pytest.mark.parametrize("count", [1, 3])
def test_the_next_sessions_come_by_date(count, django_assert_num_queries):
    for number in range(count, 0, -1):
        session_with(number, starts_at=timezone.now() + number * DAY, title=f"In {number} days")
    session_with(1, starts_at=timezone.now() - 2 * HOUR, title="Over")
    with django_assert_num_queries(1):
        cards = sessions_coming(now=timezone.now(), limit=2)
    assert [(card.title, card.participant_count) for card in cards] == [("In 1 days", 1), ("In 2 days", 2)][:count]


def test_a_session_that_is_late_still_comes_until_somebody_was_on_its_stage():
    [appearance] = session_with(1, starts_at=timezone.now() - HOUR / 2, title="Late")
    session_with(1, starts_at=timezone.now() + DAY, title="Tomorrow")
    assert coming() == ["Late", "Tomorrow"]
    session_set_live(actor=OPERATOR, session_id=appearance.session_id)
    assert coming() == ["Tomorrow"]
    performer_set(actor=OPERATOR, session_participant_id=appearance.pk)
    session_end(actor=OPERATOR, session_id=appearance.session_id)
    assert coming() == ["Tomorrow"]
