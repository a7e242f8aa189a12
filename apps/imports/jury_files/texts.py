"""The text of a jury's file: decoded, or the first sheet of a workbook as lines; and its records."""

import csv
import io
from collections.abc import Iterator

from django.core.exceptions import ValidationError

from apps.core.text_rules import storable
from apps.imports.enums import Delimiter, FileEncoding
from apps.imports.jury_files.columns import KNOWN, column_name
from apps.imports.limits import FILE_BYTES, JURY_LENGTH, JURY_LINES
from apps.imports.participant_files.reading import TOO_LARGE
from apps.imports.participant_files.table import Record, delimiter_guess, records_of
from apps.imports.tables.encodings import EncodingGuess, encoding_guess, text_read
from apps.imports.tables.workbooks import is_workbook, sheet_read

TOO_LONG = "Error reading file\nA jury’s file has at most %(lines)d lines and %(characters)d characters."


def jury_encoding(content: bytes) -> EncodingGuess:
    """Return the most probable encoding of a file; a workbook is in UTF-8."""
    return EncodingGuess(FileEncoding.UTF_8, is_sure=True) if is_workbook(content) else encoding_guess(content)


def jury_text(content: bytes, encoding: FileEncoding | None = None) -> str:
    """Return the text of a file with the file's line numbers, in the most probable encoding unless one is given.

    Raises ValidationError for what cannot be read.
    """
    if len(content) > FILE_BYTES:
        raise ValidationError(TOO_LARGE, params={"most": FILE_BYTES // (1024 * 1024)})
    text = (
        _of_workbook(content)
        if is_workbook(content)
        else text_read(content, encoding or encoding_guess(content).encoding)
    )
    text = storable(text.rstrip())
    if len(text) > JURY_LENGTH:
        raise _too_long()
    return text


def jury_records(text: str) -> Iterator[Record]:
    """Yield the fields of each record that is not blank, the header first. Raises ValidationError."""
    for number, record in enumerate(records_of(text, delimiter_of(text))):
        if number > JURY_LINES:
            raise _too_long()
        yield record


def delimiter_of(text: str) -> Delimiter:
    """Return the delimiter with which the first line names most columns; a comma if it names none."""
    return delimiter_guess(text, known=KNOWN, name_of=column_name, otherwise=Delimiter.COMMA)


def _of_workbook(content: bytes) -> str:
    """Return the rows of the first sheet as lines; blank rows are blank lines."""
    written = io.StringIO(newline="")
    writer = csv.writer(written, lineterminator="\n")
    lines = 1
    for number, fields in sheet_read(content).records:
        if number > JURY_LINES * 2:  # rows with blank ones between them
            raise _too_long()
        written.write("\n" * (number - lines))
        writer.writerow([" ".join(field.split()) for field in fields])
        lines = number + 1
    return written.getvalue()


def _too_long() -> ValidationError:
    return ValidationError(TOO_LONG, params={"lines": JURY_LINES, "characters": JURY_LENGTH})
