"""Slips: a word that is in no name, beside the names' words that differ by one letter."""

import string
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from django.db import connection

from apps.search.enums import Kind
from apps.search.limits import SLIP_LENGTH, VOCABULARY
from apps.search.words import compounds, folded

_STAMP = "SELECT max(changed_at), count(*) FROM search_entries WHERE kind <> %s"
_NAMES = """
SELECT folded FROM search_entries WHERE kind <> %s AND is_public ORDER BY changed_at DESC LIMIT %s
"""
_PREFIX = SLIP_LENGTH + 1  # letters of the shortest beginning of a word that is corrected


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The words of public names with their frequency, and in their order.

    `counts` and `ordered` are the words that a slip may mean, `words` all of them.
    """

    stamp: object
    names: tuple[tuple[str, ...], ...]  # of each entry
    counts: Counter[str]
    ordered: tuple[str, ...]
    words: tuple[str, ...]

    def begins(self, word: str) -> bool:
        """Return whether a word begins with `word`."""
        at = bisect_left(self.ordered, word)
        return at < len(self.ordered) and self.ordered[at].startswith(word)


_kept: list[Vocabulary] = []  # one at most, of this process


def corrected(words: str, known: Vocabulary) -> str:
    """Return `words` with each slip corrected; an empty text if there is none."""
    before = words.split()
    after = [_corrected(word, known) for word in before]
    return " ".join(after) if after != before else _of_one_name(before, known)


def vocabulary() -> Vocabulary:
    """Return the words of names, read again once an entry has changed. One query, or two."""
    with connection.cursor() as cursor:
        cursor.execute(_STAMP, [Kind.POST.value])
        stamp = cursor.fetchone()
        if _kept and _kept[0].stamp == stamp:
            return _kept[0]
        cursor.execute(_NAMES, [Kind.POST.value, VOCABULARY])
        names = tuple(tuple(dict.fromkeys(line.split())) for (line,) in cursor.fetchall())
    counts = Counter(word for line in names for word in line if len(word) >= SLIP_LENGTH)
    words = sorted({word for line in names for word in line})
    _kept[:] = [Vocabulary(stamp, names, counts, tuple(sorted(counts)), tuple(words))]
    return _kept[0]


def _corrected(word: str, known: Vocabulary) -> str:
    """Return the word that was meant, or the same word if it is known, short, or like none."""
    found = list(compounds(folded(word)))
    if len(found) != 1 or len(found[0].parts) > 1 or found[0].parts[0].signs:
        return word
    typed = found[0].parts[0].text
    if len(typed) < SLIP_LENGTH or not typed.isalpha() or known.begins(typed):
        return word
    others = set(_one_off(typed))
    whole = [other for other in others if other in known.counts]
    if whole:
        return min(whole, key=lambda other: (other[0] != typed[0], -known.counts[other], other))
    parts = [other for other in others if len(other) >= _PREFIX and known.begins(other)]
    return min(parts, key=lambda other: (other[0] != typed[0], other)) if parts else word


def _of_one_name(words: list[str], known: Vocabulary) -> str:
    """Return the words with one corrected, if that makes them words of one name; else an empty text.

    Each of them is a word of some name: "Kai-Min Zhang" beside Chang and another Zhang.
    """
    typed = [[part.text for compound in compounds(folded(word)) for part in compound.parts] for word in words]
    for at, parts in enumerate(typed):
        if len(words) == 1 or len(parts) != 1 or len(parts[0]) < SLIP_LENGTH or not parts[0].isalpha():
            continue
        others, meant = {part for each in typed[:at] + typed[at + 1 :] for part in each}, set(_one_off(parts[0]))
        for name in known.names:
            right = next((word for word in name if word in meant), None)
            if right and others.issubset(name):
                return " ".join([*words[:at], right, *words[at + 1 :]])
    return ""


def _one_off(word: str) -> Iterator[str]:
    """Yield the words that differ from `word` by one letter, or by two letters that changed places."""
    for at in range(len(word) + 1):
        before, after = word[:at], word[at:]
        for letter in string.ascii_lowercase:
            yield f"{before}{letter}{after}"
            if after:
                yield f"{before}{letter}{after[1:]}"
        if after:
            yield before + after[1:]
        if len(after) > 1:
            yield f"{before}{after[1]}{after[0]}{after[2:]}"


def vocabulary_forget() -> None:
    """Forget the words that this process keeps."""
    _kept.clear()
