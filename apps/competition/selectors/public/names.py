"""Who and what of the competition a text names."""

import re
from collections import defaultdict
from collections.abc import Iterable

from anyascii import anyascii

from apps.competition.models import Participant, Session
from apps.competition.selectors.public.results import Named

_WORD = re.compile(r"[A-Za-z0-9]++(?:[-'][A-Za-z0-9]++)*+|[^\sA-Za-z0-9]")
_DASHES = str.maketrans("–—", "  ")  # between words, not within one
_Words = tuple[str, ...]


def named_in(text: str) -> tuple[Named, ...]:
    """Return the participants and sessions that a text names in full, each once, in the order of the text. Two queries.

    Names are compared without accents and capitals, titles without accents: "final" is no title, "Final" may be one.
    Words must be whole, stand on one line, and the longest name counts.
    """
    known: dict[_Words, list[Named]] = defaultdict(list)
    for pk, name in Participant.objects.order_by("sort_folded", "id").values_list("id", "name"):
        known[_words(name.lower())].append(Named("participant", pk, name))
    for pk, title in Session.objects.order_by("starts_at", "id").values_list("id", "title"):
        known[_words(title)].append(Named("session", pk, title))
    return tuple(dict.fromkeys(_found(text, known)))


def _found(text: str, known: dict[_Words, list[Named]]) -> Iterable[Named]:
    lengths: dict[str, list[int]] = defaultdict(list)  # of what begins with a word, the longest first
    for words in sorted(filter(None, known), key=len, reverse=True):
        if len(words) not in lengths[words[0]]:
            lengths[words[0]].append(len(words))
    for line in text.splitlines():
        yield from _found_in(_words(line), known, lengths)


def _found_in(words: _Words, known: dict[_Words, list[Named]], lengths: dict[str, list[int]]) -> Iterable[Named]:
    plain, start = tuple(word.lower() for word in words), 0
    while start < len(words):
        taken = 1
        for length in sorted({*lengths.get(words[start], ()), *lengths.get(plain[start], ())}, reverse=True):
            end = start + length
            named = [*known.get(plain[start:end], ()), *known.get(words[start:end], ())]
            if named:
                yield from named
                taken = length
                break
        start += taken


def _words(text: str) -> _Words:
    """Return the words and signs of a text in ASCII, a possessive as what it is of."""
    return tuple(word.removesuffix("'s") for word in _WORD.findall(anyascii(text.translate(_DASHES))))
