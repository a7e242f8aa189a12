"""Test participant files with the commands of the page and of the terminal."""

import io
import json
import sys

import pytest
from django.core.exceptions import ValidationError
from django.core.management import CommandError, call_command

from apps.competition.models import Participant, Piece
from apps.core.commands import REGISTERED, Arguments
from apps.core.texts import texts
from apps.imports.models import ParticipantImport
from apps.imports.participant_files.columns import COLUMNS
from apps.imports.selectors.participant_files import import_get
from tests.apps.imports.participant_files import KANADE, NOCTURNE, NUTSA, RONDO, ZOFIA, file_of, stored
from tests.apps.imports.workbooks import workbook_of
from tests.factories import ParticipantFactory

pytestmark = pytest.mark.django_db


def answer(admin, name: str, argument: object, **fields: str) -> dict:
    return REGISTERED[name].answer(admin, Arguments(str(argument), fields), texts("en"))


def test_save_and_undo_report_their_counts(admin):
    file = stored(admin, ZOFIA, KANADE).pk
    assert answer(admin, "import_save", file) == {
        "ok": True,
        "text": "Successfully loaded 2 participants\nParticipants: 2 new, 0 existing. Pieces: 2 new, 0 existing."
        "\n2 rows saved.",
        "go": f"/admin/import?file={file}",
    }
    assert answer(admin, "import_undo", file)["text"] == "Taken back: 2 participants, 2 pieces."
    assert not Participant.objects.exists()


def test_preview_choices_are_commands(admin):
    file = stored(admin, NUTSA).pk
    answer(admin, "import_category_set", f"{file}:1:1", category="scherzo")
    answer(admin, "import_read_again", file, encoding="windows-1252")
    shown = import_get(import_id=file)
    assert (shown.encoding, shown.counts.new, shown.counts.undecided) == ("windows-1252", 1, 0)
    for wrong in ({"encoding": "ebcdic"}, {"delimiter": "colon"}):
        with pytest.raises(ValidationError):
            answer(admin, "import_read_again", file, **wrong)
    answer(admin, "import_clear", file)
    assert import_get(import_id=file) is None


def run(*arguments: str) -> tuple[str, int]:
    """Return the output of the command and its exit code."""
    printed = io.StringIO()
    try:
        call_command("import_participants", *arguments, stdout=printed, stderr=io.StringIO())
    except SystemExit as end:
        return printed.getvalue(), int(end.code or 0)
    except CommandError as error:
        return str(error), error.returncode
    return printed.getvalue(), 0


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "participants.csv"
    path.write_bytes(file_of(ZOFIA, KANADE))
    return path


def test_command_saves_a_file_and_prints_the_summary(file):
    counts = "Participants: {0} new, {1} existing. Pieces: {0} new, {1} existing.\n2 rows saved.\n"
    assert run(str(file)) == ("Successfully loaded 2 participants\n" + counts.format(2, 0), 0)
    assert ParticipantImport.objects.get().file_name == "participants.csv"
    assert run(str(file)) == ("Successfully loaded 0 participants\n" + counts.format(0, 2), 0)


def test_unsaved_rows_are_printed_with_exit_code_one(file):
    file.write_bytes(file_of(ZOFIA, NUTSA, "Ugnė|Vėtraitė|Lithuania|Noktiurnas op. 62||||", "short"))
    printed, code = run(str(file))
    assert code == 1
    assert printed.splitlines()[2:] == [
        "1 row saved. Not saved: 1 to decide, 1 bad, 1 short, skipped.",
        f"     3  undecided  Nutsa Khvedeliani, Georgia  ->  category of {RONDO}",
        "     4  bad        Ugnė Vėtraitė, Lithuania  ->  Invalid piece format: Piece1: “Noktiurnas op. 62”",
        "     5  short      short ,   ->  Fewer columns than the header: 1/8",
    ]
    assert [each.second_name for each in Participant.objects.all()] == ["Łęcka"]


def test_dry_run_writes_no_rows_and_prints_one_json_object_per_row(file):
    printed, code = run(str(file), "--dry-run", "--json")
    rows = [json.loads(line) for line in printed.splitlines()]
    assert (code, [row["line"] for row in rows], rows[1]["status"]) == (0, [2, 3], "new")
    piece = {"name": NOCTURNE, "category": "nocturn", "key": "D-flat major", "opus": "27", "number": 2}
    assert rows[1]["pieces"] == [piece]
    assert (rows[1]["first_name"], rows[1]["country"], rows[1]["problem"]) == ("Kanade", "Japan", "")
    assert not Participant.objects.exists()
    assert not Piece.objects.exists()
    assert not ParticipantImport.objects.exists()


