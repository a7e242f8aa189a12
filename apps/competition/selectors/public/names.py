"""Who and what of the competition a text names."""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable

from apps.competition.models import Participant, Session
from apps.competition.selectors.public.results import Named
from apps.core.text_rules.names import ascii_text, name_key

_WORD = re.compile(r"[A-Za-z0-9]++(?:[-'][A-Za-z0-9]++)*+|[^\sA-Za-z0-9]")
_UNSPACED = re.compile(
    "([\u3041-\u30fa\u30fc-\u30ff\u3400-\u9fff\uac00-\ud7a3\uf900-\ufaff])"
)  # one sign, one word here
_DASHES = str.maketrans("–—", "  ")  # between words, not within one
_Words = tuple[str, ...]


def named_in(text: str) -> tuple[Named, ...]:
    """Return the participants and sessions that a text names in full, each once, in the order of the text. Two queries.

    Names are compared by their words' keys, titles without accents: "final" is no title, "Final" may be one. Words must
    be whole, stand on one line, and the longest name counts. Each Chinese, Japanese and Korean sign is a word.
    """
    known: dict[_Words, list[Named]] = defaultdict(list)
    for pk, name in Participant.objects.order_by("sort_folded", "id").values_list("id", "name"):
        known[_keys(_words(name))].append(Named("participant", pk, name))
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
    plain, start = _keys(words), 0
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
    composed = unicodedata.normalize("NFKC", text.translate(_DASHES))
    return tuple(word.removesuffix("'s") for word in _WORD.findall(ascii_text(_UNSPACED.sub(r" \1 ", composed))))


def _keys(words: _Words) -> _Words:
    """Return the keys of words; a sign is its own."""
    return tuple(name_key(word.lower()) or word for word in words)
