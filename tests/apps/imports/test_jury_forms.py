"""Test the forms of jury files that organisers send: a matrix, decimal commas, other encodings, misspelled names."""

import csv
import io

import pytest
from django.core.exceptions import ValidationError

from apps.competition.selectors.admin.participants import participant_names
from apps.core.texts import texts
from apps.imports.enums import FileEncoding, JuryFault
from apps.imports.jury_files.sheets import sheet_parse
from apps.imports.jury_files.summary import counts_words, fault_words
from apps.imports.models import JuryFile
from apps.imports.selectors.jury_files import jury_file_get, jury_file_preview
from apps.imports.services.jury_files import (
    jury_file_choose,
    jury_file_read_again,
    jury_file_save,
    jury_file_store,
)
from apps.jury.rules import DEFAULT
from apps.jury.selectors import jury_sheet_newest
from tests.apps.imports.jury_files import (
    JURORS,
    MARKS,
    NAMES,
    OFFICIALS,
    PEOPLE,
    WHOLE,
    file_of,
    jury_text,
    parsed,
    performers_store,
)
from tests.apps.imports.test_jury_saving import run
from tests.factories import AppearanceFactory, ParticipantFactory, SessionFactory, StageFactory

MATRIX = ("Nr startowy;Uczestnik;Juror One;Juror Two;Średnia", "1;Ada Alt;20;21;20.5", "2;Bo Bach;20;S;20", "3;;20;21;")


def matrix_of(long: str, sign: str = ";") -> str:
    """Return the marks of a file in the long form as a matrix."""
    rows = list(csv.DictReader(io.StringIO(long)))
    jurors = list(dict.fromkeys(row["juror"] for row in rows))
    people: dict[tuple[str, str], dict[str, str]] = {}
    for row in rows:
        person = people.setdefault((row["start_number"], row["participant"]), {})
        person[row["juror"]] = row["score"] or row["recused_student"]
    written = io.StringIO()
    writer = csv.writer(written, delimiter=sign)
    writer.writerow(["start_number", "participant", *jurors])
    writer.writerows([number, name, *(marks[juror] for juror in jurors)] for (number, name), marks in people.items())
    return written.getvalue()


def words(sheet):
    return [(fault.line, fault_words(fault, texts("en"))) for fault in sheet.faults]


@pytest.mark.django_db
def test_matrix_of_the_published_marks_is_the_same_sheet():
    performers_store()
    people, text = participant_names(), MARKS.read_text(encoding="utf-8")
    read = lambda each: sheet_parse(jury_text(each.encode()), rule=DEFAULT, participants=people, jurors=(), choices={})  # noqa: E731
    long, matrix = read(text), read(matrix_of(text))
    assert (matrix.is_whole, matrix.is_matrix, matrix.place, len(matrix.people), len(matrix.jurors)) == (
        *(True, True, None),
        *(84, 17),
    )
    assert matrix.content.digest == long.content.digest
    assert counts_words(matrix, texts("en")).startswith("84 performers, 17 jurors. Of 1428 cells: marks: ")


def test_matrix_has_a_line_a_performer():
    sheet = parsed("\n".join(MATRIX))
    assert (sheet.is_whole, sheet.marks, sheet.recused, sheet.unused) == (True, 5, 1, ("Średnia",))
    wrong = parsed("\n".join([*MATRIX[:3], "3;Cleo Ca;26;", "9;;20;21"]))
    assert words(wrong) == [
        (4, "“26” is not a mark from 1 to 25 with at most two decimals."),
        (4, "No mark of Juror Two for Cleo Ca."),
    ]
    assert [each.words for each in wrong.undecided] == ["9"]
    twice = parsed("\n".join([MATRIX[0].replace("Two;Średnia", "Two;One Juror"), "1;Ada Alt;20;21;20"]))
    assert words(twice) == [(2, "Ada Alt has a mark of Juror One already, in line 2.")]
    with pytest.raises(ValidationError, match="Two columns are of the juror Juror One"):
        parsed("\n".join([MATRIX[0].replace("Two", "One"), "1;Ada Alt;20;21;20"]))
    staged = parsed("\n".join(["Etap;" + MATRIX[0], "II;" + MATRIX[1]]))
    assert (staged.place, staged.is_whole) == (2, True)


def test_decimal_commas_are_recognised_and_read_as_points():
    long = [line.replace(",20,", ",20.5,") for line in WHOLE]
    comma = file_of(*long).replace(",", ";").replace(".", ",")
    figures = file_of("1;1;;21,50;21,5;1", header=OFFICIALS.replace(",", ";"))
    matrix = "\n".join(MATRIX).replace("20.5", "20,5").replace("1;Ada Alt;20;", "1;Ada Alt;20,25;")
    for text, count in ((comma, 3), (figures, 2), (matrix, 1)):
        sheet = parsed(text)
        assert (sheet.commas, sheet.has_comma_faults, sheet.is_whole) == (count, True, False), text
        assert {each.fault for each in sheet.faults} == {JuryFault.COMMA}
        read = sheet_parse(
            jury_text(text.encode()), rule=DEFAULT, participants=PEOPLE, jurors=(), choices={}, is_decimal_comma=True
        )
        assert (read.commas, read.has_comma_faults, read.is_whole) == (count, False, True), text
    same = sheet_parse(
        jury_text(comma.encode()), rule=DEFAULT, participants=PEOPLE, jurors=(), choices={}, is_decimal_comma=True
    )
    assert same.content.digest == parsed(file_of(*long)).content.digest
    assert not parsed(comma.replace("20,5", "2,0,5")).commas


