"""Calendar files (RFC 5545) of sessions and of participants' appearances."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

from django.conf import settings
from icalendar import Calendar, Event, vDuration

from apps.competition.selectors.public.calendar import CalendarRow
from apps.core.texts import Texts
from components.calendar_zones import timezone_of
from components.ui.blocks import place_words
from components.ui.venue_time import clock_text

PRODUCT = "-//Parterre//Calendar//EN"
REFRESHED = timedelta(minutes=15)  # how often a program should read the file again
SESSION_ABOUT = timedelta(hours=3)  # of a session whose end is not planned
PERFORMANCE_ABOUT = timedelta(minutes=45)  # of a performance after which nothing is planned
YEAR = timedelta(days=366)  # around the events, for which the file explains the zone's offsets


def calendar_file(rows: Sequence[CalendarRow], *, name: str, zone: ZoneInfo, t: Texts) -> bytes:
    """Return the file with one event for each row, and with the rules of the venue's zone.

    Equal rows make equal bytes, so that a program can ask whether its copy is current.
    """
    calendar = Calendar()
    for key, value in {"prodid": PRODUCT, "version": "2.0", "method": "PUBLISH", "x-wr-calname": name}.items():
        calendar.add(key, value)
    calendar.add("x-wr-timezone", zone.key)
    calendar.add("refresh-interval", vDuration(REFRESHED), parameters={"VALUE": "DURATION"})
    calendar.add("x-published-ttl", vDuration(REFRESHED))
    events = [_event(row, zone, t) for row in rows]
    for event in events:
        calendar.add_component(event)
    if events:
        starts = [span(row)[0] for row in rows]
        first, last = (min(starts) - YEAR).date(), (max(starts) + YEAR).date()
        calendar.add_component(timezone_of(zone, first, last))
    return bytes(calendar.to_ical())


def _event(row: CalendarRow, zone: ZoneInfo, t: Texts) -> Event:
    start, end, is_guess = span(row)
    event = Event()
    event.add("uid", uid(row))
    event.add("sequence", row.sequence)
    event.add("dtstamp", row.changed_at)
    event.add("last-modified", row.changed_at)
    event.add("dtstart", _written(start, zone))
    event.add("dtend", _written(end, zone))
    event.add("summary", f"{row.name}: {row.title}" if row.name else row.title)
    event.add("status", "CONFIRMED" if row.cancelled_at is None else "CANCELLED")
    event.add("transp", "TRANSPARENT")
    if row.cancelled_at is None:
        event.add("url", f"{settings.PUBLIC_URL}/sessions/{row.session_id}")
    if words := description(row, end if is_guess else None, zone, t):
        event.add("description", words)
    return event


def _written(at: datetime, zone: ZoneInfo) -> datetime:
    """Return the moment in the venue's zone; in UTC for the second of two equal times, when clocks are set back.

    RFC 5545 takes an ambiguous time of a zone for the first of the two.
    """
    local = at.astimezone(zone)
    return at.astimezone(UTC) if local.fold else local


def span(row: CalendarRow) -> tuple[datetime, datetime, bool]:
    """Return start and end of an event, and whether the end is a guess.

    An appearance without a planned start has the times of its session. One with a planned start ends with the next
    planned start, or with the session.
    """
    if row.planned_start is not None:
        end = row.next_start or row.planned_end
        if end is not None and end > row.planned_start:
            return row.planned_start, end, False
        return row.planned_start, row.planned_start + PERFORMANCE_ABOUT, True
    if row.planned_end is not None:
        return row.starts_at, row.planned_end, False
    return row.starts_at, row.starts_at + SESSION_ABOUT, True


def description(row: CalendarRow, guessed_end: datetime | None, zone: ZoneInfo, t: Texts) -> str:
    """Return the lines below an event's title: the place in the order of playing, and an end that is a guess."""
    lines = []
    if row.order_number is not None:
        lines.append(place_words(row.order_number, row.title, t))
        if row.planned_start is None:
            lines.append(t("No time of its own is planned: these are the times of the session."))
    if guessed_end is not None:
        at = clock_text(guessed_end, zone=zone, language=t.language)
        lines.append(t("Ends about {time} in the hall; no end is planned.").format(time=at))
    return "\n".join(lines)


def uid(row: CalendarRow) -> str:
    """Return the event's name, which it keeps while its session and its participant are the same rows."""
    of = "" if row.participant_id is None else f"-participant-{row.participant_id}"
    return f"session-{row.session_id}{of}@{urlsplit(settings.PUBLIC_URL).hostname}"
