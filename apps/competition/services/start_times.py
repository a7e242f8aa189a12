"""The start of a session from a form's date and time in the hall."""

from datetime import UTC, date, datetime, time

from django.core.exceptions import ValidationError

from apps.core.database.clock import venue_zone


def venue_moment(*, date: str, time: str) -> datetime:
    """Return the moment of a day ("2027-10-12") and a time ("17:00") in the hall.

    A time that comes twice, when clocks are set back, is the first one. Raises ValidationError at `date` and `time`,
    also for a time that clocks skip.
    """
    day, clock = _day(date), _clock(time)
    if day is None or clock is None:
        missing = {"date": "Date is required."} if day is None else {}
        raise ValidationError({**missing, **({"time": "Time is required."} if clock is None else {})})
    moment = datetime.combine(day, clock, tzinfo=venue_zone())
    if moment.astimezone(UTC).astimezone(venue_zone()).replace(tzinfo=None) != moment.replace(tzinfo=None):
        raise ValidationError({"time": "There is no such time that day: clocks are set forward."})
    return moment


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text.strip())
    except ValueError:
        return None


def _clock(text: str) -> time | None:
    try:
        return datetime.strptime(text.strip(), "%H:%M").time()  # noqa: DTZ007 - a time of the hall, its day is elsewhere
    except ValueError:
        return None
