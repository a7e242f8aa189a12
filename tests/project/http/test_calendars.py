"""Calendar files of all and of one member, read back with icalendar."""

from datetime import UTC, datetime, timedelta
from secrets import token_urlsafe
from zoneinfo import ZoneInfo

import pytest
from dateutil.rrule import rrulestr
from django.conf import settings
from django.test import Client, RequestFactory
from icalendar import Calendar

from apps.accounts.actors import OPERATOR
from apps.accounts.services.accounts import account_delete
from apps.accounts.services.roles import account_deactivate
from apps.competition.models import Appearance
from apps.competition.selectors.public.calendar import calendar_sessions
from apps.competition.services.planned_times import planned_times_set
from apps.competition.services.sessions import session_delete, session_update
from apps.following.selectors import calendar_secret
from apps.following.services import calendar_key_end, calendar_key_make, calendar_key_renew, follow_set
from project.http.calendars import participant_file, private_file
from project.urls import is_other
from tests.factories import PASSWORD, AppearanceFactory, ParticipantFactory, SessionFactory, UserFactory, viewer_of
from tests.general import queries_counted
from tests.offenders import check_each

pytestmark = pytest.mark.django_db(transaction=True)
ALL = "/calendar.ics"
MINUTE = timedelta(minutes=1)
START = datetime(2027, 10, 12, 15, tzinfo=UTC)
ZONES = ("Europe/Warsaw", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe", "Pacific/Apia")
CHANGES = (  # the hours around each change of the clocks in one of the zones
    datetime(2027, 3, 28, 0, 30, tzinfo=UTC),
    datetime(2027, 10, 31, 0, 30, tzinfo=UTC),
    datetime(2027, 11, 7, 5, 30, tzinfo=UTC),
    datetime(2027, 4, 3, 14, 45, tzinfo=UTC),
)


def fetch(path=ALL, **headers):
    answer = Client().get(path, headers=headers)
    assert answer.status_code == 200
    assert answer["Content-Type"] == "text/calendar; charset=utf-8"
    return answer


def events(path=ALL):
    return Calendar.from_ical(fetch(path).content).events


def session_change(session, **changes):
    stored = {"title": session.title, "starts_at": session.starts_at, "description": "", "youtube_id": ""} | changes
    session_update(actor=OPERATOR, session_id=session.pk, **stored)


def test_times_are_correct_across_daylight_saving_changes(settings):
    moments = [change + timedelta(minutes=minutes) for change in CHANGES for minutes in range(-120, 150, 30)]
    for moment in moments:
        SessionFactory(starts_at=moment)

    def check(zone):
        settings.VENUE_TIME_ZONE = zone
        content = fetch().content
        calendar = Calendar.from_ical(content)
        assert [timezone.tz_name for timezone in calendar.timezones] == [zone]
        assert calendar.get_missing_tzids() == set()
        read = calendar.events
        assert sorted(event.start.astimezone(UTC) for event in read) == sorted(moments)
        assert {event.end.astimezone(UTC) - event.start.astimezone(UTC) for event in read} == {timedelta(hours=3)}
        in_zone = [event for event in read if event["DTSTART"].params.get("TZID") == zone]
        assert len(in_zone) == sum(not moment.astimezone(ZoneInfo(zone)).fold for moment in moments)
        rules = calendar.timezones[0].to_tz(lookup_tzid=False)  # those in the file, not the reader's own
        for event in in_zone:
            local = event.start.replace(tzinfo=None)
            known = {local.replace(tzinfo=ZoneInfo(zone), fold=fold).utcoffset() for fold in (0, 1)}
            assert rules.utcoffset(local) in known

    check_each(ZONES, check)


def test_changed_session_keeps_its_uid_and_increases_its_sequence():
    session = SessionFactory(title="Evening, with; signs\\", starts_at=START)
    (first,) = events()
    assert first["SUMMARY"] == "Evening, with; signs\\"
    assert (first["STATUS"], first["SEQUENCE"]) == ("CONFIRMED", 0)
    assert first["URL"] == f"{settings.PUBLIC_URL}/sessions/{session.pk}"
    assert first["DESCRIPTION"] == "Ends about 20:00 in the hall; no end is planned."
    session_change(session, title="Later", starts_at=START + timedelta(hours=1))
    (second,) = events()
    assert (second["UID"], second["SEQUENCE"], second["SUMMARY"]) == (first["UID"], 1, "Later")
    assert second["LAST-MODIFIED"].dt >= first["LAST-MODIFIED"].dt


def test_planned_end_is_used():
    session = SessionFactory(starts_at=START)
    AppearanceFactory(session=session)
    planned_times_set(actor=OPERATOR, session_id=session.pk, minutes=50, intervals={})
    (event,) = events()
    assert event.end == START + timedelta(minutes=50)
    assert "DESCRIPTION" not in event


def test_deleted_session_becomes_a_cancelled_event():
    session = SessionFactory(title="Evening", starts_at=START)
    (before,) = events()
    session_delete(actor=OPERATOR, session_id=session.pk)
    (after,) = events()
    assert (after["STATUS"], after["UID"], after["SEQUENCE"]) == ("CANCELLED", before["UID"], 1)
    assert (after["SUMMARY"], after.start) == ("Evening", START)
    assert "URL" not in after


def test_participant_gets_the_session_times_until_times_are_planned():
    session = SessionFactory(title="Evening session", starts_at=START)
    for _ in range(3):
        AppearanceFactory(session=session)
    appearance = AppearanceFactory(session=session, participant__name="Zofia Nowak")
    path = f"/participants/{appearance.participant_id}.ics"
    (event,) = events(path)
    assert event["SUMMARY"] == "Zofia Nowak: Evening session"
    assert event.start == START
    lines = event["DESCRIPTION"].split("\n")
    assert lines[:2] == ["4th in Evening session", "No time of its own is planned: these are the times of the session."]
    planned_times_set(actor=OPERATOR, session_id=session.pk, minutes=30, intervals={})
    (planned,) = events(path)
    assert planned.start == START + timedelta(minutes=90)
    assert planned["UID"] == event["UID"]
    assert planned["DESCRIPTION"] == "4th in Evening session"
    assert planned.end == START + timedelta(minutes=120)  # the session's planned end


def test_performance_ends_with_the_next_planned_start_even_after_an_interval():
    session = SessionFactory(starts_at=START)
    first, second, third = (AppearanceFactory(session=session) for _ in range(3))
    planned_times_set(actor=OPERATOR, session_id=session.pk, minutes=30, intervals={1: 15})
    (event,) = events(f"/participants/{first.participant_id}.ics")
    assert (event.start, event.end) == (START, START + timedelta(minutes=45))
    (event,) = events(f"/participants/{second.participant_id}.ics")
    assert (event.start, event.end) == (START + timedelta(minutes=45), START + timedelta(minutes=75))
    moved = START + timedelta(minutes=90)
    Appearance.objects.filter(pk=third.pk).update(planned_start=moved)
    (later,) = events(f"/participants/{second.participant_id}.ics")
    assert (later.start, later.end, later["SEQUENCE"]) == (event.start, moved, event["SEQUENCE"] + 1)
    Appearance.objects.filter(pk=third.pk).update(order_number=9)
    third.delete()
    (last,) = events(f"/participants/{second.participant_id}.ics")
    assert (last.end, last["SEQUENCE"]) == (START + timedelta(minutes=105), later["SEQUENCE"] + 1)  # the session's end


@pytest.mark.parametrize("zone", ZONES)
def test_changes_of_the_clocks_are_yearly_rules_whose_times_are_correct(settings, zone):
    settings.VENUE_TIME_ZONE = zone
    SessionFactory(starts_at=START)
    (rules,) = Calendar.from_ical(fetch().content).timezones
    parts = [part for part in rules.subcomponents if part["TZOFFSETFROM"].td != part["TZOFFSETTO"].td]
    assert len(parts) == (0 if zone in {"Asia/Kolkata", "Pacific/Apia"} else 2)
    for part in parts:
        assert "RDATE" not in part
        begun = part["DTSTART"].dt
        for onset in rrulestr(part["RRULE"].to_ical().decode(), dtstart=begun)[:20]:
            moment = (onset - part["TZOFFSETFROM"].td).replace(tzinfo=UTC)
            after, before = (at.astimezone(ZoneInfo(zone)).utcoffset() for at in (moment, moment - MINUTE))
            assert (before, after) == (part["TZOFFSETFROM"].td, part["TZOFFSETTO"].td), onset


def test_long_titles_are_folded_by_octets():
    title = "Żółć – " + "夜想曲" * 40
    SessionFactory(title=title)
    content = fetch().content
    assert max(len(line) for line in content.split(b"\r\n")) <= 75
    assert b"\n" not in content.replace(b"\r\n", b"")
    assert events()[0]["SUMMARY"] == title


def test_unchanged_file_answers_304():
    session = SessionFactory()
    answer = fetch()
    assert fetch().content == answer.content
    condition = {"If-None-Match": answer["ETag"]}
    current = Client().get(ALL, headers=condition)
    assert (current.status_code, current.content, current["ETag"]) == (304, b"", answer["ETag"])
    session_change(session, title="Another")
    assert Client().get(ALL, headers=condition).status_code == 200


def test_empty_calendars_and_unknown_participants():
    assert events() == []
    assert Client().get("/participants/999.ics").status_code == 404
    assert events(f"/participants/{ParticipantFactory().pk}.ics") == []
    assert Client().post(ALL).status_code == 405


@pytest.mark.parametrize("many", [1, 30])
def test_query_count_is_constant(many):
    participant = ParticipantFactory()
    for _ in range(many):
        AppearanceFactory(participant=participant)
    request = RequestFactory().get("/")
    with queries_counted(1):
        assert len(calendar_sessions()) == many
    with queries_counted(2):
        assert participant_file(request, participant.pk).status_code == 200


def test_calendar_files_are_not_pages():
    assert is_other(ALL)
    assert is_other("/participants/17.ics")
    assert not is_other("/participants/17")
    assert not is_other("/participants/017.ics")


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
def test_query_count_of_a_private_file_is_constant(many, django_assert_num_queries):
    viewer = member(*(AppearanceFactory() for _ in range(many)))
    secret, request = calendar_secret(user_id=viewer.id), RequestFactory().get("/")
    with django_assert_num_queries(3):
        answer = private_file(request, secret)
    assert len(Calendar.from_ical(answer.content).events) == many
