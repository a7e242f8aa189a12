"""Dates and times of the demo, relative to today, in the venue's time zone."""

from datetime import datetime, time, timedelta

from apps.core.database.fields import venue_zone
from apps.demo.texts import SessionText

_NOON, _EVENING = 12, 17  # hours
_UNDER_WAY = timedelta(minutes=150)  # then the seventh of eleven performers is on stage
_LATE = 4  # minutes, at least, of the performer on stage
_MEMBER_FOR, _REGISTERED_WITHIN = timedelta(weeks=5), 60  # days
FIRST_NOTE = 240  # seconds from the start of a recording
PERFORMANCE = 1560  # seconds from one participant to the next
_PIECES = (0, 205, 420, 790, 1335)  # seconds from a participant's first note to each piece
_SHARES = (0.02, 0.16, 0.32, 0.54, 0.81)  # of a performance in a live stream, until each piece begins


def moment(now: datetime, days: int, clock: str) -> datetime:
    """Return the moment of a venue time ("17:00"), a number of days from today."""
    day = now.astimezone(venue_zone()).date() + timedelta(days=days)
    return datetime.combine(day, time.fromisoformat(clock), tzinfo=venue_zone())


def starts_at(text: SessionText, now: datetime) -> datetime:
    """Return when a session starts; the live session started earlier today, at a full or half hour."""
    if not text.live:
        return moment(now, text.day, text.time)
    here = now.astimezone(venue_zone())
    midnight = here.replace(hour=0, minute=0, second=0, microsecond=0)
    began = max(here - _UNDER_WAY, midnight)
    return began.replace(minute=began.minute // 30 * 30, second=0, microsecond=0)


def title_of(text: SessionText, begins: datetime) -> str:
    """Return the session's title with the part of the day filled in."""
    hour = begins.astimezone(venue_zone()).hour
    part = "morning" if hour < _NOON else "afternoon" if hour < _EVENING else "evening"
    return text.title.format(part=part)


def titles_of(text: SessionText) -> tuple[str, ...]:
    """Return the session's possible titles."""
    return tuple(text.title.format(part=part) for part in ("morning", "afternoon", "evening"))


def joined_at(username: str, now: datetime) -> datetime:
    """Return when an invented account registered: weeks before the first session."""
    return now - _MEMBER_FOR - timedelta(days=sum(username.encode()) % _REGISTERED_WITHIN)


def piece_second(order_number: int, piece_number: int) -> int:
    """Return the second of the recording at which a participant's piece begins; both numbers count from one."""
    # varies the length of the pauses
    drift = (order_number * 37 + piece_number * 11) % 50
    return FIRST_NOTE + (order_number - 1) * PERFORMANCE + _PIECES[piece_number - 1] + drift


def planned_minutes(text: SessionText, age: timedelta) -> int:
    """Return the minutes planned for a performance; in the live session, for which the last performer came late."""
    if not text.live:
        return text.minutes
    waited = sum(text.interval[1:])
    came_after = age / timedelta(minutes=1) * (text.performing - 1) / text.performing
    return max(1, int((came_after - _LATE - waited) / (text.performing - 1)))


def recorded_seconds(order_number: int) -> tuple[int, ...]:
    """Return the seconds of the recording at which a participant's pieces begin."""
    return tuple(piece_second(order_number, number) for number in range(1, len(_PIECES) + 1))


def streamed_seconds(order_number: int, *, performers: int, age: timedelta) -> tuple[int, ...]:
    """Return the seconds of a live stream at which a participant's pieces began, none of them after its `age`.

    `performers` participants have filled the time so far, one after the other; the last one is still on stage.
    """
    each = age.total_seconds() / performers
    return tuple(int(each * (order_number - 1 + share)) for share in _SHARES)
