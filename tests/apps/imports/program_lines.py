"""Helpers for tests of program lines: they parse one line and shorten its choices."""

from apps.imports.enums import LineStatus
from apps.imports.program_lines.catalogue import Catalogue
from apps.imports.program_lines.lines import program_read

MATCHED, EXPANDED, AMBIGUOUS = LineStatus.MATCHED, LineStatus.EXPANDED, LineStatus.AMBIGUOUS
CONTRADICTORY, UNKNOWN, NOISE = LineStatus.CONTRADICTORY, LineStatus.UNKNOWN, LineStatus.NOISE


def short(matches: object) -> list[str]:
    """Return opus and number of the matched pieces, such as 10/4."""
    pieces = [match.piece for match in matches]
    return [f"{piece.opus}/{piece.number}" if piece.number else piece.opus for piece in pieces]


def one(text: str, catalogue: Catalogue):
    """Parse a text of one line and return that line."""
    (line,) = program_read(text, catalogue)
    return line
