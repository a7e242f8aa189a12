"""A participant file as it is written."""

import csv
import io
from collections.abc import Iterable, Sequence

from apps.core.text_rules.cells import cell_guard
from apps.imports.limits import FILE_PIECES
from apps.imports.participant_files.table import COLUMNS, DIVIDER


def file_write(rows: Iterable[tuple[str, str, str, Sequence[str]]]) -> str:
    """Return the text of a file with these rows: first name, last name, country, pieces, of which it takes five."""
    written = io.StringIO(newline="")
    writer = csv.writer(written, delimiter=DIVIDER)
    writer.writerow(COLUMNS)
    for first, last, country, pieces in rows:
        taken = [*pieces[:FILE_PIECES], *[""] * (FILE_PIECES - len(pieces))]
        writer.writerow([cell_guard(cell) for cell in (first, last, country, *taken)])
    return written.getvalue()
