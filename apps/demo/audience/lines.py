"""Lines of the audience from templates: about a performer, and about a piece."""

from collections.abc import Sequence
from itertools import product

from apps.competition.selectors.public.participants import AppearanceDetail, PieceTitle


def piece_words(piece: PieceTitle) -> str:
    """Return a piece as a listener calls it: "nocturne op. 27 no. 1"."""
    if not piece.title:
        return piece.name
    title = piece.title.lower().replace("etude", "étude")
    if not isinstance(piece.opus, int):
        return f"{title} in {piece.key}" if piece.key else title
    number = f" no. {piece.number}" if piece.number else ""
    return f"{title} op. {piece.opus}{number}"


def lines_about(
    templates: Sequence[str], appearance: AppearanceDetail, pieces: Sequence[PieceTitle] | None = None
) -> list[str]:
    """Return the templates about this performer, and about each of these pieces, by default all of the program."""
    about = [each.piece for each in appearance.program] if pieces is None else pieces
    pairs = product(templates, [piece_words(piece) for piece in about] or [""])
    found = (line.format(name=appearance.name, piece=piece) for line, piece in pairs if piece or "{piece}" not in line)
    return list(dict.fromkeys(found))
