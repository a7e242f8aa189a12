"""The catalogue in the form that lines are matched with: each piece with all facts that a line may name."""

import csv
import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from apps.competition.enums import Category

_LATIN_ENDS = 0x250  # the end of the Latin letters in Unicode's first blocks
_LATIN_MORE = range(0x1E00, 0x1F00)
_ACCENTS = range(0x300, 0x370)
_PLAIN = str.maketrans(
    {
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-"),  # hyphens and dashes
        **dict.fromkeys("\u30fb\u00b7\u2022\u25cf\u25e6\u25aa\u25ab\u2023", "-"),  # bullets
        **dict.fromkeys("’‘‛′`´", "'"),
        **dict.fromkeys("“”„‟″«»「」『』《》", '"'),
        "ł": "l",
        "đ": "d",
        "ø": "o",
        "ı": "i",
        "æ": "ae",
        "œ": "oe",
        "ß": "ss",
        "ё": "е",
        "、": ",",
        "。": ".",
        "〜": "-",
    }
)


def fold_line(text: str) -> str:
    """Return `text` in lower case with single blanks, without accents on Latin letters and invisible characters.

    Compatibility forms are normalised: № becomes "no", full-width digits become digits; each dash and bullet becomes
    "-".
    """
    signs = []
    for sign in unicodedata.normalize("NFKC", text).casefold():
        category = unicodedata.category(sign)
        if category == "Cf" or ord(sign) in _ACCENTS:
            continue
        if category[0] in "ZC":
            signs.append(" ")
        elif ord(sign) < _LATIN_ENDS or ord(sign) in _LATIN_MORE:
            signs.append(_bare(sign))
        else:
            signs.append(sign)
    return " ".join("".join(signs).translate(_PLAIN).split())


def _bare(letter: str) -> str:
    """Return a Latin letter without its accents."""
    return "".join(sign for sign in unicodedata.normalize("NFD", letter) if ord(sign) not in _ACCENTS)


POSTHUMOUS = "posth."  # the opus of works without an opus number
_WORKS = Path(__file__).resolve().parent.parent / "vocabulary" / "works.csv"
_SURE = "="  # marks a nickname that identifies a piece without a title


@dataclass(frozen=True, slots=True)
class Work:
    """Facts about a work beside its name: series numbers, its number in other editions, nicknames."""

    series: frozenset[int] = frozenset()
    other_number: int | None = None
    nicknames: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CataloguePiece:
    """A piece of the catalogue; `title` is a title name of `tokens.TITLES`, unknown parts are empty or None."""

    id: int
    name: str
    category: str
    title: str
    key: str
    opus: str
    number: int | None
    series: frozenset[int] = frozenset()
    other_number: int | None = None
    numbers: str = ""  # of a set
    composer: str = ""


@dataclass(slots=True)
class Catalogue:
    """All pieces, indexed by opus, name and nickname."""

    pieces: tuple[CataloguePiece, ...]
    by_opus: dict[str, list[CataloguePiece]] = field(default_factory=lambda: defaultdict(list))
    by_name: dict[str, list[CataloguePiece]] = field(default_factory=lambda: defaultdict(list))
    by_nickname: dict[str, list[CataloguePiece]] = field(default_factory=lambda: defaultdict(list))

    def __post_init__(self) -> None:
        """Fill the indexes."""
        for piece in self.pieces:
            self.by_name[fold_line(piece.name)].append(piece)
            if piece.opus:
                self.by_opus[piece.opus].append(piece)
            for nickname in work_of(piece.title, piece.opus, piece.number, piece.key).nicknames:
                self.by_nickname[nickname].append(piece)


def title_of(category: str) -> str:
    """Return the title of the pieces in a category."""
    return Category(category).genres[0]


@cache
def works() -> dict[tuple[str, str, int | None, str], Work]:
    """Return the facts about works, by title, opus, number and key."""
    with _WORKS.open(encoding="utf-8", newline="") as lines:
        return {_place(row): _work(row) for row in csv.DictReader(lines)}


def work_of(title: str, opus: str, number: int | None, key: str) -> Work:
    """Return the facts about a piece; an empty `Work` for an unknown one."""
    return works().get((title, opus, number, key), Work())


@cache
def nickname_pattern() -> re.Pattern[str]:
    """Return the pattern of all nicknames in folded text, the longest first."""
    names = sorted((name for work in works().values() for name in work.nicknames), key=len, reverse=True)
    latin = (rf"(?<![a-z]){re.escape(name)}(?![a-z])" if name.isascii() else re.escape(name) for name in names)
    return re.compile("|".join(latin).replace(r"\ ", "[ -]"))


@cache
def sure_nicknames() -> frozenset[str]:
    """Return the nicknames that identify a piece without a title."""
    with _WORKS.open(encoding="utf-8", newline="") as lines:
        given = (name for row in csv.DictReader(lines) for name in row["nicknames"].split("|"))
        return frozenset(fold_line(name.removeprefix(_SURE)) for name in given if name.startswith(_SURE))


def opus_order(pieces: Iterable[CataloguePiece]) -> list[CataloguePiece]:
    """Return pieces by opus and number, works without an opus number last."""

    def order(piece: CataloguePiece) -> tuple[int, str, int, str]:
        known = piece.opus.isdecimal()
        return int(piece.opus) if known else 10**6, "" if known else piece.opus, piece.number or 0, piece.name

    return sorted(pieces, key=order)


def _place(row: dict[str, str]) -> tuple[str, str, int | None, str]:
    return row["title"], row["opus"], int(row["number"]) if row["number"] else None, row["key"]


def _work(row: dict[str, str]) -> Work:
    nicknames = tuple(fold_line(name.removeprefix(_SURE)) for name in row["nicknames"].split("|") if name)
    series = frozenset(int(each) for each in row["series"].split("|") if each)
    return Work(series, int(row["other_number"]) if row["other_number"] else None, nicknames)
