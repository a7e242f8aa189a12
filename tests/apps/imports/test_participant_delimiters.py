"""Test files by every delimiter, encoding and kind, written by the csv module and openpyxl, against their cells."""

import csv
import io
from pathlib import Path

import pytest
from django.core.exceptions import ValidationError
from hypothesis import given, settings
from hypothesis import strategies as st

from apps.core.text_rules import text_clean
from apps.imports.enums import Delimiter, FileEncoding, FileKind, RowProblem, RowStatus
from apps.imports.participant_files.columns import COLUMNS, EXTRA_COLUMNS, ColumnsMissing
from apps.imports.participant_files.people import KnownPeople
from apps.imports.participant_files.plan import PlannedRow, rows_plan
from apps.imports.participant_files.reading import Reading, reading_guess, table_read
from apps.imports.participant_files.table import delimiter_guess, rows_read
from tests.apps.imports.participant_files import CATALOGUE, ETUDE, NOCTURNE
from tests.apps.imports.workbooks import workbook_of

DATA = Path(__file__).with_name("participants_2025.csv")
PEOPLE = [
    ("1", "Ziye", "Tao", "China"),
    ("2", "Chun Lam", "U", "Hong Kong"),
    ("12", "Zofia", "Wróblewska-Łęcka", "Poland"),
    ("84", "Ján", "Kováč", "Slovakia"),
]
UNICODE = ("utf-8", "utf-8-sig", "utf-16")
CENTRAL = ("windows-1250", "iso-8859-2")


def people_2025() -> list[tuple[str, ...]]:
    """Return the 84 participants of a real competition."""
    with DATA.open(encoding="utf-8", newline="") as file:
        return [tuple(row) for row in csv.reader(file)][1:]


def text_of(rows, delimiter: Delimiter, encoding: str = "utf-8", **options) -> bytes:
    written = io.StringIO(newline="")
    csv.writer(written, delimiter=delimiter.sign, **options).writerows(rows)
    return written.getvalue().encode(encoding)


def table_of(people) -> list[tuple[str, ...]]:
    """Return header and rows with all columns, extra ones included, in an order of their own."""
    header = ("StartNumber", "FirstName", "LastName", "Country", *COLUMNS[3:], "Program")
    return [header, *((*each, ETUDE, "", "", "", "", f"{NOCTURNE}; {ETUDE}") for each in people)]


def planned(content: bytes, reading: Reading | None = None) -> list[PlannedRow]:
    table, _ = table_read(content, reading or reading_guess(content))
    return list(rows_plan(table, KnownPeople(), CATALOGUE, {}))


def seen(rows: list[PlannedRow]) -> list[tuple[str, ...]]:
    return [(str(row.extras.start_number), row.first_name, row.last_name, row.country) for row in rows]


@pytest.mark.parametrize("encoding", UNICODE)
@pytest.mark.parametrize("delimiter", list(Delimiter))
@pytest.mark.parametrize("quoting", [csv.QUOTE_MINIMAL, csv.QUOTE_ALL])
def test_a_unicode_file_of_any_delimiter_is_found_and_read_right(delimiter, encoding, quoting):
    people = people_2025()
    content = text_of(table_of(people), delimiter, encoding, quoting=quoting)
    guess = reading_guess(content)
    assert (guess.delimiter, guess.is_sure) == (delimiter, True)
    rows = planned(content)
    assert seen(rows) == people
    assert {row.status for row in rows} == {RowStatus.NEW}
    assert {len(row.pieces) for row in rows} == {2}


@pytest.mark.parametrize("encoding", CENTRAL)
@pytest.mark.parametrize("delimiter", list(Delimiter))
def test_a_file_that_is_not_unicode_keeps_its_delimiter_and_is_a_guess(delimiter, encoding):
    content = text_of(table_of(PEOPLE), delimiter, encoding)
    guess = reading_guess(content)
    assert (guess.delimiter, guess.is_sure) == (delimiter, False)
    reading = Reading(encoding=FileEncoding(encoding), delimiter=delimiter)
    assert seen(planned(content, reading)) == PEOPLE


def test_a_workbook_has_the_same_rows():
    people = people_2025()
    header, *rows = table_of(people)
    content = workbook_of([header, *((int(number), *rest) for number, *rest in rows)])
    assert reading_guess(content).kind is FileKind.WORKBOOK
    assert seen(planned(content)) == people


