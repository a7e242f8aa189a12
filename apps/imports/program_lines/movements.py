"""Movements: named with their work they mean the work, on lines below it they belong to it."""

import re
from collections.abc import Sequence

from apps.imports.program_lines.catalogue import CataloguePiece
from apps.imports.program_lines.names import genres_with_parts, part_words, plain, words_of_parts
from apps.imports.program_lines.tokens import ROMAN, Kind, Token
from apps.imports.program_lines.vocabulary import MOVEMENTS, TEMPI, TITLES

_OWN = frozenset({Kind.KEY, Kind.OPUS, Kind.NUMBER, Kind.INTEGER, Kind.POSTHUMOUS})
_SIGNS = frozenset({Kind.SIGN, Kind.BREAK, Kind.TIME, Kind.URL, Kind.MOVEMENT})
_ROMAN = frozenset((*ROMAN, "v"))
_CLOCK = re.compile(r"[(\[]?\d{1,2}:\d\d(?::\d\d)?[)\]]?")
_NUMERAL = re.compile(r"\W*(?P<numeral>i{1,3}|iv|vi{0,3}|\d)(?:\s?[.:)]|\s?-\s|\s(?=\D))")
_IN_WORDS = re.compile(r"(?P<numeral>[1-4一二三四])")
_NUMERALS = {
    sign: number
    for signs in (("i", "ii", "iii", "iv"), "1234", "一二三四")
    for number, sign in enumerate(signs, start=1)
}


def without_movements(tokens: Sequence[Token]) -> tuple[Token, ...]:
    """Return the tokens of a line without the movements of a sonata or concerto that it names."""
    work = next((at for at, token in enumerate(tokens) if token.value in genres_with_parts()), None)
    if work is None or tokens[work].kind is not Kind.TITLE:
        return tuple(tokens)
    return tuple(token for at, token in enumerate(tokens) if at <= work or not _is_movement(tokens, at))


def is_movements_line(tokens: Sequence[Token], above: CataloguePiece | None) -> bool:
    """Whether a line has only movements: words of tempo, and below a work (`above`) also titles of its movements."""
    is_found = False
    for at, token in enumerate(tokens):
        if token.kind is Kind.WORD:
            is_tempo = token.value in TEMPI or token.value in MOVEMENTS
            if not (is_tempo or token.value in _ROMAN or token.value[0].isdigit()):
                return False
            is_found = is_found or is_tempo
        elif token.kind in {Kind.TITLE, Kind.NICKNAME}:
            if above is None or not _is_part(token, above):
                return False
            is_found = True
        elif token.kind not in _SIGNS and not (token.kind is Kind.INTEGER and at == 0):
            return False
    return is_found


def movement_number(folded: str, tokens: Sequence[Token], work: CataloguePiece) -> int | None:
    """Return the movement of a work, from 1, that a line means by its numeral and its words; None if uncertain."""
    text = _CLOCK.sub(" ", folded)
    numeral = _numeral(text, tokens)
    words = set(plain(text).split()) & work.part_words
    parts = {number: words_of_parts((name,)) for number, name in enumerate(work.parts, start=1)}
    fitting = {number for number, own in parts.items() if words and words <= own}
    if numeral is None:
        return next(iter(fitting)) if len(fitting) == 1 else None
    is_meant = numeral in parts and (not words or numeral in fitting or (not fitting and words & parts[numeral]))
    return numeral if is_meant else None


def _numeral(text: str, tokens: Sequence[Token]) -> int | None:
    """Return the number of a movement at the beginning of a line, or in words such as "3. Satz"; 0 above 4."""
    words = next((token.value for token in tokens if token.kind is Kind.MOVEMENT), None)
    found = _IN_WORDS.search(words) if words is not None else _NUMERAL.match(text)
    return _NUMERALS.get(found["numeral"], 0) if found else None


def _is_part(token: Token, above: CataloguePiece) -> bool:
    """Whether a title or name is that of a movement of the work above."""
    if token.kind is Kind.NICKNAME:
        return all(word in above.part_words for word in token.value.split())
    return any(TITLES.get(word) == token.value for word in above.part_words)


def _is_movement(tokens: Sequence[Token], at: int) -> bool:
    """Whether a token behind the title of a work is that of a movement."""
    token, behind = tokens[at], tokens[at + 1 : at + 3]
    if token.kind is Kind.WORD:
        is_number = token.value in _ROMAN and bool(behind) and behind[0].value in {".", ":", ")"}
        return is_number or token.value in TEMPI or token.value in MOVEMENTS
    if token.kind is Kind.TITLE:
        is_own = any(each.kind in _OWN for each in behind)
        return not is_own and any(TITLES.get(word) == token.value for word in part_words())
    return token.kind is Kind.MOVEMENT
