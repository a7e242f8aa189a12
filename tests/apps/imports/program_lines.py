"""Helpers for tests of program lines: the catalogue; they parse one line and shorten its choices."""

import csv

from apps.competition.piece_aliases import WORKS
from apps.competition.selectors.admin.programs import PieceFacts
from apps.imports.enums import LineStatus
from apps.imports.program_lines.catalogue import Catalogue, CataloguePiece
from apps.imports.program_lines.lines import program_read
from apps.imports.program_lines.pieces import piece_of

MATCHED, EXPANDED, AMBIGUOUS = LineStatus.MATCHED, LineStatus.EXPANDED, LineStatus.AMBIGUOUS
CONTRADICTORY, UNKNOWN, NOISE = LineStatus.CONTRADICTORY, LineStatus.UNKNOWN, LineStatus.NOISE


_CATEGORIES = {"nocturne": "nocturn", "mazurka": "mazurek", "bolero": "other", "tarantella": "other"}
_ETUDES = {"10": "etiuda_a", "25": "etiuda_b"}


def whole_catalogue() -> Catalogue:
    """Return all works of the competition's catalogue with their places in its file as ids."""
    with WORKS.open(encoding="utf-8", newline="") as file:
        return Catalogue(tuple(_piece(at, row) for at, row in enumerate(csv.DictReader(file), start=1)))


def _piece(at: int, row: dict[str, str]) -> CataloguePiece:
    genre, opus, number = row["genre"], row["opus"], row["number"]
    category = _ETUDES.get(opus, genre) if genre == "etude" else _CATEGORIES.get(genre, genre)
    place = f"{opus if opus[0].isalpha() else f'Op. {opus}'}" + (f" No. {number}" if number else "")
    name = f"{row['title']} in {row['key']}, {place}"
    facts = PieceFacts(at, name, category, row["title"], row["key"], opus, int(number) if number else None)
    return piece_of(facts, genre)


def short(matches: object) -> list[str]:
    """Return opus and number of the matched pieces, such as 10/4."""
    pieces = [match.piece for match in matches]
    return [f"{piece.opus}/{piece.number}" if piece.number else piece.opus for piece in pieces]


def one(text: str, catalogue: Catalogue):
    """Parse a text of one line and return that line."""
    (line,) = program_read(text, catalogue)
    return line
