"""What the rows of a participant file will do."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from apps.competition.limits import FOLDED_NAME_LENGTH, NAME_LENGTH
from apps.competition.selectors.admin import ParticipantName
from apps.core.text_rules.names import fold, has_letter, name_clean, name_key, same_text
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
    """The participants of the site and of earlier rows, in either order of the name, by country.

    `lines` has the row of each by the name as it reads, 0 for one of the site; `alike` the name by its key.
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
        """Return the line on which this participant came before, 0 for one of the site, None for nobody."""
        found = (self.lines.get((same_text(name), fold(country))) for name in _orders(first, last))
        return next((line for line in found if line is not None), None)

    def alike_to(self, first: str, last: str, country: str) -> str:
        """Return the name of a participant that is spelled like this one, empty where there is none."""
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
    """Yield what each row will do; `categories` are those chosen for missing pieces, by name."""
    pieces: dict[str, FilePiece] = {}
    for row in rows:
        for text in row.cells[_NAMES:]:
            if text and text not in pieces:
                pieces[text] = piece_read(text, catalogue).with_category(categories)
        yield _planned(row, known, pieces)


def status_of(*, is_known: bool, pieces: Collection[FilePiece], problem: str = "") -> RowStatus:
    """Return the status of a good row."""
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
    pieces = tuple(dict.fromkeys(read[text] for text in row.cells[_NAMES:] if text))  # one that comes twice once
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
