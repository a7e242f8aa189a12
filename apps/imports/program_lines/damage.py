"""Signs that a line lost letters or digits on its way: then what is left of it may be another piece's."""

import re
from collections.abc import Sequence

from apps.imports.program_lines.tokens import Kind, Token

# A replacement sign, a question mark, an HTML entity, and the signs of quoted-printable text, in one word.
_SIGN = re.compile(r"[\ufffd?]|&#?\w{1,8};|=[0-9A-F]{2}|=$")
_ADDRESS = re.compile(r"://|www\.|youtu", re.IGNORECASE)
_CUT = re.compile(r"\d ?(?:\.{2,3}|\u2026)$")  # "Op. 10 No. 1…"
_MISREAD = ("cp1252", "cp1250", "latin-1")  # in place of UTF-8
_NUMBERS = frozenset({Kind.OPUS, Kind.NUMBER, Kind.INTEGER})
_NAMES_OF_NUMBERS = frozenset("n no nos nr nrs num op opp opus".split())
_PAUSES = frozenset(",;")  # at the end of a line in a list


def is_damaged(text: str, tokens: Sequence[Token]) -> bool:
    """Whether a line shows signs of damage. Linear in its length.

    `tokens` are those of the line: a letter that touches a number ("No. 1O") and an end without its number are signs.
    """
    words = [word for word in text.split() if not _ADDRESS.search(word)]
    if any(_SIGN.search(word) or _is_misread(word) for word in words):
        return True
    return bool(_CUT.search(text.rstrip(" )]"))) or _ends_open(tokens) or any(map(_touches, tokens, tokens[1:]))


def _is_misread(word: str) -> bool:
    """Whether a word is UTF-8 that was read in an encoding of one byte a letter: "Ã‰tude"."""
    return not word.isascii() and any(_read_as_utf8(word, encoding) for encoding in _MISREAD)


def _read_as_utf8(word: str, encoding: str) -> bool:
    try:
        word.encode(encoding).decode("utf-8")
    except UnicodeError:
        return False
    return True


def _touches(token: Token, following: Token) -> bool:
    """Whether a number and a single letter touch: "1O", "l0", but not "2nd", "CT124"."""
    if token.end != following.start or {token.kind, following.kind}.isdisjoint(_NUMBERS):
        return False
    word = following if token.kind in _NUMBERS else token
    return word.kind is Kind.WORD and len(word.value) == 1 and word.value.isascii() and word.value.isalpha()


def _ends_open(tokens: Sequence[Token]) -> bool:
    """Whether a line ends where a number or a piece has to follow: "Op. 27 No.", "No. 1 and", "No. 1-"."""
    signs = [each for each in tokens if each.kind is not Kind.SIGN or each.value == "-"]
    if not signs:
        return False
    last, is_behind_number = signs[-1], any(each.kind in _NUMBERS for each in signs[-2:-1])
    if last.kind is Kind.SIGN:
        return is_behind_number and signs[-2].end == last.start
    if last.kind is Kind.BREAK:
        return is_behind_number and last.value not in _PAUSES
    return last.kind is Kind.WORD and last.value in _NAMES_OF_NUMBERS
