"""The private calendar of the performers that a member follows, read back with icalendar."""

from datetime import UTC, datetime, timedelta
from secrets import token_urlsafe

import pytest
from django.test import Client, RequestFactory
from icalendar import Calendar

from apps.accounts.actors import OPERATOR
from apps.accounts.services.accounts import account_delete
from apps.accounts.services.roles import account_deactivate
from apps.competition.services.planned_times import planned_times_set
from apps.competition.services.sessions import session_delete
from apps.following.selectors import calendar_secret
from apps.following.services import calendar_key_end, calendar_key_make, calendar_key_renew, follow_set
from project.http.calendars import private_file
from project.urls import is_other
from tests.factories import PASSWORD, AppearanceFactory, SessionFactory, UserFactory, viewer_of

pytestmark = pytest.mark.django_db(transaction=True)
START = datetime(2027, 10, 12, 15, tzinfo=UTC)


def address(viewer):
    return f"/calendars/{calendar_secret(user_id=viewer.id)}.ics"


def follow(viewer, appearance, *, is_wanted=True):
    follow_set(actor=viewer, participant_id=appearance.participant_id, is_wanted=is_wanted)


def member(*appearances):
    """Return a member with a private calendar who follows the performers of these appearances."""
    viewer = viewer_of(UserFactory())
    calendar_key_make(actor=viewer)
    for appearance in appearances:
        follow(viewer, appearance)
    return viewer


def fetch(path, **headers):
    answer = Client().get(path, headers=headers)
    assert answer.status_code == 200
    assert answer["Content-Type"] == "text/calendar; charset=utf-8"
    return answer


def names(viewer):
    return [event["SUMMARY"] for event in Calendar.from_ical(fetch(address(viewer)).content).events]


@pytest.fixture
def appearances():
    session = SessionFactory(title="Evening", starts_at=START)
    return [AppearanceFactory(session=session, participant__name=name) for name in ("Ewa A", "Jan B", "Zofia C")]


def test_file_contains_the_followed_performers_with_planned_times(appearances):
    first, second, _ = appearances
    viewer, other = member(first, second), member(second)
    planned_times_set(actor=OPERATOR, session_id=first.session_id, minutes=30, intervals={})
    calendar = Calendar.from_ical(fetch(address(viewer)).content)
    assert calendar["X-WR-CALNAME"] == "Parterre: performers you follow"
    assert {event["SUMMARY"]: event.start.astimezone(UTC) for event in calendar.events} == {
        "Ewa A: Evening": START,
        "Jan B: Evening": START + timedelta(minutes=30),
    }
    assert names(other) == ["Jan B: Evening"]


def test_event_has_the_uid_of_the_performers_calendar(appearances):
    viewer, path = member(appearances[0]), f"/participants/{appearances[0].participant_id}.ics"
    uids = {
        event["UID"] for where in (address(viewer), path) for event in Calendar.from_ical(fetch(where).content).events
    }
    assert len(uids) == 1


def test_file_reflects_follows_and_cancelled_events(appearances):
    viewer = member(appearances[0])
    follow(viewer, appearances[2])
    assert names(viewer) == ["Ewa A: Evening", "Zofia C: Evening"]
    follow(viewer, appearances[0], is_wanted=False)
    session_delete(actor=OPERATOR, session_id=appearances[2].session_id)
    (event,) = Calendar.from_ical(fetch(address(viewer)).content).events
    assert (event["SUMMARY"], event["STATUS"]) == ("Zofia C: Evening", "CANCELLED")


def test_file_is_not_cached_and_unchanged_file_answers_304(appearances):
    viewer = member(appearances[0])
    answer = fetch(address(viewer))
    assert answer["Cache-Control"] == "no-store"
    assert (answer["X-Robots-Tag"], answer["Referrer-Policy"]) == ("noindex", "no-referrer")
    assert not answer.cookies
    condition = {"If-None-Match": answer["ETag"]}
    current = Client().get(address(viewer), headers=condition)
    assert (current.status_code, current.content, current["ETag"]) == (304, b"", answer["ETag"])
    assert (current["Cache-Control"], current["Referrer-Policy"]) == ("no-store", "no-referrer")
    follow(viewer, appearances[1])
    assert fetch(address(viewer), **condition)["ETag"] != answer["ETag"]


def test_invalid_addresses_answer_404(appearances):
    viewer, closed, deleted, other = (member(appearances[0]) for _ in range(4))
    paths = [address(account) for account in (viewer, closed, deleted)]
    calendar_key_renew(actor=viewer)
    paths.append(address(viewer))
    assert names(viewer) == ["Ewa A: Evening"]
    calendar_key_end(actor=viewer)
    account_deactivate(actor=OPERATOR, account_id=closed.id)
    account_delete(actor=deleted, password=PASSWORD)
    for path in (*paths, f"/calendars/{token_urlsafe(32)}.ics", "/calendars/%00.ics", f"/calendars/{'A' * 3000}.ics"):
        answer = Client().get(path)
        assert answer.status_code == 404, path
        assert answer["Cache-Control"] == "no-store"
        assert b"Ewa" not in answer.content
    assert names(other) == ["Ewa A: Evening"]
    assert names(member()) == []


def test_file_is_read_only_and_not_indexed(appearances):
    viewer = member(appearances[0])
    assert Client().post(address(viewer)).status_code == 405
    assert Client().head(address(viewer)).status_code == 200
    assert is_other(address(viewer))
    assert "/calendars/" not in Client().get("/robots.txt").content.decode()  # which Google's fetcher obeys


@pytest.mark.parametrize("many", [1, 30])
def test_query_count_is_constant(many, django_assert_num_queries):
    viewer = member(*(AppearanceFactory() for _ in range(many)))
    secret, request = calendar_secret(user_id=viewer.id), RequestFactory().get("/")
    with django_assert_num_queries(3):
        answer = private_file(request, secret)
    assert len(Calendar.from_ical(answer.content).events) == many
