"""Test the reading of participant files: rows, pieces, and arbitrary input."""

import csv
import io
import re
import time
import tracemalloc
from collections.abc import Callable
from contextlib import suppress

import pytest
from django.core.exceptions import ValidationError
from hypothesis import given, settings
from hypothesis import strategies as st

from apps.competition.limits import COUNTRIES_MOST
from apps.competition.selectors.admin.participants import ParticipantName
from apps.competition.services.participants import name_columns
from apps.core.text_rules import cell_guard, cell_unguard, fold, has_letter, name_clean, text_clean
from apps.imports.enums import FileEncoding, RowProblem, RowStatus
from apps.imports.limits import FILE_BYTES, FILE_LINE, FILE_ROWS
from apps.imports.participant_files import table
from apps.imports.participant_files.columns import COLUMNS
from apps.imports.participant_files.encodings import encoding_guess, text_read
from apps.imports.participant_files.people import KnownPeople
from apps.imports.participant_files.plan import FilePiece, PlannedRow, piece_read, rows_plan
from apps.imports.participant_files.reading import Reading
from apps.imports.participant_files.table import file_write, rows_read
from apps.imports.program_lines.catalogue import Catalogue
from apps.imports.services.participant_files import participant_file_read
from tests.apps.imports.participant_files import CATALOGUE, ETUDE, HEADER, NOCTURNE, ZOFIA, planned, read

EMPTY = Catalogue(())


def sentences(error: ValidationError) -> str:
    return " ".join(error.messages)


@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
def test_any_line_ending_divides_rows(ending):
    rows = planned(ending.join([HEADER, ZOFIA, "", "Kanade|Himuro|Japan|||||", ""]))
    assert [(row.line, row.last_name) for row in rows] == [(2, "Łęcka"), (4, "Himuro")]


def test_quoted_fields_hold_bars_quotes_and_line_breaks():
    (row,) = planned(f'{HEADER}\n"Zo|fia"|"No""wak"|"Sri\nLanka"|||||')
    assert (row.first_name, row.last_name, row.country) == ("Zo|fia", 'No"wak', "Sri Lanka")


def test_columns_are_found_by_name_in_any_order():
    header = "Piece2|Country|Born|FirstName|LastName|Piece1|Piece3|Piece4|Piece5"
    (row,) = planned(f"{header}\n{NOCTURNE}|Poland|2002|Zofia|Łęcka|{ETUDE}|||")
    assert [row.first_name, row.country, *(piece.name for piece in row.pieces)] == [
        "Zofia",
        "Poland",
        "Etude in C-sharp minor, Op. 10 No. 4",
        "Nocturne in D-flat major, Op. 27 No. 2",
    ]


def test_missing_columns_are_listed_in_their_order():
    with pytest.raises(ValidationError) as refused:
        planned("FirstName|LastName|Piece1|Piece2|Piece3|Piece4\nZofia|Nowak||||")
    assert sentences(refused.value) == "Missing required columns: Country, Piece5"
    with pytest.raises(ValidationError) as refused:
        planned("something else altogether")
    assert sentences(refused.value) == f"Missing required columns: {', '.join(COLUMNS)}"


def test_short_rows_are_skipped_and_say_how_short_they_are():
    (row,) = planned(f"{HEADER}\nJoaquín|Larrañaga|Spain|{ETUDE}")
    assert (row.status, row.problem, row.detail) == (RowStatus.SHORT, RowProblem.COLUMNS, "4/8")


@pytest.mark.parametrize("names", ["|Nowak|Poland", "Zofia||Poland", "Zofia|Nowak|", "\u200b|Nowak|Poland"])
def test_a_row_needs_both_names_and_a_country(names):
    (row,) = planned(f"{HEADER}\n{names}|||||")
    assert (row.status, row.problem) == (RowStatus.BAD, RowProblem.NAME_MISSING)


