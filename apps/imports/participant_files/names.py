"""The names of pieces as administrators type them, by the grammar of programs."""

from apps.competition.piece_names import PieceParts
from apps.competition.services.catalogue import COMPOSER
from apps.imports.program_lines.catalogue import Catalogue
from apps.imports.program_lines.folding import fold_line
from apps.imports.program_lines.tokens import Kind, tokens_of
from apps.imports.program_lines.words import SILENT

from .pieces import FilePiece, piece_read

_NONE = Catalogue(())
_UNSAID = frozenset({Kind.TIME, Kind.URL, Kind.COUNT})  # which no name of a piece can say


def name_read(typed: str) -> PieceParts | None:
    """Return the parts of a name, or None where they would not say all that was typed."""
    piece = piece_read(typed, _NONE)
    if piece.problem or not _says_all(piece, fold_line(typed)):
        return None
    return PieceParts(piece.name, COMPOSER, piece.title, piece.key, piece.opus, piece.number)


def _says_all(piece: FilePiece, folded: str) -> bool:
    words = {*SILENT, *fold_line(piece.title).split()}
    numbers = {piece.opus, str(piece.number)}
    for token in tokens_of(folded):
        if token.kind in _UNSAID or token.is_plural:
            return False
        if token.kind is Kind.WORD and token.value not in words:
            return False
        if token.kind is Kind.INTEGER and token.value not in numbers:
            return False
    return True
