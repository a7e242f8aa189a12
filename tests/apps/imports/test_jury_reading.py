"""Test the reading of jury files: the published sheet, order and encoding, and faults by line."""

from dataclasses import replace
from decimal import Decimal
from io import BytesIO

import pytest
from django.core.exceptions import ValidationError
from hypothesis import given
from hypothesis import strategies as st
from openpyxl import Workbook

from apps.competition.selectors.admin.participants import participant_names
from apps.core.people import PeopleIndex, PersonDoubt
from apps.core.texts import texts
from apps.imports.enums import JuryFault, JuryFileKind
from apps.imports.jury_files.people import Jurors
from apps.imports.jury_files.sheets import decimal_read, sheet_parse
from apps.imports.jury_files.stage_numbers import number_named
from apps.imports.jury_files.summary import counts_words, fault_words
from apps.jury.contents import RECUSED, Official
from apps.jury.rules import DEFAULT
from tests.apps.imports.jury_files import (
    GOLDEN,
    HEADER,
    JURORS,
    MARKS,
    OFFICIALS,
    PEOPLE,
    WHOLE,
    file_of,
    jury_text,
    parsed,
    performers_store,
)
from tests.offenders import check_each


def sentences(text, **more):
    """Return line and sentence of each fault."""
    return [(fault.line, fault_words(fault, texts("en"))) for fault in parsed(text, **more).faults]


@pytest.mark.django_db
def test_published_sheet_is_read_completely():
    performers_store()
    sheet = sheet_parse(
        jury_text(MARKS.read_bytes()), rule=DEFAULT, participants=participant_names(), jurors=(), choices={}
    )
    assert sheet.is_whole
    assert (sheet.place, len(sheet.people), len(sheet.jurors), sheet.lines) == (1, 84, 17, 1428)
    assert sheet.marks + sheet.recused == 1428
    assert counts_words(sheet, texts("en")) == (
        f"84 performers, 17 jurors. Of 1428 lines: marks: {sheet.marks}, recused: {sheet.recused}, left: 0."
    )
    golden = sheet_parse(
        jury_text(GOLDEN.read_bytes()), rule=DEFAULT, participants=participant_names(), jurors=(), choices={}
    )
    assert (golden.kind, golden.is_whole, len(golden.officials)) == (JuryFileKind.OFFICIALS, True, 84)
    assert golden.unused == (
        *("k_limit", "n_scores", "raw_mean_2dp", "corrected_mean", "cumulative", "advanced_or_place"),
    )


@given(st.permutations(WHOLE), st.sampled_from(["utf-8", "utf-8-sig", "utf-16"]), st.sampled_from(",;|\t"))
def test_order_encoding_and_delimiter_do_not_matter(lines, encoding, sign):
    text = file_of(*lines).replace(",", sign)
    sheet = sheet_parse(jury_text(text.encode(encoding)), rule=DEFAULT, participants=PEOPLE, jurors=JURORS, choices={})
    assert sheet.is_whole
    assert sheet.content.digest == parsed(file_of(*WHOLE)).content.digest


@given(st.lists(st.sampled_from([*WHOLE, "", "x", "1,1,,,,", "1,9,Nemo,Juror One,3,", "2,1,,,S,S"])))
def test_every_line_is_a_cell_or_a_fault(lines):
    sheet = parsed(file_of(*lines))
    written = [line for line in lines if line]
    assert sheet.lines == len(written)
    assert sheet.marks + sheet.recused == len(sheet.cells) == len(set(written) & set(WHOLE))
    assert bool(sheet.left) <= bool(sheet.faults or sheet.undecided)
    people, jurors = {pk for pk, _ in sheet.cells}, {juror for _, juror in sheet.cells}
    is_table = len(written) == len(set(written)) == len(people) * len(jurors) and set(written) <= set(WHOLE)
    assert sheet.is_whole == (bool(written) and is_table)