@pytest.mark.parametrize(
    ("first", "problem"),
    [("Z" * 101, RowProblem.NAME_LONG), ("\u2800.", RowProblem.NAME_UNREADABLE), ("ﷺ" * 90, RowProblem.NAME_LONG)],
)
def test_a_name_has_the_length_that_the_database_takes(first, problem):
    (row,) = planned(f"{HEADER}\n{first}|Nowak|Poland|||||")
    assert row.problem == problem


def test_names_are_texts_whatever_they_look_like():
    names = ["../../etc/passwd", "$(reboot)", "<script>alert(1)</script>", "'; DROP TABLE participants; --"]
    rows = planned("\n".join([HEADER, *(f"{name}|Nowak|Poland|||||" for name in names)]))
    assert [row.first_name for row in rows] == names
    assert {row.status for row in rows} == {RowStatus.NEW}


@pytest.mark.parametrize("sign", ["=", "+", "-", "@"])
def test_an_apostrophe_before_a_formula_is_taken_away(sign):
    (row,) = planned(f"{HEADER}\n'{sign}1+1|'Nowak|Poland|||||")
    assert (row.first_name, row.last_name) == (f"{sign}1+1", "'Nowak")


SIGNS = "=+-@\uff1d\uff0b\uff0d\uff20"


@given(st.text() | st.text(st.sampled_from([*SIGNS, *";,|\t\n '\"", "D"])))
def test_a_guarded_cell_is_no_formula_whatever_divides_it_and_reads_as_before(text):
    guarded = cell_guard(text)
    assert cell_unguard(guarded) == text
    for divided in re.split(r"[;,|\t\r\n]", guarded):
        assert not divided.lstrip(' "').startswith(tuple(SIGNS)), (divided, guarded)


@pytest.mark.parametrize("divider", [";", ",", "\t", "|"])
@pytest.mark.parametrize("sign", SIGNS)
def test_a_file_that_is_divided_by_another_sign_has_no_formula_and_is_read_back_without_the_guard(sign, divider):
    name = f"Doe{divider}{sign}1+1"
    written = file_write([(f"{sign}1", name, f"{sign}cmd", [f"{ETUDE}; {sign}1"])])
    for other in (";", ",", "\t"):
        cells = [cell for line in csv.reader(io.StringIO(written, newline=""), delimiter=other) for cell in line]
        inner = [each for cell in cells for each in cell.split("|")]
        assert not [cell for cell in inner if cell.lstrip(' "').startswith(tuple(SIGNS))], (other, cells)
    [row] = rows_read(written)
    assert row.cells[:4] == (f"{sign}1", name.replace("\t", " "), f"{sign}cmd", f"{ETUDE}; {sign}1")


