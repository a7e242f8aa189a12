"""Time as the hall sees it."""

from functools import lru_cache
from zoneinfo import ZoneInfo

from django.conf import settings


@lru_cache(maxsize=4)
def _zone(name: str) -> ZoneInfo:
    """Return the zone of that name, read once."""
    return ZoneInfo(name)


def venue_zone() -> ZoneInfo:
    """Return the time zone of the hall (`VENUE_TIME_ZONE`)."""
    return _zone(getattr(settings, "VENUE_TIME_ZONE", "Europe/Warsaw"))
