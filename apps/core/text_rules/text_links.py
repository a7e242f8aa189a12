"""What in a text is a link: the addresses of other sites.

Strangers write what these patterns read: each reads a text once, and what was taken is not given back (`++`).
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

# Signs that no address has: those of sentences in scripts without spaces, Arabic ones, and those that take no room. The
# full stop of Chinese divides the labels of a host as well.
_NEVER = "。，、；：！？（）「」『』【】〈〉《》〔〕｡､،؛؟\u00ad\u200b-\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff"
_FOUND = re.compile(rf"(?<![A-Za-z0-9])[Hh][Tt][Tt][Pp][Ss]?://(?:[^\s<>\"`{{}}|\\^{_NEVER}]|[。｡](?=[A-Za-z0-9]))++")
_PARTS = re.compile(
    r"(?P<scheme>[A-Za-z]++)://(?P<host>[^/?#:]*+)(?P<port>:[0-9]{1,5}+)?+(?P<rest>(?:[/?#].*+)?+)", re.DOTALL
)
_HOST = re.compile(r"[A-Za-z0-9-]++(?:\.[A-Za-z0-9-]++)++\.?")
_HOST_LENGTH = 253  # characters (RFC 1035)
_SENTENCE_ENDS = frozenset(".,;:!?'*_~…’‘”“»«›‹।")  # after an address these end the sentence around it
_BRACKETS = {")": "(", "]": "["}  # these too, unless they were opened within the address


@dataclass(frozen=True, slots=True)
class LinkedText:
    """A piece of a text: plain, or with the `address` that it leads to."""

    text: str
    address: str = ""


def text_links(text: str) -> tuple[LinkedText, ...]:
    """Return `text` in pieces; together they say what it says, but for hosts that ASCII cannot write.

    Such a host, which may look like another one, is written in its ASCII form.
    """
    return tuple(_joined(_pieces(text)))


def links(text: str) -> int:
    """Return how many addresses a text has that one can follow."""
    return sum(bool(each.address) for each in text_links(text))


def link_of(address: str) -> LinkedText:
    """Return an address as it is shown and followed; a plain text unless it is http(s) and that of a host with a name.

    Its host is in ASCII, and nobody signs in by it.
    """
    parts = _PARTS.fullmatch(address)
    is_web = parts is not None and parts["scheme"].lower() in ("http", "https")
    host = _ascii_host(parts["host"]) if parts and is_web else ""
    if not parts or not host:
        return LinkedText(address)
    after = f"{parts['port'] or ''}{parts['rest']}"
    return LinkedText(f"{parts['scheme']}://{host}{after}", f"{parts['scheme'].lower()}://{host}{after}")


def _pieces(text: str) -> Iterator[LinkedText]:
    end = 0
    for found in _FOUND.finditer(text):
        yield LinkedText(text[end : found.start()])
        end = found.end()
        length = _link_length(found[0])
        yield link_of(found[0][:length])
        yield LinkedText(found[0][length:])
    yield LinkedText(text[end:])


def _joined(pieces: Iterable[LinkedText]) -> Iterator[LinkedText]:
    """Yield the pieces without empty ones, plain ones that follow each other as one."""
    plain: list[str] = []
    for piece in pieces:
        if not piece.address:
            plain.append(piece.text)
            continue
        if before := "".join(plain):
            yield LinkedText(before)
        plain.clear()
        yield piece
    if after := "".join(plain):
        yield LinkedText(after)


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


def _ascii_host(host: str) -> str:
    """Return the host as DNS knows it, an empty text where it is none; one in ASCII stays as it is written."""
    if len(host) > _HOST_LENGTH:  # reading such a name takes its length squared
        return ""
    try:
        name = host if host.isascii() else host.encode("idna").decode()
    except UnicodeError:
        return ""
    return name if _HOST.fullmatch(name) else ""
