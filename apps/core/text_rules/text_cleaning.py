"""Cleaning of texts that people write."""

import re
import unicodedata

MARKS = 3  # combining marks on one letter; more would cover the lines above
_BREAKS = re.compile(r"\r\n?|[\v\f\x85\u2028\u2029]")
_GAPS = re.compile(r"\n(?:[^\S\n]*\n){2,}")
_DIRECTION_MARKS = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_EMPTY = frozenset("\u115f\u1160\u2800\u3164\uffa0")  # letters and patterns that look like a blank
_INVISIBLE = frozenset({"Cc", "Cf", "Zs", "Zl", "Zp"})


def text_clean(text: str) -> str:
    """Return `text` as it is stored: composed (NFC), with plain line breaks, without invisible characters around it.

    Control characters, direction marks and more than MARKS accents on a letter are removed; a text of invisible
    characters becomes empty.
    """
    plain = _BREAKS.sub("\n", text).replace("\t", " ")
    visible = "".join(sign for sign in plain if sign == "\n" or not _is_refused(sign))
    return _strip(_GAPS.sub("\n\n", _limit_marks(unicodedata.normalize("NFC", visible))))


def _is_refused(sign: str) -> bool:
    """Whether a character is removed: controls, lone surrogates, direction marks."""
    return sign in _DIRECTION_MARKS or unicodedata.category(sign) in {"Cc", "Cs"}


def _limit_marks(text: str) -> str:
    """Return `text` with no more than MARKS combining marks in a row."""
    result, row = [], 0
    for sign in text:
        row = row + 1 if unicodedata.category(sign) in {"Mn", "Me"} else 0
        if row <= MARKS:
            result.append(sign)
    return "".join(result)


def _strip(text: str) -> str:
    """Return `text` without invisible characters at its ends."""
    begin, end = 0, len(text)
    while begin < end and _is_invisible(text[begin]):
        begin += 1
    while begin < end and _is_invisible(text[end - 1]):
        end -= 1
    return text[begin:end]


def _is_invisible(sign: str) -> bool:
    """Whether a character is invisible."""
    return sign in _EMPTY or unicodedata.category(sign) in _INVISIBLE