def test_misspelled_performer_is_one_question():
    lines = [*WHOLE[:5], WHOLE[5].replace("3,Cleo Ca", ",Cleo Cah")]
    sheet = parsed(file_of(*lines))
    assert (words(sheet), [each.words for each in sheet.undecided]) == ([], ["Cleo Cah"])
    (who,) = sheet.fields
    assert parsed(file_of(*lines), choices={who.mark: 3}).is_whole
    swapped = [line.replace("1,Ada Alt", "2,Ada Alt") for line in WHOLE]
    assert words(parsed(file_of(*swapped))) == [
        (2, "Start number 2 and the name Ada Alt are not the same participant’s.")
    ]


def test_new_juror_beside_a_vanished_one_is_a_question():
    lines = [line.replace("Juror One", "Jurar Ono") for line in WHOLE]
    assert parsed(file_of(*lines)).is_whole
    assert parsed(file_of(*lines), jurors=("Juror One", "Juror Three")).is_whole  # of another jury
    stored = (*JURORS, "Juror Three")
    sheet = parsed(file_of(*lines), jurors=stored)
    assert (sheet.is_whole, sheet.vanished) == (False, ("Juror One", "Juror Three"))
    (juror,) = sheet.open_jurors
    for name, names in (("Juror One", set(JURORS)), ("Jurar Ono", {"Jurar Ono", "Juror Two"})):
        chosen = parsed(file_of(*lines), jurors=stored, choices={juror.mark: name})
        assert (chosen.is_whole, {each for _, each in chosen.cells}) == (True, names)
    forged = parsed(file_of(*lines), jurors=stored, choices={juror.mark: "Somebody"})
    assert not forged.is_whole


@pytest.fixture
def stage(db):
    for number, (first, second) in enumerate(NAMES, start=1):
        ParticipantFactory(first_name=first, second_name=second, start_number=number)
    return StageFactory(name="Stage I")


def test_guessed_encoding_is_confirmed_or_changed_before_a_save(admin, stage):
    content = file_of(*WHOLE).replace("Juror One", "Łukasz Żółciński").encode("windows-1250")
    jury_file_store(actor=admin, stage_id=stage.pk, content=content)
    version = jury_file_preview(jury_file_get(user_id=admin.id)).version
    with pytest.raises(ValidationError, match="is a guess"):
        jury_file_save(actor=admin, version=version)
    for encoding in (FileEncoding.WINDOWS_1252, FileEncoding.WINDOWS_1250):
        jury_file_read_again(actor=admin, encoding=encoding)
        shown = jury_file_get(user_id=admin.id)
        names = [each.name for each in jury_file_preview(shown).sheet.jurors]
        assert ("Łukasz Żółciński" in names) == (encoding is FileEncoding.WINDOWS_1250)
    jury_file_save(actor=admin, version=jury_file_preview(shown).version)
    assert "Łukasz Żółciński" in [each.name for each in jury_sheet_newest(stage_id=stage.pk).jurors]
    jury_file_store(actor=admin, stage_id=stage.pk, content=file_of(*WHOLE).encode())
    assert bytes(JuryFile.objects.get().content) == b""
    with pytest.raises(ValidationError, match="no file"):
        jury_file_read_again(actor=admin, encoding=FileEncoding.WINDOWS_1252)


def test_matrix_is_proposed_to_the_stage_of_its_performers(admin, stage):
    final = StageFactory(name="Final")
    gala = StageFactory(name="Gala")
    for each, count in ((stage, 3), (final, 2)):
        session = SessionFactory(stage=each)
        for person in participant_names()[:count]:
            AppearanceFactory(session=session, participant_id=person.id)
    two = "\n".join(MATRIX[:3]).encode()
    jury_file_store(actor=admin, stage_id=None, content=two)
    shown = jury_file_get(user_id=admin.id)
    assert (shown.stage_id, jury_file_preview(shown).place) == (final.pk, 4)
    jury_file_choose(actor=admin, chosen={}, stage_id=gala.pk)
    faults = jury_file_preview(jury_file_get(user_id=admin.id)).sheet.faults
    assert [each.fault for each in faults] == [JuryFault.STAGE_NONE]


def test_command_reads_commas_and_asks_about_new_jurors(stage, tmp_path):
    path = tmp_path / "marks.csv"
    comma = "\n".join(MATRIX).replace("1;Ada Alt;20;", "1;Ada Alt;20,25;")
    path.write_text(comma, encoding="utf-8")
    lines, code = run("Stage I", str(path))
    assert (code, lines[1]) == (1, "1 mark has a decimal comma. Give --decimal-comma.")
    assert run("Stage I", str(path), "--decimal-comma")[1] == 0
    path.write_text(comma.replace("Juror One", "Jurar Ono"), encoding="utf-8")
    lines, code = run("Stage I", str(path), "--decimal-comma")
    assert (code, lines[1]) == (1, "     2  Jurar Ono: new juror, perhaps Juror One; give --new-jurors if not")
    assert run("Stage I", str(path), "--decimal-comma", "--new-jurors")[1] == 0
