"""Test the reading of participant files: rows, pieces, and arbitrary input."""

import csv
import io
import re
import time
import tracemalloc
from collections.abc import Callable
from contextlib import suppress
from itertools import product

import pytest
from django.core.exceptions import ValidationError
from hypothesis import given
from hypothesis import strategies as st

from apps.competition.limits import COUNTRIES_MOST
from apps.competition.selectors.admin.participants import ParticipantName
from apps.competition.selectors.admin.sessions import SessionPerformer
from apps.competition.services.participants import name_columns
from apps.core.text_rules import cell_guard, cell_unguard, fold, has_letter, name_clean, text_clean
from apps.imports.enums import FileEncoding, RowProblem, RowStatus
from apps.imports.limits import FILE_BYTES, FILE_LINE
from apps.imports.participant_files import table
from apps.imports.participant_files.columns import COLUMNS
from apps.imports.participant_files.people import KnownPeople
from apps.imports.participant_files.plan import FilePiece, PlannedRow, piece_read, rows_plan
from apps.imports.participant_files.reading import Reading
from apps.imports.participant_files.table import file_write, rows_read
from apps.imports.program_lines.catalogue import Catalogue
from apps.imports.services.participant_files import participant_file_read
from apps.imports.tables import texts
from apps.imports.tables.encodings import encoding_guess, text_read
from tests.apps.imports.participant_files import CATALOGUE, ETUDE, HEADER, NOCTURNE, ZOFIA, planned, read
from tests.offenders import check_each

EMPTY = Catalogue(())


def refused(text: str) -> str:
    with pytest.raises(ValidationError) as error:
        planned(text)
    return " ".join(error.value.messages)


def row_read(cells: str, known: KnownPeople | None = None) -> PlannedRow:
    """Return the plan of a file with one row, which has these cells and no pieces."""
    (row,) = rows_plan(rows_read(f"{HEADER}\n{cells}|||||"), known or KnownPeople(), CATALOGUE, {})
    return row


def test_any_line_ending_divides_rows():
    for ending in ("\n", "\r\n", "\r"):
        rows = planned(ending.join([HEADER, ZOFIA, "", "Kanade|Himuro|Japan|||||", ""]))
        assert [(row.line, row.last_name) for row in rows] == [(2, "Łęcka"), (4, "Himuro")], ending


def test_quoted_cells_hold_bars_quotes_and_line_breaks():
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
    text = "FirstName|LastName|Piece1|Piece2|Piece3|Piece4\nZofia|Nowak||||"
    names = "Line 1 was taken for the header. Its columns: FirstName, LastName, Piece1, Piece2, Piece3, Piece4"
    assert refused(text) == f"Missing required columns: Country, Piece5\n{names}"
    assert refused("no header") == (
        f"Missing required columns: {', '.join(COLUMNS)}\nLine 1 was taken for the header. Its columns: no header"
    )


def test_short_rows_are_skipped_with_their_length():
    (row,) = planned(f"{HEADER}\nJoaquín|Larrañaga|Spain|{ETUDE}")
    assert (row.status, row.problem, row.detail) == (RowStatus.SHORT, RowProblem.COLUMNS, "4/8")


def test_incomplete_long_and_unreadable_names_are_bad():
    cases = dict.fromkeys(
        ("|Nowak|Poland", "Zofia||Poland", "Zofia|Nowak|", "\u200b|Nowak|Poland"), RowProblem.NAME_MISSING
    )
    cases |= dict.fromkeys(("Z" * 101 + "|Nowak|Poland", "ﷺ" * 90 + "|Nowak|Poland"), RowProblem.NAME_LONG)
    for name in ("\u2800.", "123", "—", "...", "🎹", "\u200b-", "'"):
        cases |= dict.fromkeys((f"{name}|Łęcka|Poland", f"Zofia|{name}|Poland"), RowProblem.NAME_UNREADABLE)
    rows = {cells: row_read(cells) for cells in cases}
    assert {cells: row.problem for cells, row in rows.items()} == cases
    assert {row.status for row in rows.values()} == {RowStatus.BAD}


def test_names_are_stored_as_text():
    names = ["../../etc/passwd", "$(reboot)", "<script>alert(1)</script>", "'; DROP TABLE participants; --"]
    rows = planned("\n".join([HEADER, *(f"{name}|Nowak|Poland|||||" for name in names)]))
    assert [row.first_name for row in rows] == names
    assert {row.status for row in rows} == {RowStatus.NEW}


