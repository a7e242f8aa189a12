"""Names of composers as they are written, and when two of them may mean one composer."""

import re
from collections.abc import Iterable

from apps.core.text_rules import fold


def composer_alike(typed: str, stored: Iterable[str]) -> str:
    """Return the stored name that may be another spelling of `typed`; empty if none is, or if it is stored itself."""
    names = tuple(stored)
    return "" if typed in names else next((name for name in names if _is_alike(typed, name)), "")


def _is_alike(one: str, other: str) -> bool:
    """Whether the last names are equal without accents, and the given names begin alike as far as both have them."""
    (*given, last), (*others, other_last) = _words(one) or [""], _words(other) or [""]
    return last == other_last and all(name[0] == theirs[0] for name, theirs in zip(given, others, strict=False))


def _words(name: str) -> list[str]:
    """Return the folded words of "Johannes Brahms" and "Brahms, Johannes", the last name last."""
    last, comma, given = name.partition(",")
    return re.findall(r"[a-z0-9]+", fold(f"{given} {last}" if comma else name))
