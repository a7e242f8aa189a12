"""The header of a table: which of the first records it is, and which columns its names mean."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from typing import Any

from django.core.exceptions import ValidationError

from apps.core.text_rules import fold
from apps.imports.limits import HEADER_LINES
from apps.imports.tables.texts import Record

_ERROR = re.compile(r"#[^\W\d_a-z]+(?:/0)?[!?]|#(?:N/A|N/D!?|NV|NO DISP)|Err:\d{3}")  # of Excel and LibreOffice
_SHOWN, _NAME_SHOWN = 20, 40  # names of columns in an error, and characters of one
_NAME_LENGTH = 100  # characters of a field that may name a column: folding takes quadratic time


class TableRefused(ValidationError):
    """A table cannot be used. `sheets` names the sheet of a workbook that was read, then the others."""

    sheets: tuple[str, ...] = ()


class ColumnsMissing(TableRefused):
    """A table lacks required columns. The second sentence names the columns of the record taken for the header."""

    def __init__(self, missing: Sequence[str], header: Record = (0, ())) -> None:
        line, fields = header
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
    columns = {key: column for column, names in spellings.items() for key in (_key(column), *names.split())}
    return lambda field: columns.get(_key(field), "") if len(field) <= _NAME_LENGTH else ""


def _key(field: str) -> str:
    """Return a name as it is compared: "Start number", "START_NUMBER" and "startNumber" are one."""
    return "".join(sign for sign in fold(field) if sign.isalnum())


def error_cell(places: Mapping[str, int], fields: Sequence[str]) -> str:
    """Return the first column with an error of a spreadsheet in its cell, such as #N/A; empty without one.

    `places` are the positions of the columns.
    """
    width = len(fields)
    return next((name for name, at in places.items() if at < width and _ERROR.fullmatch(fields[at].strip())), "")
