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
    return [row.appearance.id for row in appearances_played(since=since, until=until)]


def session_with(count, **values):
    """Return the appearances of a new session."""
    session = SessionFactory(**values)
    return [AppearanceFactory(session=session) for _ in range(count)]


def test_venue_day_is_in_the_zone_of_the_venue(settings):
    settings.VENUE_TIME_ZONE = "Asia/Tokyo"
    begin, end = venue_day(dt.datetime(2027, 10, 12, 16, 0, tzinfo=dt.UTC))
    assert (begin, end) == tuple(dt.datetime(2027, 10, day, 15, 0, tzinfo=dt.UTC) for day in (12, 13))
    settings.VENUE_TIME_ZONE = "Europe/Warsaw"
    begin, end = venue_day(dt.datetime(2026, 10, 25, 12, 0, tzinfo=dt.UTC))
    assert (end - begin, end.astimezone(dt.UTC) - begin.astimezone(dt.UTC)) == (DAY, 25 * HOUR)  # clocks go back


def test_appearances_played_are_those_of_today_or_of_the_last_session(django_assert_num_queries):
    assert played() == []
    session_with(2, starts_at=timezone.now() - 9 * DAY)
    last = session_with(2, starts_at=timezone.now() - 3 * DAY)
    session_with(2, starts_at=timezone.now() + 3 * DAY)
    assert played() == [appearance.pk for appearance in last]
    begin, _ = venue_day(timezone.now())
    session_with(2, starts_at=begin + DAY)
    today = session_with(1, starts_at=begin)
    for more in (0, 3):
        today += [AppearanceFactory(session=today[0].session) for _ in range(more)]
        with django_assert_num_queries(2):
            assert played() == [appearance.pk for appearance in today]


def test_appearances_played_of_a_live_session_have_performed():
    first, second, _third = session_with(3, starts_at=timezone.now() - DAY)
    session_set_live(actor=OPERATOR, session_id=first.session_id)
    (earlier,) = session_with(1, starts_at=timezone.now() - 3 * DAY)
    assert played() == [earlier.pk]  # no performance yet: the selector returns the previous session
    for appearance in (first, second):
        performer_set(actor=OPERATOR, session_participant_id=appearance.pk)
    performer_clear(actor=OPERATOR, session_id=first.session_id)
    assert played() == [first.pk, second.pk]


def coming():
    return [card.title for card in sessions_coming(now=timezone.now(), limit=2)]


def test_sessions_coming_are_sorted_by_date(django_assert_num_queries):
    session_with(1, starts_at=timezone.now() - 2 * HOUR, title="Over")
    for number, titles in ((3, ["In 3"]), (2, ["In 2", "In 3"]), (1, ["In 1", "In 2"])):
        session_with(number, starts_at=timezone.now() + number * DAY, title=f"In {number}")
        with django_assert_num_queries(1):
            cards = sessions_coming(now=timezone.now(), limit=2)
        assert [(card.title, f"In {card.participant_count}") for card in cards] == [(title, title) for title in titles]


def test_late_session_is_coming_until_it_has_been_live():
    [appearance] = session_with(1, starts_at=timezone.now() - HOUR / 2, title="Late")
    session_with(1, starts_at=timezone.now() + DAY, title="Tomorrow")
    assert coming() == ["Late", "Tomorrow"]
    session_set_live(actor=OPERATOR, session_id=appearance.session_id)
    assert coming() == ["Tomorrow"]
    performer_set(actor=OPERATOR, session_participant_id=appearance.pk)
    session_end(actor=OPERATOR, session_id=appearance.session_id)
    assert coming() == ["Tomorrow"]
