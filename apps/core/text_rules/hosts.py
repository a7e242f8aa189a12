"""Hosts as browsers read them: names in ASCII, and the addresses that a name of digits means (WHATWG URL, 3.5)."""

from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from unicodedata import category, normalize
from urllib.parse import unquote, urlsplit

_HOST_LENGTH = 253  # characters (RFC 1035), and each takes at least one
_IPV4_PARTS = 4
_BYTE = 256
_TRANSLATED = (ip_network("64:ff9b::/96"), ip_network("64:ff9b:1::/48"), ip_network("::/96"))  # around an IPv4 address
_FILLERS = "\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0"
_SELECTORS = (range(0x180B, 0x1810), range(0xFE00, 0xFE10), range(0xE0100, 0xE01F0))
_DIGITS = {8: "01234567", 10: "0123456789", 16: "0123456789abcdef"}


def host_read(address: str) -> str:
    """Return the host of an address, a name in lower-case ASCII or an IP address; empty when no browser accepts it."""
    try:
        host = urlsplit(address).hostname or ""
        if ":" in host:  # urlsplit has taken the brackets away
            return str(IPv6Address(host)) if "%" not in host else ""
        name = normalize("NFKC", unquote(host, errors="strict"))
        if len(name) > _HOST_LENGTH or any(map(_is_ignored, name)):  # encoding takes quadratic time
            return ""
        name = name.encode("idna").decode().lower().rstrip(".")
        return str(_ipv4_read(name)) if _ends_in_number(name) else name
    except ValueError:
        return ""


def is_public(host: str) -> bool:
    """Whether a host from `host_read` is, as far as it says, on the internet and not in the viewer's own network."""
    if not host or host == "localhost" or host.endswith(".localhost"):
        return False
    try:
        found = ip_address(host)
    except ValueError:  # a name
        return True
    return all(each.is_global and not each.is_multicast for each in _meant(found))


def _is_ignored(sign: str) -> bool:
    """Whether browsers leave this sign out, or read another one for it that this Python does not know yet."""
    return category(sign).startswith("C") or sign in _FILLERS or any(ord(sign) in signs for signs in _SELECTORS)


def _meant(found: IPv4Address | IPv6Address) -> list[IPv4Address | IPv6Address]:
    """Return the address, or the IPv4 address that an IPv6 address maps."""
    if isinstance(found, IPv4Address):
        return [found]
    inner = [found.ipv4_mapped, found.sixtofour, *(found.teredo or ())]
    if any(found in network for network in _TRANSLATED):
        inner.append(IPv4Address(int(found) & 0xFFFF_FFFF))
    return [each for each in inner if each is not None] or [found]


def _ends_in_number(name: str) -> bool:
    """Whether a browser takes the name for an IPv4 address."""
    last = name.rpartition(".")[2]
    return bool(last) and (last.isdigit() or (last.startswith("0x") and set(last[2:]) <= set(_DIGITS[16])))


def _ipv4_read(name: str) -> IPv4Address:
    """Return the address of up to four numbers, decimal, octal (0…) or hexadecimal (0x…); raises ValueError.

    The last number fills all bytes that are left.
    """
    parts = [_number(part) for part in name.split(".")]
    *first, last = parts
    if len(parts) > _IPV4_PARTS or any(part >= _BYTE for part in first):
        raise ValueError(name)
    if last >= _BYTE ** (_IPV4_PARTS - len(first)):
        raise ValueError(name)
    return IPv4Address(last + sum(part * _BYTE ** (_IPV4_PARTS - 1 - place) for place, part in enumerate(first)))


def _number(part: str) -> int:
    """Return a part of an IPv4 address; raises ValueError."""
    base, digits = 10, part
    if part.startswith("0x"):
        base, digits = 16, part[2:]
    elif len(part) > 1 and part.startswith("0"):
        base, digits = 8, part[1:]
    if not part or not set(digits) <= set(_DIGITS[base]):
        raise ValueError(part)
    return int(digits, base) if digits else 0
