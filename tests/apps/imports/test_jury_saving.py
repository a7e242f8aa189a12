"""Test the saving of jury files: by command, twice, corrected, unpublished, concurrently, by administrators only."""

import io
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal

import pytest
from django.core.exceptions import PermissionDenied, ValidationError
from django.core.management import CommandError, call_command
from django.db import connection

from apps.accounts.actors import OPERATOR
from apps.competition.models import Participant, Stage
from apps.imports.models import JuryFile
from apps.imports.selectors.jury_files import jury_file_get, jury_files_own, jury_preview
from apps.imports.services.jury_files import (
    jury_file_choose,
    jury_file_clear,
    jury_file_save,
    jury_file_store,
)
from apps.jury.models import JurySheet
from apps.jury.selectors import jury_sheet, jury_sheet_newest
from apps.jury.services import sheet_publish, sheet_save, sheet_unpublish
from tests.apps.imports.jury_files import GOLDEN, HEADER, MARKS, NAMES, WHOLE, file_of, performers_store
from tests.apps.imports.workbooks import workbook_of
from tests.factories import AdminFactory, AppearanceFactory, ParticipantFactory, StageFactory, UserFactory, viewer_of

pytestmark = pytest.mark.django_db


def run(*arguments):
    """Return the printed lines and the exit code of the command."""
    printed = io.StringIO()
    try:
        call_command("import_jury", *arguments, stdout=printed, stderr=printed)
    except SystemExit as end:
        return printed.getvalue().splitlines(), int(end.code or 0)
    return printed.getvalue().splitlines(), 0


@pytest.fixture
def written(tmp_path):
    """Return a function that writes a file and returns its path."""

    def write(text):
        path = tmp_path / "marks.csv"
        path.write_text(text, encoding="utf-8")
        return str(path)

    return write


@pytest.fixture
def stage(db):
    for number, (first, second) in enumerate(NAMES, start=1):
        ParticipantFactory(first_name=first, second_name=second, start_number=number)
    return StageFactory(name="Stage I")


def test_command_saves_the_published_sheet_once():
    performers_store()
    stage = StageFactory(name="Stage I")
    lines, code = run("stage i", str(MARKS))
    assert (code, lines[-1]) == (0, "Draft saved. It is public when you publish it.")
    assert lines[0].startswith("84 performers, 17 jurors. Of 1428 lines: marks: ")
    assert run(str(stage.pk), str(GOLDEN))[1] == 0
    sheet = jury_sheet_newest(stage_id=stage.pk)
    assert (len(sheet.rows), sum(row.differs for row in sheet.rows), sheet.has_officials) == (84, 0, True)
    assert [run("Stage I", str(file))[0][-1] for file in (MARKS, GOLDEN)] == [
        "These marks are stored already: nothing changed."
    ] * 2
    assert JurySheet.objects.get().pk == sheet.id


def test_command_reads_a_chosen_sheet_of_a_workbook(stage, tmp_path):
    path = tmp_path / "jury.xlsx"
    lines = [HEADER.split(","), *(line.split(",") for line in WHOLE)]
    path.write_bytes(workbook_of(lines, more=["Notes"], hidden=(2,)))
    printed, code = run("Stage I", str(path), "--sheet", "people")
    assert (code, printed[0]) == (
        *(0,),
        "The sheet “People” is read. Not read: “Notes”. 1 hidden row is read too.",
    )
    with pytest.raises(CommandError, match="Missing required columns"):
        run("Stage I", str(path), "--sheet", "Notes")


def test_file_with_faults_is_reported_by_line_and_not_stored(stage, written):
    text = file_of(*WHOLE[1:], "1,1,Ada Alt,Juror One,25.5,", "1,,Nemo Ada,Juror One,20,", "1,,Nemo Ada,Juror Two,20,")
    lines, code = run("Stage I", written(text))
    assert (code, lines[-1], JurySheet.objects.count()) == (1, "Nothing was stored.", 0)
    assert "     7  “25.5” is not a mark from 1 to 25 with at most two decimals." in lines
    assert any(line.startswith("     8  Nemo Ada: no participant, perhaps 1 Ada Alt, ") for line in lines)


def test_dry_run_writes_no_sheet_and_bad_input_exits_with_2(stage, written):
    path = written(file_of(*WHOLE))
    assert run("Stage I", path, "--dry-run") == (
        ["3 performers, 2 jurors. Of 6 lines: marks: 6, recused: 0, left: 0."],
        0,
    )
    assert not JurySheet.objects.exists()
    for arguments in (("Stage IX", path), ("Stage I", "/nowhere.csv"), ("Stage I", written("name,points\nx,1"))):
        with pytest.raises(CommandError) as error:
            run(*arguments)
        assert error.value.returncode == 2


