"""The planned effect of each row of a participant file."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from apps.competition.enums import Category
from apps.competition.limits import FOLDED_NAME_LENGTH, NAME_LENGTH, PIECE_LENGTH
from apps.competition.piece_names import PieceParts
from apps.competition.selectors.admin.participants import ParticipantName
from apps.competition.services.pieces import COMPOSER
from apps.core.text_rules import fold, has_letter, name_clean, name_key, same_text
from apps.imports.enums import RowProblem, RowStatus
from apps.imports.participant_files.table import PIECE_COLUMNS, FileRow
from apps.imports.program_lines.catalogue import POSTHUMOUS, Catalogue, CataloguePiece, fold_line
from apps.imports.program_lines.matching import Outcome, Why, doubt_of, match
from apps.imports.program_lines.references import Reference, opus_of, references_read
from apps.imports.program_lines.tokens import SILENT, Kind, Token, tokens_of

_CATEGORIES = {"nocturne": Category.NOCTURN, "scherzo": Category.SCHERZO, "mazurka": Category.MAZUREK}
_ETUDES = {"10": Category.ETIUDA_A, "25": Category.ETIUDA_B}
_LEADING = frozenset({"in", "en", "w", "e"})  # between a title and its key


@dataclass(frozen=True, slots=True)
class FilePiece:
    """A piece in the catalogue or to be added; `category` is empty if unknown, `problem` is empty without a problem."""

    name: str
    title: str = ""
    key: str = ""
    opus: str = ""
    number: int | None = None
    category: str = ""
    is_known: bool = False  # whether the catalogue has it
    problem: str = ""

    def as_json(self) -> dict[str, Any]:
        """Return the fields as a dict for JSON."""
        return {field: getattr(self, field) for field in self.__slots__}

    def with_category(self, categories: Mapping[str, str]) -> "FilePiece":
        """Return the piece with the category that an administrator chose, if it has none."""
        return self if self.category else replace(self, category=categories.get(self.name, ""))


def piece_read(text: str, catalogue: Catalogue) -> FilePiece:
    """Return the piece that a cell names, with a `problem` if there is none or it is not certain."""
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
    if doubt or not title or " " not in reference.key:  # then the key has no mode
        return refuse(problem=RowProblem.PIECE)
    return _placed(reference, title, catalogue, refuse)


def _placed(reference: Reference, title: str, catalogue: Catalogue, refuse: Any) -> FilePiece:
    """Return the matching piece of the catalogue, or the piece to be added to it."""
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
    """Return the category implied by title and opus; empty if they imply none."""
    of_etude = _ETUDES.get(reference.opus, "") if reference.title == "etude" else ""
    return _CATEGORIES.get(reference.title, of_etude)


def _name(title: str, key: str, opus: str, number: int | None) -> str:
    """Return a piece's name in the form of the catalogue, also without an opus."""
    work = opus if opus.startswith("BI ") else f"Op. {opus}" if opus else ""
    place = " ".join(filter(None, (work, f"No. {number}" if number else "")))
    return f"{title} in {key}" + (f", {place}" if place else "")


def _title_before(text: str, folded: str, tokens: Sequence[Token]) -> str:
    """Return a title that the grammar does not know: the text before the key."""
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


_NAMES = 3  # cells before the pieces


@dataclass(frozen=True, slots=True)
class PlannedRow:
    """A row with its planned effect; `detail` is the subject of `problem`: a cell, the columns, a line."""

    line: int
    first_name: str
    last_name: str
    country: str
    status: RowStatus
    is_known: bool = False  # whether the site or an earlier row has this participant
    pieces: tuple[FilePiece, ...] = ()
    problem: RowProblem = RowProblem.NONE
    detail: str = ""


@dataclass(slots=True)
class KnownPeople:
    """The participants of the site and of earlier rows, in either order of the name, by country.

    `lines` maps a name to the line of its row, 0 for a participant of the site; `alike` maps a name's key to the name.
    """

    lines: dict[tuple[str, str], int] = field(default_factory=dict)
    alike: dict[tuple[str, str], str] = field(default_factory=dict)

    @classmethod
    def of(cls, stored: Iterable[ParticipantName]) -> "KnownPeople":
        """Return the participants of the site."""
        known = cls()
        for each in stored:
            first, second, place = each.first_name, each.second_name, fold(each.country)
            for name in (each.name, f"{first} {second}", f"{second} {first}"):
                known.lines[same_text(name), place] = 0
            for folded in (each.name_folded, each.sort_folded):
                known.alike.setdefault((name_key(folded), place), each.name)
        return known

    def line_of(self, first: str, last: str, country: str) -> int | None:
        """Return the line of an earlier row with this participant, 0 for one of the site, None if there is none."""
        found = (self.lines.get((same_text(name), fold(country))) for name in _orders(first, last))
        return next((line for line in found if line is not None), None)

    def alike_to(self, first: str, last: str, country: str) -> str:
        """Return the name of a participant with a similar spelling, empty without one."""
        found = (self.alike.get((name_key(fold(name)), fold(country)), "") for name in _orders(first, last))
        return next(filter(None, found), "")

    def add(self, first: str, last: str, country: str, line: int) -> None:
        """Add the participant of a row."""
        place = fold(country)
        for name in _orders(first, last):
            self.lines.setdefault((same_text(name), place), line)
            self.alike.setdefault((name_key(fold(name)), place), f"{first} {last}")


