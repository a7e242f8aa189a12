"""Polish inflected names: "Wróblewskiej" and "Kałduńskiego" find Wróblewska and Kałduński.

A word and a name are alike if they begin with the same letters and their stems, the words without an ending, differ by
one letter at their end at most ("Marka" and "Marek"). The cost is linear in the words of names that begin with these
letters.
"""

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import replace
from itertools import takewhile

from apps.search.corrections import Vocabulary
from apps.search.limits import INFLECTED_LENGTH, NEAREST, SAME_LETTERS
from apps.search.queries import Query, Term, Wanted

# Endings without Polish letters, of declined names, and those of the nominative.
_ENDINGS = (
    *("iego", "iemu", "iej", "ego", "emu", "ej", "iem", "owi", "owie", "ami", "ach", "ich", "ych", "imi", "ymi"),
    *("em", "ie", "im", "ym", "om", "ow", "a", "e", "i", "o", "u", "y"),
)
_NOMINATIVES = ("", "a", "i", "o", "y")
_LONG_STEM = 4  # letters of the shortest stem that may differ by a letter


def may_be_inflected(query: Query) -> bool:
    """Return whether a word has an ending of an inflected name."""
    return any(_stems(_word(term)) for term in query.terms)


def inflected(query: Query, known: Vocabulary) -> Query | None:
    """Return `query` with the nearest names beside each word that may be inflected; None without any."""
    terms = tuple((*term, *_names(_word(term), known)) for term in query.terms)
    return replace(query, terms=terms) if terms != query.terms else None


def _word(term: Term) -> str:
    """Return the word of a term of one word, else an empty text."""
    return term[0][0].word if len(term[0]) == 1 else ""


def _names(word: str, known: Vocabulary) -> Iterator[tuple[Wanted, ...]]:
    for name in nearest(word, known.words):
        yield (Wanted(name, is_prefix=False),)


def nearest(word: str, ordered: tuple[str, ...]) -> list[str]:
    """Return the words of `ordered` of which `word` may be an inflected form, the nearest first, at most NEAREST."""
    stems = _stems(word)
    if not stems:
        return []
    begin = word[:SAME_LETTERS]
    alike = takewhile(lambda other: other.startswith(begin), ordered[bisect_left(ordered, begin) :])
    differences = ((_difference(stems, other), abs(len(word) - len(other)), other) for other in alike if other != word)
    found = sorted(each for each in differences if each[0] <= 1)
    return [other for *_, other in found[:NEAREST]]


def _stems(word: str) -> list[str]:
    """Return the stems that a word may have; none for one without an ending or with other signs than letters."""
    if len(word) < INFLECTED_LENGTH or not (word.isascii() and word.isalpha()):
        return []
    stems = [word.removesuffix(ending) for ending in _ENDINGS if word.endswith(ending)]
    return [stem for stem in stems if len(stem) >= SAME_LETTERS]


def _difference(stems: list[str], other: str) -> int:
    """Return by how many letters the nearest stem of `other` differs from one of `stems`; 2 stands for any more."""
    others = [other.removesuffix(ending) for ending in _NOMINATIVES if other.endswith(ending)]
    if any(stem == each for stem in stems for each in others):
        return 0
    long = [stem for stem in stems if len(stem) >= _LONG_STEM]
    return 1 if any(_is_one_off(stem, each) for stem in long for each in others) else 2


def _is_one_off(one: str, other: str) -> bool:
    """Return whether two stems differ in their last letter, or one of them has a letter more there."""
    short, long = sorted((one, other), key=len)
    if len(long) > len(short) + 1 or long[: len(short) - 1] != short[:-1]:
        return False
    return len(long) == len(short) or short in (long[:-1], long[:-2] + long[-1])
