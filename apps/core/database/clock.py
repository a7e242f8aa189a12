"""The hall's time zone and the database's clock."""

from datetime import datetime, time, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo

from django.conf import settings
from django.db import connection


@lru_cache(maxsize=4)
def _zone(name: str) -> ZoneInfo:
    """Return the zone of that name, read once."""
    return ZoneInfo(name)


def venue_zone() -> ZoneInfo:
    """Return the time zone of the hall (`VENUE_TIME_ZONE`)."""
    return _zone(getattr(settings, "VENUE_TIME_ZONE", "Europe/Warsaw"))


def venue_day(now: datetime) -> tuple[datetime, datetime]:
    """Return when the hall's day of this moment begins, and when the next one does."""
    zone = venue_zone()
    today = now.astimezone(zone).date()
    begin, end = (datetime.combine(day, time.min, zone) for day in (today, today + timedelta(days=1)))
    return begin, end


def database_now() -> datetime:
    """Return the time by the database's clock, which dates all rows. One query."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT statement_timestamp()")
        (moment,) = cursor.fetchone()
    now: datetime = moment
    return now
