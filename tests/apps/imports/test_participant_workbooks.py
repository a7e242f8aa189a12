"""Test workbooks: values, sheets, refusals with their messages, and files made to exhaust the reader."""

import io
import re
import subprocess
import sys
import tracemalloc
from datetime import datetime
from pathlib import Path

import pytest
from django.core.exceptions import ValidationError
from openpyxl import Workbook

from apps.imports.enums import FileKind, RowProblem, RowStatus
from apps.imports.jury_files.texts import jury_file_read
from apps.imports.limits import FILE_BYTES
from apps.imports.participant_files import table
from apps.imports.participant_files.columns import COLUMNS, EXTRA_COLUMNS
from apps.imports.participant_files.people import KnownPeople
from apps.imports.participant_files.plan import PlannedRow, rows_plan
from apps.imports.participant_files.reading import Reading, table_read
from apps.imports.tables import workbook_program, workbooks
from tests.apps.imports.hostile_workbooks import hostile
from tests.apps.imports.participant_files import CATALOGUE, ETUDE
from tests.apps.imports.workbooks import packed_of, parts_of, workbook_of
from tests.offenders import check_each

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


def test_formula_without_a_stored_value_names_its_cell():
    content = workbook_of([HEADER, ZOFIA, (*ZOFIA[:8], "=6*2", 2002)])
    assert "Cell I3 has a formula without a stored result. Please open the workbook" in refused(content)
    parts = parts_of(content)  # a text may be empty: the result of =IF(…, "")
    parts[SHEET] = re.sub(rb'<c r="I3"([^>]*)>', rb'<c r="I3" t="str">', parts[SHEET])
    assert planned(packed_of(parts))[1].extras.start_number is None
    with pytest.raises(ValidationError, match="Cell A2 has a formula"):
        jury_file_read(workbook_of([["stage", "juror", "score"], ["=1"]]))


def test_first_sheet_is_read_and_named():
    table, sheet = table_read(workbook_of([HEADER, ZOFIA], more=["Old", "Older"]), Reading(FileKind.WORKBOOK))
    assert (sheet.name, sheet.names, sheet.others) == ("People", ("People", "Old", "Older"), ("Old", "Older"))
    assert [row.names for row in table] == [ZOFIA[:3]]


def test_unsupported_workbooks_are_refused_with_a_message():
    parts = parts_of(workbook_of([HEADER, ZOFIA]))
    types = parts["[Content_Types].xml"].replace(b"sheet.main+xml", b"sheet.macroEnabled.main+xml")
    merged = workbook_of([HEADER, ZOFIA, ("Ewa", "Lis", None)], merged="C2:C3")
    for content, message in (
        (merged, "The sheet has merged cells (C2:C3). Please unmerge them, so that each row has its own cells."),
        (packed_of(parts | {"xl/vbaProject.bin": b"\xd0\xcf"}), MACROS),
        (packed_of(parts | {"[Content_Types].xml": types}), MACROS),
    ):
        assert refused(content) == f"Error reading file\n{message}"


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
    content, options = workbook_of([HEADER, ZOFIA]), workbooks.options_of("", 10)
    for length in range(4, len(content) - 1, 97):
        assert workbook_program.answer(content[:length], options)["refusal"] == "damaged", length


def test_hostile_workbooks_cost_little_and_get_a_sentence():
    """Each is read, or refused with its sentence, and the process that asks holds none of its contents meanwhile."""

    def check(file):
        _, content, expected = file
        assert len(content) < FILE_BYTES
        if expected:
            message, peak = refused_within(content)
            assert expected in message
            assert peak < 10_000_000
        else:
            assert [row.last_name for row in planned(content)] == ["Łęcka"]

    files = list(hostile())
    check_each(files, check, at_least=20)
    for _, content, expected in files[-3:]:
        with pytest.raises(ValidationError, match=expected):
            jury_file_read(content)


def test_kernel_ends_the_reading_at_its_limits(monkeypatch):
    content = workbook_of([HEADER, ZOFIA])
    begin = "import sys, json; sys.path.append(sys.argv[1]); from workbook_program import Options, limits_set;"
    begin += "limits_set(Options(**json.loads(sys.argv[2])));"
    monkeypatch.setattr(workbooks, "READER_SECONDS", 1)
    for body, sentence in (
        ("exec('while True: pass')", "Reading this workbook takes too long."),
        ("bytearray(1024 ** 3)", "Reading this workbook takes too much memory."),
    ):
        monkeypatch.setattr(workbooks, "_PROGRAM", begin + body)
        assert refused(content).startswith(f"Error reading file\n{sentence}"), body
    monkeypatch.setattr(workbooks, "READER_WAIT", 0.01)
    monkeypatch.setattr(workbooks, "_PROGRAM", "import time; time.sleep(60)")
    assert "takes too long" in refused(content)
    with workbooks._turn:
        assert "Another workbook is being read." in refused(content)


def test_reader_of_workbooks_imports_neither_the_site_nor_its_packages():
    code = "import sys; sys.path.append(sys.argv[1]); import workbook_program; print(*sys.modules)"
    command = [sys.executable, "-I", "-S", "-c", code, str(Path(workbook_program.__file__).parent)]
    loaded = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
    packages = {name.partition(".")[0] for name in loaded}
    assert packages - sys.stdlib_module_names - {"__main__", "__mp_main__"} == {"workbook_program"}


def test_more_rows_than_a_file_may_have_are_refused(monkeypatch):
    monkeypatch.setattr(table, "FILE_ROWS", 50)
    book, written = Workbook(write_only=True), io.BytesIO()
    sheet = book.create_sheet()
    sheet.append(COLUMNS)
    for number in range(51):
        sheet.append([f"Anna{number}", "Nowak", "Poland"])
    book.save(written)
    assert refused(written.getvalue()) == "Error parsing file\nA file has at most 50 rows."
    monkeypatch.undo()
    program = workbook_program.sheet_read(written.getvalue(), workbooks.options_of("", 50))
    assert len(program["records"]) == 51  # one more shows that there are more