def test_apostrophe_before_a_formula_is_removed():
    for sign in "=+-@":
        row = row_read(f"'{sign}1+1|'Nowak|Poland")
        assert (row.first_name, row.last_name) == (f"{sign}1+1", "'Nowak")


SIGNS = "=+-@\uff1d\uff0b\uff0d\uff20"


@given(st.text() | st.text(st.sampled_from([*SIGNS, *";,|\t\n '\"", "D"])))
def test_guarded_cell_is_no_formula_with_any_delimiter_and_reads_back(text):
    guarded = cell_guard(text)
    assert cell_unguard(guarded) == text
    for divided in re.split(r"[;,|\t\r\n]", guarded):
        assert not divided.lstrip(' "').startswith(tuple(SIGNS)), (divided, guarded)


def test_written_file_has_no_formula_with_any_delimiter_and_reads_back():
    for sign, divider in product(SIGNS, ";,\t|"):
        name = f"Doe{divider}{sign}1+1"
        written = file_write([SessionPerformer(f"{sign}1", name, f"{sign}cmd", (f"{ETUDE}; {sign}1",) * 7, f"{sign}2")])
        for other in (";", ",", "\t"):
            lines = csv.reader(io.StringIO(written, newline=""), delimiter=other)
            cells = [part for line in lines for cell in line for part in cell.split("|")]
            assert not [cell for cell in cells if cell.lstrip(' "').startswith(tuple(SIGNS))], (other, cells)
        [row] = rows_read(written)
        assert row.cells[:4] == (f"{sign}1", name.replace("\t", " "), f"{sign}cmd", f"{ETUDE}; {sign}1")


def test_pieces_are_read_with_german_and_english_keys():
    pieces = (
        (ETUDE, "Etude in C-sharp minor, Op. 10 No. 4", "etiuda_a"),
        ("Etude in C-sharp minor, Op. 10 No. 4", "Etude in C-sharp minor, Op. 10 No. 4", "etiuda_a"),
        ("my favourite PIECE", "My favourite piece", "mazurek"),
        ("Etüde As-Dur op. 25 Nr. 1", "Etude in A-flat major, Op. 25 No. 1", "etiuda_b"),
        ("Nokturn e-moll op. 72 nr 1", "Nocturne in E minor, Op. 72 No. 1", "nocturn"),
        ("Scherzo h-moll op. 20", "Scherzo in B minor, Op. 20", "scherzo"),
        ("Mazurka in A minor", "Mazurka in A minor", "mazurek"),
        ("Mazurek B-dur, BI 73", "Mazurka in B-flat major, BI 73", "mazurek"),
        ("Nocturne in C minor, Op. posth.", "Nocturne in C minor, Op. posth.", "nocturn"),
        ("Rondo in E-flat major, Op. 16", "Rondo in E-flat major, Op. 16", "rondo"),
        ("Ballade No. 1 in G minor op. 23", "Ballade in G minor, Op. 23", "ballade"),
        ("Ballade in G minor, No. 1", "Ballade in G minor, No. 1", "ballade"),
        ("Etude in C major", "Etude in C major", ""),
        ("Humoresque in E-flat major, Op. 16", "Humoresque in E-flat major, Op. 16", ""),
        ("Souvenir de Paganini in A major", "Souvenir de Paganini in A major", ""),
        ("Cantabile B-dur", "Cantabile in B-flat major", ""),
    )

    def check(expected):
        text, name, category = expected
        piece = piece_read(text, CATALOGUE)
        assert (piece.name, piece.category, piece.problem) == (name, category, "")
        assert piece_read(piece.name, CATALOGUE if piece.is_known else EMPTY).name == name

    check_each(pieces, check)


def test_unreadable_piece_makes_the_row_bad():
    pieces = (
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
    )

    def check(expected):
        text, problem = expected
        (row,) = planned(f"{HEADER}\nUgnė|Vėtraitė|Lithuania|{ETUDE}||{text}||")
        assert (row.status, row.problem, row.detail) == (RowStatus.BAD, problem, f"Piece3: “{text[:200]}”")

    check_each(pieces, check)


def test_piece_without_a_known_category_is_undecided():
    text = f"{HEADER}\nNutsa|Khvedeliani|Georgia|Humoresque in E-flat major, Op. 16||||"
    assert [row.status for row in planned(text)] == [RowStatus.UNDECIDED]
    chosen = {"Humoresque in E-flat major, Op. 16": "mazurek"}
    assert [row.status for row in rows_plan(rows_read(text), KnownPeople(), CATALOGUE, chosen)] == [RowStatus.NEW]


