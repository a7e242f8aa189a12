"""The piece in a cell: title, key, and opus and number if they are written, by the grammar of programs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from apps.competition.enums import Category
from apps.competition.limits import PIECE_LENGTH
from apps.imports.enums import RowProblem
from apps.imports.program_lines.catalogue import POSTHUMOUS, Catalogue, CataloguePiece
from apps.imports.program_lines.doubts import doubt_of
from apps.imports.program_lines.folding import fold_line
from apps.imports.program_lines.matching import Outcome, Why, match
from apps.imports.program_lines.references import Reference, opus_of, references_read
from apps.imports.program_lines.tokens import Kind, Token, tokens_of

_CATEGORIES = {"nocturne": Category.NOCTURN, "scherzo": Category.SCHERZO, "mazurka": Category.MAZUREK}
_ETUDES = {"10": Category.ETIUDA_A, "25": Category.ETIUDA_B}
_LEADING = frozenset({"in", "en", "w", "e"})  # between a title and its key


@dataclass(frozen=True, slots=True)
class FilePiece:
    """A piece as the catalogue has it or would; `category` is empty where nobody can know it, as is `problem`."""

    name: str
    title: str = ""
    key: str = ""
    opus: str = ""
    number: int | None = None
    category: str = ""
    is_known: bool = False  # whether the catalogue has it
    problem: str = ""

    def as_json(self) -> dict[str, Any]:
        """Return it as JSON."""
        return {field: getattr(self, field) for field in self.__slots__}

    def with_category(self, categories: Mapping[str, str]) -> "FilePiece":
        """Return it with the category that was chosen for it, if any was."""
        return self if self.category else replace(self, category=categories.get(self.name, ""))


def piece_read(text: str, catalogue: Catalogue) -> FilePiece:
    """Return the piece that a cell names; with a problem when it names none, or not surely one."""
    if len(text) > PIECE_LENGTH:
        return FilePiece(text[:PIECE_LENGTH], problem=RowProblem.PIECE)
    folded = fold_line(text)
    if named := catalogue.by_name.get(folded):
        return _of_catalogue(named[0])
    refuse = partial(FilePiece, text)
    tokens = tokens_of(folded)
    references, unread = references_read(tokens)
    if len(references) != 1 or any(token.kind is Kind.OTHER_COMPOSER for token in tokens):
        return refuse(problem=RowProblem.PIECE)
    (reference,) = references
    title = reference.title.capitalize() or _title_before(text, folded, tokens)
    doubt = doubt_of(tokens, unread, references, text) if reference.title else Why.NONE
    if doubt or not title or " " not in reference.key:  # which has no mode then
        return refuse(problem=RowProblem.PIECE)
    return _placed(reference, title, catalogue, refuse)


def _placed(reference: Reference, title: str, catalogue: Catalogue, refuse: Any) -> FilePiece:
    """Return the piece of the catalogue that is meant, or the one to be added to it."""
    found = match(reference, catalogue)
    if found.outcome is Outcome.MATCHED and reference.title:
        return _of_catalogue(found.pieces[0])
    if found.outcome is Outcome.AMBIGUOUS and reference.title:
        return refuse(problem=RowProblem.PIECE_SEVERAL)  # type: ignore[no-any-return]
    if found.outcome is not Outcome.UNKNOWN and opus_of(reference) != POSTHUMOUS:
        return refuse(problem=RowProblem.PIECE_KEY)  # type: ignore[no-any-return]
    opus = opus_of(reference)
    number = reference.number if opus else reference.series
    name = _name(title, reference.key, opus, number)
    if len(name) > PIECE_LENGTH:
        return refuse(problem=RowProblem.PIECE)  # type: ignore[no-any-return]
    return FilePiece(name, title, reference.key, opus, number, _category(reference))


def _of_catalogue(piece: CataloguePiece) -> FilePiece:
    title = piece.title.capitalize()
    return FilePiece(piece.name, title, piece.key, piece.opus, piece.number, piece.category, is_known=True)


def _category(reference: Reference) -> str:
    """Return the category that title and opus tell; empty where they do not."""
    of_etude = _ETUDES.get(reference.opus, "") if reference.title == "etude" else ""
    return _CATEGORIES.get(reference.title, of_etude)


def _name(title: str, key: str, opus: str, number: int | None) -> str:
    """Return the name of a piece of the catalogue, also of one without an opus."""
    work = opus if opus.startswith("BI ") else f"Op. {opus}" if opus else ""
    place = " ".join(filter(None, (work, f"No. {number}" if number else "")))
    return f"{title} in {key}" + (f", {place}" if place else "")


def _title_before(text: str, folded: str, tokens: Sequence[Token]) -> str:
    """Return a title that the grammar does not know: what is written before the key."""
    key = next((token for token in tokens if token.kind is Kind.KEY), None)
    words = folded[: key.start].split() if key else []
    while words and (words[-1] in _LEADING or not any(map(str.isalnum, words[-1]))):
        words.pop()
    title = " ".join(words)
    if not any(map(str.isalpha, title)) or any(map(str.isdigit, title)):
        return ""
    title = title.rstrip(",;:.-")
    written, length = text.split(), len(title.split())
    as_written = " ".join(written[:length]).rstrip(",;:.-")
    is_same = len(written) == len(folded.split()) and fold_line(as_written) == title
    return as_written if is_same else title.capitalize()
