"""Where a query matches a text, and the part of a text to show."""

import re
from collections.abc import Iterator

from apps.search.limits import DETAIL_LENGTH, EXCERPT_FROM
from apps.search.queries import Query, Wanted
from apps.search.results import Marks
from apps.search.words import Compound, Folded, Part, compounds, folded, lexemes_of

_WORD = re.compile(r"\S+")
_BEFORE = DETAIL_LENGTH // 3  # characters before the first match of an excerpt


def marks(text: str, query: Query) -> Marks:
    """Return the places of the matches in `text`, in their order and without overlaps."""
    wanted = {each for term in query.terms for way in term for each in way}
    plain = folded(text)
    places = sorted({place for compound in compounds(plain) for place in _places(plain, compound, wanted)})
    return tuple(_joined(places))


def excerpt(text: str, query: Query) -> str:
    """Return the part of `text` around its first match, on one line; an empty text without one."""
    wanted = {each for term in query.terms for way in term for each in way}
    head = text[:EXCERPT_FROM]
    first = next((word for word in _WORD.finditer(head) if _is_wanted(word[0], wanted)), None)
    if first is None:
        return ""
    begin = max(0, first.start() - _BEFORE)
    if begin:
        begin = head.find(" ", begin, first.start()) + 1 or first.start()
    end = begin + DETAIL_LENGTH
    if end < len(text):
        end = max(head.rfind(" ", first.end(), end), min(first.end(), end))
    words = " ".join(text[begin:end].split())
    return f"{'…' if begin else ''}{words}{'…' if end < len(text) else ''}"


def _is_wanted(word: str, wanted: set[Wanted]) -> bool:
    lexemes = lexemes_of(word)
    return any(each.word in lexemes or (each.is_prefix and _begins(lexemes, each.word)) for each in wanted)


def _begins(lexemes: set[str], word: str) -> bool:
    return any(lexeme.startswith(word) for lexeme in lexemes)


def _places(text: Folded, compound: Compound, wanted: set[Wanted]) -> Iterator[tuple[int, int]]:
    """Yield the places in the original at which a compound matches."""
    first, last = compound.parts[0], compound.parts[-1]
    for each in wanted:
        if len(compound.parts) > 1 and _matches(compound.joined, each):
            yield text.place(first.start, last.end)
        for part in compound.parts:
            if _matches(part.text, each):
                yield text.place(part.start, min(part.start + len(each.word), part.end))
            elif part.signs and each.word in part.signs:
                yield from _of_signs(text, part, each.word)


def _matches(word: str, wanted: Wanted) -> bool:
    return word == wanted.word or (wanted.is_prefix and word.startswith(wanted.word))


def _of_signs(text: Folded, part: Part, word: str) -> Iterator[tuple[int, int]]:
    """Yield the places of Chinese characters, which are known by the first letters of their transcription."""
    at = [place for place in range(part.start, part.end) for _ in text.signs.get(place, "")]
    found = part.signs.find(word)
    while found >= 0:
        yield text.starts[at[found]], text.ends[at[found + len(word) - 1]]
        found = part.signs.find(word, found + 1)


def _joined(places: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Yield places in their order; those that overlap are one."""
    begin = end = -1
    for start, stop in places:
        if start >= end:
            if begin >= 0:
                yield begin, end
            begin, end = start, stop
        end = max(end, stop)
    if begin >= 0:
        yield begin, end
