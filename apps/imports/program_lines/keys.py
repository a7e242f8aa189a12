"""Keys in eight languages, as one writes them in a programme; all become the catalogue's English names."""

import re

# Each alternative is a group of its own; `key_name` reads the one that matched. All work on folded text.
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
_JAPANESE = dict(zip("ハニホヘトイロ", "CDEFGAB", strict=True))
_LETTERS = dict(zip("abcdefg", "ABCDEFG", strict=True))
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
  | (?P<kana_sign>[嬰変變])?(?P<kana>[ハニホヘトイロ])(?P<kana_mode>{_ASIAN_MAJOR}|{_ASIAN_MINOR})
  | (?P<hangul_sign>올림|내림)?\ ?(?P<hangul>[다라마바사가나])\ ?(?P<hangul_mode>장조|단조)
  | (?<![a-z])in\ (?P<bare>[a-g])(?:{_GAP}(?P<bare_sign>{_ACCIDENTAL})|(?P<bare_b>b))(?=\s*(?:[,;(]|$|op|-|no))
"""
_IS_MAJOR = re.compile(f"{_MAJOR}|{_ASIAN_MAJOR}|{_RUSSIAN_MAJOR}")
_SHARP = frozenset({"sharp", "#", "♯", "シャープ", "샤프", "升", "嬰", "올림", "диез", "diese", "dieze", "diesis"})
_SHARP |= {"sostenido", "sustenido"}


def key_name(found: re.Match[str]) -> str:
    """Return the key that `KEY` matched, such as "C-sharp minor"; without a mode where none is written."""
    part = found.groupdict()
    if part["letter"]:
        return _lettered(part)
    if part["german"]:
        letter, sign = _german(part["german"])
        return _named(letter, sign, part["german_mode"])
    if part["syllable"]:
        return _named(_SYLLABLES[part["syllable"]], part["raised"] or part["lowered"] or "", part["syllable_mode"])
    for letters, written in ((_RUSSIAN, "russian"), (_JAPANESE, "kana"), (_KOREAN, "hangul"), (_LETTERS, "prefixed")):
        if part[written]:
            return _named(letters[part[written]], part[f"{written}_sign"] or "", part[f"{written}_mode"])
    return _named(part["bare"].upper(), part["bare_sign"] or part["bare_b"], "")


def fits(key: str, written: str) -> bool:
    """Whether a piece in `key` may be called by the key that is `written`, which may lack a mode."""
    return key == written or key.rpartition(" ")[0] == written


def _lettered(part: dict[str, str | None]) -> str:
    """Return the key of a letter: B is B flat, and H is B, where the mode is Dur or moll."""
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
