"""The sample of a participant file, as text and as workbook."""

import io

from apps.core.csv_files import csv_text
from apps.imports.enums import Delimiter
from apps.imports.participant_files.columns import COLUMNS, EXTRA_COLUMNS

_ROWS = (
    (
        *("Zofia", "Przykładowa", "Poland"),
        *("Etude in C-sharp minor, Op. 10 No. 4", "Nocturne in D-flat major, Op. 27 No. 2", "", "", ""),
        *("1", "2002", "Studied in Kraków.", "", "", "", ""),
    ),
    (
        *("Kanade", "Rei", "Japan", "", "", "", "", ""),
        *("2", "", "", "Nocturne in E minor, Op. 72 No. 1; Scherzo in B minor, Op. 20", "玲 奏", "Kitamori EX", ""),
    ),
)


def sample_text() -> bytes:
    """Return the sample as text in UTF-8, divided by bars."""
    return csv_text([(*COLUMNS, *EXTRA_COLUMNS), *_ROWS], delimiter=Delimiter.BAR.sign).encode()


def sample_workbook() -> bytes:
    """Return the sample as a workbook (.xlsx)."""
    from openpyxl import Workbook  # noqa: PLC0415 - imports numpy; few processes make a workbook

    book, written = Workbook(write_only=True), io.BytesIO()
    sheet = book.create_sheet("Participants")
    for row in ((*COLUMNS, *EXTRA_COLUMNS), *_ROWS):
        sheet.append([int(cell) if cell.isdigit() else cell for cell in row])
    book.save(written)
    return written.getvalue()
