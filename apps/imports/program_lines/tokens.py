"""The words of a line that say something: titles, keys, opus and number, times and links."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, auto

from .catalogue import nickname_pattern
from .keys import KEY, key_name
from .words import COUNTS, HEADINGS, KANJI, OTHER_COMPOSERS, PLURALS, SILENT, TITLES


class Kind(Enum):
    """What a token is."""

    TITLE = auto()
    COUNT = auto()  # how many pieces: "4 Mazurken"
    OPUS = auto()
    POSTHUMOUS = auto()
    NUMBER = auto()
    KEY = auto()
    NICKNAME = auto()
    OTHER_COMPOSER = auto()
    TIME = auto()
    URL = auto()
    BREAK = auto()  # between two pieces of one line
    INTEGER = auto()
    WORD = auto()
    SIGN = auto()


@dataclass(frozen=True, slots=True)
class Token:
    """A token with its place in the folded line; `value` is a name or a number in digits."""

    kind: Kind
    value: str
    start: int
    end: int
    is_plural: bool = False
    is_aside: bool = False  # in parentheses or brackets


LARGEST = 60  # number of a piece; larger integers are years and the like
_POSTHUMOUS = (
    r"posth(?:umous|ume|umus)?|postum[a-z]{0,3}|posm(?:iertn[a-z]{1,3})?|oeuvre\ posthume|посмертн[а-я]{1,3}"
    r"|遺作|遗作|유작"
)
_OPUS = (
    r"(?<![a-z])(?:opp?\.?|opus|opera|oeuvre|dzielo)|(?<![а-я])(?:соч(?:инение)?|оп(?:ус)?)"
    r"|作品番号|作品號|作品号|作品|작품번호|작품"
)
_NUMBER = (
    r"(?<![a-z])(?:nos?|nono|nrs?n?|nn|n\.\s?os|num|numer[iyn]?|nummern?|numeros?|numbers?|nros?)[ .:]{0,3}"
    r"|(?<![a-z])n[ .°º]{1,2}|(?<![а-я])номера?\s?"
)
_ASIAN_NUMBER = r"\#\s?|第|之|[の의]\s?第?|제\s?"
_FIGURE = "[0-9]{1,3}|[一二三四五六七八九十]{1,3}"
_DATE = r"\d{4}[-./]\d{1,2}[-./]\d{1,2}|\d{1,2}[-./]\d{1,2}[-./](?:18|19|20)\d\d|(?:1[6-9]|20)\d\d"
_MINUTES = r"""'(?:\s?\d{1,2}\s?(?:"|'')?)?(?![a-z])|min(?:ut[a-z]{0,3})?\b\.?|分(?:\d{1,2}秒)?"""
_UNSPACED = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"  # letters of languages that write words without spaces
_LETTERS = rf"(?:(?![{_UNSPACED}])[^\W\d_])+"
_PATTERN = re.compile(
    rf"""
    (?P<url>(?:https?://|www\.|(?:[a-z]+\.)?youtu(?:be(?:-nocookie)?\.com|\.be)/)[^\s<>"'()]+)
  | (?P<date>(?<!\d)(?:{_DATE})(?!\d))
  | (?P<time>(?<![\d:])\d{{1,2}}:\d\d(?::\d\d)?(?![\d:]))
  | (?P<duration>(?<!\d)\d{{1,3}}\s?(?:{_MINUTES}))
  | (?P<opus>(?:{_OPUS})[ .:]{{0,3}}(?:(?:{_POSTHUMOUS})\.?\s?)?(?P<opus_value>\d{{1,3}})(?!\d))
  | (?P<posthumous>(?:(?<![a-z])(?:opp?\.?|opus)\s?)?(?<![a-z])(?:{_POSTHUMOUS})(?![a-z])\.?)
  | (?P<late>(?<![a-z])op\.?\s?post(?![a-z])\.?)
  | (?P<brown>(?<![a-z])(?:bi|b\.|brown(?:-index)?)[ .]{{0,2}}(?P<brown_value>\d{{1,3}})(?!\d))
  | (?P<number>(?:{_NUMBER}|{_ASIAN_NUMBER})(?P<number_value>{_FIGURE})(?!\d|\s?[次回轮輪日部位])\s?[番号首號曲번]?)
  | (?P<ordinal>(?P<ordinal_value>\d{{1,2}})\s?번)
  | (?P<key>{KEY})
  | (?P<count>(?<!\d)(?P<count_value>\d{{1,2}}|[一二三四五六七八九十両兩两])\s?(?:つの|首|개의|곡의|曲の))
  | (?P<integer>\d{{1,6}})
  | (?P<asian>[{_UNSPACED}]+)
  | (?P<word>{_LETTERS}(?:'{_LETTERS})?)
  | (?P<sign>\S)
    """,
    re.VERBOSE,
)
_KINDS = {
    "url": Kind.URL,
    "time": Kind.TIME,
    "date": Kind.WORD,
    "duration": Kind.WORD,
    "opus": Kind.OPUS,
    "brown": Kind.OPUS,
    "posthumous": Kind.POSTHUMOUS,
    "late": Kind.POSTHUMOUS,
    "number": Kind.NUMBER,
    "ordinal": Kind.NUMBER,
    "count": Kind.COUNT,
    "integer": Kind.INTEGER,
}
_ASIAN_WORDS = tuple(
    sorted(
        (word for word in {*TITLES, *OTHER_COMPOSERS, *HEADINGS, *SILENT} if not word.isascii()), key=len, reverse=True
    )
)
_BREAKS = frozenset(", ; & + / and und et i y e oraz и en och og ve と 及 和 및 와 과".split())
_OPENING, _CLOSING = frozenset("([{【（"), frozenset(")]}】）")


