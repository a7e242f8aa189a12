"""How a participant file is read: as text or workbook, in which encoding, divided by which sign, people only."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from django.core.exceptions import ValidationError

from apps.imports.enums import Delimiter, FileEncoding, FileKind
from apps.imports.limits import FILE_BYTES
from apps.imports.participant_files.columns import ColumnsMissing, column_of
from apps.imports.participant_files.table import Table, rows_read
from apps.imports.tables.encodings import encoding_guess, text_read
from apps.imports.tables.texts import delimiter_guess
from apps.imports.tables.workbooks import is_workbook, sheet_read

TOO_LARGE = "Error reading file\nA file has at most %(most)d MB."


@dataclass(frozen=True, slots=True)
class Reading:
    """How a file is read; of a workbook only `is_people_only` and `sheet` matter. `is_sure` is false for a guess.

    `sheet` is a name; the first sheet is read if it is empty.
    """

    kind: FileKind = FileKind.TEXT
    encoding: FileEncoding = FileEncoding.UTF_8
    delimiter: Delimiter = Delimiter.BAR
    is_people_only: bool = False
    is_sure: bool = True
    sheet: str = ""
    chosen: Mapping[str, str] = field(default_factory=dict)  # columns chosen by hand, by the key of a name


@dataclass(frozen=True, slots=True)
class SheetName:
    """The sheet that is read, the names of all, and the lines that the workbook hides; all empty for a text."""

    name: str = ""
    names: tuple[str, ...] = ()
    hidden: frozenset[int] = frozenset()

    @property
    def others(self) -> tuple[str, ...]:
        """The names of the sheets that are not read."""
        return tuple(name for name in self.names if name != self.name)


def reading_guess(content: bytes, encoding: FileEncoding | None = None) -> Reading:
    """Return the most probable way to read a file, with this encoding if it is known."""
    if is_workbook(content):
        return Reading(FileKind.WORKBOOK)
    guess = encoding_guess(content)
    reading = Reading(encoding=encoding or guess.encoding, is_sure=guess.is_sure or encoding is not None)
    try:
        delimiter = delimiter_guess(text_read(content, reading.encoding), column_of=column_of)
    except ValidationError:
        return reading
    return replace(reading, delimiter=delimiter)


def table_read(content: bytes, reading: Reading) -> tuple[Table, SheetName]:
    """Return the table of a file. Raises ValidationError, also while its rows are iterated."""
    if len(content) > FILE_BYTES:
        raise ValidationError(TOO_LARGE, params={"most": FILE_BYTES // (1024 * 1024)})
    if reading.kind is FileKind.WORKBOOK:
        sheet = sheet_read(content, sheet=reading.sheet)
        try:
            table = Table(sheet.records, reading.is_people_only, is_padded=True, chosen=reading.chosen)
        except ColumnsMissing as error:
            error.sheets_name(sheet.name, sheet.others)
            raise
        sheet.merged_refuse(table.header.line)
        return table, SheetName(sheet.name, sheet.names, sheet.hidden)
    text = text_read(content, reading.encoding)
    rows = rows_read(text, reading.delimiter, is_people_only=reading.is_people_only, chosen=reading.chosen)
    return rows, SheetName()
