"""The text of a jury's file: decoded, or the first sheet of a workbook as lines; and its records."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from django.core.exceptions import ValidationError

from apps.core.csv_files import csv_text
from apps.core.text_rules import storable
from apps.imports.enums import Delimiter, FileEncoding
from apps.imports.jury_files.columns import column_of
from apps.imports.limits import FILE_BYTES, JURY_LENGTH, JURY_LINES
from apps.imports.participant_files.reading import TOO_LARGE
from apps.imports.tables.encodings import EncodingGuess, encoding_guess, text_read
from apps.imports.tables.headers import column_chooser, header_find
from apps.imports.tables.texts import Record, delimiter_guess, records_of
from apps.imports.tables.workbooks import Sheet, is_workbook, sheet_read

TOO_LONG = "Error reading file\nA jury’s file has at most %(lines)d lines and %(characters)d characters."


def jury_encoding(content: bytes) -> EncodingGuess:
    """Return the most probable encoding of a file; a workbook is in UTF-8."""
    return EncodingGuess(FileEncoding.UTF_8, is_sure=True) if is_workbook(content) else encoding_guess(content)


@dataclass(frozen=True, slots=True)
class JuryText:
    """The text of a file with the file's line numbers, and the sheet of a workbook that it was."""

    text: str
    sheet: Sheet | None = None


def jury_file_read(content: bytes, encoding: FileEncoding | None = None, *, sheet: str = "") -> JuryText:
    """Return what a file holds: in the most probable encoding unless one is given; of a workbook `sheet` or the first.

    Raises ValidationError for what cannot be read.
    """
    if len(content) > FILE_BYTES:
        raise ValidationError(TOO_LARGE, params={"most": FILE_BYTES // (1024 * 1024)})
    read = sheet_read(content, sheet=sheet, rows=JURY_LINES) if is_workbook(content) else None
    text = _of_sheet(read) if read else text_read(content, encoding or encoding_guess(content).encoding)
    text = storable(text.rstrip()) or "\n"  # an empty sheet is one empty line, which lacks all columns
    if len(text) > JURY_LENGTH:
        raise _too_long()
    return JuryText(text, read)


def jury_records(text: str, chosen: Mapping[str, str]) -> tuple[Record, Iterator[Record]]:
    """Return the header, with the columns `chosen` by hand, and the records below it that are not blank.

    Raises ValidationError, also while iterated.
    """
    find = column_chooser(column_of, chosen)
    delimiter = delimiter_guess(text, column_of=find, otherwise=Delimiter.COMMA)
    header, records = header_find(records_of(text, delimiter), find)
    return header, counted(records)


def counted(records: Iterator[Record]) -> Iterator[Record]:
    """Yield the records, at most JURY_LINES. Raises ValidationError for more."""
    for number, record in enumerate(records, start=1):
        if number > JURY_LINES:
            raise _too_long()
        yield record


def _of_sheet(sheet: Sheet) -> str:
    """Return the rows of a sheet as lines; rows that are blank or titles above merged cells stay in their lines."""
    if sheet.records:
        (line, _), _ = header_find(sheet.records, column_of)
        sheet.merged_refuse(line)
    lines: list[list[str]] = []
    for number, fields in sheet.records:
        if number > JURY_LINES * 2:  # rows with blank ones between them
            raise _too_long()
        lines += [[]] * (number - 1 - len(lines))
        lines.append([" ".join(field.split()) for field in fields])
    return csv_text(lines, line_end="\n", has_bom=False)


def _too_long() -> ValidationError:
    return ValidationError(TOO_LONG, params={"lines": JURY_LINES, "characters": JURY_LENGTH})