def test_faults_are_reported_with_their_line():
    faults = (
        ("1,1,Ada Alt,Juror One,25.5,", "“25.5” is not a mark from 1 to 25 with at most two decimals."),
        ("1,1,Ada Alt,Juror One,0,", "“0” is not a mark from 1 to 25 with at most two decimals."),
        ("1,1,Ada Alt,Juror One,20.125,", "“20.125” is not a mark from 1 to 25 with at most two decimals."),
        ("1,1,Ada Alt,Juror One,NaN,", "“NaN” is not a mark from 1 to 25 with at most two decimals."),
        ("1,1,Ada Alt,Juror One,٢٠,", "“٢٠” is not a mark from 1 to 25 with at most two decimals."),
        ('1,1,Ada Alt,Juror One,"20,5",', "“20,5” has a comma: write a point as the decimal sign."),
        ("1,1,Ada Alt,Juror One,20,S", "A mark (20), and recused as well."),
        ("1,1,Ada Alt,Juror One,20,x", "“x” is neither S nor empty."),
        ("1,1,Ada Alt,Juror One,,", "No mark of Juror One for Ada Alt."),
        ("1,1,Ada Alt,,20,", "No juror."),
        (f"1,1,Ada Alt,{'莊' * 90},20,", "This juror’s name is too long or has no letters."),
        ("1,1,Ada Alt,12,20,", "This juror’s name is too long or has no letters."),
        ("1,0,Ada Alt,Juror One,20,", "“0” is not a start number."),
        ("1,,,Juror One,20,", "Neither a start number nor a name."),
        ("1,2,Ada Alt,Juror One,20,", "Start number 2 and the name Ada Alt are not the same participant’s."),
        ("1,9,Ada Alt,Juror One,20,", "Start number 9 and the name Ada Alt are not the same participant’s."),
        ("2,1,Ada Alt,Juror One,20,", "Stage 2: the file began with stage 1. A file has one stage."),
        ("x,1,Ada Alt,Juror One,20,", "“x” is not a stage’s number from 1 to 4."),
        ("5,1,Ada Alt,Juror One,20,", "“5” is not a stage’s number from 1 to 4."),
    )

    def check(fault):
        line, expected = fault
        text = file_of(*WHOLE[1:], line)
        assert (7, expected) in sentences(text)
        assert not parsed(text).is_whole

    check_each(faults, check)


def test_repeated_participant_of_a_juror_is_reported_with_the_first_line():
    text = file_of(*WHOLE, "1,,Alt Ada,One Juror,20,")
    assert sentences(text) == [(8, "Ada Alt has a mark of Juror One already, in line 2.")]
    assert parsed(text).left == 1


def test_missing_cell_is_reported_at_the_first_line_of_the_performer():
    assert sentences(file_of(*WHOLE[:-1])) == [(6, "No mark of Juror Two for Cleo Ca.")]


def test_juror_without_marks_is_reported_once():
    for mark in ("", "S"):
        lines = [f"1,{each.start_number},,Juror Three,{mark}," for each in PEOPLE]
        assert sentences(file_of(*WHOLE, *lines)) == [(8, "Juror Three has no mark at all.")]


def test_recused_in_either_column_is_no_mark():
    lines = [line.replace(",20,", ",S,") if ",1,Ada" in line else line for line in WHOLE]
    lines = [line.replace(",21,", ",,s") if ",2,Bo" in line else line for line in lines]
    sheet = parsed(file_of(*lines))
    assert (sheet.is_whole, sheet.marks, sheet.recused, sheet.left) == (True, 4, 2, 0)
    assert (sheet.cells[1, "Juror One"], sheet.cells[2, "Juror Two"]) == (RECUSED, RECUSED)


