"""Days in an address, in venue time, for filters by time."""

from datetime import datetime, timedelta

from django.core.exceptions import ValidationError

from apps.competition.services.sessions import venue_moment


def day_of(text: str) -> datetime | None:
    """Return the start of the day in an address, in venue time; None for an invalid date."""
    try:
        return venue_moment(date=text, time="00:00") if text else None
    except ValidationError:
        return None


def day_until(text: str) -> datetime | None:
    """Return the end of the day in an address; None for an invalid date."""
    begins = day_of(text)
    return begins + timedelta(days=1) if begins else None
