"""Client addresses: how they are counted, and which belong to the hall."""

from collections.abc import Iterable
from ipaddress import ip_address, ip_network

from django.conf import settings

VENUE_FACTOR = 10
ADDRESS_BITS_6 = 64  # one household or phone holds a whole /64


def address_key(client: Iterable[object] | None) -> str:
    """Return the address by which an ASGI scope's client is counted, in IPv6 its /64; empty when there is none."""
    host = str(next(iter(client), "")) if client else ""
    try:
        address = ip_address(host)
    except ValueError:
        return ""
    if address.version == 4:  # noqa: PLR2004 - the name of the protocol
        return str(address)
    if address.ipv4_mapped:
        return str(address.ipv4_mapped)
    return str(ip_network((address, ADDRESS_BITS_6), strict=False))


def factor(key: str) -> int:
    """Return by how much the limits of this address are multiplied."""
    if not key:
        return 1
    host = ip_network(key).network_address
    return VENUE_FACTOR if any(host in venue for venue in settings.VENUE_ADDRESSES) else 1