def tokens_of(folded: str) -> list[Token]:
    """Return the tokens of a folded line. Linear in its length."""
    found, aside = [], 0
    for token in _tokens(folded):
        if token.value in _OPENING:
            aside += 1
        elif token.value in _CLOSING:
            aside = max(0, aside - 1)
        placed = (token.value, token.start, token.end, token.is_plural)
        found.append(Token(token.kind, *placed, is_aside=True) if aside else token)
    return found


def _tokens(folded: str) -> Iterator[Token]:
    position = 0
    while position < len(folded):
        if folded[position] == " ":
            position += 1
            continue
        nickname = nickname_pattern().match(folded, position)
        token = Token(Kind.NICKNAME, nickname[0].replace("-", " "), position, nickname.end()) if nickname else None
        token = token or _token(folded, position)
        yield token
        position = token.end


def _token(folded: str, position: int) -> Token:
    """Return the token at a position that holds no blank."""
    found = _PATTERN.match(folded, position)
    if found is None:
        return Token(Kind.SIGN, folded[position], position, position + 1)
    part, end = found.groupdict(), found.end()
    if part["key"]:
        return Token(Kind.KEY, key_name(found), position, end)
    if part["word"]:
        return _word(found[0], position)
    if part["asian"]:
        return _asian_word(folded, position, end)
    for group, kind in _KINDS.items():
        if part[group]:
            value = _digits(part.get(f"{group}_value") or found[0])
            return Token(kind, f"BI {value}" if group == "brown" else value, position, end)
    return Token(Kind.BREAK if found[0] in _BREAKS else Kind.SIGN, found[0], position, end)


def _word(word: str, position: int) -> Token:
    end = position + len(word)
    if word in TITLES:
        return Token(Kind.TITLE, TITLES[word], position, end, is_plural=word in PLURALS)
    if word in OTHER_COMPOSERS:
        return Token(Kind.OTHER_COMPOSER, word, position, end)
    if word in COUNTS:
        return Token(Kind.COUNT, str(COUNTS[word]), position, end)
    return Token(Kind.BREAK if word in _BREAKS else Kind.WORD, word, position, end)


def _asian_word(folded: str, position: int, end: int) -> Token:
    """Return the known word at a position, or the one sign there: these scripts have no blanks between words."""
    word = next((word for word in _ASIAN_WORDS if folded.startswith(word, position, end)), "")
    if word in TITLES:
        return Token(Kind.TITLE, TITLES[word], position, position + len(word))
    if word:
        return Token(
            Kind.OTHER_COMPOSER if word in OTHER_COMPOSERS else Kind.WORD, word, position, position + len(word)
        )
    sign = folded[position]
    return Token(Kind.BREAK if sign in _BREAKS else Kind.WORD, sign, position, position + 1)


def _digits(written: str) -> str:
    """Return a number in digits; anything else as it is."""
    if not written or written[0] not in "一二三四五六七八九十両兩两":
        return written if not written.isdigit() else str(int(written))
    if written in {"両", "兩", "两"}:
        return "2"
    tens, ten, ones = written.rpartition("十")
    if not ten:
        return str(KANJI.get(written[0], 0))
    return str(KANJI.get(tens, 1) * 10 + KANJI.get(ones, 0))
