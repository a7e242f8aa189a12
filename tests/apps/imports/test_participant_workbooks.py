"""Test workbooks: values, sheets, refusals with their messages, and files made to exhaust the reader."""

import io
import re
import struct
import time
import tracemalloc
import zipfile
from datetime import datetime

import pytest
from django.core.exceptions import ValidationError
from openpyxl import Workbook
from openpyxl.xml import DEFUSEDXML

from apps.imports.enums import FileKind, RowProblem, RowStatus
from apps.imports.limits import FILE_BYTES, FILE_TAGS, FILE_UNPACKED_BYTES
from apps.imports.participant_files import table
from apps.imports.participant_files.columns import COLUMNS, EXTRA_COLUMNS
from apps.imports.participant_files.people import KnownPeople
from apps.imports.participant_files.plan import PlannedRow, rows_plan
from apps.imports.participant_files.reading import Reading, table_read
from apps.imports.tables import workbooks
from tests.apps.imports.participant_files import CATALOGUE, ETUDE
from tests.apps.imports.workbooks import packed_of, parts_of, workbook_of

HEADER = (*COLUMNS, *EXTRA_COLUMNS)
ZOFIA = ("Zofia", "Łęcka", "Poland", ETUDE, None, None, None, None)
SHEET = "xl/worksheets/sheet1.xml"
MACROS = "This workbook has macros (.xlsm). Please save it as .xlsx."


def planned(content: bytes) -> list[PlannedRow]:
    table, _ = table_read(content, Reading(FileKind.WORKBOOK))
    return list(rows_plan(table, KnownPeople(), CATALOGUE, {}))


def refused(content: bytes) -> str:
    with pytest.raises(ValidationError) as error:
        planned(content)
    return " ".join(error.value.messages)


def refused_within(content: bytes) -> tuple[str, int]:
    """Return the message of the refusal and the most bytes of memory that were allocated for it."""
    tracemalloc.start()
    try:
        return refused(content), tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_openpyxl_parses_with_defusedxml():
    assert DEFUSEDXML is True


def test_numbers_are_whole_and_rows_may_lack_their_last_cells():
    (row,) = planned(workbook_of([HEADER, (*ZOFIA, 12.0, 2002), (None, None)]))
    assert (row.line, row.status) == (2, RowStatus.NEW)
    assert (row.extras.start_number, row.extras.birth_year, len(row.pieces)) == (12, 2002, 1)


def test_date_is_no_birth_year():
    moment = datetime.fromisoformat("2002-05-17T08:00")
    rows = planned(workbook_of([HEADER, (*ZOFIA, 12, moment.date()), (*ZOFIA, 12, moment)]))
    for row, text in zip(rows, ("2002-05-17", "2002-05-17 08"), strict=True):
        assert (row.status, row.problem) == (RowStatus.BAD, RowProblem.YEAR)
        assert row.detail.startswith(f"“{text}")


def test_formula_is_read_as_its_stored_value():
    parts = parts_of(workbook_of([HEADER, (*ZOFIA, "=6*2", 2002)]))
    parts[SHEET] = re.sub(rb"<f>6\*2</f><v( /|></v)>", b"<f>6*2</f><v>12</v>", parts[SHEET])
    (row,) = planned(packed_of(parts))
    assert (row.status, row.extras.start_number) == (RowStatus.NEW, 12)


def test_first_sheet_is_read_and_named():
    table, sheet = table_read(workbook_of([HEADER, ZOFIA], more=["Old", "Older"]), Reading(FileKind.WORKBOOK))
    assert (sheet.name, sheet.count) == ("People", 3)
    assert [row.names for row in table] == [ZOFIA[:3]]


def test_unsupported_workbooks_are_refused_with_a_message():
    parts = parts_of(workbook_of([HEADER, ZOFIA]))
    types = parts["[Content_Types].xml"].replace(b"sheet.main+xml", b"sheet.macroEnabled.main+xml")
    merged = workbook_of([HEADER, ZOFIA, ("Ewa", "Lis", None)], merged="C2:C3")
    for content, message in (
        (merged, "The first sheet has merged cells (C2:C3). Please unmerge them, so that each row has its own cells."),
        (packed_of(parts | {"xl/vbaProject.bin": b"\xd0\xcf"}), MACROS),
        (packed_of(parts | {"[Content_Types].xml": types}), MACROS),
    ):
        assert refused(content) == f"Error reading file\n{message}"
    assert "more than 1000 parts" in refused(packed_of(parts | {f"xl/{n}.xml": b"<a/>" for n in range(1000)}))