def rows_plan(
    rows: Iterable[FileRow], known: KnownPeople, catalogue: Catalogue, categories: Mapping[str, str]
) -> Iterator[PlannedRow]:
    """Yield the planned effect of each row; `categories` are those chosen for missing pieces, by name."""
    pieces: dict[str, FilePiece] = {}
    for row in rows:
        for text in row.cells[_NAMES:]:
            if text and text not in pieces:
                pieces[text] = piece_read(text, catalogue).with_category(categories)
        yield _planned(row, known, pieces)


def status_of(*, is_known: bool, pieces: Collection[FilePiece], problem: str = "") -> RowStatus:
    """Return the status of a row without errors."""
    if problem == RowProblem.PERHAPS or any(not piece.category for piece in pieces):
        return RowStatus.UNDECIDED
    return RowStatus.EXISTING if is_known else RowStatus.NEW


def _planned(row: FileRow, known: KnownPeople, read: Mapping[str, FilePiece]) -> PlannedRow:
    names = [name_clean(cell) for cell in row.cells[:_NAMES]]
    first, last, country = (name[:NAME_LENGTH] for name in names)
    named = (row.line, first, last, country)
    if row.is_short:
        columns = f"{row.width}/{row.header_width}"
        return PlannedRow(*named, RowStatus.SHORT, problem=RowProblem.COLUMNS, detail=columns)
    pieces = tuple(dict.fromkeys(read[text] for text in row.cells[_NAMES:] if text))  # without duplicates
    if problem := _name_problem(names):
        return PlannedRow(*named, RowStatus.BAD, pieces=pieces, problem=problem)
    for column, text in zip(PIECE_COLUMNS, row.cells[_NAMES:], strict=True):
        if text and read[text].problem:
            problem, detail = RowProblem(read[text].problem), f"{column}: “{read[text].name}”"
            return PlannedRow(*named, RowStatus.BAD, pieces=pieces, problem=problem, detail=detail)
    earlier = known.line_of(first, last, country)
    problem, detail = (RowProblem.REPEATED, str(earlier)) if earlier else (RowProblem.NONE, "")
    if earlier is None and (alike := known.alike_to(first, last, country)):
        problem, detail = RowProblem.PERHAPS, f"{alike}, {country}"
    status = status_of(is_known=earlier is not None, pieces=pieces, problem=problem)
    known.add(first, last, country, row.line)
    return PlannedRow(*named, status, earlier is not None, pieces, problem, detail)


def _name_problem(names: Sequence[str]) -> RowProblem | None:
    first, last, country = names
    if not (first and last and country):
        return RowProblem.NAME_MISSING
    if max(map(len, (first, last, country))) > NAME_LENGTH:
        return RowProblem.NAME_LONG
    folded = fold(f"{first} {last}")
    if not (has_letter(first) and has_letter(last) and fold(first) and fold(last)):
        return RowProblem.NAME_UNREADABLE
    return RowProblem.NAME_LONG if len(folded) > FOLDED_NAME_LENGTH else None


def _orders(first: str, last: str) -> tuple[str, str]:
    return f"{first} {last}", f"{last} {first}"


_NONE = Catalogue(())
_NOT_IN_NAMES = frozenset({Kind.TIME, Kind.URL, Kind.COUNT})  # kinds of tokens that no piece's name contains


def name_read(typed: str) -> PieceParts | None:
    """Return the parts of a piece's name, or None if they do not cover the whole text."""
    piece = piece_read(typed, _NONE)
    if piece.problem or not _covers_text(piece, fold_line(typed)):
        return None
    return PieceParts(piece.name, COMPOSER, piece.title, piece.key, piece.opus, piece.number)


def _covers_text(piece: FilePiece, folded: str) -> bool:
    words = {*SILENT, *fold_line(piece.title).split()}
    numbers = {piece.opus, str(piece.number)}
    for token in tokens_of(folded):
        if token.kind in _NOT_IN_NAMES or token.is_plural:
            return False
        if token.kind is Kind.WORD and token.value not in words:
            return False
        if token.kind is Kind.INTEGER and token.value not in numbers:
            return False
    return True
