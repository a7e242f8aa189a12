"""Mentions of usernames in a text, next to the addresses in it that become links.

The pattern reads untrusted text, so its quantifier is possessive (`++`): it runs in linear time, without backtracking.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from apps.accounts.limits import USERNAME_LONGEST, USERNAME_SHORTEST
from apps.community.limits import MENTIONS
from apps.core.text_rules import text_links

# Letters of scripts that write words without spaces, or attach a short word to the next one.
_JOINED = (
    "\u0590-\u08ff\u0e00-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u3130-\u318f"
    "\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff"
)
_MENTION = re.compile(
    rf"(?:(?<![\w@＠/.+-])|(?<=[{_JOINED}]))[@＠]"
    rf"(?P<name>[A-Za-z][A-Za-z0-9_-]{{{USERNAME_SHORTEST - 1},{USERNAME_LONGEST - 1}}}+)"
    rf"(?=[{_JOINED}]|(?![\w@＠-]))"
)


@dataclass(frozen=True, slots=True)
class Segment:
    """A piece of a text: plain, a link to `address`, or a mention of `username`."""

    text: str
    address: str = ""
    username: str = ""


def segments(text: str) -> tuple[Segment, ...]:
    """Return `text` in pieces as `text_links` does, with mentions as separate pieces."""
    return tuple(_pieces(text))


def mentions(texts: Iterable[str]) -> frozenset[str]:
    """Return the usernames that these texts mention, as they are spelled, at most the first MENTIONS of each text."""
    return frozenset(name for text in texts for name in _first_mentions(text))


def _first_mentions(text: str) -> list[str]:
    names = dict.fromkeys(each.username for each in segments(text) if each.username)
    return list(names)[:MENTIONS]


def _pieces(text: str) -> Iterator[Segment]:
    for piece in text_links(text):
        if piece.address:
            yield Segment(piece.text, address=piece.address)
        else:
            yield from _mentions(piece.text)


def _mentions(text: str) -> Iterator[Segment]:
    end = 0
    for found in _MENTION.finditer(text):
        if before := text[end : found.start()]:
            yield Segment(before)
        yield Segment(found[0], username=found["name"])
        end = found.end()
    if after := text[end:]:
        yield Segment(after)