def known_as(first: str, second: str, country: str, name: str = "") -> KnownPeople:
    columns = name_columns(first_name=first, second_name=second, name=name)
    names = (columns[column] for column in ("name", "first_name", "second_name"))
    return KnownPeople.of([ParticipantName(*names, country)])


def test_equal_name_and_country_is_an_existing_participant():
    for cells in (
        *("Zofia|Łęcka|Poland", "Łęcka|Zofia|Poland", "ZOFIA|ŁĘCKA|poland"),
        *("Zofia|Łe\u0328cka|Poland", "Zo\u200bfia|\u2060Łęcka|Pol\u00adand"),
    ):
        row = row_read(cells, known_as("Zofia", "Łęcka", "Poland"))
        assert (row.status, row.problem) == (RowStatus.EXISTING, RowProblem.NONE), cells
    assert row_read("Zofia|Łęcka|Latvia", known_as("Zofia", "Łęcka", "Poland")).status is RowStatus.NEW


def test_name_that_is_equal_after_folding_is_undecided():
    for first, second, rows in (
        ("Zofia", "Łęcka", ["ZOFIA|lecka", "lecka|zofia"]),
        ("Seong-jin", "Cho", ["Seongjin|Cho", "Seong Jin|Cho", "CHO|SEONGJIN"]),
        ("Seán", "O’Sheaghdha", ["Sean|OSheaghdha", "Seán|O Sheaghdha"]),
        ("Anne", "D'Arcy", ["Anne|Darcy"]),
        ("Jürgen", "Müller", ["Juergen|Mueller", "Jurgen|Muller"]),
        ("Øystein", "Åsheim", ["Oeystein|Aasheim", "Oystein|Asheim"]),
        ("云迪", "李", ["Yundi|Li", "李云|迪"]),
    ):
        for names in rows:
            row = row_read(f"{names}|Norway", known_as(first, second, "Norway"))
            assert (row.status, row.problem) == (RowStatus.UNDECIDED, RowProblem.PERHAPS), names
            assert row.detail == f"{first} {second}, Norway", names
            assert row_read(f"{names}|Chile", known_as(first, second, "Norway")).status is RowStatus.NEW, names


def test_two_spellings_in_one_file_are_undecided():
    rows = planned(f"{HEADER}\nJürgen|Müller|Germany|||||\nJuergen|Mueller|Germany|||||\nMueller|Juergen|Germany|||||")
    assert [(row.status, row.problem, row.detail) for row in rows] == [
        (RowStatus.NEW, RowProblem.NONE, ""),
        (RowStatus.UNDECIDED, RowProblem.PERHAPS, "Jürgen Müller, Germany"),
        (RowStatus.EXISTING, RowProblem.REPEATED, "3"),
    ]


def test_invisible_characters_are_removed_from_names():
    row = row_read("Zo\u200bfia|Łęc\u00adka|\ufeffPoland")
    assert (row.first_name, row.last_name, row.country) == ("Zofia", "Łęcka", "Poland")


def test_repeated_person_in_a_file_is_one_participant():
    rows = planned(f"{HEADER}\n{ZOFIA}\nŁęcka|Zofia|Poland|||||")
    assert [(row.status, row.problem, row.detail) for row in rows] == [
        (RowStatus.NEW, RowProblem.NONE, ""),
        (RowStatus.EXISTING, RowProblem.REPEATED, "2"),
    ]


def test_too_many_rows_and_too_long_lines_are_refused(monkeypatch):
    monkeypatch.setattr(table, "FILE_ROWS", 50)
    rows = [HEADER, *["Zofia|Nowak|Poland|||||"] * 50]
    assert len(planned("\n".join(rows))) == 50
    assert "Error parsing file" in refused("\n".join([*rows, rows[1]]))
    assert refused(f"{HEADER}\n{'|' * (FILE_LINE + 1)}") == "Error parsing file\nLine 2 is too long."
    assert refused(f'{HEADER}\n{ZOFIA}\n"Zofia|Nowak').startswith("Error parsing file\nLine 3")


def test_one_endless_line_takes_bounded_memory():
    content = b"|" * FILE_BYTES
    tracemalloc.start()
    try:
        with pytest.raises(ValidationError, match="Error parsing file"):
            read(content)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 10 * FILE_BYTES