@pytest.mark.parametrize(
    ("text", "name", "category"),
    [
        (ETUDE, "Etude in C-sharp minor, Op. 10 No. 4", "etiuda_a"),
        ("Etude in C-sharp minor, Op. 10 No. 4", "Etude in C-sharp minor, Op. 10 No. 4", "etiuda_a"),
        ("my favourite PIECE", "My favourite piece", "mazurek"),
        ("Etüde As-Dur op. 25 Nr. 1", "Etude in A-flat major, Op. 25 No. 1", "etiuda_b"),
        ("Nokturn e-moll op. 72 nr 1", "Nocturne in E minor, Op. 72 No. 1", "nocturn"),
        ("Scherzo h-moll op. 20", "Scherzo in B minor, Op. 20", "scherzo"),
        ("Mazurka in A minor", "Mazurka in A minor", "mazurek"),
        ("Mazurek B-dur, BI 73", "Mazurka in B-flat major, BI 73", "mazurek"),
        ("Nocturne in C minor, Op. posth.", "Nocturne in C minor, Op. posth.", "nocturn"),
        ("Rondo in E-flat major, Op. 16", "Rondo in E-flat major, Op. 16", ""),
        ("Ballade No. 1 in G minor op. 23", "Ballade in G minor, Op. 23", ""),
        ("Ballade in G minor, No. 1", "Ballade in G minor, No. 1", ""),
        ("Souvenir de Paganini in A major", "Souvenir de Paganini in A major", ""),
        ("Cantabile B-dur", "Cantabile in B-flat major", ""),
    ],
)
def test_pieces_are_read_with_german_and_english_keys(text, name, category):
    piece = piece_read(text, CATALOGUE)
    assert (piece.name, piece.category, piece.problem) == (name, category, "")
    assert piece_read(piece.name, EMPTY if not piece.is_known else CATALOGUE).name == name


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("Noktiurnas op. 62", RowProblem.PIECE),
        ("Nocturne", RowProblem.PIECE),
        ("Nocturne in C, Op. 48 No. 1", RowProblem.PIECE),
        ("in C minor", RowProblem.PIECE),
        ("Etude in C major Op. 10 No. 1 and No. 2 in A minor", RowProblem.PIECE),
        ("Liszt: Etude in F minor", RowProblem.PIECE),
        ("Karg-Elert: Nocturne in F minor", RowProblem.PIECE),
        ("Karg-Elert – Nocturne in F minor", RowProblem.PIECE),
        ("Nocturne in F minor (Karg-Elert)", RowProblem.PIECE),
        ("x" * 201, RowProblem.PIECE),
        ("Etude in D major, Op. 10 No. 4", RowProblem.PIECE_KEY),
        ("Cantabile in C-sharp minor, Op. 10 No. 4", RowProblem.PIECE_KEY),
    ],
)
def test_what_is_no_piece_makes_the_row_bad(text, problem):
    (row,) = planned(f"{HEADER}\nUgnė|Vėtraitė|Lithuania|{ETUDE}||{text}||")
    assert (row.status, row.problem) == (RowStatus.BAD, problem)
    assert row.detail == f"Piece3: “{text[:200]}”"


def test_a_piece_without_a_sure_category_waits_for_one():
    text = f"{HEADER}\nNutsa|Khvedeliani|Georgia|Rondo in E-flat major, Op. 16||||"
    assert [row.status for row in planned(text)] == [RowStatus.UNDECIDED]
    chosen = {"Rondo in E-flat major, Op. 16": "mazurek"}
    assert [row.status for row in rows_plan(rows_read(text), KnownPeople(), CATALOGUE, chosen)] == [RowStatus.NEW]


def known_as(first: str, second: str, country: str, name: str = "") -> KnownPeople:
    columns = name_columns(first_name=first, second_name=second, name=name)
    return KnownPeople.of([ParticipantName(**columns, country=country)])


@pytest.mark.parametrize(
    "row",
    [
        "Zofia|Łęcka|Poland",
        "Łęcka|Zofia|Poland",
        "ZOFIA|ŁĘCKA|poland",
        "Zofia|Łe\u0328cka|Poland",
        "Zo\u200bfia|\u2060Łęcka|Pol\u00adand",
    ],
)
def test_an_equal_name_and_country_exists_already(row):
    known = known_as("Zofia", "Łęcka", "Poland")
    (found,) = rows_plan(rows_read(f"{HEADER}\n{row}|||||"), known, CATALOGUE, {})
    assert (found.status, found.problem) == (RowStatus.EXISTING, RowProblem.NONE)
    (other,) = rows_plan(rows_read(f"{HEADER}\nZofia|Łęcka|Latvia|||||"), known, CATALOGUE, {})
    assert other.status is RowStatus.NEW


@pytest.mark.parametrize(
    ("first", "second", "rows"),
    [
        ("Zofia", "Łęcka", ["ZOFIA|lecka", "lecka|zofia"]),
        ("Seong-jin", "Cho", ["Seongjin|Cho", "Seong Jin|Cho", "CHO|SEONGJIN"]),
        ("Seán", "O’Sheaghdha", ["Sean|OSheaghdha", "Seán|O Sheaghdha"]),
        ("Anne", "D'Arcy", ["Anne|Darcy"]),
        ("Jürgen", "Müller", ["Juergen|Mueller", "Jurgen|Muller"]),
        ("Øystein", "Åsheim", ["Oeystein|Aasheim", "Oystein|Asheim"]),
        ("云迪", "李", ["Yundi|Li", "李云|迪"]),
    ],
)
def test_a_name_that_is_equal_only_after_folding_is_a_row_to_decide(first, second, rows):
    for row in rows:
        (found,) = rows_plan(
            rows_read(f"{HEADER}\n{row}|Norway|||||"), known_as(first, second, "Norway"), CATALOGUE, {}
        )
        decided = (found.status, found.problem, found.detail)
        assert decided == (RowStatus.UNDECIDED, RowProblem.PERHAPS, f"{first} {second}, Norway"), row
        (other,) = rows_plan(rows_read(f"{HEADER}\n{row}|Chile|||||"), known_as(first, second, "Norway"), CATALOGUE, {})
        assert other.status is RowStatus.NEW


