"""The header of a table: which of the first records it is, and which columns its names mean."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any

from django.core.exceptions import ValidationError

from apps.core.text_rules import fold, storable
from apps.imports.limits import HEADER_LINES
from apps.imports.tables.texts import Record

_ERROR = re.compile(r"#[^\W\d_a-z]+(?:/0)?[!?]|#(?:N/A|N/D!?|NV|NO DISP)|Err:\d{3}")  # of Excel and LibreOffice
UNUSED = "-"  # in place of a column that is chosen by hand
COLUMNS_SHOWN = 40  # of a header, to be chosen by hand
SAMPLES = 3  # rows that are shown beside them
ColumnOf = Callable[[str], str]
_CELL_SHOWN = 60  # characters of a cell there
_SHOWN, _NAME_SHOWN = 20, 40  # names of columns in an error, and characters of one
_NAME_LENGTH = 100  # characters of a field that may name a column: folding takes quadratic time


class TableRefused(ValidationError):
    """A table cannot be used. `sheets` names the sheet of a workbook that was read, then the others."""

    sheets: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class FileColumn:
    """A column of a file: its name in the header, the column that it is (empty for none), and its first cells."""

    name: str
    column: str = ""
    cells: tuple[str, ...] = ()
    is_chosen: bool = False  # by hand, also as not used

    @property
    def key(self) -> str:
        """The name as it is compared."""
        return field_key(self.name)


def file_columns(
    fields: Sequence[str], names: Sequence[str], records: Iterable[Record], chosen: Mapping[str, str]
) -> tuple[FileColumn, ...]:
    """Return the columns of a header, of which `names` are the columns that are used, with the cells of these records.

    Of a wide header the first COLUMNS_SHOWN are returned.
    """
    rows = [cells for _, cells in records]
    return tuple(
        FileColumn(
            storable(" ".join(written.split()))[:_NAME_LENGTH],
            name,
            tuple(storable(" ".join(row[at].split()))[:_CELL_SHOWN] for row in rows if at < len(row)),
            field_key(written) in chosen,
        )
        for at, (written, name) in enumerate(zip(fields, names, strict=True))
        if _is_shown(written)
    )[:COLUMNS_SHOWN]


def header_keys(fields: Iterable[str]) -> tuple[str, ...]:
    """Return the names of a header as they are compared, those of the columns that `file_columns` returns."""
    return tuple(field_key(written) for written in fields if _is_shown(written))[:COLUMNS_SHOWN]


def _is_shown(written: str) -> bool:
    return bool(written.strip()) and len(written) <= _NAME_LENGTH


class ColumnsMissing(TableRefused):
    """A table lacks required columns. The second sentence names the columns of the record taken for the header.

    `columns` are those of this record, if they are known.
    """

    columns: tuple[FileColumn, ...] = ()

    def __init__(self, missing: Sequence[str], header: Record = (0, ())) -> None:
        line, fields = header
        self.fields = tuple(fields)
        names = [" ".join(field.split())[:_NAME_SHOWN] for field in fields if field.strip()]
        first = "Missing required columns: %(list)s"
        params: dict[str, Any] = {"list": ", ".join(missing)}
        if not names:
            super().__init__(first, params=params)
            return
        more = ["…"] if len(names) > _SHOWN else []
        params |= {"line": line, "names": ", ".join(names[:_SHOWN] + more)}
        super().__init__(f"{first}\nLine %(line)d was taken for the header. Its columns: %(names)s", params=params)

    def sheets_name(self, name: str, others: Sequence[str]) -> None:
        """Add the sentence that names the sheet of a workbook and the others, one of which may have the columns."""
        self.sheets = (name, *others)
        if others:
            self.message = f"{self.message}\nThe sheet “%(sheet)s” was read. Others: %(others)s."
            names = ", ".join(f"“{each}”" for each in others[:_SHOWN])
            self.params = {**(self.params or {}), "sheet": name, "others": names}


def header_find(records: Iterable[Record], column_of: Callable[[str], str]) -> tuple[Record, Iterator[Record]]:
    """Return the header and the records below it: of the first HEADER_LINES the one that names most columns.

    It is the first record if none names a column; line 0 without fields if there is no record.
    """
    following = iter(records)
    first = list(islice(following, HEADER_LINES))
    if not first:
        return (0, ()), following
    best = max(range(len(first)), key=lambda at: len({*map(column_of, first[at][1])} - {""}))
    return first[best], chain(first[best + 1 :], following)


def column_finder(spellings: Mapping[str, str]) -> Callable[[str], str]:
    """Return the function that returns the column that a field of a header names, empty for none.

    `spellings` are the other names of each column, divided by blanks, as `_key` returns them.
    """
    columns = {key: column for column, names in spellings.items() for key in (field_key(column), *names.split())}
    return lambda field: columns.get(field_key(field), "") if len(field) <= _NAME_LENGTH else ""


def column_chooser(column_of: ColumnOf, chosen: Mapping[str, str]) -> ColumnOf:
    """Return `column_of` with the columns that were chosen by hand, by the key of a field; UNUSED is none."""
    if not chosen:
        return column_of

    def column(field: str) -> str:
        by_hand = chosen.get(field_key(field)) if len(field) <= _NAME_LENGTH else None
        return column_of(field) if by_hand is None else by_hand.replace(UNUSED, "")

    return column


def field_key(field: str) -> str:
    """Return a name as it is compared: "Start number", "START_NUMBER" and "startNumber" are one."""
    return "".join(sign for sign in fold(field) if sign.isalnum())


def error_cell(places: Mapping[str, int], fields: Sequence[str]) -> str:
    """Return the first column with an error of a spreadsheet in its cell, such as #N/A; empty without one.

    `places` are the positions of the columns.
    """
    width = len(fields)
    return next((name for name, at in places.items() if at < width and _ERROR.fullmatch(fields[at].strip())), "")
