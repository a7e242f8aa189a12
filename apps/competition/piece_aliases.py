"""Other names of the catalogue's pieces: nicknames, names in other languages, other numberings.

They are columns of `catalogue/pieces.csv`. A piece is known by the parts of its title, so that a piece that is written
by hand has them as well.
"""

import csv
from dataclasses import dataclass
from functools import cache
from pathlib import Path

CATALOGUE = Path(__file__).resolve().parent / "catalogue" / "pieces.csv"
LANGUAGES = ("pl", "de", "fr", "ja")


@dataclass(frozen=True, slots=True)
class PieceAliases:
    """Other names of a piece: `translations` are title and key, "Etiuda c-moll"; `numbering` is a note or empty."""

    nicknames: tuple[str, ...] = ()
    translations: tuple[str, ...] = ()
    numbering: str = ""


def piece_aliases(*, title: str, key: str, opus: str, number: int | None) -> PieceAliases:
    """Return the other names of the piece with these parts; of a piece outside the catalogue, none."""
    return _by_parts().get((title, key, opus, number), PieceAliases())


@cache
def _by_parts() -> dict[tuple[str, str, str, int | None], PieceAliases]:
    with CATALOGUE.open(encoding="utf-8", newline="") as file:
        return {
            (row["title"], row["key"], row["opus"], int(row["number"]) if row["number"] else None): _aliases(row)
            for row in csv.DictReader(file)
        }


def _aliases(row: dict[str, str]) -> PieceAliases:
    return PieceAliases(
        nicknames=tuple(filter(None, row["nicknames"].split("|"))),
        translations=tuple(dict.fromkeys(f"{row[f'title_{each}']} {row[f'key_{each}']}" for each in LANGUAGES)),
        numbering=row["alternate_numbering"],
    )
