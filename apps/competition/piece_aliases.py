"""Other names of pieces: nicknames, names in other languages, other numberings.

They are columns of `catalogue/works.csv`, which has all of Chopin's works for the stage, one a line, also those that
are not in the catalogue. A piece is known by the parts of its title, so that a piece that is written by hand has its
other names as well.
"""

import csv
from dataclasses import dataclass
from functools import cache
from pathlib import Path

WORKS = Path(__file__).resolve().parent / "catalogue" / "works.csv"
LANGUAGES = ("pl", "de", "fr", "ja", "zh", "ko")
_SERIES = "series no. "  # before the number of a work among all of its kind


@dataclass(frozen=True, slots=True)
class PieceAliases:
    """Other names of a piece.

    `translations` are title and key, ("Etiuda", "c-moll"); `catalogues` are numbers of other catalogues ("BI 108");
    `numbering` is a note or empty; `series` is the number among all works of its kind ("Nocturne no. 20"), or None.
    """

    nicknames: tuple[str, ...] = ()
    translations: tuple[tuple[str, str], ...] = ()
    catalogues: tuple[str, ...] = ()
    numbering: str = ""
    series: int | None = None


def piece_aliases(*, title: str, key: str, opus: str, number: int | None) -> PieceAliases:
    """Return the other names of the piece with these parts; of a piece outside the table, none."""
    return _by_parts().get((title, key, opus, number), PieceAliases())


@cache
def _by_parts() -> dict[tuple[str, str, str, int | None], PieceAliases]:
    with WORKS.open(encoding="utf-8", newline="") as file:
        return {
            (row["title"], row["key"], row["opus"], int(row["number"]) if row["number"] else None): _aliases(row)
            for row in csv.DictReader(file)
        }


def _aliases(row: dict[str, str]) -> PieceAliases:
    notes = list(filter(None, row["alternate_numbering"].split("|")))
    series = [int(note.removeprefix(_SERIES)) for note in notes if note.startswith(_SERIES)]
    return PieceAliases(
        nicknames=tuple(filter(None, row["nicknames"].split("|"))),
        translations=tuple(dict.fromkeys((row[f"title_{each}"], row[f"key_{each}"]) for each in LANGUAGES)),
        catalogues=tuple(filter(None, row["catalogue"].split("|"))),
        numbering="; ".join(note for note in notes if not note.startswith(_SERIES)),
        series=series[0] if series else None,
    )
