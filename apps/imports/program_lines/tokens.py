"""Tokens of a program line: titles, keys, opus and number, times, links, and the vocabulary behind them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import Enum, auto

from apps.imports.program_lines.names import catalogue_numbers, is_tempo, name_pattern, plain, sure_names
from apps.imports.program_lines.vocabulary import (
    COUNTS,
    EXCLUDING_WORDS,
    HEADINGS,
    OTHER_COMPOSERS,
    PLURALS,
    RANGE_WORDS,
    REMARKS,
    SILENT,
    TITLES,
    WEAK,
)

# All patterns match folded text. Each alternative has its own group; `key_name` evaluates the one that matched.
_MAJOR = "major|maj|majeur|maggiore|mayor|maior|dur"
_MINOR = "minor|min|mineur|minore|menor|moll|mol"
_RUSSIAN_MAJOR, _RUSSIAN_MINOR = "мажор[а-я]{0,2}|маж", "минор[а-я]{0,2}|мин"
_ASIAN_MAJOR = "大调|大調|長調|长调|장조|メジャー|메이저"
_ASIAN_MINOR = "小调|小調|短調|短调|단조|マイナー|마이너"
_GAP = "[ -]{0,3}"
_ACCIDENTAL = r"sharp|flat|\#|♯|♭|シャープ|フラット|샤프|플랫"
_GERMAN = "ces|cis|des|dis|eis|es|fes|fis|ges|gis|as|ais|bes|his"
_SYLLABLES = {"ut": "C", "do": "C", "re": "D", "mi": "E", "fa": "F", "sol": "G", "la": "A", "si": "B"}
_RAISED = r"diese|dieze|diesis|sostenido|sustenido|\#|♯"
_LOWERED = "bemolle|bemol|♭|b"
_RUSSIAN = {"до": "C", "ре": "D", "ми": "E", "фа": "F", "соль": "G", "ля": "A", "си": "B"}
_JAPANESE = dict(zip("ハニホヘへトイロ", "CDEFFGAB", strict=True))  # ヘ is also written in Hiragana
_KEY_LETTERS = dict(zip("abcdefg", "ABCDEFG", strict=True))
_KOREAN = dict(zip("다라마바사가나", "CDEFGAB", strict=True))
_END = r"(?![a-z])"

KEY = rf"""
    (?<![a-z])(?P<german>{_GERMAN}){_GAP}(?P<german_mode>{_MAJOR}|{_MINOR}){_END}\.?
  | (?<![a-z])(?P<letter>[a-h])(?:{_GAP}(?P<accidental>{_ACCIDENTAL})|(?P<b>b))?{_GAP}
    (?:(?P<mode>{_MAJOR}|{_MINOR}){_END}\.?|(?P<asian_mode>{_ASIAN_MAJOR}|{_ASIAN_MINOR}))
  | (?<![a-z])(?P<syllable>ut|do|re|mi|fa|sol|la|si){_GAP}
    (?:(?P<raised>{_RAISED})|(?P<lowered>{_LOWERED}))?{_GAP}(?P<syllable_mode>{_MAJOR}|{_MINOR}){_END}\.?
  | (?<![а-я])(?P<russian>до|ре|ми|фа|соль|ля|си){_GAP}(?P<russian_sign>диез|бемоль|\#|♯|♭)?{_GAP}
    (?P<russian_mode>{_RUSSIAN_MAJOR}|{_RUSSIAN_MINOR})(?![а-я])\.?
  | (?P<prefixed_sign>[升嬰降変變♯\#♭]|올림|내림|(?<![a-z])b(?=[a-g]\ ?[大小長短长]))\ ?(?P<prefixed>[a-g])\ ?
    (?P<prefixed_mode>{_ASIAN_MAJOR}|{_ASIAN_MINOR})
  | (?P<kana_sign>[嬰変變])?(?P<kana>[ハニホヘへトイロ])(?P<kana_mode>{_ASIAN_MAJOR}|{_ASIAN_MINOR})
  | (?P<hangul_sign>올림|내림)?\ ?(?P<hangul>[다라마바사가나])\ ?(?P<hangul_mode>장조|단조)
  | (?<![a-z])in\ (?P<bare>[a-g])(?:{_GAP}(?P<bare_sign>{_ACCIDENTAL})|(?P<bare_b>b))(?=\s*(?:[,;(]|$|op|-|no))
"""
_IS_MAJOR = re.compile(f"{_MAJOR}|{_ASIAN_MAJOR}|{_RUSSIAN_MAJOR}")
_SHARP = frozenset({"sharp", "#", "♯", "シャープ", "샤프", "升", "嬰", "올림", "диез", "diese", "dieze", "diesis"})
_SHARP |= {"sostenido", "sustenido"}


def key_name(found: re.Match[str]) -> str:
    """Return the key that `KEY` matched, such as "C-sharp minor"; without a mode if the text has none."""
    part = found.groupdict()
    if part["letter"]:
        return _lettered(part)
    if part["german"]:
        letter, sign = _german(part["german"])
        return _named(letter, sign, part["german_mode"])
    if part["syllable"]:
        return _named(_SYLLABLES[part["syllable"]], part["raised"] or part["lowered"] or "", part["syllable_mode"])
    for letters, written in (
        (_RUSSIAN, "russian"),
        (_JAPANESE, "kana"),
        (_KOREAN, "hangul"),
        (_KEY_LETTERS, "prefixed"),
    ):
        if part[written]:
            return _named(letters[part[written]], part[f"{written}_sign"] or "", part[f"{written}_mode"])
    return _named(part["bare"].upper(), part["bare_sign"] or part["bare_b"], "")


def fits(key: str, written: str) -> bool:
    """Whether a piece in `key` may be called by the `written` key, which may lack a mode."""
    return key == written or key.rpartition(" ")[0] == written


def _lettered(part: dict[str, str | None]) -> str:
    """Return the key of a letter: H is always B natural; a bare B with Dur or moll is B flat."""
    letter, sign = str(part["letter"]), part["accidental"] or part["b"] or ""
    mode = part["mode"] or part["asian_mode"] or ""
    if letter == "h":
        return _named("B", sign, mode)
    if letter == "b" and not sign and mode in {"dur", "moll", "mol"}:
        return _named("B", "flat", mode)
    return _named(letter.upper(), sign, mode)


def _german(name: str) -> tuple[str, str]:
    """Return the letter and the sign of a German name: "es" is E flat, "cis" is C sharp, "bes" B flat."""
    letter = "B" if name == "his" else name[0].upper()
    return letter, "sharp" if name.endswith("is") else "flat"


def _named(letter: str, sign: str, mode: str) -> str:
    accidental = "" if not sign else "-sharp" if sign in _SHARP else "-flat"
    if not mode:
        return f"{letter}{accidental}"
    return f"{letter}{accidental} {'major' if _IS_MAJOR.fullmatch(mode) else 'minor'}"


ROMAN = {"i": 1, "ii": 2, "iii": 3, "iv": 4}
KANJI = {sign: number for number, sign in enumerate("一二三四五六七八九十", start=1)}


class Kind(Enum):
    """The kind of a token."""

    TITLE = auto()
    COUNT = auto()  # number of pieces: "4 Mazurken"
    MOVEMENT = auto()  # number of a movement: "3. Satz"
    CATALOGUE = auto()  # unknown number of another catalogue
    OPUS = auto()
    POSTHUMOUS = auto()
    NUMBER = auto()
    KEY = auto()
    NICKNAME = auto()
    OTHER_COMPOSER = auto()
    TIME = auto()
    URL = auto()
    BREAK = auto()  # separates two pieces on one line
    INTEGER = auto()
    WORD = auto()
    SIGN = auto()


@dataclass(frozen=True, slots=True)
class Token:
    """A token with its position in the folded line; `value` is a name, or a number in digits."""

    kind: Kind
    value: str
    start: int
    end: int
    is_plural: bool = False
    is_aside: bool = False  # in parentheses or brackets
    is_weak: bool = False  # a title that is also another word


LARGEST = 60  # largest number of a piece; larger integers are years and the like
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
_DATE = r"1[6-9]\d\d-\d\d|\d{4}[-./]\d{1,2}[-./]\d{1,2}|\d{1,2}[-./]\d{1,2}[-./](?:18|19|20)\d\d|(?:1[6-9]|20)\d\d"
_MINUTES = r"""'(?:\s?\d{1,2}\s?(?:"|'')?)?(?![a-z])|min(?:ut[a-z]{0,3})?\b\.?|分(?:\d{1,2}秒)?"""
_MOVEMENT = (
    r"[1-4][.]?\s?(?:satz|악장|st\ movement|nd\ movement|rd\ movement|th\ movement|(?:er|e|eme)?\s?mouvement)(?![a-z])"
    r"|第\s?[1-4一二三四]\s?(?:乐章|樂章|楽章)"
)
# Numbers in catalogues of other composers' works, and in other ones of this catalogue's composer.
_FOREIGN = (
    r"(?:kv|bwv|hwv|rv|woo|twv|hob\.?|trv|wq\.?|sz\.?|deutsch|buxwv)\s?[.:]?\s?[ivx]*[:/]?\d{1,4}|[dsk]\.?\s?\d{3}"
)
_CATALOGUE = (
    r"wn\s?\d{1,2}|kk\s?(?:[ivx]{1,4}[a-c]?|anh\.?\s?i[ab]?)/\d{1,2}|(?:ct|cw)\s?\d{1,3}"
    r"|dbop\.?\s?\d{1,2}(?:\s?[a-c])?(?:\s?nr\.?\s?\d)?"
)
_TALLY = r"(?:→|->)?\s?\d{1,4}\s?[人名](?:\s?\(\s?\d{1,3}\s?%\s?\))?"
_UNSPACED = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"  # letters of scripts without spaces between words
_LETTERS = rf"(?:(?![{_UNSPACED}])[^\W\d_])+"
_PATTERN = re.compile(
    rf"""
    (?P<url>(?:https?://|www\.|(?:[a-z]+\.)?youtu(?:be(?:-nocookie)?\.com|\.be)/)[^\s<>"'()]+)
  | (?P<date>(?<!\d)(?:{_DATE})(?!\d))
  | (?P<time>(?<![\d:])\d{{1,2}}:\d\d(?::\d\d)?(?![\d:]))
  | (?P<foreign>(?<![a-z])(?:{_FOREIGN})(?![\da-z]))
  | (?P<catalogue>(?<![a-z])(?:{_CATALOGUE})(?!\d))
  | (?P<movement>(?<!\d)(?:{_MOVEMENT}))
  | (?P<tally>(?<!\d){_TALLY})
  | (?P<duration>(?<!\d)\d{{1,3}}\s?(?:{_MINUTES}))
  | (?P<opus>(?:{_OPUS})[ .:]{{0,3}}(?:(?:{_POSTHUMOUS})\.?\s?)?第?(?P<opus_value>\d{{1,3}})(?!\d)[号號]?)
  | (?P<posthumous>(?:(?<![a-z])(?:opp?\.?|opus)\s?)?(?<![a-z])(?:{_POSTHUMOUS})(?![a-z])\.?)
  | (?P<late>(?<![a-z])op\.?\s?post(?![a-z])\.?)
  | (?P<brown>(?<![a-z])(?:bi|b\.|brown(?:-index)?)[ .]{{0,2}}(?P<brown_value>\d{{1,3}}b?)(?![\da-z]))
  | (?P<number>(?:{_NUMBER}|{_ASIAN_NUMBER})(?P<number_value>{_FIGURE})(?!\d|\s?[次回轮輪日部位])(?:\s?[番号首號曲번])?)
  | (?P<ordinal>(?P<ordinal_value>\d{{1,2}})\s?번)
  | (?P<key>{KEY})
  | (?P<count>(?<!\d)(?P<count_value>\d{{1,2}}|[一二三四五六七八九十両兩两])\s?(?:つの|首|개의|곡의|曲の))
  | (?P<integer>\d{{1,6}})
  | (?P<asian>[{_UNSPACED}]+)
  | (?P<word>{_LETTERS}(?:'{_LETTERS})?)
  | (?P<sign>\.{{2,3}}|\S)
    """,
    re.VERBOSE,
)
_KINDS = {
    "url": Kind.URL,
    "time": Kind.TIME,
    "date": Kind.WORD,
    "tally": Kind.WORD,
    "movement": Kind.MOVEMENT,
    "foreign": Kind.OTHER_COMPOSER,
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
_KNOWN = {*TITLES, *OTHER_COMPOSERS, *HEADINGS, *SILENT, *EXCLUDING_WORDS, *RANGE_WORDS, *REMARKS}
_ASIAN_WORDS = tuple(
    sorted(
        (word for word in _KNOWN if not word.isascii()),
        key=len,
        reverse=True,
    )
)
_BREAKS = frozenset(", ; & + / and und et i y e oraz и en och og ve と 及 和 및 와 과".split())
_PLACES = frozenset({Kind.KEY, Kind.OPUS, Kind.POSTHUMOUS, Kind.NUMBER})
OPENING, CLOSING = frozenset("([{【（"), frozenset(")]}】）")


def tokens_of(folded: str) -> list[Token]:
    """Return the tokens of a folded line. Linear in its length."""
    found, aside = [], 0
    for token in _with_names(list(_tokens(folded))):
        if token.value in OPENING:
            aside += 1
        elif token.value in CLOSING:
            aside = max(0, aside - 1)
        found.append(replace(token, is_aside=True) if aside else token)
    return found


def _with_names(tokens: list[Token]) -> list[Token]:
    """Return tokens in which a name is only a word where it names no work.

    That is a name that needs a title, on a line without any, and a word of tempo beside a title.
    """
    kinds = {token.kind for token in tokens}
    is_bare = kinds.isdisjoint(_PLACES)

    def is_word(token: Token) -> bool:
        if token.kind is not Kind.NICKNAME:
            return False
        if is_tempo(token.value):
            return is_bare or Kind.TITLE in kinds
        return is_bare and Kind.TITLE not in kinds and token.value not in sure_names()

    return [replace(token, kind=Kind.WORD) if is_word(token) else token for token in tokens]


def _tokens(folded: str) -> Iterator[Token]:
    position = 0
    while position < len(folded):
        if folded[position] == " ":
            position += 1
            continue
        name = name_pattern().match(folded, position)
        token = Token(Kind.NICKNAME, plain(name[0]), position, name.end()) if name else _token(folded, position)
        yield token
        position = token.end


def _token(folded: str, position: int) -> Token:
    """Return the token at a position that is not a blank."""
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
    if part["catalogue"]:
        number = catalogue_numbers().get(found[0].replace(" ", ""))
        return Token(Kind.OPUS if number else Kind.CATALOGUE, number or found[0], position, end)
    return _fact(found, position)


def _fact(found: re.Match[str], position: int) -> Token:
    """Return the token of a number, or of a sign."""
    part, end = found.groupdict(), found.end()
    for group, kind in _KINDS.items():
        if part[group]:
            value = _digits(part.get(f"{group}_value") or found[0])
            return Token(kind, f"BI {value}" if group == "brown" else value, position, end)
    return Token(Kind.BREAK if found[0] in _BREAKS else Kind.SIGN, found[0], position, end)


def _word(word: str, position: int) -> Token:
    end = position + len(word)
    if word in TITLES:
        return Token(Kind.TITLE, TITLES[word], position, end, is_plural=word in PLURALS, is_weak=word in WEAK)
    if word in OTHER_COMPOSERS:
        return Token(Kind.OTHER_COMPOSER, word, position, end)
    if word in COUNTS:
        return Token(Kind.COUNT, str(COUNTS[word]), position, end)
    return Token(Kind.BREAK if word in _BREAKS else Kind.WORD, word, position, end)


def _asian_word(folded: str, position: int, end: int) -> Token:
    """Return the longest known word at a position, else the single sign: these scripts have no blanks between words."""
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
    """Return a number in digits; other text unchanged."""
    if not written or written[0] not in "一二三四五六七八九十両兩两":
        return written if not written.isdigit() else str(int(written))
    if written in {"両", "兩", "两"}:
        return "2"
    tens, ten, ones = written.rpartition("十")
    if not ten:
        return str(KANJI.get(written[0], 0))
    return str(KANJI.get(tens, 1) * 10 + KANJI.get(ones, 0))
