"""Test files by every delimiter, encoding and kind, written by the csv module and openpyxl, against their cells."""

import csv
import io
from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest
from django.core.exceptions import ValidationError
from hypothesis import given
from hypothesis import strategies as st

from apps.core.text_rules import text_clean
from apps.imports.enums import Delimiter, FileEncoding, FileKind, RowProblem, RowStatus
from apps.imports.participant_files.columns import COLUMNS, EXTRA_COLUMNS, ColumnsMissing, column_of
from apps.imports.participant_files.people import KnownPeople
from apps.imports.participant_files.plan import PlannedRow, rows_plan
from apps.imports.participant_files.reading import Reading, reading_guess, table_read
from apps.imports.participant_files.table import Table, rows_read
from apps.imports.tables import workbook_program
from apps.imports.tables.texts import delimiter_guess
from apps.imports.tables.workbooks import options_of
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
    """Return header and rows with all columns, including extra ones, in another order."""
    header = ("StartNumber", "FirstName", "LastName", "Country", *COLUMNS[3:], "Program")
    return [header, *((*each, ETUDE, "", "", "", "", f"{NOCTURNE}; {ETUDE}") for each in people)]


def planned(content: bytes, reading: Reading | None = None) -> list[PlannedRow]:
    table, _ = table_read(content, reading or reading_guess(content))
    return list(rows_plan(table, KnownPeople(), CATALOGUE, {}))


def seen(rows: list[PlannedRow]) -> list[tuple[str, ...]]:
    return [(str(row.extras.start_number), row.first_name, row.last_name, row.country) for row in rows]


def test_unicode_file_of_any_delimiter_is_recognised():
    people = people_2025()
    for delimiter, encoding, quoting in product(Delimiter, UNICODE, (csv.QUOTE_MINIMAL, csv.QUOTE_ALL)):
        case = (delimiter, encoding, quoting)
        content = text_of(table_of(people), delimiter, encoding, quoting=quoting)
        guess = reading_guess(content)
        assert (guess.delimiter, guess.is_sure) == (delimiter, True), case
        rows = planned(content)
        assert seen(rows) == people, case
        assert {(row.status, len(row.pieces)) for row in rows} == {(RowStatus.NEW, 2)}, case


def test_file_in_another_encoding_than_unicode_is_a_guess():
    for delimiter, encoding in product(Delimiter, CENTRAL):
        content = text_of(table_of(PEOPLE), delimiter, encoding)
        guess = reading_guess(content)
        assert (guess.delimiter, guess.is_sure) == (delimiter, False), encoding
        reading = Reading(encoding=FileEncoding(encoding), delimiter=delimiter)
        assert seen(planned(content, reading)) == PEOPLE, (delimiter, encoding)


def test_workbook_has_the_same_rows():
    people = people_2025()
    header, *rows = table_of(people)
    content = workbook_of([header, *((int(number), *rest) for number, *rest in rows)])
    assert reading_guess(content).kind is FileKind.WORKBOOK
    assert seen(planned(content)) == people


def test_missing_columns_of_the_2025_file_are_listed_in_order():
    content = text_of([("start_number", "first_name", "last_name", "country"), *PEOPLE], Delimiter.COMMA)
    with pytest.raises(ColumnsMissing) as error:
        planned(content)
    names = "Line 1 was taken for the header. Its columns: start_number, first_name, last_name, country"
    assert error.value.messages == [f"Missing required columns: {', '.join(COLUMNS[3:])}\n{names}"]
    assert error.value.lacks_pieces
    assert seen(planned(content, replace(reading_guess(content), is_people_only=True))) == PEOPLE


def test_delimiter_is_the_one_with_most_column_names():
    for header, delimiter in (
        ("FirstName|LastName;Country", Delimiter.BAR),
        ("FirstName;LastName|Country;Piece1", Delimiter.SEMICOLON),
        ("", Delimiter.BAR),
        ("first name, last name", Delimiter.COMMA),
        ("sep=;\nFirstName,LastName", Delimiter.SEMICOLON),
        ("Participants 2025|,|,\nImię;Nazwisko", Delimiter.SEMICOLON),
        ('\n\n"FirstName","LastName"', Delimiter.COMMA),
        ("FirstName", Delimiter.BAR),
    ):
        assert delimiter_guess(header, column_of=column_of) is delimiter, header


