"""The planned effect of each row of a participant file."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from apps.competition.enums import Category
from apps.competition.limits import FOLDED_NAME_LENGTH, NAME_LENGTH, PIECE_LENGTH, PROGRAM_LENGTH
from apps.competition.piece_names import PieceParts
from apps.competition.works import COMPOSER
from apps.core.people import is_written
from apps.core.text_rules import fold, has_letter, name_clean
from apps.imports.enums import LineStatus, RowProblem, RowStatus
from apps.imports.limits import FILE_PIECES, PIECE_CHOICES, PROGRAM_PIECES
from apps.imports.participant_files.extras import NO_EXTRAS, Extras, extras_read
from apps.imports.participant_files.people import KnownPeople
from apps.imports.participant_files.table import FileRow
from apps.imports.program_lines.catalogue import POSTHUMOUS, Catalogue, CataloguePiece
from apps.imports.program_lines.folding import fold_line
from apps.imports.program_lines.lines import program_read
from apps.imports.program_lines.matching import Outcome, Why, doubt_of, match
from apps.imports.program_lines.references import Reference, opus_of, references_read
from apps.imports.program_lines.results import SlottedPiece
from apps.imports.program_lines.tokens import Kind, Token, tokens_of
from apps.imports.program_lines.vocabulary import SILENT

_GENRES = frozenset(genre for category in Category for genre in category.genres)
_BY_OPUS = frozenset(genre for category in Category if category.opus for genre in category.genres)
_LEADING = frozenset({"in", "en", "w", "e"})  # between a title and its key


@dataclass(frozen=True, slots=True)
class FilePiece:
    """A piece in the catalogue or to be added; `category` is empty if unknown, `problem` is empty without a problem.

    `choices` are the names of the pieces that fit one that is not certain; a stored row has them beside its pieces.
    """

    name: str
    title: str = ""
    key: str = ""
    opus: str = ""
    number: int | None = None
    category: str = ""
    is_known: bool = False  # whether the catalogue has it
    problem: str = ""
    choices: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """Return the fields except the choices as a dict for JSON."""
        return {field: getattr(self, field) for field in self.__slots__ if field != "choices"}

    def with_category(self, categories: Mapping[str, str]) -> "FilePiece":
        """Return the piece with the category that an administrator chose, if it has none."""
        return self if self.category else replace(self, category=categories.get(self.name, ""))


def piece_read(text: str, catalogue: Catalogue) -> FilePiece:
    """Return the piece that a cell names, with a `problem` if there is none or it is not certain.

    A cell without a key, or without a title that the grammar knows, is read as a line of a program: it may mean exactly
    one piece of the catalogue, or the pieces of one set of the catalogue.
    """
    piece = _piece_read(text, catalogue)
    is_certain = piece.category or piece.problem == RowProblem.PIECE_SEVERAL
    if is_certain or len(text) > PIECE_LENGTH or not catalogue.pieces:
        return piece
    line = next(iter(program_read(text, catalogue)), None)
    if line is None or not (line.pieces or line.choices):
        return piece
    if line.status is LineStatus.MATCHED:
        return _of_catalogue(line.pieces[0].piece)
    if whole := catalogue.by_members.get(tuple(each.piece.id for each in line.pieces)):
        return _of_catalogue(whole)
    is_open = bool(piece.problem) and line.status is LineStatus.AMBIGUOUS and not line.why and len(line.choices) > 1
    return replace(piece, problem=RowProblem.PIECE_SEVERAL, choices=_names(line.choices)) if is_open else piece


def _names(choices: Iterable[SlottedPiece]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(each.piece.name for each in choices))[:PIECE_CHOICES]


def _piece_read(text: str, catalogue: Catalogue) -> FilePiece:
    """Return the piece of a cell that has a title and a key."""
    if len(text) > PIECE_LENGTH:
        return FilePiece(text[:PIECE_LENGTH], problem=RowProblem.PIECE)
    folded = fold_line(text)
    if named := catalogue.by_whole_name.get(folded):
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


def _placed(reference: Reference, title: str, catalogue: Catalogue, refuse: Callable[..., FilePiece]) -> FilePiece:
    """Return the matching piece of the catalogue, or the piece to be added to it."""
    found = match(reference, catalogue)
    if found.outcome is Outcome.MATCHED and reference.title:
        return _of_catalogue(found.pieces[0])
    if found.outcome is Outcome.AMBIGUOUS and reference.title:
        names = tuple(each.name for each in found.pieces)[:PIECE_CHOICES]
        return refuse(problem=RowProblem.PIECE_SEVERAL, choices=names)
    opus = opus_of(reference)
    is_other = not (reference.title or opus)  # with a title that the grammar does not know, the key alone says nothing
    if found.outcome is not Outcome.UNKNOWN and opus != POSTHUMOUS and not is_other:
        return refuse(problem=RowProblem.PIECE_KEY)
    number = reference.number if opus else reference.series
    name = _name(title, reference.key, opus, number)
    if len(name) > PIECE_LENGTH:
        return refuse(problem=RowProblem.PIECE)
    return FilePiece(name, title, reference.key, opus, number, _category(reference))


def _of_catalogue(piece: CataloguePiece) -> FilePiece:
    title = piece.own_title or piece.title.capitalize()
    return FilePiece(piece.name, title, piece.key, piece.opus, piece.number, piece.category, is_known=True)


def _category(reference: Reference) -> str:
    """Return the category implied by title and opus; empty if they imply none."""
    if reference.title not in _GENRES or (reference.title in _BY_OPUS and not reference.opus):
        return ""
    return Category.of_work(reference.title, reference.opus).value


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


_PIECES_READ = PROGRAM_PIECES + FILE_PIECES  # of one row; a row with more is bad


@dataclass(frozen=True, slots=True)
class PlannedRow:
    """A row with its planned effect; `detail` is the subject of `problem`: a cell, the columns, a line.

    `participant` is the id of the site's participant, and `before` what it has by each field that the row changes.
    """

    line: int
    first_name: str
    last_name: str
    country: str
    status: RowStatus
    is_known: bool = False  # whether the site or an earlier row has this participant
    pieces: tuple[FilePiece, ...] = ()
    problem: RowProblem = RowProblem.NONE
    detail: str = ""
    extras: Extras = NO_EXTRAS
    participant: int | None = None
    before: Mapping[str, Any] = field(default_factory=dict)


def rows_plan(
    rows: Iterable[FileRow], known: KnownPeople, catalogue: Catalogue, categories: Mapping[str, str]
) -> Iterator[PlannedRow]:
    """Yield the planned effect of each row; `categories` are those chosen for missing pieces, by name."""
    pieces: dict[str, FilePiece] = {}
    for row in rows:
        for _, text in row.pieces[:_PIECES_READ]:
            if text not in pieces:
                pieces[text] = piece_read(text, catalogue).with_category(categories)
        is_number = row.whole_name and not (row.is_short or row.has_surplus or row.error)
        yield _numbered(row, known) if is_number else _planned(row, known, pieces)


def status_of(*, is_known: bool, pieces: Collection[FilePiece], problem: str = "") -> RowStatus:
    """Return the status of a row without errors."""
    if problem == RowProblem.PERHAPS or any(not piece.category for piece in pieces):
        return RowStatus.UNDECIDED
    return RowStatus.EXISTING if is_known else RowStatus.NEW


def _planned(row: FileRow, known: KnownPeople, read: Mapping[str, FilePiece]) -> PlannedRow:
    names = [name_clean(cell) for cell in row.names]
    first, last, country = (name[:NAME_LENGTH] for name in names)
    named = (row.line, first, last, country)
    if row.is_short:
        return PlannedRow(*named, RowStatus.SHORT, problem=RowProblem.COLUMNS, detail=_columns(row))
    if row.has_surplus:
        return PlannedRow(*named, RowStatus.BAD, problem=RowProblem.LONGER, detail=_columns(row))
    pieces = tuple(dict.fromkeys(read[text] for _, text in row.pieces if text in read))  # without duplicates
    if row.error:
        return PlannedRow(*named, RowStatus.BAD, pieces=pieces, problem=RowProblem.ERROR_CELL, detail=row.error)
    if problem := _name_problem(names):
        return PlannedRow(*named, RowStatus.BAD, pieces=pieces, problem=problem)
    extras = extras_read(row, (first, last, country), known)
    problem, detail = extras.problem, extras.detail
    if not problem:
        problem, detail = _pieces_problem(row, pieces, read)
    if problem:
        return PlannedRow(*named, RowStatus.BAD, pieces=pieces, problem=problem, detail=detail, extras=extras)
    planned = _compared(named, pieces, extras, known)
    twice = "" if planned.problem else _named_twice(row, read)
    return replace(planned, problem=RowProblem.PIECE_TWICE, detail=twice) if twice else planned


def _numbered(row: FileRow, known: KnownPeople) -> PlannedRow:
    """Return the plan of a row with a start number and a whole name: it belongs to one participant who is there."""
    found = known.people.with_name(row.whole_name)
    if len(found) != 1:
        problem = RowProblem.SEVERAL_PEOPLE if found else RowProblem.NO_PERSON
        return PlannedRow(row.line, "", row.whole_name[:NAME_LENGTH], "", RowStatus.BAD, problem=problem)
    (person,) = found
    names = (person.first_name, person.second_name, person.country)
    planned = PlannedRow(row.line, *names, RowStatus.EXISTING, is_known=True, participant=person.id)
    extras = extras_read(row, names, known)
    if extras.problem:
        return replace(planned, status=RowStatus.BAD, problem=extras.problem, detail=extras.detail)
    if not is_written(person, row.whole_name):
        planned = replace(planned, problem=RowProblem.SPELLED, detail=f"“{row.whole_name[:NAME_LENGTH]}”")
    return replace(planned, extras=extras)


def _named_twice(row: FileRow, read: Mapping[str, FilePiece]) -> str:
    """Return the cell that names the piece of an earlier cell, with its column; empty without one."""
    seen: set[str] = set()
    for column, text in row.pieces:
        if read[text].name in seen:
            return f"{column}: “{read[text].name}”"
        seen.add(read[text].name)
    return ""


def _pieces_problem(row: FileRow, pieces: Sequence[FilePiece], read: Mapping[str, FilePiece]) -> tuple[RowProblem, str]:
    """Return the first problem of a row's pieces with its column and piece, or that they are too many characters."""
    for column, text in row.pieces:
        if read[text].problem:
            return RowProblem(read[text].problem), f"{column}: “{read[text].name}”"
    is_long = sum(len(piece.name) + 1 for piece in pieces) > PROGRAM_LENGTH
    return (RowProblem.PROGRAM if is_long else RowProblem.NONE), ""


def _compared(
    named: tuple[int, str, str, str], pieces: tuple[FilePiece, ...], extras: Extras, known: KnownPeople
) -> PlannedRow:
    """Return the plan of a row without errors, compared with the participants that are there."""
    line, names = named[0], named[1:]
    earlier = known.line_of(*names)
    problem, detail = (RowProblem.REPEATED, str(earlier)) if earlier else (RowProblem.NONE, "")
    if earlier is None and (alike := known.alike_to(*names)):
        problem, detail = RowProblem.PERHAPS, alike
    if not problem:
        problem, detail = piano_remark(extras.piano, known.player(*names))
    status = status_of(is_known=earlier is not None, pieces=pieces, problem=problem)
    known.add(*names, line)
    return PlannedRow(*named, status, earlier is not None, pieces, problem, detail, extras, known.one_of(*names))


def piano_remark(piano: str, player: int | None) -> tuple[RowProblem, str]:
    """Return the remark about a row's piano if there is no performance for it, with the piano."""
    return (RowProblem.NO_SESSION, piano) if piano and player is None else (RowProblem.NONE, "")


def _columns(row: FileRow) -> str:
    return f"{row.width}/{row.header_width}"


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
