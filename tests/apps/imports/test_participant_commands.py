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
from apps.imports.selectors import import_get
from tests.apps.imports.participant_files import KANADE, ZOFIA, file_of, stored
from tests.factories import ParticipantFactory

pytestmark = pytest.mark.django_db
RONDO = "Rondo in E-flat major, Op. 16"
NUTSA = f"Nutsa|Khvedeliani|Georgia|{RONDO}||||"


def answer(admin, name: str, argument: object, **fields: str) -> dict:
    return REGISTERED[name].answer(admin, Arguments(str(argument), fields), texts("en"))


def test_saving_says_how_many_and_they_can_be_taken_back(admin):
    file = stored(admin, ZOFIA, KANADE).pk
    assert answer(admin, "import_save", file) == {
        "ok": True,
        "text": "Successfully loaded 2 participants\nParticipants: 2 new, 0 existing. Pieces: 2 new, 0 existing."
        "\n2 rows saved.",
        "go": f"/admin/import?file={file}",
    }
    assert answer(admin, "import_undo", file)["text"] == "Taken back: 2 participants, 2 pieces."
    assert not Participant.objects.exists()


def test_choices_of_the_preview_are_commands(admin):
    file = stored(admin, NUTSA).pk
    answer(admin, "import_category_set", f"{file}:1:1", category="scherzo")
    answer(admin, "import_encoding_set", file, encoding="windows-1252")
    shown = import_get(import_id=file)
    assert (shown.encoding, shown.counts.new, shown.counts.undecided) == ("windows-1252", 1, 0)
    with pytest.raises(ValidationError):
        answer(admin, "import_encoding_set", file, encoding="")
    answer(admin, "import_clear", file)
    assert import_get(import_id=file) is None


def run(*arguments: str) -> tuple[str, int]:
    """Return what the command prints and its exit code."""
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


def test_a_terminal_saves_a_file_and_says_what_came_of_it(file):
    printed = "Successfully loaded 2 participants\nParticipants: 2 new, 0 existing. Pieces: 2 new, 0 existing.\n"
    printed += "2 rows saved.\n"
    assert run(str(file)) == (printed, 0)
    assert ParticipantImport.objects.get().file_name == "participants.csv"
    printed = "Successfully loaded 0 participants\nParticipants: 0 new, 2 existing. Pieces: 0 new, 2 existing.\n"
    printed += "2 rows saved.\n"
    assert run(str(file)) == (printed, 0)


def test_what_is_left_out_is_printed_and_makes_the_exit_code_one(file):
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


def test_a_dry_run_writes_nothing_and_json_is_an_object_a_row(file):
    printed, code = run(str(file), "--dry-run", "--json")
    rows = [json.loads(line) for line in printed.splitlines()]
    assert (code, [row["line"] for row in rows], rows[1]["status"]) == (0, [2, 3], "new")
    assert rows[1]["pieces"] == [
        {
            "name": "Nocturne in D-flat major, Op. 27 No. 2",
            "category": "nocturn",
            "key": "D-flat major",
            "opus": "27",
            "number": 2,
        }
    ]
    assert (rows[1]["first_name"], rows[1]["country"], rows[1]["problem"]) == ("Kanade", "Japan", "")
    assert not Participant.objects.exists()
    assert not Piece.objects.exists()
    assert not ParticipantImport.objects.exists()


def test_a_row_whose_person_is_not_certain_is_left_out_and_said(file):
    ParticipantFactory(first_name="Zofia", second_name="Lecka", country="Poland")
    printed, code = run(str(file))
    assert code == 1
    expected = "     2  undecided  Zofia Łęcka, Poland  ->  Perhaps the same person: Zofia Lecka, Poland"
    assert expected in printed.splitlines()


@pytest.mark.parametrize("encoding", ["gb18030", "euc-kr", "iso-8859-2", "koi8-r", "windows-1251", "mac-roman"])
def test_no_file_that_is_not_unicode_is_saved_without_its_encoding(file, encoding):
    name = {"gb18030": "云迪", "euc-kr": "성진", "iso-8859-2": "Świętosława", "mac-roman": "Jürgen"}.get(
        encoding, "Ольга"
    )
    file.write_bytes(file_of(f"{name}|Nowak|Poland|||||", encoding=encoding))
    printed, code = run(str(file))
    assert (code, printed.endswith("give --encoding.")) == (2, True)
    assert not ParticipantImport.objects.exists()
    chosen = "macintosh" if encoding == "mac-roman" else encoding
    assert run(str(file), "--encoding", chosen)[1] == 0
    assert Participant.objects.get().first_name == name


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


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "Error reading file"),
        (b"PK\x03\x04\x00", "Error reading file"),
        (b"x" * (5 * 1024 * 1024 + 1), "Error reading file"),
        (b"FirstName|LastName|Country|Piece1|Piece2|Piece3|Piece4", "Missing required columns: Piece5"),
    ],
)
def test_bad_input_is_a_sentence_and_exit_code_two(file, content, sentence):
    file.write_bytes(content)
    printed, code = run(str(file))
    assert (code, printed.startswith(sentence)) == (2, True)
    assert not ParticipantImport.objects.exists()


def test_a_file_that_is_not_there_is_said_so(tmp_path):
    assert run(str(tmp_path / "nothing.csv")) == ("Error reading file", 2)
    assert run(str(tmp_path)) == ("Error reading file", 2)