def test_performers_are_found_by_folded_name_in_either_order():
    performers = PeopleIndex(PEOPLE)
    for name in ("Ada Alt", "ALT ADA", "Alt, Ada", "áda  alt"):
        assert performers.find(name, None).person == PEOPLE[0]
        assert performers.find(name, 1).person == PEOPLE[0]
    assert performers.find("", 3).person == PEOPLE[2]
    assert performers.find("", 9).doubt is PersonDoubt.NOT_FOUND
    unknown = performers.find("Ada", None)
    assert (unknown.person, unknown.doubt, unknown.likely) == (None, PersonDoubt.NOT_FOUND, (PEOPLE[0],))
    other = performers.find("Adah Alt", 1)
    assert (other.person, other.doubt, other.likely) == (None, PersonDoubt.OTHER_NAME, (PEOPLE[0],))


def test_namesakes_are_distinguished_by_their_numbers_only():
    twins = (PEOPLE[0], replace(PEOPLE[0], id=7, start_number=7))
    assert PeopleIndex(twins).find("Ada Alt", 7).person == twins[1]
    assert PeopleIndex(twins).find("Ada Alt", None).doubt is PersonDoubt.SEVERAL
    unnumbered = tuple(replace(each, start_number=None) for each in twins)
    assert PeopleIndex(unnumbered).find("Ada Alt", 7).doubt is PersonDoubt.SEVERAL
    assert PeopleIndex(unnumbered[:1]).find("Ada Alt", 7).person == unnumbered[0]  # no number is stored


def test_choice_applies_to_all_lines_of_a_participant():
    lines = [line.replace("Ada Alt", "Adah Alt") for line in WHOLE]
    sheet = parsed(file_of(*lines))
    assert [(each.line, each.words, each.participant) for each in sheet.undecided] == [(2, "1 Adah Alt", None)]
    assert (sheet.is_whole, sheet.left) == (False, 2)
    (who,) = sheet.fields
    chosen = parsed(file_of(*lines), choices={who.mark: 1})
    assert (chosen.is_whole, chosen.left, chosen.cells.keys()) == (True, 0, parsed(file_of(*WHOLE)).cells.keys())
    other = parsed(file_of(*lines), choices={who.mark: 3})
    assert [each.fault for each in other.faults] == [JuryFault.CHOSEN]
    unknown = parsed(file_of(*lines), choices={who.mark: 99})
    assert [each.words for each in unknown.undecided] == ["1 Adah Alt"]


def test_jurors_are_found_in_either_order_and_near_spellings_shown():
    jurors = Jurors(["Seong-Jin Cho", "John Allison"])
    assert (jurors.find("Allison, John").name, jurors.find("ALLISON JOHN").is_new) == ("John Allison", False)
    near = jurors.find("Cho Seongjin")
    assert (near.is_new, near.near) == (True, "Seong-Jin Cho")
    assert (jurors.find("Ewa Nowak").is_new, jurors.find("Ewa Nowak").near) == (True, "")
    lines = [line.replace("Juror One", "Juror-One") for line in WHOLE]
    sheet = parsed(file_of(*lines), jurors=JURORS)
    (field,) = sheet.fields
    assert (sheet.is_whole, field.near, sheet.vanished) == (False, "Juror One", ("Juror One",))
    joined = parsed(file_of(*lines), jurors=JURORS, choices={field.mark: "Juror One"})
    assert {juror for _, juror in joined.cells} == set(JURORS)


def test_official_figures_are_read_and_checked():
    rows = ("1,1,Ada Alt,21.50,21.50,1", "1,2,,20.1,,2", "1,,Cleo Ca,20,20,")
    sheet = parsed(file_of(*rows, header=OFFICIALS))
    assert sheet.officials == {
        1: Official(Decimal("21.50"), Decimal("21.50"), 1),
        2: Official(Decimal("20.1"), None, 2),
        3: Official(Decimal(20), Decimal(20), None),
    }
    assert (sheet.kind, sheet.is_whole) == (JuryFileKind.OFFICIALS, True)
    wrong = ("1,1,Ada Alt,21.50,21.50,1", "1,1,,20,20,2", "1,2,,,20,1", '1,3,,"20,5",20,x')
    assert sentences(file_of(*wrong, header=OFFICIALS)) == [
        (3, "Ada Alt stands already in line 2."),
        (4, "No official score."),
        (5, "“20,5” has a comma: write a point as the decimal sign."),
        (5, "“x” is not a rank."),
    ]