def test_two_spellings_in_one_file_are_a_row_to_decide():
    rows = planned(f"{HEADER}\nJürgen|Müller|Germany|||||\nJuergen|Mueller|Germany|||||\nMueller|Juergen|Germany|||||")
    assert [(row.status, row.problem, row.detail) for row in rows] == [
        (RowStatus.NEW, RowProblem.NONE, ""),
        (RowStatus.UNDECIDED, RowProblem.PERHAPS, "Jürgen Müller, Germany"),
        (RowStatus.EXISTING, RowProblem.REPEATED, "3"),
    ]


@pytest.mark.parametrize("name", ["123", "—", "...", "🎹", "\u200b-", "'"])
def test_a_name_without_a_letter_makes_the_row_bad(name):
    for row in (f"{name}|Łęcka|Poland", f"Zofia|{name}|Poland"):
        (found,) = planned(f"{HEADER}\n{row}|||||")
        assert (found.status, found.problem) == (RowStatus.BAD, RowProblem.NAME_UNREADABLE), row


def test_names_are_kept_without_signs_that_take_no_room():
    (row,) = planned(f"{HEADER}\nZo\u200bfia|Łęc\u00adka|\ufeffPoland|||||")
    assert (row.first_name, row.last_name, row.country) == ("Zofia", "Łęcka", "Poland")


def test_the_same_person_twice_in_a_file_is_one():
    rows = planned(f"{HEADER}\n{ZOFIA}\nŁęcka|Zofia|Poland|||||")
    assert [(row.status, row.problem, row.detail) for row in rows] == [
        (RowStatus.NEW, RowProblem.NONE, ""),
        (RowStatus.EXISTING, RowProblem.REPEATED, "2"),
    ]


@pytest.mark.long
def test_too_many_rows_and_too_long_lines_are_refused_where_they_begin():
    with pytest.raises(ValidationError, match="Error parsing file"):
        planned("\n".join([HEADER, *["Zofia|Nowak|Poland|||||"] * 50_000]))
    assert len(planned("\n".join([HEADER, *["Zofia|Nowak|Poland|||||"] * FILE_ROWS]))) == FILE_ROWS
    with pytest.raises(ValidationError) as refused:
        planned(f"{HEADER}\n{'|' * (FILE_LINE + 1)}")
    assert sentences(refused.value) == "Error parsing file\nLine 2 is too long."
    with pytest.raises(ValidationError) as refused:
        planned(f'{HEADER}\n{ZOFIA}\n"Zofia|Nowak')
    assert sentences(refused.value).startswith("Error parsing file\nLine 3")


def test_one_endless_line_takes_no_more_memory_than_it_has():
    content = b"|" * FILE_BYTES
    tracemalloc.start()
    try:
        with pytest.raises(ValidationError, match="Error parsing file"):
            read(content)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 10 * FILE_BYTES


def test_time_grows_with_the_rows():
    def seconds(count: int) -> float:
        text = "\n".join([HEADER, *(f"Zofia{n}|Nowak|Poland|Rondo in F major Op. {n % 900}||||" for n in range(count))])
        begun = time.thread_time()
        planned(text)
        return time.thread_time() - begun

    seconds(100)
    assert seconds(4000) < 8 * 4 * min(seconds(500), seconds(500))