def test_reading_time_grows_linearly_with_the_rows():
    def seconds(count: int) -> float:
        text = "\n".join([HEADER, *(f"Zofia{n}|Nowak|Poland|Rondo in F major Op. {n % 900}||||" for n in range(count))])
        begun = time.thread_time()
        planned(text)
        return time.thread_time() - begun

    seconds(100)
    assert seconds(1600) < 8 * 4 * min(seconds(200), seconds(200))


def read_or_none(text: Callable[[], str]) -> list[PlannedRow] | None:
    """Return the rows, or None if the file is refused with a message; any other exception is a fault."""
    with suppress(ValidationError):
        return planned(text())
    return None


@given(st.binary(max_size=400), st.sampled_from([None, *FileEncoding]))
def test_any_bytes_are_read_or_refused(content, encoding):
    for file in (content, f"{HEADER}\n".encode() + content):
        rows = read_or_none(lambda file=file: text_read(file, encoding or encoding_guess(file).encoding))
        assert rows is None or all(row.status in RowStatus for row in rows)


TEXTS = st.text(st.characters(codec="utf-8", exclude_characters="\x00"), max_size=30)


@given(st.lists(st.lists(TEXTS, min_size=8, max_size=8), max_size=5))
def test_any_cells_are_planned_or_refused(rows):
    text = file_write(SessionPerformer(first, last, country, tuple(pieces)) for first, last, country, *pieces in rows)
    plan = read_or_none(lambda: text)
    assert plan is None or len(plan) <= len(rows)


NAMES = st.text(st.characters(codec="utf-8", categories=("L", "Nd", "P", "Sm")), min_size=1, max_size=20).filter(
    lambda name: text_clean(name) == name_clean(name) == name and bool(fold(name)) and has_letter(name)
)
PIECES = st.sampled_from([piece.name for piece in CATALOGUE.pieces])


@given(st.lists(st.tuples(NAMES, NAMES, NAMES, st.lists(PIECES, max_size=8)), max_size=5))
def test_written_file_reads_back(rows):
    plan = planned(file_write(SessionPerformer(*named, tuple(pieces)) for *named, pieces in rows))
    read = [(row.first_name, row.last_name, row.country, [piece.name for piece in row.pieces]) for row in plan]
    assert read == [(*named, list(dict.fromkeys(pieces))) for *named, pieces in rows]  # a piece named twice counts once
    for row, (*_, pieces) in zip(plan, rows, strict=True):
        remarks = {RowProblem.REPEATED, RowProblem.PERHAPS}
        is_twice = len(set(pieces)) < len(pieces)
        assert row.problem in remarks | {RowProblem.PIECE_TWICE if is_twice else RowProblem.NONE}


def test_piece_is_restored_from_json():
    piece = piece_read(ETUDE, CATALOGUE)
    assert FilePiece(**piece.as_json()) == piece


def test_file_that_takes_too_long_is_refused(monkeypatch):
    monkeypatch.setattr(texts, "FILE_SECONDS", -1.0)
    assert refused(f"{HEADER}\n{ZOFIA}").splitlines() == [
        "Error parsing file",
        "Line 1 came too late: this file takes too long. Please send it in parts.",
    ]
    monkeypatch.setattr(texts, "FILE_SECONDS", 0.1)  # a row of combining marks takes some tenths of a second
    rows = ["A" + "\u0301\u0327" * 9_000 + "|B|Poland|||||"] * 10
    assert "came too late" in refused("\n".join([HEADER, *rows]))


@pytest.mark.django_db
def test_file_with_too_many_countries_is_refused():
    def content(count: int) -> bytes:
        return "\n".join([HEADER, *(f"A{n}|B{n}|Country {n}|||||" for n in range(count))]).encode()

    assert len(participant_file_read(content(COUNTRIES_MOST), Reading()).rows) == COUNTRIES_MOST
    with pytest.raises(ValidationError, match="there would be more than 250 countries"):
        participant_file_read(content(COUNTRIES_MOST + 1), Reading())


def test_encoding_is_guessed_from_a_bounded_part():
    """A regular expression blocks all other threads while it searches."""
    lines = ["a" * 1000] * 5000 + ["Żółć i źdźbło"] * 100_000
    content = "\n".join(lines).encode("windows-1250")[:FILE_BYTES]

    def seconds(part: bytes) -> float:
        begun = time.thread_time()
        assert encoding_guess(part).encoding == FileEncoding.WINDOWS_1250
        return time.thread_time() - begun

    letters = "\n".join(["Żółć i źdźbło"] * 5000).encode("windows-1250")
    assert min(seconds(content) for _ in range(3)) < 10 * min(seconds(letters) for _ in range(3))
