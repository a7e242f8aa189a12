"""What in a text is a link: addresses of other sites, and people who are mentioned.

Strangers write what these patterns read: each reads a text once, and what was taken is not given back (`++`).
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from apps.accounts.limits import USERNAME_LONGEST, USERNAME_SHORTEST
from apps.community.limits import MENTIONS

_FOUND = re.compile(
    r"(?<![A-Za-z0-9])(?P<link>[Hh][Tt][Tt][Pp][Ss]?://[^\s<>\"`{}|\\^]++)"
    rf"|(?<![\w@/.+-])@(?P<name>[A-Za-z][A-Za-z0-9_-]{{{USERNAME_SHORTEST - 1},{USERNAME_LONGEST - 1}}}+)(?![\w@-])"
)
_PARTS = re.compile(
    r"(?P<scheme>[A-Za-z]++)://(?P<host>[^/?#:]*+)(?P<port>:[0-9]{1,5}+)?+(?P<rest>(?:[/?#].*+)?+)", re.DOTALL
)
_HOST = re.compile(r"[A-Za-z0-9-]++(?:\.[A-Za-z0-9-]++)++\.?")
_HOST_LENGTH = 253  # characters (RFC 1035)
_SENTENCE_ENDS = frozenset(".,;:!?'*_~…’”»")  # after an address these end the sentence around it
_BRACKETS = {")": "(", "]": "["}  # these too, unless they were opened within the address


@dataclass(frozen=True, slots=True)
class Segment:
    """A piece of a text: plain, or with the `address` that it leads to, or with the `username` that it mentions."""

    text: str
    address: str = ""
    username: str = ""


def segments(text: str) -> tuple[Segment, ...]:
    """Return `text` in pieces; together they say what it says, but for hosts that ASCII cannot write.

    Such a host, which may look like another one, is written in its ASCII form.
    """
    return tuple(_joined(_pieces(text)))


def mentions(texts: Iterable[str]) -> frozenset[str]:
    """Return the usernames that these texts mention, the first MENTIONS of each, as they are written there."""
    return frozenset(name for text in texts for name in _first_mentions(text))


def links(text: str) -> int:
    """Return how many addresses a text has that one can follow."""
    return sum(bool(each.address) for each in segments(text))


def _first_mentions(text: str) -> list[str]:
    names = dict.fromkeys(each.username for each in segments(text) if each.username)
    return list(names)[:MENTIONS]


def _pieces(text: str) -> Iterator[Segment]:
    end = 0
    for found in _FOUND.finditer(text):
        yield Segment(text[end : found.start()])
        end = found.end()
        if name := found["name"]:
            yield Segment(found[0], username=name)
        else:
            length = _link_length(found[0])
            yield _link(found[0][:length])
            yield Segment(found[0][length:])
    yield Segment(text[end:])


def _joined(pieces: Iterable[Segment]) -> Iterator[Segment]:
    """Yield the pieces without empty ones, plain ones that follow each other as one."""
    plain: list[str] = []
    for piece in pieces:
        if not (piece.address or piece.username):
            plain.append(piece.text)
            continue
        if before := "".join(plain):
            yield Segment(before)
        plain.clear()
        yield piece
    if after := "".join(plain):
        yield Segment(after)


def _link_length(link: str) -> int:
    """Return how many signs of an address are its own: not what ends the sentence or the brackets around it."""
    end = len(link)
    surplus = {close: link.count(close) - link.count(begin) for close, begin in _BRACKETS.items()}
    while end:
        last = link[end - 1]
        if last in _BRACKETS and surplus[last] > 0:
            surplus[last] -= 1
        elif last not in _SENTENCE_ENDS:
            break
        end -= 1
    return end


def _link(link: str) -> Segment:
    """Return an address as it is shown and followed; a plain text unless it is that of a host with a name."""
    parts = _PARTS.fullmatch(link)
    host = _ascii_host(parts["host"]) if parts else ""
    if not parts or not host:
        return Segment(link)
    after = f"{parts['port'] or ''}{parts['rest']}"
    return Segment(f"{parts['scheme']}://{host}{after}", f"{parts['scheme'].lower()}://{host}{after}")


def _ascii_host(host: str) -> str:
    """Return the host as DNS knows it, an empty text where it is none; one in ASCII stays as it is written."""
    if len(host) > _HOST_LENGTH:  # reading such a name takes its length squared
        return ""
    try:
        name = host if host.isascii() else host.encode("idna").decode()
    except UnicodeError:
        return ""
    return name if _HOST.fullmatch(name) else ""
