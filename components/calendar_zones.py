"""The rules of a time zone in a calendar file (VTIMEZONE of RFC 5545, section 3.6.5).

They are written as yearly rules: desktop Outlook reads a list of dates (RDATE) as a zone without summer time.
"""

from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from icalendar import Timezone, TimezoneDaylight, TimezoneStandard

ONE_DAY, ONE_MINUTE = timedelta(days=1), timedelta(minutes=1)
WEEKDAYS = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
WEEK_DAYS = 7


def timezone_of(zone: ZoneInfo, first: date, last: date) -> Timezone:
    """Return the zone's rules that hold between two dates, with their changes of the clocks."""
    timezone = Timezone()
    timezone.add("tzid", zone.key)
    kinds: dict[tuple[timedelta, timedelta], list[datetime]] = {}
    for change in changes(zone, first, last):
        kinds.setdefault((offset(zone, change - ONE_MINUTE), offset(zone, change)), []).append(change)
    if not kinds:
        begun = datetime(first.year, 1, 1, tzinfo=UTC)
        kinds[offset(zone, begun), offset(zone, begun)] = [begun]
    for (before, after), onsets in kinds.items():
        timezone.add_component(_observance(zone, before, after, onsets))
    return timezone


def changes(zone: ZoneInfo, first: date, last: date) -> Iterator[datetime]:
    """Yield the moments between two dates at which the zone's offset changes, in UTC and to the minute."""
    early = datetime(first.year, first.month, first.day, tzinfo=UTC)
    while early.date() < last:
        late = early + ONE_DAY
        if offset(zone, early) != offset(zone, late):
            yield _bisected(zone, early, late)
        early = late


def _bisected(zone: ZoneInfo, early: datetime, late: datetime) -> datetime:
    while late - early > ONE_MINUTE:
        middle = early + (late - early) // ONE_MINUTE // 2 * ONE_MINUTE
        if offset(zone, middle) == offset(zone, early):
            early = middle
        else:
            late = middle
    return late


def offset(zone: ZoneInfo, at: datetime) -> timedelta:
    """Return the zone's offset from UTC at this moment."""
    return at.astimezone(zone).utcoffset() or timedelta()


def _observance(
    zone: ZoneInfo, before: timedelta, after: timedelta, onsets: Sequence[datetime]
) -> TimezoneDaylight | TimezoneStandard:
    """Return one kind of change. Its times are those of the clocks before it, as the RFC asks."""
    local = [(at + before).replace(tzinfo=None) for at in onsets]
    part = TimezoneDaylight() if onsets[0].astimezone(zone).dst() else TimezoneStandard()
    part.add("tzname", onsets[0].astimezone(zone).tzname())
    part.add("tzoffsetfrom", before)
    part.add("tzoffsetto", after)
    part.add("dtstart", local[0])
    if rule := yearly(local):
        part.add("rrule", rule)
    elif local[1:]:
        part.add("rdate", local[1:])
    return part


def yearly(onsets: Sequence[datetime]) -> dict[str, Any]:
    """Return the yearly rule of these local times, such as the last Sunday in March; empty if there is none."""
    years = [at.year for at in onsets]
    places = {(at.month, at.weekday(), at.time()) for at in onsets}
    if len(onsets) == 1 or len(places) > 1 or years != list(range(years[0], years[0] + len(years))):
        return {}
    weeks = {(at.day - 1) // WEEK_DAYS + 1 for at in onsets}
    is_last = all((at + WEEK_DAYS * ONE_DAY).month != at.month for at in onsets)
    if not is_last and len(weeks) > 1:
        return {}
    week = -1 if is_last else weeks.pop()
    return {"freq": "yearly", "bymonth": onsets[0].month, "byday": f"{week}{WEEKDAYS[onsets[0].weekday()]}"}