def test_command_needs_the_encoding_of_other_files_than_unicode(stage, tmp_path):
    path = tmp_path / "marks.csv"
    path.write_bytes(file_of(*WHOLE).replace("Juror One", "Łukasz Żółciński").encode("windows-1250"))
    with pytest.raises(CommandError, match="perhaps in windows-1250: give --encoding"):
        run("Stage I", str(path))
    assert run("Stage I", str(path), "--encoding", "windows-1250")[1] == 0
    assert "Łukasz Żółciński" in [juror.name for juror in jury_sheet_newest(stage_id=stage.pk).jurors]


def test_corrected_file_becomes_a_draft_and_is_published(stage, written):
    run("Stage I", written(file_of(*WHOLE)))
    first = JurySheet.objects.get().pk
    sheet_publish(actor=OPERATOR, sheet_id=first)
    corrected = file_of(*WHOLE).replace("Ada Alt,Juror One,20", "Ada Alt,Juror One,S")
    preview = jury_preview(text=corrected, stage_id=stage.pk, stage=stage.name, choices={})
    assert [(each.juror, each.before, each.after) for each in preview.changes] == [("Juror One", 20, "S")]
    run("Stage I", written(corrected))
    assert jury_sheet(stage_id=stage.pk).id == first
    draft = jury_sheet_newest(stage_id=stage.pk)
    assert (draft.state, draft.content.marks[draft.rows[0].participant_id, "Juror Two"]) == ("draft", 21)
    sheet_publish(actor=OPERATOR, sheet_id=draft.id)
    sheet_unpublish(actor=OPERATOR, sheet_id=draft.id)
    assert jury_sheet(stage_id=stage.pk) is None
    assert run("Stage I", written(corrected))[0][-1] == "These marks are stored already: nothing changed."


def test_official_scores_must_be_of_the_stage_of_the_sheet(stage, written):
    gala = StageFactory(name="Gala")
    third = file_of(*(f"III{line[1:]}" for line in WHOLE))
    assert run("Gala", written(third))[1] == 0
    assert JurySheet.objects.get(stage=gala).place == 3
    golden = "stage,start_number,official_stage_score\n2,1,20.5"
    lines, code = run("Gala", written(golden))
    assert (code, lines[1]) == (1, "     2  The file is of stage 2; the stored marks are those of stage 3.")
    other = "stage,start_number,official_stage_score\n3,1,20.5"
    ParticipantFactory(start_number=9, first_name="Dora", second_name="Do")
    lines, _ = run("Gala", written(f"{other}\n3,9,20"))
    assert lines[1] == "     3  No marks of Dora Do are stored."


def stored(actor, stage, *, text=None):
    jury_file_store(
        actor=actor, stage_id=stage.pk, content=(text or file_of(*WHOLE)).encode("utf-16"), file_name="a.csv"
    )
    file = jury_file_get(user_id=actor.id)
    return jury_preview(text=file.text, stage_id=file.stage_id, stage=file.stage, choices=file.choices)


def test_file_is_kept_until_it_is_saved_or_its_stage_is_deleted(stage):
    boss = viewer_of(AdminFactory())
    preview = stored(boss, stage)
    assert jury_files_own(user_id=boss.id)["jury_file"]["file_name"] == "a.csv"
    jury_file_save(actor=boss, version=preview.version)
    assert (JuryFile.objects.count(), jury_files_own(user_id=boss.id)) == (0, {"jury_file": None})
    with pytest.raises(ValidationError, match="no file to save"):
        jury_file_save(actor=boss, version=preview.version)
    stored(boss, stage)
    Stage.objects.filter(pk=stage.pk).delete()
    assert not JuryFile.objects.exists()


def test_file_with_faults_is_not_saved(stage):
    boss = viewer_of(AdminFactory())
    preview = stored(boss, stage, text=file_of(*WHOLE[:-1]))
    with pytest.raises(ValidationError, match="Nothing was stored"):
        jury_file_save(actor=boss, version=preview.version)
    with pytest.raises(ValidationError, match="changed meanwhile"):
        jury_file_save(actor=boss, version="")
    assert not JurySheet.objects.exists()


