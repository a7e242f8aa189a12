"""The table of a participant file: records of text fields, the first of which names the columns; and writing one."""

import csv
import io
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from time import thread_time

from django.core.exceptions import ValidationError

from apps.core.text_rules import cell_guard, cell_unguard, text_clean
from apps.imports.enums import Delimiter
from apps.imports.limits import FILE_LINE, FILE_PIECES, FILE_ROWS, FILE_SECONDS, PROGRAM_PIECES
from apps.imports.participant_files.columns import (
    BIOGRAPHY,
    BIRTH_YEAR,
    COLUMNS,
    KNOWN,
    NAME_LOCAL,
    PEOPLE_COLUMNS,
    PIECE_COLUMNS,
    PROGRAM,
    START_NUMBER,
    Header,
    header_read,
)

LOOK_EVERY = 32  # lines between two checks of the deadline
Record = tuple[int, Sequence[str]]  # the number of its first line, and its fields


@dataclass(frozen=True, slots=True)
class FileRow:
    """One row of a file: its first line, its cells in the order of COLUMNS, its extra cells, and its number of columns.

    `program` has one piece more than PROGRAM_PIECES if the cell has more. `has_surplus` is whether a cell
    behind those of the header is written.
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
    has_surplus: bool = False

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

    records: Iterator[Record]
    is_people_only: bool = False
    is_padded: bool = False  # a row without its last cells is not short: workbooks do not store empty cells
    header: Header = field(init=False)

    def __post_init__(self) -> None:
        """Read the header. Raises ValidationError if it lacks required columns."""
        _, fields = next(self.records, (0, ()))
        self.header = header_read(fields, is_people_only=self.is_people_only)

    def __iter__(self) -> Iterator[FileRow]:
        """Yield the rows except blank ones. Raises ValidationError, possibly after some rows."""
        for number, (line, fields) in enumerate(self.records):
            if number >= FILE_ROWS:
                raise parsing("Error parsing file\nA file has at most %(most)d rows.", most=FILE_ROWS)
            yield _row(line, fields, self.header, is_padded=self.is_padded)


def rows_read(text: str, delimiter: Delimiter = Delimiter.BAR, *, is_people_only: bool = False) -> Table:
    """Return the rows of a text. Raises ValidationError, also while the rows are iterated."""
    return Table(records_of(text, delimiter), is_people_only)


def delimiter_guess(
    text: str,
    *,
    known: Collection[str] = KNOWN,
    name_of: Callable[[str], str] = str.strip,
    otherwise: Delimiter = Delimiter.BAR,
) -> Delimiter:
    """Return the delimiter with which the first line names most of the `known` columns; `otherwise` if it names none.

    `name_of` returns the name of a column as it is compared.
    """
    header = next((line for line in io.StringIO(text, newline=None) if line.strip()), "")[:FILE_LINE]

    def columns(delimiter: Delimiter) -> int:
        fields = next(csv.reader([header], delimiter=delimiter.sign), [])
        return len({name_of(field) for field in fields}.intersection(known))

    choices: tuple[Delimiter, ...] = (otherwise, *Delimiter)  # of equal ones, the first
    return max(choices, key=columns)


def records_of(text: str, delimiter: Delimiter) -> Iterator[Record]:
    """Yield the fields of each record that is not blank. Raises ValidationError for a record that cannot be read."""
    reader = csv.reader(_lines(io.StringIO(text, newline=None)), delimiter=delimiter.sign, strict=True)
    while True:
        begins = reader.line_num + 1
        try:
            fields = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            why = "Error parsing file\nLine %(line)d cannot be read: a quotation mark is out of place."
            raise parsing(why, line=begins) from error
        if any(field.strip() for field in fields):
            yield begins, fields


def _lines(lines: Iterable[str]) -> Iterator[str]:
    """Yield the lines. Raises ValidationError for a line that is too long, and when the thread's CPU time runs out."""
    deadline = Deadline()
    for number, line in enumerate(lines, start=1):
        deadline.check(number)
        if len(line) > FILE_LINE:
            raise parsing("Error parsing file\nLine %(line)d is too long.", line=number)
        yield line


class Deadline:
    """The CPU time that a thread has for one file, from now on."""

    def __init__(self) -> None:
        self.at = thread_time() + FILE_SECONDS

    def check(self, line: int) -> None:
        """Raise ValidationError at this line, if the time ran out; every LOOK_EVERY lines the clock is read."""
        if line % LOOK_EVERY == 0 and thread_time() > self.at:
            why = "Error parsing file\nLine %(line)d came too late: this file takes too long. Please send it in parts."
            raise parsing(why, line=line)


def _row(line: int, fields: Sequence[str], header: Header, *, is_padded: bool) -> FileRow:
    def raw(column: str) -> str:
        place = header.places.get(column, len(fields))
        return cell_unguard(fields[place].strip(" ")) if place < len(fields) else ""

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
        has_surplus=any(surplus.strip() for surplus in fields[header.width :]),
    )


def _line_of(text: str) -> str:
    """Return a cell as one line with single blanks."""
    return " ".join(text_clean(text).split())


def _program(text: str) -> tuple[str, ...]:
    """Return the pieces of a cell, divided by semicolons and line breaks: at most one more than PROGRAM_PIECES."""
    pieces = text.replace(";", "\n").splitlines() if text else ()
    return tuple(filter(None, map(_line_of, pieces)))[: PROGRAM_PIECES + 1]


def parsing(why: str, **params: int) -> ValidationError:
    """Return the error of a file that cannot be divided into rows."""
    return ValidationError(why, params=params)


def file_write(rows: Iterable[tuple[str, str, str, Sequence[str]]]) -> str:
    """Return the text of a file with these rows: first name, last name, country, and the first FILE_PIECES pieces."""
    written = io.StringIO(newline="")
    writer = csv.writer(written, delimiter=Delimiter.BAR.sign)
    writer.writerow(COLUMNS)
    for first, last, country, pieces in rows:
        taken = [*pieces[:FILE_PIECES], *[""] * (FILE_PIECES - len(pieces))]
        writer.writerow([cell_guard(cell) for cell in (first, last, country, *taken)])
    return written.getvalue()
