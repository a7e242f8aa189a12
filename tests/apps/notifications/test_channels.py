"""Test when pushes and mails are due, against an oracle that walks minute by minute over changes of summer time."""

from datetime import UTC, datetime, time, timedelta
from itertools import count
from zoneinfo import ZoneInfo

from hypothesis import given
from hypothesis import strategies as st

from apps.notifications.channels import Choices, mail_due, push_due
from apps.notifications.enums import MailChoice

MINUTE = timedelta(minutes=1)
# Zones with days on which the clock changes: at 2:00 and 3:00, at midnight, by half an hour, in the south, and never.
CHANGES = {
    "Europe/Warsaw": [(2027, 3, 28), (2027, 10, 31)],
    "America/New_York": [(2027, 3, 14), (2027, 11, 7)],
    "Africa/Cairo": [(2027, 4, 30), (2027, 10, 29)],
    "Australia/Lord_Howe": [(2027, 4, 4), (2027, 10, 3)],
    "America/Santiago": [(2027, 4, 4), (2027, 9, 5)],
    "Asia/Tokyo": [(2027, 3, 28)],
}
CLOCKS = st.builds(time, st.integers(0, 23), st.integers(0, 59))
NIGHT = st.builds(time, st.sampled_from([22, 23, 0, 1, 2, 3]), st.sampled_from([0, 15, 30, 59]))


@st.composite
def moments(draw):
    """Return a zone, and a moment within two days of one of its changes."""
    name = draw(st.sampled_from(sorted(CHANGES)))
    day = datetime(*draw(st.sampled_from(CHANGES[name])), tzinfo=UTC)
    seconds = st.one_of(st.integers(-2 * 86_400, 2 * 86_400), st.integers(-8 * 3_600, 12 * 3_600))
    at = day + timedelta(seconds=draw(seconds), microseconds=draw(st.integers(0, 999_999)))
    zone = ZoneInfo(name)
    return zone, at.astimezone(draw(st.sampled_from([UTC, zone])))


def shown(moment: datetime, zone: ZoneInfo) -> datetime:
    """Return the local time of the zone."""
    return moment.astimezone(zone).replace(tzinfo=None)


def minutes_after(at: datetime):
    """Yield the whole minutes after `at`, in UTC."""
    start = at.astimezone(UTC).replace(second=0, microsecond=0)
    return (start + MINUTE * n for n in count(1))


def quiet_minutes(begin: time, end: time) -> set[tuple[int, int]]:
    """Return the minutes of quiet hours, from the beginning to the end."""
    clock, minutes = datetime.combine(datetime(2000, 1, 1, tzinfo=UTC), begin), set()
    while (clock.hour, clock.minute) != (end.hour, end.minute):
        minutes.add((clock.hour, clock.minute))
        clock += MINUTE
    return minutes


@given(moments(), st.one_of(CLOCKS, NIGHT), st.one_of(CLOCKS, NIGHT))
def test_push_waits_for_the_end_of_quiet_hours(moment, begin, end):
    zone, at = moment
    if begin == end:
        return
    quiet = quiet_minutes(begin, end)
    is_quiet = lambda when: (shown(when, zone).hour, shown(when, zone).minute) in quiet  # noqa: E731
    expected = next(when for when in minutes_after(at) if not is_quiet(when)) if is_quiet(at) else at
    due = push_due(Choices(zone, quiet_from=begin, quiet_until=end), at)
    assert due.astimezone(UTC) == expected.astimezone(UTC)
    assert due.utcoffset() == timedelta(0)
    at_once = Choices(zone, MailChoice.AT_ONCE, quiet_from=begin, quiet_until=end)
    assert mail_due(at_once, at) == due


@given(moments(), st.one_of(st.integers(0, 23), st.integers(0, 3)))
def test_daily_mail_is_due_at_the_first_minute_from_its_hour(moment, hour):
    zone, at = moment
    reached = set()  # days on which the clock has reached the hour by `at`
    for when in minutes_after(at.astimezone(UTC) - timedelta(days=3)):
        here = shown(when, zone)
        if when > at.astimezone(UTC) and here.hour >= hour and here.date() not in reached:
            break
        if here.hour >= hour:
            reached.add(here.date())
    due = mail_due(Choices(zone, MailChoice.DAILY, mail_hour=hour), at)
    assert due is not None
    assert due.astimezone(UTC) == when
    assert due.astimezone(UTC) > at.astimezone(UTC)


WARSAW = ZoneInfo("Europe/Warsaw")


def test_quiet_hours_of_a_night():
    for at, begin, end, due in (
        ("2027-06-01T21:59:59+02:00", "22:00", "07:00", "2027-06-01T21:59:59+02:00"),
        ("2027-06-01T22:00:00+02:00", "22:00", "07:00", "2027-06-02T07:00:00+02:00"),
        ("2027-06-02T07:00:00+02:00", "22:00", "07:00", "2027-06-02T07:00:00+02:00"),
        ("2027-06-01T13:30:00+02:00", "13:00", "15:00", "2027-06-01T15:00:00+02:00"),
        ("2027-03-28T01:30:00+01:00", "22:00", "02:30", "2027-03-28T03:00:00+02:00"),  # 2:30 does not exist
        ("2027-10-31T02:10:00+01:00", "22:00", "02:30", "2027-10-31T02:30:00+01:00"),  # 2:10 for the second time
        ("2027-10-31T02:10:00+02:00", "22:00", "02:30", "2027-10-31T02:30:00+02:00"),  # and for the first
        ("2027-10-31T02:45:00+02:00", "02:30", "05:00", "2027-10-31T02:00:00+01:00"),  # the clock leaves quiet hours
        ("2027-10-31T01:00:00+02:00", "22:00", "07:00", "2027-10-31T07:00:00+01:00"),
    ):
        chosen = Choices(WARSAW, quiet_from=time.fromisoformat(begin), quiet_until=time.fromisoformat(end))
        for zone in (UTC, WARSAW):
            assert push_due(chosen, datetime.fromisoformat(at).astimezone(zone)) == datetime.fromisoformat(due), at


def test_hour_of_a_daily_mail():
    for at, hour, due in (
        ("2027-06-01T07:59:59+02:00", 8, "2027-06-01T08:00:00+02:00"),
        ("2027-06-01T08:00:00+02:00", 8, "2027-06-02T08:00:00+02:00"),
        ("2027-03-28T01:30:00+01:00", 2, "2027-03-28T03:00:00+02:00"),  # 2:00 does not exist
        ("2027-10-31T02:30:00+02:00", 2, "2027-11-01T02:00:00+01:00"),  # its second 2:00 is no second mail
        ("2027-10-31T01:30:00+02:00", 2, "2027-10-31T02:00:00+02:00"),
    ):
        chosen = Choices(WARSAW, MailChoice.DAILY, hour, time(0), time(23))
        for zone in (UTC, WARSAW):
            assert mail_due(chosen, datetime.fromisoformat(at).astimezone(zone)) == datetime.fromisoformat(due), at


def test_push_and_mail_are_due_at_once_without_quiet_hours():
    at = datetime(2027, 6, 1, 23, tzinfo=UTC)
    assert push_due(Choices(WARSAW), at) == at
    assert mail_due(Choices(WARSAW), at) is None
    assert mail_due(Choices(WARSAW, MailChoice.AT_ONCE), at) == at
