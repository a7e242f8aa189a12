"""What the rows of a participant file will do."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from apps.competition.limits import FOLDED_NAME_LENGTH, NAME_LENGTH
from apps.core.text_rules.names import fold
from apps.imports.enums import RowProblem, RowStatus
from apps.imports.participant_files.pieces import FilePiece, piece_read
from apps.imports.participant_files.table import PIECE_COLUMNS, FileRow
from apps.imports.program_lines.catalogue import Catalogue

_NAMES = 3  # cells before the pieces


@dataclass(frozen=True, slots=True)
class PlannedRow:
    """A row and what it will do; `detail` names what `problem` is about: a cell, columns, a line."""

    line: int
    first_name: str
    last_name: str
    country: str
    status: RowStatus
    is_known: bool = False  # whether the site, or an earlier row, has this participant
    pieces: tuple[FilePiece, ...] = ()
    problem: RowProblem = RowProblem.NONE
    detail: str = ""


@dataclass(slots=True)
class KnownPeople:
    """Who is there: folded names in either order, with the folded country, and the line of those that the file has."""

    people: dict[tuple[str, str], int] = field(default_factory=dict)

    @classmethod
    def of(cls, stored: Iterable[tuple[str, str, str]]) -> "KnownPeople":
        """Return those with these folded names and countries."""
        known = cls()
        for name, sorted_name, country in stored:
            known.people[name, fold(country)] = known.people[sorted_name, fold(country)] = 0
        return known

    def line_of(self, first: str, last: str, country: str) -> int | None:
        """Return the line on which this participant came before, 0 for one of the site, None for nobody."""
        found = (self.people.get(key) for key in _keys(first, last, country))
        return next((line for line in found if line is not None), None)

    def add(self, first: str, last: str, country: str, line: int) -> None:
        """Remember somebody of the file."""
        for key in _keys(first, last, country):
            self.people.setdefault(key, line)


def rows_plan(
    rows: Iterable[FileRow], known: KnownPeople, catalogue: Catalogue, categories: Mapping[str, str]
) -> Iterator[PlannedRow]:
    """Yield what each row will do; `categories` are those chosen for missing pieces, by name."""
    pieces: dict[str, FilePiece] = {}
    for row in rows:
        for text in row.cells[_NAMES:]:
            if text and text not in pieces:
                pieces[text] = piece_read(text, catalogue).with_category(categories)
        yield _planned(row, known, pieces)


def status_of(*, is_known: bool, pieces: Collection[FilePiece]) -> RowStatus:
    """Return the status of a good row."""
    if any(not piece.category for piece in pieces):
        return RowStatus.UNDECIDED
    return RowStatus.EXISTING if is_known else RowStatus.NEW


def _planned(row: FileRow, known: KnownPeople, read: Mapping[str, FilePiece]) -> PlannedRow:
    first, last, country = (cell[:NAME_LENGTH] for cell in row.cells[:_NAMES])
    named = (row.line, first, last, country)
    if row.is_short:
        columns = f"{row.width}/{row.header_width}"
        return PlannedRow(*named, RowStatus.SHORT, problem=RowProblem.COLUMNS, detail=columns)
    pieces = tuple(dict.fromkeys(read[text] for text in row.cells[_NAMES:] if text))  # one that comes twice once
    if problem := _name_problem(row.cells[:_NAMES]):
        return PlannedRow(*named, RowStatus.BAD, pieces=pieces, problem=problem)
    for column, text in zip(PIECE_COLUMNS, row.cells[_NAMES:], strict=True):
        if text and read[text].problem:
            problem, detail = RowProblem(read[text].problem), f"{column}: “{read[text].name}”"
            return PlannedRow(*named, RowStatus.BAD, pieces=pieces, problem=problem, detail=detail)
    earlier = known.line_of(first, last, country)
    status = status_of(is_known=earlier is not None, pieces=pieces)
    known.add(first, last, country, row.line)
    problem = RowProblem.REPEATED if earlier else RowProblem.NONE
    return PlannedRow(*named, status, earlier is not None, pieces, problem, str(earlier) if earlier else "")


def _name_problem(names: Iterable[str]) -> RowProblem | None:
    first, last, country = names
    if not (first and last and country):
        return RowProblem.NAME_MISSING
    if max(map(len, (first, last, country))) > NAME_LENGTH:
        return RowProblem.NAME_LONG
    folded = fold(f"{first} {last}")
    if not fold(first) or not fold(last):
        return RowProblem.NAME_UNREADABLE
    return RowProblem.NAME_LONG if len(folded) > FOLDED_NAME_LENGTH else None


def _keys(first: str, last: str, country: str) -> tuple[tuple[str, str], tuple[str, str]]:
    place = fold(country)
    return (fold(f"{first} {last}"), place), (fold(f"{last} {first}"), place)