def test_other_files_are_refused_with_a_message():
    for content, sentence in (
        (b"PK\x03\x04\x00\x00", "Error reading file"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1", "Error reading file\nThis is an older Excel file, or one with a password."),
        (packed_of({"word/document.xml": b"<a/>"}), "Error reading file\nThis is not an Excel workbook (.xlsx)."),
        (packed_of({"xl/workbook.xml": b"<a/>"}), "Error reading file"),
        (packed_of({"xl/workbook.xml": b"not xml", "[Content_Types].xml": b"<"}), "Error reading file"),
        (workbook_of([("Country",)]), "Missing required columns: FirstName, LastName, Piece1"),
        (workbook_of([]), "Missing required columns: FirstName"),
    ):
        assert refused(content).startswith(sentence), content[:80]


def test_truncated_workbook_is_refused():
    content = workbook_of([HEADER, ZOFIA])
    for length in range(4, len(content) - 1, 97):
        assert refused(content[:length]).startswith("Error ")


def test_entities_are_refused_before_they_are_expanded():
    parts = parts_of(workbook_of([HEADER, ZOFIA]))
    bomb = b'<!DOCTYPE a [<!ENTITY b "bbbbbbbbbb"><!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;">]>'
    parts[SHEET] = bomb + parts[SHEET].replace("Łęcka".encode(), b"&c;")
    assert "declares entities" in refused(packed_of(parts))
    utf_16 = (bomb + b"<worksheet>&c;</worksheet>").decode().encode("utf-16")
    assert refused(packed_of(parts | {SHEET: utf_16})).startswith("Error ")


def test_workbook_of_more_unpacked_bytes_is_refused_unread():
    parts = parts_of(workbook_of([HEADER, ZOFIA]))
    content = packed_of(parts | {"xl/media/big.xml": b"\0" * (FILE_UNPACKED_BYTES + 1)})
    assert len(content) < FILE_BYTES
    message, peak = refused_within(content)
    assert message == "Error reading file\nUnpacked, this workbook is larger than 50 MB."
    assert peak < 2 * len(content) + 10_000_000


def test_workbook_is_not_unpacked_beyond_its_declared_size():
    content = bytearray(packed_of(parts_of(workbook_of([HEADER, ZOFIA])) | {"xl/big.xml": b"\0" * 60_000_000}))
    with zipfile.ZipFile(io.BytesIO(content)) as packed:
        directory = packed.start_dir
    at = content.index(b"xl/big.xml", directory) - 46
    struct.pack_into("<I", content, at + 24, 1000)  # the unpacked size in the directory
    message, peak = refused_within(bytes(content))
    assert message.startswith("Error reading file")
    assert peak < 20_000_000


def test_bytes_are_counted_during_unpacking(monkeypatch):
    content = workbook_of([HEADER, ZOFIA])
    size = len(parts_of(content)[SHEET])
    monkeypatch.setattr(workbooks, "FILE_UNPACKED_BYTES", size)
    assert "larger than" in refused(content)


def test_row_with_a_huge_number_is_read_quickly(monkeypatch):
    monkeypatch.setattr(table, "FILE_SECONDS", 1.0)
    parts = parts_of(workbook_of([HEADER, ZOFIA]))
    for row in (b"100000", b"99999999999"):
        far = parts | {SHEET: parts[SHEET].replace(b'<row r="2"', b'<row r="' + row + b'"')}
        begun = time.thread_time()
        sentence = refused(packed_of(far)) if len(row) > 7 else ""
        rows = [] if sentence else planned(packed_of(far))
        assert time.thread_time() - begun < 5
        assert sentence.startswith("Error parsing file") or [each.last_name for each in rows] == ["Łęcka"]


def test_row_of_millions_of_cells_is_refused_before_it_is_parsed():
    parts = parts_of(workbook_of([HEADER, ZOFIA]))
    for cell in (b'<c t="n"><v>1</v></c>', b"<c/>", b"<a/>"):
        row = b"<row>" + cell * (FILE_TAGS // cell.count(b"<") + 1) + b"</row></sheetData>"
        content = packed_of(parts | {SHEET: parts[SHEET].replace(b"</sheetData>", row)})
        begun = time.thread_time()
        assert "too many cells" in refused(content), cell
        assert time.thread_time() - begun < 5, cell


def test_more_rows_than_a_file_may_have_are_refused(monkeypatch):
    monkeypatch.setattr(table, "FILE_ROWS", 50)
    book, written = Workbook(write_only=True), io.BytesIO()
    sheet = book.create_sheet()
    sheet.append(COLUMNS)
    for number in range(51):
        sheet.append([f"Anna{number}", "Nowak", "Poland"])
    book.save(written)
    assert refused(written.getvalue()) == "Error parsing file\nA file has at most 50 rows."
