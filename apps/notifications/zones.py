"""Time zones that a member can choose."""

from collections.abc import Mapping
from functools import cache
from itertools import groupby
from zoneinfo import ZoneInfo, available_timezones

from apps.core.database.fields import venue_zone

_REGIONS = ("Africa", "America", "Antarctica", "Arctic", "Asia", "Atlantic", "Australia", "Europe", "Indian", "Pacific")
_UTC = "UTC"


@cache
def zone_names() -> tuple[str, ...]:
    """Return the names of all zones of a place, such as "Europe/Warsaw", by name, and UTC.

    Older names of a zone are included, because some browsers report them.
    """
    places = (name for name in available_timezones() if name.partition("/")[0] in _REGIONS)
    return (*sorted(places), _UTC)


@cache
def zone_regions() -> Mapping[str, tuple[str, ...]]:
    """Return the names of zones by region, such as "Europe"; UTC is in none."""
    names = [name for name in zone_names() if name != _UTC]
    return {region: tuple(each) for region, each in groupby(names, key=lambda name: name.partition("/")[0])}


@cache
def _known() -> frozenset[str]:
    return frozenset(zone_names())


def is_zone(name: str) -> bool:
    """Return whether there is a zone of this name that a member can choose."""
    return name in _known()


def zone_of(name: str) -> ZoneInfo:
    """Return the zone of a stored name; the venue's for the empty one, and for one that this machine does not know."""
    return ZoneInfo(name) if is_zone(name) else venue_zone()


def place_of(zone: ZoneInfo) -> str:
    """Return the place in a zone's name, such as "New York"."""
    return zone.key.rpartition("/")[2].replace("_", " ")