def test_rows_with_another_delimiter_than_the_header_are_short():
    rows = list(rows_read(f"{';'.join(COLUMNS)}\nZofia|Nowak|Poland|||||\nEwa;Lis;Poland;;;;;", Delimiter.SEMICOLON))
    assert [row.is_short for row in rows] == [True, False]


def test_row_longer_than_the_header_is_bad():
    for delimiter in Delimiter:
        longer = ["Zofia", "Nowak", "Poland", *[""] * 5, ETUDE, ETUDE]
        blank = ["Ewa", "Lis", "Poland", *[""] * 9]
        text = "\n".join(delimiter.sign.join(cells) for cells in ([*COLUMNS, "Program"], longer, blank))
        first, second = planned(text.encode(), Reading(delimiter=delimiter))
        assert (first.status, first.problem, first.detail) == (RowStatus.BAD, RowProblem.LONGER, "10/9"), delimiter
        assert (second.status, second.first_name) == (RowStatus.NEW, "Ewa"), delimiter


def test_program_cell_holds_any_number_of_pieces():
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


def test_unreadable_or_long_program_makes_the_row_bad():
    for program, problem, detail in (
        (f"{ETUDE}; Noktiurnas op. 62", RowProblem.PIECE, "Program: “Noktiurnas op. 62”"),
        ("; ".join([ETUDE] * 201), RowProblem.PROGRAM, ""),
        ("; ".join(f"Nocturne in E-flat minor, Op. {100 + n} No. 1" for n in range(190)), RowProblem.PROGRAM, ""),
    ):
        content = text_of([(*COLUMNS, "Program"), ("Zofia", "Nowak", "Poland", *[""] * 5, program)], Delimiter.BAR)
        (row,) = planned(content)
        assert (row.status, row.problem, row.detail) == (RowStatus.BAD, problem, detail), program[:80]


EXTRA_HEADER = "|".join([*COLUMNS, *EXTRA_COLUMNS[:-1]])


def extra(name: str, number: str = "", year: str = "", biography: str = "") -> str:
    return f"{name}|Nowak|Poland||||||{number}|{year}|{biography}|||"


def test_start_number_is_a_whole_number_in_its_bounds():
    wrong = dict.fromkeys(("0", "10000", "12a", "-1", "1.5", "٣", "9" * 400), RowProblem.NUMBER)
    for number, problem in (wrong | dict.fromkeys(("0012", "9999", ""), RowProblem.NONE)).items():
        (row,) = planned(f"{EXTRA_HEADER}\n{extra('Zofia', number)}".encode())
        assert row.problem is problem, number
        assert (row.status is RowStatus.BAD) == bool(problem), number


def test_birth_year_is_a_year_and_no_date():
    wrong = dict.fromkeys(("1899", "9999", "2002-05-17", "17.05.2002", "'02"), RowProblem.YEAR)
    for year, problem in (wrong | dict.fromkeys(("2002", "1900"), RowProblem.NONE)).items():
        (row,) = planned(f"{EXTRA_HEADER}\n{extra('Zofia', year=year)}".encode())
        assert row.problem is problem, year


def test_start_number_of_an_earlier_line_is_bad_for_another_person():
    rows = planned("\n".join([EXTRA_HEADER, extra("Zofia", "12"), extra("Ewa", "012"), extra("Zofia", "12")]).encode())
    assert [(row.status, row.problem, row.detail) for row in rows] == [
        (RowStatus.NEW, RowProblem.NONE, ""),
        (RowStatus.BAD, RowProblem.NUMBER_TWICE, "12, 2"),
        (RowStatus.EXISTING, RowProblem.REPEATED, "2"),
    ]


def test_extra_columns_are_read_and_unknown_columns_named():
    header = f"{EXTRA_HEADER}|Age|Program|"
    line = extra("Zofia", "12", "2002", '"Born in Zamość.\n\nStudied."') + "|33|x"
    table, _ = table_read(f"{header}\n{line}|".encode(), Reading())
    (row,) = rows_plan(table, KnownPeople(), CATALOGUE, {})
    assert (row.extras.start_number, row.extras.birth_year) == (12, 2002)
    assert row.extras.biography == "Born in Zamość.\n\nStudied."
    assert table.header.unused == ("Age", "Program")


PIECES = ",".join(COLUMNS[3:])


