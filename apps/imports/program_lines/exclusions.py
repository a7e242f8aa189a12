"""Pieces that a line excludes: "Mazurkas Op. 24 without No. 3", "Mazurkas Op. 24 (No. 3 omitted)"."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from apps.imports.program_lines.references import Reference, references_read
from apps.imports.program_lines.tokens import CLOSING, OPENING, Kind, Token
from apps.imports.program_lines.vocabulary import EXCLUDING_WORDS, SILENT

_PLACES = frozenset({Kind.NUMBER, Kind.INTEGER, Kind.KEY, Kind.NICKNAME})  # of single pieces
_WORKS = frozenset({Kind.TITLE, Kind.OPUS, Kind.POSTHUMOUS})
_LINKING = frozenset("the of du des von der den dem z za mit ausnahme a を".split())


@dataclass(frozen=True, slots=True)
class Exclusion:
    """The pieces that a line excludes; `is_clear`: whether all of its words are understood."""

    references: tuple[Reference, ...]
    is_clear: bool


def exclusion_split(tokens: Sequence[Token]) -> tuple[tuple[Token, ...], Exclusion | None]:
    """Return the tokens of a line without its exclusion, and the exclusion; most lines have none.

    An excluding word applies to the pieces behind it, to the end of its brackets or to the next work; with no piece
    behind it, to those before it from the last bracket, comma, dash or opus on. A name may contain such a word ("Sin"):
    without any piece that is excluded, the line has no exclusion.
    """
    at = next((index for index, each in enumerate(tokens) if each.value in EXCLUDING_WORDS), None)
    if at is None or not (_has_facts(tokens[:at]) or _has_facts(tokens[at + 1 : at + 2], _PLACES)):
        return tuple(tokens), None
    first, end = at, _end(tokens, at)
    if not _has_facts(tokens[at:end]):
        first = next((index + 1 for index in reversed(range(at)) if _begins(tokens[index])), at)
        if not _has_facts(tokens[first:end]) and not any(each.kind is Kind.WORD for each in tokens[at + 1 :]):
            first = 0  # "Scherzo Op. 20 omitted"
    if not _has_facts(tokens[first:end]):
        return tuple(tokens), None
    return (*tokens[:first], *tokens[end:]), _exclusion(tokens[first:end], references_read(tokens[:first])[0])


def _has_facts(tokens: Sequence[Token], kinds: frozenset[Kind] = _PLACES | _WORKS) -> bool:
    return any(each.kind in kinds for each in tokens)


def _end(tokens: Sequence[Token], at: int) -> int:
    """Return the end of what the excluding word at this index applies to."""
    has_place = False
    for index in range(at + 1, len(tokens)):
        token = tokens[index]
        if (tokens[at].is_aside and token.value in CLOSING) or (has_place and token.kind in _WORKS):
            return index
        has_place = has_place or token.kind in _PLACES
    return len(tokens)


def _begins(token: Token) -> bool:
    """Whether what follows a token can be excluded alone."""
    return token.value in OPENING or token.value in {",", ";", ":", "-"} or token.kind is Kind.OPUS


def _exclusion(tokens: Sequence[Token], before: Sequence[Reference]) -> Exclusion:
    """Return what the tokens of an exclusion mean beside the references before it."""
    facts = [each for each in tokens if each.value not in EXCLUDING_WORDS]
    if facts[0].kind is Kind.INTEGER:  # "except 3 and 6"
        facts[0] = replace(facts[0], kind=Kind.NUMBER)
    references, unread = references_read(facts)
    left = [each for each in unread if each.value not in SILENT and each.value not in _LINKING]
    is_clear = bool(references) and not left and len({each.opus for each in before}) == 1
    return Exclusion(tuple(_of_line(each, before) for each in references), is_clear)


def _of_line(reference: Reference, before: Sequence[Reference]) -> Reference:
    """Return an excluded reference with the title and the opus of the piece before it."""
    last = before[-1] if before else Reference()
    if reference.opus or reference.nickname or reference.title not in {"", last.title}:
        return reference
    if reference.series is not None and last.opus:
        return replace(reference, title=last.title, opus=last.opus, number=reference.series, series=None)
    return replace(reference, title=last.title, opus=last.opus)
