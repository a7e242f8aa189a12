"""Test the time zone of the venue."""

from datetime import UTC, datetime

from apps.core.database.fields import venue_zone


def test_venue_zone_is_the_configured_one(settings):
    settings.VENUE_TIME_ZONE = "Europe/Warsaw"
    assert datetime(2027, 10, 12, 15, 0, tzinfo=UTC).astimezone(venue_zone()).hour == 17
    settings.VENUE_TIME_ZONE = "Asia/Tokyo"
    assert datetime(2027, 10, 12, 15, 0, tzinfo=UTC).astimezone(venue_zone()).hour == 0
