"""The table of a participant file: records of text fields, the first of which names the columns; and writing one."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, islice
from types import MappingProxyType

from apps.competition.selectors.admin.sessions import SessionPerformer
from apps.core.csv_files import csv_text
from apps.core.text_rules import cell_guard, cell_unguard, text_clean
from apps.imports.enums import Delimiter
from apps.imports.limits import FILE_PIECES, FILE_ROWS, PROGRAM_PIECES
from apps.imports.participant_files.columns import (
    AVATAR,
    BIOGRAPHY,
    BIRTH_YEAR,
    COLUMNS,
    NAME,
    NAME_LOCAL,
    PEOPLE_COLUMNS,
    PIANO,
    PIECE_COLUMNS,
    PROGRAM,
    START_NUMBER,
    ColumnsMissing,
    Header,
    column_of,
    header_read,
)
from apps.imports.tables.headers import SAMPLES, FileColumn, column_chooser, error_cell, file_columns, header_find
from apps.imports.tables.texts import Deadline, Record, parsing, records_of

_NONE: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class FileRow:
    """One row of a file: its first line, its cells in the order of COLUMNS, its extra cells, and its number of columns.

    `program` has one piece more than PROGRAM_PIECES if the cell has more. `has_surplus` is whether a cell
    behind those of the header is written. `error` is the first column with an error of the spreadsheet, and
    its cell. `whole_name` is written in a file of start numbers alone.
    """

    line: int
    cells: tuple[str, ...]
    width: int
    header_width: int
    start_number: str = ""
    birth_year: str = ""
    biography: str = ""
    program: tuple[str, ...] = ()
    name_local: str = ""
    piano: str = ""
    avatar_url: str = ""
    whole_name: str = ""
    has_surplus: bool = False
    error: str = ""

    @property
    def is_short(self) -> bool:
        """Whether it has fewer columns than the header."""
        return self.width < self.header_width

    @property
    def names(self) -> tuple[str, ...]:
        """Return first name, last name and country."""
        return self.cells[: len(PEOPLE_COLUMNS)]

    @property
    def pieces(self) -> tuple[tuple[str, str], ...]:
        """Return the written pieces, each with the name of its column."""
        of_columns = zip(PIECE_COLUMNS, self.cells[len(PEOPLE_COLUMNS) :], strict=True)
        return (*((column, text) for column, text in of_columns if text), *((PROGRAM, text) for text in self.program))


@dataclass(slots=True)
class Table:
    """The rows of a file, read while they are iterated, and its header, which is read first."""

    records: Iterable[Record]
    is_people_only: bool = False
    is_padded: bool = False  # a row without its last cells is not short: workbooks do not store empty cells
    chosen: Mapping[str, str] = field(default_factory=dict)  # columns chosen by hand, by the key of a name
    header: Header = field(init=False)
    columns: tuple[FileColumn, ...] = field(init=False)

    def __post_init__(self) -> None:
        """Find the header among the first records. Raises ValidationError if it lacks required columns."""
        find = column_chooser(column_of, self.chosen)
        record, following = header_find(self.records, find)
        first = list(islice(following, SAMPLES))
        self.records = chain(first, following)
        try:
            self.header = header_read(record, is_people_only=self.is_people_only, chosen=self.chosen)
        except ColumnsMissing as error:
            error.columns = file_columns(record[1], [*map(find, record[1])], first, self.chosen)
            raise
        self.columns = file_columns(self.header.fields, self.header.names, first, self.chosen)

    def __iter__(self) -> Iterator[FileRow]:
        """Yield the rows except blank ones. Raises ValidationError, possibly after some rows.

        The deadline includes the time that the caller needs for the rows.
        """
        deadline = Deadline()
        for number, (line, fields) in enumerate(self.records):
            deadline.check(line)
            if number >= FILE_ROWS:
                raise parsing("Error parsing file\nA file has at most %(most)d rows.", most=FILE_ROWS)
            yield _row(line, fields, self.header, is_padded=self.is_padded)


def rows_read(
    text: str,
    delimiter: Delimiter = Delimiter.BAR,
    *,
    is_people_only: bool = False,
    chosen: Mapping[str, str] = _NONE,
) -> Table:
    """Return the rows of a text. Raises ValidationError, also while the rows are iterated."""
    return Table(records_of(text, delimiter), is_people_only, chosen=chosen)


def _row(line: int, fields: Sequence[str], header: Header, *, is_padded: bool) -> FileRow:
    def raw(column: str) -> str:
        place = header.places.get(column, len(fields))
        return cell_unguard(fields[place].strip(" ")) if place < len(fields) else ""

    wrong = error_cell(header.places, fields)
    return FileRow(
        line,
        tuple(_line_of(raw(column)) for column in COLUMNS),
        max(len(fields), header.width) if is_padded else len(fields),
        header.width,
        start_number=_line_of(raw(START_NUMBER)),
        birth_year=_line_of(raw(BIRTH_YEAR)),
        biography=text_clean(raw(BIOGRAPHY)),
        program=_program(raw(PROGRAM)),
        name_local=_line_of(raw(NAME_LOCAL)),
        piano=_line_of(raw(PIANO)),
        avatar_url=raw(AVATAR),
        whole_name=_line_of(raw(NAME)),
        has_surplus=any(surplus.strip() for surplus in fields[header.width :]),
        error=f"{wrong}: {raw(wrong)}" if wrong else "",
    )


def _line_of(text: str) -> str:
    """Return a cell as one line with single blanks."""
    return " ".join(text_clean(text).split())


def _program(text: str) -> tuple[str, ...]:
    """Return the pieces of a cell, divided by semicolons and line breaks: at most one more than PROGRAM_PIECES."""
    pieces = text.replace(";", "\n").splitlines() if text else ()
    return tuple(filter(None, map(_line_of, pieces)))[: PROGRAM_PIECES + 1]


def file_write(performers: Iterable[SessionPerformer]) -> str:
    """Return the text of a file with these participants, their pieces and pianos.

    Pieces after the first FILE_PIECES are in the column Program. It and the column Piano are there if they are needed.
    """
    rows = [_cells(each) for each in performers]
    columns = [column for column in (*COLUMNS, PROGRAM, PIANO) if column in COLUMNS or any(row[column] for row in rows)]
    written = ([cell_guard(row[column]) for column in columns] for row in rows)
    return csv_text([columns, *written], delimiter=Delimiter.BAR.sign)


def _cells(performer: SessionPerformer) -> dict[str, str]:
    """Return the cells of a participant by column."""
    first, rest = performer.pieces[:FILE_PIECES], performer.pieces[FILE_PIECES:]
    names = (performer.first_name, performer.second_name, performer.country)
    pieces = (*first, *[""] * (FILE_PIECES - len(first)))
    return dict(zip(COLUMNS, (*names, *pieces), strict=True)) | {PROGRAM: "; ".join(rest), PIANO: performer.piano}
