"""Where a query matches a text, and the part of a text to show."""

import re
from collections.abc import Iterable, Iterator

from apps.search.limits import EXCERPT_FROM, HIT_DETAIL
from apps.search.queries import Query, Term, Wanted
from apps.search.results import Marks
from apps.search.words import Compound, Folded, Part, compounds, flat_words, folded, lexemes_of

_WORD = re.compile(r"\S+")
_BEFORE = HIT_DETAIL // 3  # characters before the first match of an excerpt


def marks(text: str, query: Query) -> Marks:
    """Return the places of the matches in `text`, in their order and without overlaps."""
    wanted = {each for term in query.terms for way in term for each in way}
    plain = folded(text)
    places = sorted({place for compound in compounds(plain) for place in _places(plain, compound, wanted)})
    return tuple(_joined(places))


def missing(terms: Iterable[Term], *texts: str) -> list[Term]:
    """Return the terms that these texts do not match."""
    lexemes = lexemes_of(" ".join(texts))
    return [term for term in terms if not any(all(_is_in(lexemes, each) for each in way) for way in term)]


def excerpt(text: str, terms: Iterable[Term]) -> str:
    """Return the part around the first match of one of `terms` in `text`, within its line; empty without one."""
    wanted = {each for term in terms for way in term for each in way}
    head = text[:EXCERPT_FROM]
    first = next((word for word in _WORD.finditer(head) if _is_wanted(word[0], wanted)), None)
    if first is None:
        return ""
    start, stop = head.rfind("\n", 0, first.start()) + 1, head.find("\n", first.end())
    line = head[start : stop if stop >= 0 else len(head)]
    return _window(line, first.start() - start, first.end() - start)


def begin_of(text: str) -> str:
    """Return the first words of a text, at most HIT_DETAIL characters."""
    return _window(text, 0, 0)


def _window(line: str, start: int, stop: int) -> str:
    """Return at most HIT_DETAIL characters of a line around the word from `start` to `stop`, cut at blanks."""
    begin = max(0, min(start - _BEFORE, len(line) - HIT_DETAIL))
    if begin:
        begin = line.find(" ", begin, start) + 1 or start
    end = min(begin + HIT_DETAIL, len(line))
    if end < len(line):
        end = max(line.rfind(" ", stop, end), min(stop, end))
    words = " ".join(line[begin:end].split())
    return f"{'…' if begin else ''}{words}{'…' if end < len(line) else ''}"


def _is_wanted(word: str, wanted: set[Wanted]) -> bool:
    lexemes = lexemes_of(word)
    return any(_is_in(lexemes, each) for each in wanted)


def _is_in(lexemes: set[str], wanted: Wanted) -> bool:
    if wanted.word in lexemes:
        return True
    return (wanted.is_prefix or wanted.is_initial) and any(lexeme.startswith(wanted.word) for lexeme in lexemes)


def _places(text: Folded, compound: Compound, wanted: set[Wanted]) -> Iterator[tuple[int, int]]:
    """Yield the places in the original at which a compound matches."""
    first, last = compound.parts[0], compound.parts[-1]
    begin, end = text.place(first.start, last.end)
    signed = flat_words(compound, text.original[begin:end])
    for each in wanted:
        if (len(compound.parts) > 1 and _matches(compound.joined, each)) or each.word in signed:
            yield begin, end
        for part in compound.parts:
            if _matches(part.lexeme, each):
                yield text.place(part.start, part.end if part.signs else min(part.start + len(each.word), part.end))
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
