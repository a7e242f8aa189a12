"""The table of Chopin's works, `catalogue/works.csv`: one line each, also of works that are not in the catalogue."""

import csv
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from itertools import groupby
from pathlib import Path

from apps.competition.enums import Category

WORKS = Path(__file__).resolve().parent / "catalogue" / "works.csv"
LANGUAGES = ("pl", "de", "fr", "ja", "zh", "ko")
COMPOSER = "Fryderyk Chopin"
_GROUPS = (("prelude", "28", 1, 6), ("prelude", "28", 7, 12), ("prelude", "28", 13, 18), ("prelude", "28", 19, 24))
_CATALOGUES = ("BI ", "KK ", "WN ")  # numbers of other catalogues, which `opus` has for works without an opus


@dataclass(frozen=True, slots=True)
class Work:
    """A work of the table; `number` is None for the only work of its opus, `parts` are its movements or sections.

    `translations` are title and key by language, `notes` are other numberings as the table has them.
    """

    genre: str
    title: str
    key: str
    opus: str
    number: int | None
    catalogues: tuple[str, ...]
    parts: tuple[str, ...]
    with_orchestra: bool
    minutes: Decimal
    translations: dict[str, tuple[str, str]]
    nicknames: tuple[str, ...]
    notes: tuple[str, ...]

    @property
    def category(self) -> Category:
        """The work's category."""
        return Category.of_work(self.genre, self.opus)

    @property
    def name(self) -> str:
        """The work's name in the catalogue."""
        return piece_name(title=self.title, key=self.key, opus=self.opus, number=self.number)


@dataclass(frozen=True, slots=True)
class WorkSet:
    """A usual set: the works of one opus in order, or a group of them."""

    works: tuple[Work, ...]
    is_whole: bool  # all works of the opus


def piece_name(*, title: str, key: str, opus: str, number: int | None) -> str:
    """Return a piece's name in the catalogue, such as "Etude in C-sharp minor, Op. 10 No. 4".

    Works without an opus have a number of another catalogue, which is written as it is ("BI 71").
    """
    return f"{title} in {key}, {_opus_name(opus)}" + (f" No. {number}" if number else "")


def set_name(*, title: str, opus: str, numbers: str) -> str:
    """Return a set's name in the catalogue: "Mazurkas, Op. 33", with `numbers` "Preludes, Op. 28 Nos. 13–18"."""
    return f"{title}, {_opus_name(opus)}" + (f" Nos. {numbers}" if numbers else "")


def _opus_name(opus: str) -> str:
    return opus if opus.startswith(_CATALOGUES) else f"Op. {opus}"


def plural_title(title: str) -> str:
    """Return the title of several pieces: "Waltzes", "Mazurkas"."""
    return title + ("es" if title.endswith(("s", "z")) else "s")


def numbers_text(numbers: list[int]) -> str:
    """Return the numbers of a set: "13–18" for those that follow each other, else "1, 3, 4"."""
    if len(numbers) > 1 and numbers == list(range(numbers[0], numbers[0] + len(numbers))):
        return f"{numbers[0]}–{numbers[-1]}"
    return ", ".join(map(str, numbers))


@cache
def works() -> tuple[Work, ...]:
    """Return all works in the order of the file."""
    with WORKS.open(encoding="utf-8", newline="") as file:
        return tuple(_work(row) for row in csv.DictReader(file))


@cache
def usual_sets() -> tuple[WorkSet, ...]:
    """Return the opuses that consist of several works of one kind, and the groups of six preludes."""
    several = [each for each in works() if each.number is not None]
    wholes = [tuple(found) for _, found in groupby(several, key=lambda each: (each.genre, each.opus))]
    groups = [
        tuple(
            each for each in several if (each.genre, each.opus) == (genre, opus) and first <= (each.number or 0) <= last
        )
        for genre, opus, first, last in _GROUPS
    ]
    return tuple(WorkSet(each, is_whole=True) for each in wholes if len(each) > 1) + tuple(
        WorkSet(each, is_whole=False) for each in groups
    )


def _work(row: dict[str, str]) -> Work:
    return Work(
        genre=row["genre"],
        title=row["title"],
        key=row["key"],
        opus=row["opus"],
        number=int(row["number"]) if row["number"] else None,
        catalogues=_several(row["catalogue"]),
        parts=_several(row["movements"] or row["parts"]),
        with_orchestra=row["with_orchestra"] == "yes",
        minutes=Decimal(row["minutes"]),
        translations={each: (row[f"title_{each}"], row[f"key_{each}"]) for each in LANGUAGES},
        nicknames=_several(row["nicknames"]),
        notes=_several(row["alternate_numbering"]),
    )


def _several(cell: str) -> tuple[str, ...]:
    return tuple(filter(None, cell.split("|")))