def test_stage_number_is_read_from_the_end_of_its_name():
    numbers = {"Stage I": 1, "stage iv": 4, "Stage 2": 2, "Etap III": 3, "Final": 4, "The Finals": 4}
    numbers |= dict.fromkeys(("Semi-final", "Gala", "Stage IX", "Stage 2025", ""))
    assert {name: number_named(name, DEFAULT.stages) for name in numbers} == numbers


def test_only_plain_decimals_are_numbers():
    texts = ("", "x", "1e1", "-1", "+1", "1.", ".5", "1.234", "1234", "１２", "1 2", "0x1")
    assert [text for text in texts if decimal_read(text) is not None] == []


def test_workbook_is_read_with_the_line_numbers_of_its_rows():
    book = Workbook()
    for fields in (HEADER.split(","), [], *(line.split(",") for line in WHOLE[:-1])):
        book.active.append([float(field) if field.isdigit() else field for field in fields])
    written = BytesIO()
    book.save(written)
    sheet = sheet_parse(jury_text(written.getvalue()), rule=DEFAULT, participants=PEOPLE, jurors=(), choices={})
    assert (sheet.marks, sheet.lines) == (5, 5)
    assert [each.line for each in sheet.faults] == [7]


def test_header_is_found_in_polish_and_german_below_titles():
    spellings = {
        "Etap;Nr startowy;Uczestnik;Juror;Ocena;Recused student": 2,
        "sep=;\nRUNDE;Startnummer;Teilnehmer;Jurymitglied;Wertung;recused_student": 3,
        "Marks of the jury\n\nStage;Start number;Participant;JUROR;score;recused": 4,
    }
    for header, line in spellings.items():
        sheet = parsed(file_of(*(row.replace(",", ";") for row in WHOLE), header=header))
        assert (sheet.is_whole, sheet.marks, sheet.unused) == (True, 6, ()), header
        assert min(each.line for each in sheet.people) == line, header


def test_error_of_a_spreadsheet_is_a_fault():
    lines = ("1,1,Ada Alt,#N/A,20,", "1,2,#REF!,Juror One,20,", "1,3,Cleo Ca,Juror One,#WERT!,")
    sheet = parsed(file_of(*lines))
    assert {fault.fault for fault in sheet.faults} == {JuryFault.ERROR_CELL}
    assert (sheet.jurors, sheet.left, fault_words(sheet.faults[0], texts("en"))) == (
        *([], 3),
        "“#N/A” is an error of the spreadsheet.",
    )


def test_other_files_are_refused():
    for text, message in (
        ("name,points\nx,1", "Missing required columns: stage, juror, score, start_number / participant"),
        ("stage,juror,score\n1,x,1", "Missing required columns: start_number / participant"),
        (f"{HEADER}\n" + "1,1,Ada Alt,x,1,\n" * 16_001, "has at most 16000 lines"),
        (f"{HEADER}\n" + "".join(f"1,1,Ada Alt,Juror {'x' * n},20,\n" for n in range(1, 42)), "at most 40 jurors"),
        (f"{HEADER}\n" + "".join(f"1,{n},,Juror One,20,\n" for n in range(1, 900)), "400 performers"),
        (f'{HEADER}\n1,1,Ada Alt,"Juror One,20,', "quotation mark is out of place"),
        ("x" * 1_000_001, "Error reading file"),
        ("", "Error reading file"),
    ):
        with pytest.raises(ValidationError) as error:
            parsed(text)
        assert message in " ".join(error.value.messages), text[:80]
