"""What of a line was not understood, and whether its pieces are certain all the same."""

import re
import unicodedata
from collections.abc import Collection, Iterable, Sequence

from .folding import fold_line
from .matching import Why
from .references import Reference
from .tokens import Kind, Token
from .words import HEADINGS, OPEN_WORDS, OPENING_WORDS, SILENT

_FACTS = frozenset({Kind.TITLE, Kind.KEY, Kind.OPUS, Kind.NUMBER, Kind.NICKNAME, Kind.POSTHUMOUS})
_JOINING = frozenset({"the", "of", "and"})
_WORD = re.compile(r"[^\W\d_]+")
_PARTICLES = frozenset("af av d da de del della den der di do dos du la le van von y zu zur".split())
_NAME_WORDS = 6  # of a composer's name alone on a line
_NAME_SIGNS = 12  # of one in a script that writes words without spaces


def unknown_words(tokens: Iterable[Token], people: Collection[str] = ()) -> list[Token]:
    """Return the words that are no facts, no words of headings and none of `people`."""
    words = (token for token in tokens if token.kind is Kind.WORD and not token.value[0].isdigit())
    return [each for each in words if each.value not in HEADINGS | SILENT and each.value not in people]


def doubt_of(
    tokens: Sequence[Token],
    unread: Iterable[Token],
    references: Sequence[Reference],
    text: str,
    people: Collection[str] = (),
) -> Why:
    """Return why the pieces of a line are not certain, though they fit.

    An unknown name before them may be another composer's. A whole opus is certain only when nothing of the line is left
    over; one piece, when what follows its opus is understood.
    """
    first = next((token.start for token in tokens if token.kind in _FACTS), 0)
    if why := _before(tokens, first, text, people):
        return why
    if any(token.value in OPEN_WORDS for token in tokens):
        return Why.LEFT_OVER
    left = [token for token in unread if _is_left(token, first) and token.value not in people]
    behind = [token for token in left if token.start > first]
    is_several = any(each.is_plural or each.is_whole_opus for each in references)
    is_vague = any(not (each.number is not None or each.key or each.nickname) for each in references if each.opus)
    lacks_opus = any(not (each.opus or each.nickname or each.is_posthumous) for each in references)
    has_number = any(token.kind is not Kind.WORD and not token.is_aside for token in behind)
    if (is_several and left) or has_number or ((is_vague or lacks_opus) and behind):
        return Why.LEFT_OVER
    return Why.NONE


def is_name(tokens: Sequence[Token], text: str, people: Collection[str] = ()) -> bool:
    """Whether a line without facts is the name of a person who is not one of `people`."""
    words = [word for word in unknown_words(tokens, people) if word.value not in _PARTICLES]
    if not words or tokens[0].value in OPENING_WORDS:
        return False
    most = _NAME_WORDS if any(len(word.value) > 1 for word in words) else _NAME_SIGNS
    return len(words) <= most and not _lower(text).intersection(word.value for word in words)


def _before(tokens: Sequence[Token], first: int, text: str, people: Collection[str]) -> Why:
    """Return what makes the words before the first fact a doubt: a colon or a dash behind them, or a capital."""
    before = [word for word in unknown_words(tokens, people) if word.start < first]
    if not before:
        return Why.NONE
    between = (token.value for token in tokens if before[-1].end <= token.start < first)
    if not {":", "-"}.isdisjoint(between):
        return Why.OTHER_COMPOSER
    return Why.LEFT_OVER if {word.value for word in before} - _lower(text) else Why.NONE


def _is_left(token: Token, first: int) -> bool:
    """Whether a token that no fact used says something: a number, or a word that is not silent."""
    if token.kind is not Kind.WORD:
        return True
    is_heading = token.value in HEADINGS and token.start < first
    return not (token.value in SILENT or token.value in _JOINING or token.value[0].isdigit() or is_heading)


def _lower(text: str) -> set[str]:
    """Return the folded words of a text that begin with a small letter."""
    return {fold_line(word) for word in _WORD.findall(unicodedata.normalize("NFKC", text)) if word[0].islower()}