def test_choice_is_stored_replaced_and_removed(stage):
    boss = viewer_of(AdminFactory())
    preview = stored(boss, stage, text=file_of(*(line.replace("1,1,Ada Alt", "1,,Ada") for line in WHOLE)))
    (who,) = preview.sheet.fields
    choices = lambda: JuryFile.objects.get().choices  # noqa: E731 - read again each time
    one = next(each for each in preview.people if each.name == "Ada Alt")
    jury_file_choose(actor=boss, chosen={who.mark: f"1 Ada Alt, {one.country}", "who-9-9": "x"})
    assert choices() == {who.mark: one.id}
    with pytest.raises(ValidationError) as error:
        jury_file_choose(actor=boss, chosen={who.mark: "Ada Alt"})
    assert list(error.value.message_dict) == [who.mark]
    jury_file_choose(actor=boss, chosen={who.mark: ""})
    assert choices() == {}


def test_stage_is_proposed_by_number_and_performers_and_can_be_changed(stage):
    boss, gala, other = viewer_of(AdminFactory()), StageFactory(name="Gala"), StageFactory(name="Preliminary Round")

    def proposed(*lines):
        try:
            jury_file_store(actor=boss, stage_id=None, content=file_of(*lines).encode())
        except ValidationError as error:
            return error.messages[0]
        return JuryFile.objects.get().stage.name

    no_stage = "No stage of the site is certain by this file’s number and performers. Please choose a stage."
    second = [line.replace("1,", "2,", 1) for line in WHOLE]
    assert [proposed(*WHOLE), proposed(*second)] == ["Stage I", no_stage]
    for participant in Participant.objects.all():
        AppearanceFactory(session__stage=gala, participant=participant)
    AppearanceFactory(session__stage=other)
    assert [proposed(*WHOLE), proposed(*second)] == ["Gala", "Gala"]
    AppearanceFactory(session__stage=stage, participant=Participant.objects.get(start_number=1))
    assert [proposed(*WHOLE), proposed(*second)] == ["Stage I", "Gala"]
    jury_file_choose(actor=boss, chosen={}, stage_id=other.pk)
    assert JuryFile.objects.get().stage == other
    with pytest.raises(ValidationError, match="Please choose a stage"):
        jury_file_choose(actor=boss, chosen={}, stage_id=10**9)


def test_sheet_that_cannot_be_published_is_refused_at_reading(stage, written):
    demo = StageFactory(name="Preliminary Round")
    marks = {(ParticipantFactory().pk, "Judge"): Decimal(20)}
    sheet_publish(actor=OPERATOR, sheet_id=sheet_save(actor=OPERATOR, stage_id=demo.pk, place=1, marks=marks).sheet_id)
    assert run("Stage I", written(file_of(*WHOLE)))[1] == 0  # number 1 of other performers
    sheet_publish(actor=OPERATOR, sheet_id=jury_sheet_newest(stage_id=stage.pk).id)
    gala = StageFactory(name="Gala")
    lines, code = run("Gala", written(file_of(*WHOLE)))
    taken = "Stage 1 of these performers is published for Stage I: choose that stage, or take its sheet back."
    assert (code, lines[1]) == (1, f"     2  {taken}")
    ids = Participant.objects.values_list("pk", flat=True)
    saved = sheet_save(actor=OPERATOR, stage_id=gala.pk, place=1, marks={(pk, "Judge"): Decimal(20) for pk in ids})
    with pytest.raises(ValidationError, match="Stage number 1 is published for"):
        sheet_publish(actor=OPERATOR, sheet_id=saved.sheet_id)


def test_only_administrators_import_the_jury(stage):
    fan = viewer_of(UserFactory())
    for write in (
        lambda: jury_file_store(actor=fan, stage_id=stage.pk, content=b"x"),
        lambda: jury_file_choose(actor=fan, chosen={}),
        lambda: jury_file_save(actor=fan, version=""),
        lambda: jury_file_clear(actor=fan),
    ):
        with pytest.raises(PermissionDenied):
            write()


@pytest.mark.django_db(transaction=True)
def test_second_of_two_concurrent_saves_is_refused(stage):
    bosses = [viewer_of(AdminFactory()) for _ in range(2)]
    versions = [
        stored(boss, stage, text=file_of(*WHOLE).replace(",21,", f",{mark},")).version
        for boss, mark in zip(bosses, (22, 23), strict=True)
    ]

    def save(turn):
        try:
            return jury_file_save(actor=bosses[turn], version=versions[turn]).is_changed
        except ValidationError as error:
            return error.messages[0]
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as pool:
        results = list(pool.map(save, range(2)))
    assert sorted(map(str, results)) == [
        "The file or the stored sheet was changed meanwhile. Please look at it again.",
        "True",
    ]
    assert (JurySheet.objects.count(), JuryFile.objects.count()) == (1, 1)
