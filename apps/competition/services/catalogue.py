"""The catalogue of the pieces that the competition asks for."""

import csv
from pathlib import Path

from django.db import transaction

from apps.competition.models import Piece

COMPOSER = "Fryderyk Chopin"
_FILE = Path(__file__).resolve().parent.parent / "catalogue" / "pieces.csv"


def piece_name(*, title: str, key: str, opus: str, number: int | None) -> str:
    """Return the name that a piece has in the catalogue, such as "Etude in C-sharp minor, Op. 10 No. 4".

    Works without an opus carry a number of Brown's index, which is written as it is ("BI 71").
    """
    work = opus if opus.startswith("BI ") else f"Op. {opus}"
    return f"{title} in {key}, {work}" + (f" No. {number}" if number else "")


@transaction.atomic
def catalogue_load() -> int:
    """Add the pieces of the catalogue that are missing and return how many were; what is there stays as it is."""
    before = Piece.objects.count()
    with _FILE.open(encoding="utf-8", newline="") as lines:
        Piece.objects.bulk_create([_piece(row) for row in csv.DictReader(lines)], ignore_conflicts=True)
    return Piece.objects.count() - before


def _piece(row: dict[str, str]) -> Piece:
    """Return the piece of one line of the file."""
    number = int(row["number"]) if row["number"] else None
    return Piece(
        name=piece_name(title=row["title"], key=row["key"], opus=row["opus"], number=number),
        category=row["category"],
        composer=COMPOSER,
        title=row["title"],
        key=row["key"],
        opus=row["opus"],
        number=number,
    )
