"""Words of texts and of queries: split and folded in the same way.

A text is folded character by character, so that each folded character knows its place in the original. A compound
("Seong-jin", "op10", "C♯") has parts, and is found by each of them and by all of them as one word. Words of Chinese,
Japanese and Korean are found by single characters, by pairs of them, and by their transcription.
"""

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache

from apps.core.text_rules import ascii_text
from apps.search.limits import WORD_LENGTH

TRANSCRIBED = "^"  # before a transcription: "li" is not the beginning of 練習曲, "lianxiqu" is all of it
_JOINERS = frozenset("-'_.")
_KEYS = frozenset("abcdefgh")  # letters that a sharp or a flat may follow
_SHARP, _FLAT = "sharp", "flat"
_CJK = (
    (0x3005, 0x3007), (0x3041, 0x30FF), (0x31F0, 0x31FF), (0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xAC00, 0xD7A3),
    (0xF900, 0xFAFF), (0x20000, 0x3FFFF),
)  # fmt: skip
_JAMO = range(0x1160, 0x1200)  # vowels and final consonants that join the letter before
_CLUSTER = 8  # characters; longer ones are not kept


@dataclass(frozen=True, slots=True)
class Part:
    """A folded word; `start` and `end` are its place in the folded text. `signs` are its Chinese characters."""

    text: str
    start: int
    end: int
    signs: str = ""

    @property
    def lexeme(self) -> str:
        """How the word is stored."""
        return f"{TRANSCRIBED}{self.text}" if self.signs else self.text


@dataclass(frozen=True, slots=True)
class Compound:
    """Parts without a blank between them."""

    parts: tuple[Part, ...]

    @property
    def joined(self) -> str:
        """The parts as one word, as it is stored."""
        word = "".join(part.text for part in self.parts)[:WORD_LENGTH]
        return f"{TRANSCRIBED}{word}" if any(part.signs for part in self.parts) else word


@dataclass(slots=True)
class Folded:
    """A folded text; `starts` and `ends` are the places of its characters in the original."""

    text: str
    original: str
    starts: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    signs: dict[int, str] = field(default_factory=dict)  # Chinese characters by the place of their transcription

    def place(self, start: int, end: int) -> tuple[int, int]:
        """Return the place in the original of a part of the folded text."""
        return self.starts[start], self.ends[end - 1]


def folded(text: str) -> Folded:
    """Return `text` folded, with the place of each character."""
    if text.isascii():
        lower, places = text.lower(), list(range(len(text)))
        return Folded(lower, text, places, [place + 1 for place in places])
    letters: list[str] = []
    result = Folded("", text)
    at = 0
    for start, end in _clusters(text):
        cluster = text[start:end]
        plain = _cluster_fold(cluster) if len(cluster) <= _CLUSTER else _fold(cluster)
        if not plain:
            continue
        if signs := _signs(cluster):
            result.signs[at] = signs
            result.signs.update((place, "") for place in range(at + 1, at + len(plain)))
        letters.append(plain)
        result.starts += [start] * len(plain)
        result.ends += [end] * len(plain)
        at += len(plain)
    result.text = "".join(letters)
    return result


def compounds(text: Folded) -> Iterator[Compound]:
    """Yield the compounds of a folded text."""
    plain, end, at = text.text, len(text.text), 0
    parts: list[Part] = []
    while at < end:
        sign = plain[at]
        if _is_letter(sign):
            until = _part_end(text, at)
            signs = "".join(text.signs.get(place, "") for place in range(at, until)) if text.signs else ""
            parts.append(Part(plain[at:until][:WORD_LENGTH], at, until, signs))
            at = until
            continue
        if sign == "#" and parts and parts[-1].end == at and parts[-1].text in _KEYS:
            parts.append(Part(_SHARP, at, at + 1))
        elif not (sign in _JOINERS and parts and parts[-1].end == at and at + 1 < end and _is_letter(plain[at + 1])):
            if parts:
                yield Compound(tuple(parts))
            parts = []
        at += 1
    if parts:
        yield Compound(tuple(parts))


def words_of(text: str) -> list[str]:
    """Return the folded words of a text in their order, a compound as its parts."""
    return [part for word in text.split() for part in _words(word)]


def lexemes_of(text: str) -> set[str]:
    """Return all that a text is found by."""
    return {lexeme for word in set(text.split()) for lexeme in _lexemes(word)}


def grams(signs: str) -> list[str]:
    """Return the pairs of Chinese characters of a word, or the only character."""
    return [signs[at : at + 2] for at in range(len(signs) - 1)] or [signs]


def flat_words(compound: Compound, original: str) -> list[str]:
    """Return "e", "flat" for the compound of "E♭", which is folded as "eb"; else nothing."""
    word = compound.joined
    is_flat = "♭" in original and len(word) == len("eb") and word[0] in _KEYS and word[1] == "b"
    return [word[0], _FLAT] if is_flat else []


def _is_letter(sign: str) -> bool:
    return "a" <= sign <= "z" or "0" <= sign <= "9"


def _part_end(text: Folded, at: int) -> int:
    """Return where the part that begins at `at` ends: before another kind of characters."""
    plain, end = text.text, len(text.text)
    kind = (plain[at].isdigit(), at in text.signs)
    until = at + 1
    while until < end and _is_letter(plain[until]) and (plain[until].isdigit(), until in text.signs) == kind:
        until += 1
    return until


@lru_cache(maxsize=20_000)
def _lexemes(word: str) -> tuple[str, ...]:
    lexemes: dict[str, None] = {}
    for compound in _compounds_of(word):
        lexemes[compound.joined] = None
        for part in compound.parts:
            lexemes[part.lexeme] = None
            if part.signs:
                lexemes |= dict.fromkeys((*part.signs, *grams(part.signs)))
        lexemes |= dict.fromkeys(flat_words(compound, word))
    return tuple(lexemes)


# Names of works repeat few words: without the cache, folding takes most of the time of loading the catalogue.
@lru_cache(maxsize=8192)
def _words(word: str) -> tuple[str, ...]:
    return tuple(part.text for compound in _compounds_of(word) for part in compound.parts)


def _compounds_of(word: str) -> Iterator[Compound]:
    return compounds(folded(word))


def _clusters(text: str) -> Iterator[tuple[int, int]]:
    """Yield the places of the letters, each with the marks that follow it."""
    start = 0
    for at in range(1, len(text)):
        if not _joins(text[at]):
            yield start, at
            start = at
    if text:
        yield start, len(text)


@lru_cache(maxsize=4096)
def _joins(sign: str) -> bool:
    return sign > "\u02ff" and (unicodedata.category(sign)[0] == "M" or ord(sign) in _JAMO)


@lru_cache(maxsize=20_000)
def _cluster_fold(cluster: str) -> str:
    return _fold(cluster)


def _fold(cluster: str) -> str:
    return ascii_text(cluster).lower()


def _signs(cluster: str) -> str:
    """Return the Chinese, Japanese or Korean characters of a cluster; none for one that has others as well."""
    if cluster < "\u1100":
        return ""
    signs = unicodedata.normalize("NFKC", cluster)
    return signs if all(any(low <= ord(sign) <= high for low, high in _CJK) for sign in signs) else ""