def read_or_none(text: Callable[[], str]) -> list[PlannedRow] | None:
    """Return the rows, or None if the file is refused with a message; any other exception is a fault."""
    with suppress(ValidationError):
        return planned(text())
    return None


@settings(max_examples=300)
@given(st.binary(max_size=400), st.sampled_from([None, *FileEncoding]))
def test_no_bytes_break_the_reader(content, encoding):
    for given_bytes in (content, f"{HEADER}\n".encode() + content):
        rows = read_or_none(lambda given=given_bytes: text_read(given, encoding or encoding_guess(given).encoding))
        assert rows is None or all(row.status in RowStatus for row in rows)


TEXTS = st.text(st.characters(codec="utf-8", exclude_characters="\x00"), max_size=30)


@settings(max_examples=300)
@given(st.lists(st.lists(TEXTS, min_size=8, max_size=8), max_size=5))
def test_no_cells_break_the_plan(rows):
    text = file_write((first, last, country, pieces) for first, last, country, *pieces in rows)
    found = read_or_none(lambda: text)
    assert found is None or len(found) <= len(rows)


NAMES = st.text(st.characters(codec="utf-8", categories=("L", "Nd", "P", "Sm")), min_size=1, max_size=20).filter(
    lambda name: text_clean(name) == name_clean(name) == name and bool(fold(name)) and has_letter(name)
)
PIECES = st.sampled_from([piece.name for piece in CATALOGUE.pieces])


@settings(max_examples=200)
@given(st.lists(st.tuples(NAMES, NAMES, NAMES, st.lists(PIECES, max_size=5)), max_size=5))
def test_what_is_written_reads_as_it_was(rows):
    found = planned(file_write(rows))
    read = [(row.first_name, row.last_name, row.country, [piece.name for piece in row.pieces]) for row in found]
    assert read == [(*named, list(dict.fromkeys(pieces))) for *named, pieces in rows]  # a piece named twice counts once
    assert all(row.problem in {RowProblem.NONE, RowProblem.REPEATED, RowProblem.PERHAPS} for row in found)


def test_a_stored_piece_is_the_same_again():
    piece = piece_read(ETUDE, CATALOGUE)
    assert FilePiece(**piece.as_json()) == piece


def test_a_file_that_takes_too_long_is_given_up(monkeypatch):
    monkeypatch.setattr(table, "FILE_SECONDS", -1.0)
    rows = (f"A{n}|B{n}|Poland|||||" for n in range(2 * table.LOOK_EVERY))
    with pytest.raises(ValidationError) as refused:
        planned("\n".join([HEADER, *rows]))
    line = table.LOOK_EVERY
    assert sentences(refused.value).splitlines() == [
        "Error parsing file",
        f"Line {line} came too late: this file takes too long. Please send it in parts.",
    ]


@pytest.mark.django_db
def test_a_file_of_more_countries_than_a_list_can_offer_is_refused():
    def content(count: int) -> bytes:
        return "\n".join([HEADER, *(f"A{n}|B{n}|Country {n}|||||" for n in range(count))]).encode()

    assert len(participant_file_read(content(COUNTRIES_MOST), Reading()).rows) == COUNTRIES_MOST
    with pytest.raises(ValidationError, match="there would be more than 250 countries"):
        participant_file_read(content(COUNTRIES_MOST + 1), Reading())


def test_an_encoding_is_guessed_from_a_bounded_part():
    """A pattern keeps all other threads waiting while it searches: of a long file it sees a piece."""
    lines = ["a" * 1000] * 5000 + ["Żółć i źdźbło"] * 100_000
    content = "\n".join(lines).encode("windows-1250")[:FILE_BYTES]

    def seconds(part: bytes) -> float:
        begun = time.thread_time()
        assert encoding_guess(part).encoding == FileEncoding.WINDOWS_1250
        return time.thread_time() - begun

    letters = "\n".join(["Żółć i źdźbło"] * 5000).encode("windows-1250")
    assert min(seconds(content) for _ in range(3)) < 10 * min(seconds(letters) for _ in range(3))
