"""The number of a stage: in the rules of an edition, in a stage's name, and in a jury's file."""

from apps.core.text_rules import fold
from apps.imports.participant_files.extras import whole_number

_ROMAN = {"i": 1, "ii": 2, "iii": 3, "iv": 4, "v": 5, "vi": 6, "vii": 7, "viii": 8, "ix": 9, "x": 10}
_FINAL = frozenset(("final", "finals", "finale"))


def number_read(text: str, stages: int) -> int | None:
    """Return the number of a stage in a cell, "2", "II" or "Final"; None unless it is one from 1 to `stages`."""
    word = fold(text)
    number = stages if word in _FINAL else _ROMAN.get(word) or whole_number(word, 1, stages)
    return number if number is not None and number <= stages else None


def number_named(name: str, stages: int) -> int | None:
    """Return the number at the end of a stage's name, Arabic or Roman; "Final" is the last of `stages`; else None."""
    words = fold(name).replace("-", " ").split()
    if not words or (words[-1] in _FINAL and "semi" in words):
        return None
    return number_read(words[-1], stages)
