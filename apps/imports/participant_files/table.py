"""The table of a participant file: columns separated by a bar, named in the header line."""

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from time import thread_time

from django.core.exceptions import ValidationError

from apps.core.text_rules import cell_guard, cell_unguard, text_clean
from apps.imports.limits import FILE_LINE, FILE_PIECES, FILE_ROWS, FILE_SECONDS

PIECE_COLUMNS = tuple(f"Piece{number}" for number in range(1, FILE_PIECES + 1))
COLUMNS = ("FirstName", "LastName", "Country", *PIECE_COLUMNS)
DIVIDER = "|"
LOOK_EVERY = 32  # lines between two checks of the deadline


@dataclass(frozen=True, slots=True)
class FileRow:
    """One row of a file: its first line, its cells in the order of COLUMNS, and its number of columns."""

    line: int
    cells: tuple[str, ...]
    width: int
    header_width: int

    @property
    def is_short(self) -> bool:
        """Whether it has fewer columns than the header."""
        return self.width < self.header_width


def rows_read(text: str) -> Iterator[FileRow]:
    """Yield the rows of a file except blank lines. Raises ValidationError, possibly after some rows."""
    records = _records(text)
    _, header = next(records, (0, []))
    places = _places(header)
    for number, (line, fields) in enumerate(records):
        if number >= FILE_ROWS:
            raise _parsing("Error parsing file\nA file has at most %(most)d rows.", most=FILE_ROWS)
        cells = tuple(_cell(fields, place) for place in places)
        yield FileRow(line, cells, len(fields), len(header))


def _records(text: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the fields of each record with the number of its first line."""
    reader = csv.reader(_lines(io.StringIO(text, newline=None)), delimiter=DIVIDER, strict=True)
    while True:
        begins = reader.line_num + 1
        try:
            fields = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            why = "Error parsing file\nLine %(line)d cannot be read: a quotation mark is out of place."
            raise _parsing(why, line=begins) from error
        if any(field.strip() for field in fields):
            yield begins, fields


def _lines(lines: Iterable[str]) -> Iterator[str]:
    """Yield the lines. Raises ValidationError for a line that is too long, and when the thread's CPU time runs out."""
    deadline = thread_time() + FILE_SECONDS
    for number, line in enumerate(lines, start=1):
        if number % LOOK_EVERY == 0 and thread_time() > deadline:
            why = "Error parsing file\nLine %(line)d came too late: this file takes too long. Please send it in parts."
            raise _parsing(why, line=number)
        if len(line) > FILE_LINE:
            raise _parsing("Error parsing file\nLine %(line)d is too long.", line=number)
        yield line


def _places(header: Sequence[str]) -> tuple[int, ...]:
    """Return the position of each of COLUMNS in the header. Raises ValidationError if one is missing."""
    names = [name.strip() for name in header]
    missing = [name for name in COLUMNS if name not in names]
    if missing:
        raise ValidationError("Missing required columns: %(list)s", params={"list": ", ".join(missing)})
    return tuple(names.index(name) for name in COLUMNS)


def _cell(fields: Sequence[str], place: int) -> str:
    """Return a cleaned cell with single blanks; an empty one where the row is too short."""
    text = cell_unguard(fields[place].strip(" ")) if place < len(fields) else ""
    return " ".join(text_clean(text).split())


def _parsing(why: str, **params: int) -> ValidationError:
    return ValidationError(why, params=params)


def file_write(rows: Iterable[tuple[str, str, str, Sequence[str]]]) -> str:
    """Return the text of a file with these rows: first name, last name, country, and the first FILE_PIECES pieces."""
    written = io.StringIO(newline="")
    writer = csv.writer(written, delimiter=DIVIDER)
    writer.writerow(COLUMNS)
    for first, last, country, pieces in rows:
        taken = [*pieces[:FILE_PIECES], *[""] * (FILE_PIECES - len(pieces))]
        writer.writerow([cell_guard(cell) for cell in (first, last, country, *taken)])
    return written.getvalue()
