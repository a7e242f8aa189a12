"""All CSV that the site writes: downloads and exports."""

import csv
from collections.abc import Iterable, Iterator
from typing import Any

BYTE_ORDER_MARK = "\ufeff"  # without it Excel reads UTF-8 in the encoding of its country
Rows = Iterable[Iterable[Any]]


def csv_lines(rows: Rows, *, delimiter: str = ",", line_end: str = "\r\n", has_bom: bool = True) -> Iterator[str]:
    """Yield the rows as lines, after a byte order mark if `has_bom`.

    Cells are written as they are: `cell_guard` keeps a text of a user from being computed as a formula. Only with the
    line end of RFC 4180 a cell may contain a carriage return.
    """
    writer = csv.writer(_Echo(), delimiter=delimiter, lineterminator=line_end)
    if has_bom:
        yield BYTE_ORDER_MARK
    for row in rows:
        yield writer.writerow(row)  # what the file's `write` returns


def csv_text(rows: Rows, *, delimiter: str = ",", line_end: str = "\r\n", has_bom: bool = True) -> str:
    """Return the rows as one text, as `csv_lines` yields them."""
    return "".join(csv_lines(rows, delimiter=delimiter, line_end=line_end, has_bom=has_bom))


class _Echo:
    """A file that returns what is written to it."""

    def write(self, text: str) -> str:
        return text