def test_the_file_of_2025_as_it_is_lacks_columns_in_their_order():
    content = text_of([("start_number", "first_name", "last_name", "country"), *PEOPLE], Delimiter.COMMA)
    with pytest.raises(ColumnsMissing) as refused:
        planned(content)
    assert refused.value.messages == [f"Missing required columns: {', '.join(COLUMNS)}"]
    assert not refused.value.lacks_pieces


@pytest.mark.parametrize(
    ("header", "delimiter"),
    [
        ("FirstName|LastName;Country", Delimiter.BAR),
        ("FirstName;LastName|Country;Piece1", Delimiter.SEMICOLON),
        ("", Delimiter.BAR),
        ("first name, last name", Delimiter.BAR),
        ('\n\n"FirstName","LastName"', Delimiter.COMMA),
        ("FirstName", Delimiter.BAR),
    ],
)
def test_the_delimiter_is_the_one_that_names_most_columns(header, delimiter):
    assert delimiter_guess(header) is delimiter


def test_rows_divided_by_another_sign_than_the_header_are_short():
    rows = list(rows_read(f"{';'.join(COLUMNS)}\nZofia|Nowak|Poland|||||\nEwa;Lis;Poland;;;;;", Delimiter.SEMICOLON))
    assert [row.is_short for row in rows] == [True, False]


@pytest.mark.parametrize("delimiter", list(Delimiter))
def test_a_row_with_a_written_cell_behind_the_header_is_bad_with_this_reason(delimiter):
    sign = delimiter.sign
    header = sign.join([*COLUMNS, "Program"])
    longer = sign.join(["Zofia", "Nowak", "Poland", *[""] * 5, ETUDE, ETUDE])
    blank = sign.join(["Ewa", "Lis", "Poland", *[""] * 9])
    first, second = planned(f"{header}\n{longer}\n{blank}".encode(), Reading(delimiter=delimiter))
    assert (first.status, first.problem, first.detail) == (RowStatus.BAD, RowProblem.LONGER, "10/9")
    assert (second.status, second.first_name) == (RowStatus.NEW, "Ewa")


def test_a_program_cell_holds_any_number_of_pieces():
    program = f"{ETUDE};{NOCTURNE}\n\nScherzo h-moll op. 20 ; ; {ETUDE}"
    content = text_of(
        [(*COLUMNS, "Program"), ("Zofia", "Nowak", "Poland", ETUDE, "", "", "", "", program)], Delimiter.SEMICOLON
    )
    (row,) = planned(content)
    assert [piece.name for piece in row.pieces] == [
        "Etude in C-sharp minor, Op. 10 No. 4",
        "Nocturne in D-flat major, Op. 27 No. 2",
        "Scherzo in B minor, Op. 20",
    ]


@pytest.mark.parametrize(
    ("program", "problem", "detail"),
    [
        (f"{ETUDE}; Noktiurnas op. 62", RowProblem.PIECE, "Program: “Noktiurnas op. 62”"),
        ("; ".join([ETUDE] * 201), RowProblem.PROGRAM, ""),
        ("; ".join(f"Nocturne in E-flat minor, Op. {100 + n} No. 1" for n in range(190)), RowProblem.PROGRAM, ""),
    ],
)
def test_a_program_that_cannot_be_read_or_is_too_long_makes_the_row_bad(program, problem, detail):
    content = text_of([(*COLUMNS, "Program"), ("Zofia", "Nowak", "Poland", *[""] * 5, program)], Delimiter.BAR)
    (row,) = planned(content)
    assert (row.status, row.problem, row.detail) == (RowStatus.BAD, problem, detail)


EXTRA_HEADER = "|".join([*COLUMNS, *EXTRA_COLUMNS])


def extra(name: str, number: str = "", year: str = "", biography: str = "") -> str:
    return f"{name}|Nowak|Poland||||||{number}|{year}|{biography}|"


