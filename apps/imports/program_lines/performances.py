"""Words about a performance beside the work: "Arthur Rubinstein plays Chopin Waltz Op. 69 No. 1 (live)".

The name of this catalogue's composer next to the work tells that other names on the line are performers'.
"""

from collections.abc import Sequence

from apps.imports.program_lines.tokens import Kind, Token
from apps.imports.program_lines.vocabulary import ARRANGING, COMPOSER, EXCLUDING_WORDS, OPEN_WORDS, PIANISTS, REMARKS

_FACTS = frozenset({Kind.TITLE, Kind.KEY, Kind.OPUS, Kind.NUMBER, Kind.NICKNAME, Kind.POSTHUMOUS})
_BETWEEN = frozenset({Kind.SIGN, Kind.BREAK})
_UNCLEAR = ARRANGING | OPEN_WORDS | EXCLUDING_WORDS
_KEPT = frozenset({Kind.TIME, Kind.URL, Kind.OTHER_COMPOSER})  # of a remark
_ENDS = frozenset("-.(|")  # of a work, before a remark


def without_performers(tokens: Sequence[Token]) -> tuple[Token, ...]:
    """Return the tokens of a line without the names of performers and remarks behind the work."""
    facts = [index for index, token in enumerate(tokens) if token.kind in _FACTS]
    if not facts or any(token.value in _UNCLEAR for token in tokens if token.kind is Kind.WORD):
        return tuple(tokens)
    first, last = facts[0], facts[-1]
    named = [index for index, token in enumerate(tokens) if token.value in COMPOSER]
    if not any(_is_next(tokens, index, first, last) for index in named):
        return tuple(tokens)
    end = next((index for index in range(last + 1, len(tokens)) if _begins_remark(tokens[index])), len(tokens))
    before = (token for token in tokens[:first] if not _is_performer(token))
    return (*before, *tokens[first:end], *(token for token in tokens[end:] if _is_kept(token)))


def _is_next(tokens: Sequence[Token], index: int, first: int, last: int) -> bool:
    """Whether the composer's name at `index` is beside the work: directly before it, or alone in brackets behind."""
    between = tokens[index + 1 : first] if index < first else tokens[last + 1 : index]
    is_beside = all(token.kind in _BETWEEN for token in between)
    return is_beside and (index < first or tokens[index].is_aside)


def _begins_remark(token: Token) -> bool:
    return token.value in _ENDS or token.value in REMARKS


def _is_kept(token: Token) -> bool:
    """Whether a token of a remark behind the work is kept: a time, a link, another composer."""
    return token.kind in _KEPT and token.value not in PIANISTS


def _is_performer(token: Token) -> bool:
    """Whether a token before the work may be dropped: a word, or a pianist who is a composer too."""
    if token.kind is Kind.OTHER_COMPOSER:
        return token.value in PIANISTS
    return token.kind is Kind.WORD and token.value not in COMPOSER and not token.value[0].isdigit()
