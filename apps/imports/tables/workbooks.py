"""Excel workbooks: the first sheet as records of texts, within limits of packed and unpacked bytes."""

import zipfile
import zlib
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, time
from io import BytesIO
from typing import Any

from django.core.exceptions import ValidationError
from openpyxl import load_workbook
from openpyxl.workbook import Workbook

from apps.imports.limits import FILE_LINE, FILE_PARTS, FILE_TAGS, FILE_UNPACKED_BYTES, SHEET_LENGTH
from apps.imports.participant_files.table import Deadline, Record, parsing
from apps.imports.tables.encodings import READING_FAILED

_ZIP, _OLE = b"PK\x03\x04", b"\xd0\xcf\x11\xe0"  # the first bytes of .xlsx, and of .xls and of files with a password
_READ = (".xml", ".rels")  # parts that are read; pictures and macros are not
_CHUNK = 1024 * 1024
_BOOK = "xl/workbook.xml"
OLDER = "This is an older Excel file, or one with a password. Please save it as .xlsx without a password."
NO_WORKBOOK = "This is not an Excel workbook (.xlsx)."
MACROS = "This workbook has macros (.xlsm). Please save it as .xlsx."
TOO_LARGE = "Unpacked, this workbook is larger than %(most)d MB."
TOO_MANY_CELLS = "This workbook has too many cells. Please save the participants alone in a new one."
TOO_MANY_PARTS = "This workbook has more than %(most)d parts."
ENTITIES = "This workbook declares entities, which no program writes. Please save it again as .xlsx."
MERGED = "The first sheet has merged cells (%(cells)s). Please unmerge them, so that each row has its own cells."
NO_SHEET = "This workbook has no sheet with rows."


@dataclass(frozen=True, slots=True)
class Sheet:
    """The first sheet of a workbook: its name, the number of all sheets, and its records, read while iterated."""

    name: str
    count: int
    records: Iterator[Record]


def is_workbook(content: bytes) -> bool:
    """Return whether a file begins as a workbook, also as one that is refused."""
    return content.startswith((_ZIP, _OLE))


def sheet_read(content: bytes) -> Sheet:
    """Return the first sheet. A formula is read as the value that the file stores.

    Raises ValidationError with the reason for a file that is no workbook, has macros or merged cells, or is too large.
    """
    if content.startswith(_OLE):
        raise _refusal(OLDER)
    book = _book(_repacked(content))
    sheet = next(iter(book.worksheets), None)
    if sheet is None:
        raise _refusal(NO_SHEET)
    _merged_refuse(book, sheet)
    return Sheet(sheet.title[:SHEET_LENGTH], len(book.sheetnames), _records(sheet))


def _repacked(content: bytes) -> BytesIO:
    """Return the XML parts of a workbook, unpacked.

    The declared sizes are checked first. The bytes are counted again while they are unpacked, because a file may
    declare less than it has.
    """
    parts = BytesIO()
    try:
        with zipfile.ZipFile(BytesIO(content)) as packed, zipfile.ZipFile(parts, "w", zipfile.ZIP_STORED) as unpacked:
            left, tags = FILE_UNPACKED_BYTES, 0
            for part in _parts(packed):
                data = _unpacked(packed, part, left)
                left -= len(data)
                tags += data.count(b"<")  # the parser holds a row at once, whatever its length
                if tags > FILE_TAGS:
                    raise _refusal(TOO_MANY_CELLS)
                unpacked.writestr(zipfile.ZipInfo(part.filename), data)
    except (zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError, OSError, EOFError, ValueError) as error:
        raise ValidationError(READING_FAILED) from error
    parts.seek(0)
    return parts


def _parts(packed: zipfile.ZipFile) -> list[zipfile.ZipInfo]:
    """Return the parts to read, each once. Raises ValidationError for what is no workbook or may not be read."""
    parts = packed.infolist()
    if len(parts) > FILE_PARTS:
        raise _refusal(TOO_MANY_PARTS, most=FILE_PARTS)
    if sum(part.file_size for part in parts) > FILE_UNPACKED_BYTES:
        raise _too_large()
    names = {part.filename for part in parts}
    if any(name.lower().endswith("vbaproject.bin") for name in names):
        raise _refusal(MACROS)
    if _BOOK not in names:
        raise _refusal(NO_WORKBOOK)
    return list({part.filename: part for part in parts if part.filename.lower().endswith(_READ)}.values())


def _unpacked(packed: zipfile.ZipFile, part: zipfile.ZipInfo, left: int) -> bytes:
    data = bytearray()
    with packed.open(part) as stream:
        while chunk := stream.read(_CHUNK):
            data += chunk
            if len(data) > left:
                raise _too_large()
    if b"<!DOCTYPE" in data or b"<!ENTITY" in data:
        raise _refusal(ENTITIES)
    if b"macroEnabled" in data and part.filename == "[Content_Types].xml":
        raise _refusal(MACROS)
    return bytes(data)


def _book(parts: BytesIO) -> Workbook:
    try:
        return load_workbook(parts, read_only=True, data_only=True, keep_links=False)
    except Exception as error:  # openpyxl raises many kinds of errors for damaged parts
        raise ValidationError(READING_FAILED) from error


def _merged_refuse(book: Workbook, sheet: Any) -> None:
    """Raise ValidationError if cells of a sheet are merged: all but one of them would be read as empty."""
    with suppress(KeyError), book._archive.open(sheet._worksheet_path) as part:  # noqa: SLF001 - the read-only sheet has no public way
        _, found, rest = part.read().partition(b"mergeCell ref=")
        if found:
            raise _refusal(MERGED, cells=rest[1:20].split(rest[:1])[0].decode("ascii", "replace"))


def _records(sheet: Any) -> Iterator[Record]:
    """Yield the texts of each row that is not blank, with its number. Raises ValidationError."""
    deadline, number = Deadline(), 0
    try:
        sheet.reset_dimensions()  # those that the file declares may be wrong
        for number, values in enumerate(sheet.iter_rows(values_only=True), start=1):
            deadline.check(number)
            fields = [cell_text(value) for value in values]
            _length_check(fields, number)
            if any(field.strip() for field in fields):
                yield number, fields
    except ValidationError:
        raise
    except Exception as error:  # as in `_book`
        raise parsing("Error parsing file\nLine %(line)d cannot be read.", line=number + 1) from error


def _length_check(fields: Sequence[str], line: int) -> None:
    if sum(map(len, fields)) > FILE_LINE:
        raise parsing("Error parsing file\nLine %(line)d is too long.", line=line)


def cell_text(value: Any) -> str:
    """Return the text of a cell's value: numbers without a needless fraction, dates as 2002-05-17."""
    match value:
        case None:
            return ""
        case float() if value.is_integer():
            return str(int(value))
        case datetime() if value.time() == time():
            return value.date().isoformat()
    return str(value)


def _too_large() -> ValidationError:
    return _refusal(TOO_LARGE, most=FILE_UNPACKED_BYTES // (1024 * 1024))


def _refusal(why: str, **params: int | str) -> ValidationError:
    return ValidationError(f"{READING_FAILED}\n{why}", params=params)
