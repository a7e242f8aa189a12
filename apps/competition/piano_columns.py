"""The columns of a list that gives pianos to participants, found by the names in its header."""

import csv
from collections.abc import Sequence
from dataclasses import dataclass

from apps.core.text_rules import fold

DELIMITERS = "\t;|,"
_NUMBER, _NAME, _FIRST, _LAST, _PIANO, _MAKER, _MODEL = "number", "name", "first", "last", "piano", "maker", "model"
_COLUMNS = {  # names of columns, folded, without spaces and signs: English, Polish, German
    _NUMBER: "number startnumber startno startnr no nr numer numerstartowy nrstartowy startnummer nummer",
    _NAME: "name fullname participant performer pianist uczestnik imieinazwisko teilnehmer",
    _FIRST: "firstname givenname imie vorname",
    _LAST: "lastname surname familyname nazwisko nachname",
    _PIANO: "piano instrument fortepian klavier flugel",
    _MAKER: "maker make brand manufacturer marka producent marke hersteller",
    _MODEL: "model modell",
}
_BY_NAME = {name: column for column, names in _COLUMNS.items() for name in names.split()}


@dataclass(frozen=True, slots=True)
class PianoRow:
    """A line of a list: its number, the participant as `People.named` reads it ("17; Ewa Nowak"), and the piano.

    `others` is all after a start number, which is the piano if the participant is written as that number only.
    """

    number: int
    person: str
    piano: str
    others: str = ""


@dataclass(frozen=True, slots=True)
class PianoHeader:
    """The header of a list: the number of its line, the sign between columns, and what each column is."""

    line: int
    delimiter: str
    columns: tuple[str, ...]

    def row(self, number: int, line: str) -> PianoRow:
        """Return a line below the header."""
        # reversed, so that of two columns with one name the first counts
        cells = dict(zip(reversed(self.columns), reversed(self._cells(line)), strict=True))
        names = cells.get(_NAME) or " ".join(filter(None, (cells.get(_FIRST), cells.get(_LAST))))
        person = "; ".join(filter(None, (cells.get(_NUMBER), names.replace(";", " "))))
        piano = ", ".join(filter(None, (cells.get(_MAKER), cells.get(_MODEL))))
        return PianoRow(number, person, cells.get(_PIANO) or piano)

    def _cells(self, line: str) -> Sequence[str]:
        cells, width = cells_of(line, self.delimiter), len(self.columns)
        return [*cells[:width], *[""] * (width - len(cells))]


def piano_header(text: str) -> PianoHeader | None:
    """Return the header of a list, its first written line; None if that names no column of pianos."""
    number, line = next(((nr, line) for nr, line in enumerate(text.splitlines(), start=1) if line.strip()), (0, ""))
    for delimiter in DELIMITERS:
        columns = tuple(_BY_NAME.get(_plain(cell), "") for cell in cells_of(line, delimiter))
        if {_NUMBER, _NAME, _LAST}.intersection(columns) and {_PIANO, _MAKER}.intersection(columns):
            return PianoHeader(number, delimiter, columns)
    return None


def person_lines(text: str) -> list[str]:
    """Return the lines of a list; those with a column of pianos only with the participant, their header empty."""
    header, lines = piano_header(text), text.splitlines()
    if header is None:
        return lines
    numbered = enumerate(lines, start=1)
    return [header.row(at, line).person if at > header.line else "" for at, line in numbered]


def cells_of(line: str, delimiter: str) -> list[str]:
    """Return the cells of a line, each with single blanks."""
    cells = next(csv.reader([line], delimiter=delimiter), [])
    return [" ".join(cell.split()) for cell in cells]


def _plain(cell: str) -> str:
    return "".join(filter(str.isalnum, fold(cell)))