@pytest.mark.parametrize(
    ("lines", "line"),
    [
        ([f"FIRSTNAME,lastName,country,{PIECES.lower()}"], 2),
        (["sep=,", f"first name,LAST_NAME,Country,{PIECES}"], 3),
        (["Participants of 2025", "", "as of 1 October,,,", f"FirstName,LastName,Country,{PIECES}"], 5),
        (["Imię,Nazwisko,Kraj,Utwór 1,Utwór 2,Utwór 3,Utwór 4,Utwór 5"], 2),
        (["Vorname,Nachname,Land,Stück1,Stück2,Stück3,Stück4,Stück5"], 2),
        (["Vorname,Name,Staat,Werk 1,Werk 2,Werk 3,Werk 4,Werk 5"], 2),
        ([",,", *["x,y"] * 8, f"FirstName,LastName,Country,{PIECES}"], 11),
    ],
)
def test_header_is_found_in_any_spelling_below_titles(lines, line):
    content = "\n".join([*lines, "Zofia,Łęcka,Poland,,,,,"]).encode()
    (text,) = planned(content)
    rows = [each.split(",") for each in content.decode().splitlines() if not each.startswith("sep=")]
    (book,) = planned(workbook_of(rows, merged="A1:C1" if len(lines) > 1 and "=" not in lines[0] else ""))
    for row in (text, book):
        assert (row.first_name, row.last_name, row.country, row.status) == ("Zofia", "Łęcka", "Poland", RowStatus.NEW)
    assert text.line == line


def test_header_is_not_looked_for_below_the_tenth_filled_row():
    header = f"FirstName,LastName,Country,{PIECES}"
    with pytest.raises(ColumnsMissing, match=r"Line 1 was taken for the header\. Its columns: x, y"):
        planned("\n".join([*["x,y"] * 10, header]).encode(), Reading(delimiter=Delimiter.COMMA))


def test_error_of_a_spreadsheet_makes_the_row_bad():
    header = "FirstName,LastName,Country,StartNumber,Biography"
    rows = [f"Zofia,Łęcka,{cell},," for cell in ("#N/A", "#REF!", "#DIV/0!", "#NV", "#WERT!", "#ADR!", "Err:502")]
    rows += ["Zofia,Łęcka,Poland,#NAZWA?,", "Zofia,Łęcka,Poland,,#1 of her year!"]
    reading = Reading(delimiter=Delimiter.COMMA, is_people_only=True)
    *bad, good = planned("\n".join([header, *rows]).encode(), reading)
    assert {(row.status, row.problem) for row in bad} == {(RowStatus.BAD, RowProblem.ERROR_CELL)}
    assert [bad[0].detail, bad[-1].detail] == ["Country: #N/A", "StartNumber: #NAZWA?"]
    assert good.status is RowStatus.NEW


def test_people_only_needs_no_pieces_and_names_unused_columns():
    text = f"FirstName,LastName,Country,Piece1,Program\nZofia,Nowak,Poland,junk,{ETUDE}"
    reading = Reading(delimiter=Delimiter.COMMA)
    with pytest.raises(ColumnsMissing) as error:
        planned(text.encode(), reading)
    assert error.value.lacks_pieces
    table = rows_read(text, Delimiter.COMMA, is_people_only=True)
    (row,) = rows_plan(table, KnownPeople(), CATALOGUE, {})
    assert (row.status, len(row.pieces), table.header.unused) == (RowStatus.NEW, 1, ("Piece1",))
    with pytest.raises(ValidationError, match="Missing required columns: Country"):
        rows_read("FirstName,LastName", Delimiter.COMMA, is_people_only=True)


CELLS = st.text(
    st.characters(codec="utf-8", exclude_categories=("Cc", "Cf", "Cs", "Zs", "Zl", "Zp")), max_size=20
).filter(lambda text: text_clean(text) == text and not text.startswith("'"))


@given(st.lists(st.lists(CELLS, min_size=8, max_size=8), max_size=4), st.sampled_from(list(Delimiter)))
def test_cells_written_by_csv_are_read_back(rows, delimiter):
    written = text_of([COLUMNS, *rows], delimiter).decode()
    read = [row.cells for row in rows_read(written, delimiter)]
    assert read == [tuple(row) for row in rows if any(row)]
    assert delimiter_guess(written, column_of=column_of) is delimiter


@given(st.lists(st.lists(CELLS, min_size=8, max_size=8), max_size=3))
def test_cells_written_by_openpyxl_are_read_back(rows):
    usable = [[cell if not cell.startswith("=") else "" for cell in row] for row in rows]
    records = workbook_program.sheet_read(workbook_of([COLUMNS, *usable]), options_of("", 10))["records"]
    assert [row.cells for row in Table(records, is_padded=True)] == [tuple(row) for row in usable if any(row)]