@pytest.mark.parametrize(
    ("number", "problem"),
    [
        ("0", RowProblem.NUMBER),
        ("10000", RowProblem.NUMBER),
        ("12a", RowProblem.NUMBER),
        ("-1", RowProblem.NUMBER),
        ("1.5", RowProblem.NUMBER),
        ("٣", RowProblem.NUMBER),
        ("9" * 400, RowProblem.NUMBER),
        ("0012", RowProblem.NONE),
        ("9999", RowProblem.NONE),
        ("", RowProblem.NONE),
    ],
)
def test_a_start_number_is_a_whole_number_in_its_bounds(number, problem):
    (row,) = planned(f"{EXTRA_HEADER}\n{extra('Zofia', number)}".encode())
    assert row.problem is problem
    assert (row.status is RowStatus.BAD) == bool(problem)


@pytest.mark.parametrize(
    ("year", "problem"),
    [
        ("2002", RowProblem.NONE),
        ("1900", RowProblem.NONE),
        ("1899", RowProblem.YEAR),
        ("9999", RowProblem.YEAR),
        ("2002-05-17", RowProblem.YEAR),
        ("17.05.2002", RowProblem.YEAR),
        ("'02", RowProblem.YEAR),
    ],
)
def test_a_birth_year_is_a_year_and_no_date(year, problem):
    (row,) = planned(f"{EXTRA_HEADER}\n{extra('Zofia', year=year)}".encode())
    assert row.problem is problem


def test_a_number_that_an_earlier_line_gives_to_another_person_is_a_bad_row():
    rows = planned("\n".join([EXTRA_HEADER, extra("Zofia", "12"), extra("Ewa", "012"), extra("Zofia", "12")]).encode())
    assert [(row.status, row.problem, row.detail) for row in rows] == [
        (RowStatus.NEW, RowProblem.NONE, ""),
        (RowStatus.BAD, RowProblem.NUMBER_TWICE, "12, 2"),
        (RowStatus.EXISTING, RowProblem.REPEATED, "2"),
    ]


def test_extra_columns_are_values_of_the_row_and_unknown_ones_are_named():
    header = f"{EXTRA_HEADER}|Age|Program|"
    line = extra("Zofia", "12", "2002", '"Born in Zamość.\n\nStudied."') + "|33|x"
    table, _ = table_read(f"{header}\n{line}|".encode(), Reading())
    (row,) = rows_plan(table, KnownPeople(), CATALOGUE, {})
    assert (row.extras.start_number, row.extras.birth_year) == (12, 2002)
    assert row.extras.biography == "Born in Zamość.\n\nStudied."
    assert table.header.unused == ("Age", "Program")


def test_people_only_needs_no_pieces_and_names_the_columns_that_it_does_not_use():
    text = f"FirstName,LastName,Country,Piece1,Program\nZofia,Nowak,Poland,junk,{ETUDE}"
    reading = Reading(delimiter=Delimiter.COMMA)
    with pytest.raises(ColumnsMissing) as refused:
        planned(text.encode(), reading)
    assert refused.value.lacks_pieces
    table = rows_read(text, Delimiter.COMMA, is_people_only=True)
    (row,) = rows_plan(table, KnownPeople(), CATALOGUE, {})
    assert (row.status, len(row.pieces), table.header.unused) == (RowStatus.NEW, 1, ("Piece1",))
    with pytest.raises(ValidationError, match="Missing required columns: Country"):
        rows_read("FirstName,LastName", Delimiter.COMMA, is_people_only=True)


CELLS = st.text(
    st.characters(codec="utf-8", exclude_categories=("Cc", "Cf", "Cs", "Zs", "Zl", "Zp")), max_size=20
).filter(lambda text: text_clean(text) == text and not text.startswith("'"))


@settings(max_examples=150)
@given(st.lists(st.lists(CELLS, min_size=8, max_size=8), max_size=4), st.sampled_from(list(Delimiter)))
def test_what_the_csv_module_writes_reads_as_it_was(rows, delimiter):
    written = text_of([COLUMNS, *rows], delimiter).decode()
    read = [row.cells for row in rows_read(written, delimiter)]
    assert read == [tuple(row) for row in rows if any(row)]
    assert delimiter_guess(written) is delimiter


@settings(max_examples=30, deadline=None)
@given(st.lists(st.lists(CELLS, min_size=8, max_size=8), max_size=3))
def test_what_openpyxl_writes_reads_as_it_was(rows):
    usable = [[cell if not cell.startswith("=") else "" for cell in row] for row in rows]
    table, _ = table_read(workbook_of([COLUMNS, *usable]), Reading(FileKind.WORKBOOK))
    assert [row.cells for row in table] == [tuple(row) for row in usable if any(row)]
