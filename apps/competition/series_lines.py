"""Lines that describe the sessions of a series: date, start, and optionally end, number of performers, and title.

A line without a date is a session of the day in the line above.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from django.core.exceptions import ValidationError

from apps.competition.limits import PERFORMERS_MOST, SERIES_MOST
from apps.core.database.fields import venue_zone

FIELD = "sessions"
_UNREAD = (
    "Line %(line)d: “%(text)s” begins with no date and time."
    " Please write for example “2027-10-12 10:00 14:00 21 Morning”."
)
_END = "Line %(line)d: the session would end before it starts."
_SKIPPED = "Line %(line)d: there is no such time that day, clocks are set forward."
_NONE = "Write a line for each session: date, time, and if known end, number of performers and title."
_MANY = "A series has at most %(most)d sessions."
_LEFT = "The list has %(n)d performers, and these sessions take %(taken)d. Please correct the numbers."
_FULL = "A session has at most %(most)d participants, since its page shows all of them."
_DIGITS = 3  # of a number of performers


@dataclass(frozen=True, slots=True)
class SeriesLine:
    """A session to make; `count` is None if performers are to be shared out evenly, `title` may be empty."""

    starts_at: datetime
    ends_at: datetime | None
    count: int | None
    title: str


def series_read(text: str) -> list[SeriesLine]:
    """Return the sessions in these lines, in the venue's time. Raises ValidationError at `sessions`."""
    lines = [(number, line) for number, line in enumerate(text.splitlines(), start=1) if line.strip()]
    if not lines:
        raise ValidationError({FIELD: _NONE})
    if len(lines) > SERIES_MOST:
        raise ValidationError({FIELD: ValidationError(_MANY, params={"most": SERIES_MOST})})
    read: list[SeriesLine] = []
    for number, line in lines:
        read.append(_line(number, line, read[-1].starts_at.date() if read else None))
    return read


def shared_out(lines: Sequence[SeriesLine], performers: int) -> list[int]:
    """Return how many performers each session gets, in order; they add up to all.

    Lines without a number share the others evenly, the first ones get one more. Raises ValidationError at `sessions` if
    the numbers do not add up, and for more than PERFORMERS_MOST.
    """
    taken, open_lines = sum(line.count or 0 for line in lines), [line for line in lines if line.count is None]
    left = performers - taken
    if performers and (left < 0 or (left and not open_lines)):
        raise ValidationError({FIELD: ValidationError(_LEFT, params={"n": performers, "taken": taken})})
    each, more = divmod(max(left, 0), len(open_lines) or 1)
    shares = iter([each + 1] * more + [each] * (len(open_lines) - more))
    counts = [0 if not performers else next(shares) if line.count is None else line.count for line in lines]
    if max(counts) > PERFORMERS_MOST:
        raise ValidationError({FIELD: ValidationError(_FULL, params={"most": PERFORMERS_MOST})})
    return counts


def _line(number: int, text: str, day_above: date | None) -> SeriesLine:
    words = text.replace(";", " ").replace("–", " ").split()
    day = _day(words[0]) if words else None
    rest = words[1:] if day else words
    day, start = day or day_above, _clock(rest[0]) if rest else None
    if day is None or start is None:
        raise ValidationError({FIELD: ValidationError(_UNREAD, params={"line": number, "text": " ".join(words)})})
    rest = rest[1:]
    end = _clock(rest[0]) if rest else None
    rest = rest[1:] if end else rest
    is_count = bool(rest) and rest[0].isascii() and rest[0].isdecimal() and len(rest[0]) <= _DIGITS
    count = int(rest[0]) if is_count else None
    starts_at = _moment(number, day, start)
    ends_at = _moment(number, day, end) if end else None
    if ends_at and ends_at <= starts_at:
        later = _moment(number, day, (end or start).replace(fold=1))  # an hour later if the clock shows it twice
        ends_at = later if later.timestamp() > starts_at.timestamp() else ends_at
    if ends_at and ends_at.timestamp() <= starts_at.timestamp():
        if start.hour < 12:  # noqa: PLR2004 - noon: only an evening ends after midnight
            raise ValidationError({FIELD: ValidationError(_END, params={"line": number})})
        ends_at = _moment(number, day + timedelta(days=1), end or start)
    return SeriesLine(starts_at, ends_at, count, " ".join(rest[1:] if is_count else rest))


def _moment(number: int, day: date, clock: time) -> datetime:
    moment = datetime.combine(day, clock, tzinfo=venue_zone())
    back = datetime.fromtimestamp(moment.timestamp(), tz=venue_zone())
    if back.replace(tzinfo=None) != moment.replace(tzinfo=None):
        raise ValidationError({FIELD: ValidationError(_SKIPPED, params={"line": number})})
    return moment


def _day(text: str) -> date | None:
    parts = text.strip(",.").split(".")
    if len(parts) == 3:  # noqa: PLR2004 - day, month, year: "12.10.2027"
        text = "-".join(part.zfill(2) for part in reversed(parts))
    try:
        return date.fromisoformat(text.strip(","))
    except ValueError:
        return None


def _clock(text: str) -> time | None:
    hours, colon, minutes = text.strip(",").replace(".", ":", 1).partition(":")  # also "10.00"
    digits = hours + minutes
    if not colon or not (digits.isascii() and digits.isdecimal()) or len(minutes) != 2 or len(hours) > 2:  # noqa: PLR2004 - "9:30"
        return None
    try:
        return time(int(hours), int(minutes))
    except ValueError:
        return None
