"""Helpers for tests of program lines: the catalogue; they parse one line and shorten its choices."""

from apps.competition.selectors.admin.pieces import PieceFacts
from apps.competition.works import works
from apps.imports.enums import LineStatus
from apps.imports.program_lines.catalogue import Catalogue
from apps.imports.program_lines.lines import program_read
from apps.imports.program_lines.pieces import catalogue_of

MATCHED, EXPANDED, AMBIGUOUS = LineStatus.MATCHED, LineStatus.EXPANDED, LineStatus.AMBIGUOUS
CONTRADICTORY, UNKNOWN, NOISE = LineStatus.CONTRADICTORY, LineStatus.UNKNOWN, LineStatus.NOISE


def whole_catalogue() -> Catalogue:
    """Return all works of the competition's catalogue with their places in its table as ids."""
    return catalogue_of(
        PieceFacts(at, each.name, each.category, each.title, each.key, each.opus, each.number, parts=each.parts)
        for at, each in enumerate(works(), start=1)
    )


def short(matches: object) -> list[str]:
    """Return opus and number of the matched pieces, such as 10/4."""
    pieces = [match.piece for match in matches]
    return [f"{piece.opus}/{piece.number}" if piece.number else piece.opus for piece in pieces]


def one(text: str, catalogue: Catalogue):
    """Parse a text of one line and return that line."""
    (line,) = program_read(text, catalogue)
    return line