def test_row_of_an_uncertain_person_is_left_out_and_printed(file):
    ParticipantFactory(first_name="Zofia", second_name="Lecka", country="Poland")
    printed, code = run(str(file))
    assert code == 1
    expected = "     2  undecided  Zofia Łęcka, Poland  ->  Perhaps the same person: Zofia Lecka, Poland"
    assert expected in printed.splitlines()


def test_encodings_other_than_unicode_must_be_given(file):
    names = {"gb18030": "云迪", "euc-kr": "성진", "iso-8859-2": "Świętosława"}
    for encoding, name in (names | {"windows-1251": "Наталья"}).items():
        file.write_bytes(file_of(f"{name}|Nowak|Poland|||||", encoding=encoding))
        count = ParticipantImport.objects.count()
        printed, code = run(str(file))
        assert (code, printed.endswith("give --encoding.")) == (2, True), encoding
        assert ParticipantImport.objects.count() == count, encoding
        assert run(str(file), "--encoding", encoding)[1] == 0, encoding
        assert Participant.objects.latest("pk").first_name == name


def test_standard_input_is_read(monkeypatch):
    content = file_of(ZOFIA, encoding="windows-1250")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))
    sentence = "This file is not in UTF-8, perhaps in windows-1250: give --encoding."
    assert run("-") == (sentence, 2)
    assert not Participant.objects.exists()
    assert not ParticipantImport.objects.exists()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))
    assert run("-", "--encoding", "windows-1250")[1] == 0
    assert Participant.objects.get().second_name == "Łęcka"
    assert ParticipantImport.objects.get().file_name == "standard input"


def test_bad_input_exits_with_a_sentence_and_code_two(file):
    for content, sentence in (
        (b"", "Error reading file"),
        (b"PK\x03\x04\x00", "Error reading file"),
        (b"x" * (5 * 1024 * 1024 + 1), "Error reading file"),
        (b"FirstName|LastName|Country|Piece1|Piece2|Piece3|Piece4", "Missing required columns: Piece5"),
    ):
        file.write_bytes(content)
        printed, code = run(str(file))
        assert (code, printed.startswith(sentence)) == (2, True), content[:80]
    for missing in (file.with_name("missing.csv"), file.parent):
        assert run(str(missing)) == ("Error reading file", 2)
    assert not ParticipantImport.objects.exists()


def test_command_reads_workbooks_and_people_only(tmp_path):
    book = tmp_path / "people.xlsx"
    book.write_bytes(workbook_of([("FirstName", "LastName", "Country", "StartNumber"), ("Ewa", "Lis", "Poland", 12)]))
    printed, code = run(str(book))
    assert (printed.startswith("Missing required columns: Piece1, Piece2, Piece3, Piece4, Piece5\n"), code) == (True, 2)
    printed, code = run(str(book), "--people-only")
    assert (code, printed.splitlines()[:2]) == (
        0,
        ["The sheet “People” is read.", "Successfully loaded 1 participants"],
    )
    assert Participant.objects.get().start_number == 12
    stored_file = ParticipantImport.objects.get()
    assert (stored_file.kind, stored_file.is_people_only, stored_file.sheet) == ("xlsx", True, "People")


def test_command_says_which_sheet_and_hidden_rows_it_reads(tmp_path, file):
    book = tmp_path / "people.xlsx"
    rows = [COLUMNS, ("Ewa", "Lis", "Poland"), ("Jan", "Lis", "Poland"), ("Ola", "Lis", "Poland", "?")]
    book.write_bytes(workbook_of(rows, more=["Old", "Older"], hidden=(3, 4)))
    printed, code = run(str(book))
    lines = printed.splitlines()
    read = "The sheet “People” is read. Not read: “Old”, “Older”. 2 hidden rows are read too."
    assert (code, lines[0], lines[3]) == (
        *(1, read),
        "2 rows saved. 1 of them is hidden in the workbook. Not saved: 1 bad.",
    )
    printed, code = run(str(book), "--sheet", "old")
    assert (code, printed.splitlines()[1:]) == (
        *(2,),
        [
            "Line 1 was taken for the header. Its columns: Not, read",
            "The sheet “Old” was read. Others: “People”, “Older”.",
        ],
    )
    assert run(str(book), "--sheet", "New") == (
        "Error reading file\nThis workbook has no sheet “New”. It has “People”, “Old”, “Older”.",
        2,
    )
    assert run(str(file), "--sheet", "Old") == ("This file is no workbook: leave --sheet out.", 2)


def test_delimiter_is_guessed_and_can_be_given(file):
    file.write_bytes(file_of(ZOFIA).replace(b"|", b"\t"))
    printed, code = run(str(file), "--dry-run", "--json")
    assert (code, json.loads(printed)["last_name"]) == (0, "Łęcka")
    printed, code = run(str(file), "--dry-run", "--delimiter", "comma")
    assert (printed.startswith("Missing required columns: FirstName"), code) == (True, 2)
