"""Calendar files, read back with icalendar."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.conf import settings
from django.test import Client, RequestFactory
from icalendar import Calendar

from apps.accounts.actors import OPERATOR
from apps.competition.selectors.public.calendar import calendar_sessions
from apps.competition.services.planned_times import planned_times_set
from apps.competition.services.sessions import session_delete, session_update
from project.http.calendars import participant_file
from project.urls import is_other
from tests.factories import AppearanceFactory, ParticipantFactory, SessionFactory
from tests.general import queries_counted

pytestmark = pytest.mark.django_db(transaction=True)
ALL = "/calendar.ics"
START = datetime(2027, 10, 12, 15, tzinfo=UTC)
ZONES = ("Europe/Warsaw", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe", "Pacific/Apia")
CHANGES = (  # the hours around each change of the clocks in one of the zones
    datetime(2027, 3, 28, 0, 30, tzinfo=UTC),
    datetime(2027, 10, 31, 0, 30, tzinfo=UTC),
    datetime(2027, 11, 7, 5, 30, tzinfo=UTC),
    datetime(2027, 4, 3, 14, 45, tzinfo=UTC),
)


def fetched(path=ALL, **headers):
    answer = Client().get(path, headers=headers)
    assert answer.status_code == 200
    assert answer["Content-Type"] == "text/calendar; charset=utf-8"
    return answer


def events(path=ALL):
    return Calendar.from_ical(fetched(path).content).events


def updated(session, **changes):
    stored = {"title": session.title, "starts_at": session.starts_at, "description": "", "youtube_id": ""} | changes
    session_update(actor=OPERATOR, session_id=session.pk, **stored)


@pytest.mark.parametrize("zone", ZONES)
def test_every_time_is_right_over_changes_of_summer_time(settings, zone):
    settings.VENUE_TIME_ZONE = zone
    moments = [change + timedelta(minutes=minutes) for change in CHANGES for minutes in range(-120, 150, 30)]
    for moment in moments:
        SessionFactory(starts_at=moment)
    content = fetched().content
    calendar = Calendar.from_ical(content)
    assert [each.tz_name for each in calendar.timezones] == [zone]
    assert calendar.get_missing_tzids() == set()
    read = calendar.events
    assert sorted(each.start.astimezone(UTC) for each in read) == sorted(moments)
    assert {each.end.astimezone(UTC) - each.start.astimezone(UTC) for each in read} == {timedelta(hours=3)}
    in_zone = [each for each in read if each["DTSTART"].params.get("TZID") == zone]
    assert len(in_zone) == sum(not moment.astimezone(ZoneInfo(zone)).fold for moment in moments)
    rules = calendar.timezones[0].to_tz(lookup_tzid=False)  # those in the file, without the reader's own
    for each in in_zone:
        local = each.start.replace(tzinfo=None)
        known = {local.replace(tzinfo=ZoneInfo(zone), fold=fold).utcoffset() for fold in (0, 1)}
        assert rules.utcoffset(local) in known


def test_a_session_is_an_event_with_a_name_that_stays_and_a_number_that_grows():
    session = SessionFactory(title="Evening, with; signs\\", starts_at=START)
    (first,) = events()
    assert first["SUMMARY"] == "Evening, with; signs\\"
    assert (first["STATUS"], first["SEQUENCE"]) == ("CONFIRMED", 0)
    assert first["URL"] == f"{settings.PUBLIC_URL}/sessions/{session.pk}"
    assert first["DESCRIPTION"] == "Ends about 20:00 in the hall; no end is planned."
    updated(session, title="Later", starts_at=START + timedelta(hours=1))
    (second,) = events()
    assert (second["UID"], second["SEQUENCE"], second["SUMMARY"]) == (first["UID"], 1, "Later")
    assert second["LAST-MODIFIED"].dt >= first["LAST-MODIFIED"].dt


def test_a_planned_end_is_no_guess():
    session = SessionFactory(starts_at=START)
    AppearanceFactory(session=session)
    planned_times_set(actor=OPERATOR, session_id=session.pk, minutes=50, intervals={})
    (event,) = events()
    assert event.end == START + timedelta(minutes=50)
    assert "DESCRIPTION" not in event


def test_a_deleted_session_stays_as_cancelled():
    session = SessionFactory(title="Evening", starts_at=START)
    (before,) = events()
    session_delete(actor=OPERATOR, session_id=session.pk)
    (after,) = events()
    assert (after["STATUS"], after["UID"], after["SEQUENCE"]) == ("CANCELLED", before["UID"], 1)
    assert (after["SUMMARY"], after.start) == ("Evening", START)
    assert "URL" not in after


def test_a_participant_without_planned_times_has_a_place_and_the_times_of_the_session():
    session = SessionFactory(title="Evening session", starts_at=START)
    for _ in range(3):
        AppearanceFactory(session=session)
    appearance = AppearanceFactory(session=session, participant__name="Zofia Nowak")
    path = f"/participants/{appearance.participant_id}.ics"
    (event,) = events(path)
    assert event["SUMMARY"] == "Zofia Nowak: Evening session"
    assert event.start == START
    lines = event["DESCRIPTION"].split("\n")
    assert lines[:2] == [
        "4th in Evening session",
        "No time of its own is planned: these are the times of the session.",
    ]
    planned_times_set(actor=OPERATOR, session_id=session.pk, minutes=30, intervals={})
    (planned,) = events(path)
    assert planned.start == START + timedelta(minutes=90)
    assert planned["UID"] == event["UID"]
    assert planned["DESCRIPTION"] == "4th in Evening session\nEnds about 19:15 in the hall; no end is planned."


def test_long_and_foreign_titles_are_folded_by_octets():
    title = "Żółć – " + "夜想曲" * 40
    SessionFactory(title=title)
    content = fetched().content
    assert max(len(line) for line in content.split(b"\r\n")) <= 75
    assert b"\n" not in content.replace(b"\r\n", b"")
    assert events()[0]["SUMMARY"] == title


def test_a_program_with_the_current_file_gets_304():
    session = SessionFactory()
    answer = fetched()
    assert fetched().content == answer.content
    asked = {"If-None-Match": answer["ETag"]}
    current = Client().get(ALL, headers=asked)
    assert (current.status_code, current.content, current["ETag"]) == (304, b"", answer["ETag"])
    updated(session, title="Another")
    assert Client().get(ALL, headers=asked).status_code == 200


def test_without_sessions_the_file_is_an_empty_calendar_and_an_unknown_participant_has_none():
    assert events() == []
    assert Client().get("/participants/999.ics").status_code == 404
    assert events(f"/participants/{ParticipantFactory().pk}.ics") == []
    assert Client().post(ALL).status_code == 405


@pytest.mark.parametrize("many", [1, 30])
def test_queries_do_not_grow_with_the_rows(many):
    participant = ParticipantFactory()
    for _ in range(many):
        AppearanceFactory(participant=participant)
    request = RequestFactory().get("/")
    with queries_counted(1):
        assert len(calendar_sessions()) == many
    with queries_counted(2):
        assert participant_file(request, participant.pk).status_code == 200


def test_the_files_are_no_pages():
    assert is_other(ALL)
    assert is_other("/participants/17.ics")
    assert not is_other("/participants/17")
    assert not is_other("/participants/017.ics")
