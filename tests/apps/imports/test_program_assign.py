"""Test the replacement of an appearance's program by a pasted one: kept rows, confirmations, refusals, races."""

import io
import json
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import pytest
from django.core.exceptions import PermissionDenied, ValidationError
from django.core.management import CommandError, call_command
from django.db import connection, transaction

from apps.accounts.actors import OPERATOR
from apps.competition.models import Participant, Piece, ProgramEntry
from apps.competition.selectors.admin.programs import program_admin
from apps.competition.services.catalogue import catalogue_load
from apps.competition.services.program_undo import program_undo
from apps.core.edits import ConfirmationNeeded
from apps.imports.models import ProgramText
from apps.imports.program_lines.decisions import Decisions
from apps.imports.program_lines.lines import program_read
from apps.imports.selectors.programs import catalogue_get, program_assigned_to, programs_preview
from apps.imports.services.programs import BlockChoices, program_text_clear, program_text_store, programs_assign
from tests.factories import AdminFactory, AppearanceFactory, PieceRatingFactory, UserFactory, viewer_of

TEXT = """Etude in C major, Op. 10 No. 1
Mazurka in A minor, Op. 17 No. 4 https://youtu.be/XXXXXXXXXXX?t=95
Nocturne in C minor
Barcarolle in F-sharp major, Op. 160
20:40"""


@pytest.fixture
def catalogue(db):
    catalogue_load()


@pytest.fixture
def boss(db):
    return viewer_of(AdminFactory())


@pytest.fixture
def appearance(catalogue):
    return AppearanceFactory()


def program(appearance):
    """Return opus, number, slot, second and link of each program entry, in order."""
    entries = ProgramEntry.objects.filter(appearance=appearance).select_related("piece")
    return [
        (entry.piece.opus, entry.piece.number, entry.slot, entry.timestamp, entry.youtube_url)
        for entry in entries.order_by("order_number")
    ]


def piece(opus, number=None):
    return Piece.objects.get(opus=opus, number=number)


def test_text_becomes_the_program_in_its_order(boss, appearance):
    done = programs_assign(actor=boss, appearance_id=appearance.pk, text=TEXT)
    assert (done.pieces, [line.number for line in done.missing]) == (2, [3, 4])
    assert program(appearance) == [
        ("10", 1, "etiuda_a", None, ""),
        ("17", 4, "mazurek", 95, "https://youtu.be/XXXXXXXXXXX?t=95"),
    ]
    assert ProgramText.objects.get(user_id=boss.id).text == TEXT  # the missing lines can still be assigned


def test_decisions_choose_pieces_and_slots(boss, appearance):
    text = f"{TEXT}\nNocturnes Op. 27\nEtude in D major, Op. 10 No. 1\nEtude in E major, Op. 10 No. 3"
    text += "\nMazurkas Op. 24 (excerpts)"
    marks = [line.mark for line in program_read(text, catalogue_get())]
    decided = Decisions(
        slots={(marks[7], piece("10", 3).pk): "nocturn"},
        taken={marks[5]: frozenset({piece("27", 2).pk}), marks[8]: frozenset({piece("24", 2).pk, piece("24", 4).pk})},
        picked={marks[2]: piece("48", 1).pk, marks[6]: piece("10", 1).pk},
        named={marks[3]: "Scherzo in E major, Op. 54"},
    )
    done = programs_assign(actor=boss, appearance_id=appearance.pk, text=text, decisions=decided)
    assert (done.pieces, done.missing) == (8, ())
    assert [entry[:3] for entry in program(appearance)] == [
        ("10", 1, "etiuda_a"),
        ("17", 4, "mazurek"),
        ("48", 1, "nocturn"),
        ("54", None, "scherzo"),
        ("27", 2, "nocturn"),
        ("10", 3, "nocturn"),
        ("24", 2, "mazurek"),
        ("24", 4, "mazurek"),
    ]
    assert not ProgramText.objects.exists()


def test_unknown_name_is_refused_at_its_field(boss, appearance):
    mark = program_read(TEXT, catalogue_get())[3].mark
    decided = Decisions(named={mark: "Barcarole"})
    with pytest.raises(ValidationError) as error:
        programs_assign(actor=boss, appearance_id=appearance.pk, text=TEXT, decisions=decided)
    assert list(error.value.message_dict) == [f"name-{mark}"]


def test_remaining_piece_keeps_its_row_link_and_second(boss, appearance):
    first = "Etude in C major, Op. 10 No. 1 https://youtu.be/XXXXXXXXXXX?t=5\nScherzo No. 1 0:30"
    programs_assign(actor=boss, appearance_id=appearance.pk, text=first)
    rows = dict(ProgramEntry.objects.values_list("piece_id", "pk"))
    second = "Scherzo No. 2\nScherzo No. 1 0:40\nEtude in C major, Op. 10 No. 1"
    programs_assign(actor=boss, appearance_id=appearance.pk, text=second)
    assert program(appearance) == [
        ("31", None, "scherzo", None, ""),
        ("20", None, "scherzo", 40, ""),
        ("10", 1, "etiuda_a", 5, "https://youtu.be/XXXXXXXXXXX?t=5"),
    ]
    after = dict(ProgramEntry.objects.values_list("piece_id", "pk"))
    assert {pk: after[pk] for pk in rows} == rows


def test_removal_of_a_rated_piece_needs_confirmation(boss, appearance):
    programs_assign(actor=boss, appearance_id=appearance.pk, text="Scherzo No. 1\nScherzo No. 2")
    for entry in appearance.program.all():
        PieceRatingFactory(entry=entry)
    with pytest.raises(ConfirmationNeeded) as question:
        programs_assign(actor=boss, appearance_id=appearance.pk, text="Scherzo No. 2\nScherzo No. 3")
    assert question.value.messages == [
        f"{appearance.participant.name}:",
        "Scherzo in B minor, Op. 20 would leave the program, with its ratings: 1.",
    ]
    assert [entry[0] for entry in program(appearance)] == ["20", "31"]
    programs_assign(actor=boss, appearance_id=appearance.pk, text="Scherzo No. 2\nScherzo No. 3", confirmed=True)
    assert [entry[0] for entry in program(appearance)] == ["31", "39"]


def test_text_without_a_piece_keeps_the_program(boss, appearance):
    programs_assign(actor=boss, appearance_id=appearance.pk, text="Scherzo No. 1")
    done = programs_assign(actor=boss, appearance_id=appearance.pk, text="Ballade No. 9\nPolonaise Op. 153")
    assert (done.pieces, len(done.missing)) == (0, 2)
    assert [entry[0] for entry in program(appearance)] == ["20"]


def test_program_changed_by_another_person_is_not_replaced(boss, appearance):
    (block,) = programs_preview(text="Scherzo No. 1", session_id=None, appearance_id=appearance.pk).blocks
    choices = BlockChoices({}, {block.mark: program_admin(appearance_id=appearance.pk).version})
    programs_assign(actor=OPERATOR, appearance_id=appearance.pk, text="Scherzo No. 4")
    with pytest.raises(ValidationError, match="was changed meanwhile"):
        programs_assign(actor=boss, appearance_id=appearance.pk, text="Scherzo No. 1", choices=choices)
    assert [entry[0] for entry in program(appearance)] == ["54"]


def test_empty_and_long_texts_are_refused(boss, appearance):
    empty, long = "Please paste a program first.", "A text has at most 4000 lines and 100000 characters."
    assign = partial(programs_assign, appearance_id=appearance.pk)
    for text, sentence in (("", empty), (" \n\u200b\n", empty), ("a\n" * 4001, long), ("a" * 100_001, long)):
        for write in (program_text_store, assign):
            with pytest.raises(ValidationError) as error:
                write(actor=boss, text=text)
            assert error.value.message_dict == {"text": [sentence]}


def test_unknown_appearance_is_refused(boss, catalogue):
    with pytest.raises(ValidationError, match="Selected participant not found"):
        programs_assign(actor=boss, appearance_id=999, text=TEXT)


def test_only_administrators_import(appearance):
    fan = viewer_of(UserFactory())
    for write in (
        lambda: program_text_store(actor=fan, text=TEXT),
        lambda: program_text_clear(actor=fan),
        lambda: programs_assign(actor=fan, appearance_id=appearance.pk, text=TEXT),
    ):
        with pytest.raises(PermissionDenied):
            write()


@pytest.mark.django_db(transaction=True)
def test_concurrent_assignments_leave_one_whole_program():
    catalogue_load()
    appearance, people = AppearanceFactory(), [viewer_of(AdminFactory()) for _ in range(2)]
    texts = ["Scherzo No. 1\nScherzo No. 2\nScherzo No. 3", "Scherzo No. 3\nScherzo No. 2\nScherzo No. 4"]

    def assign(turn):
        try:
            programs_assign(actor=people[turn % 2], appearance_id=appearance.pk, text=texts[turn % 2])
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(assign, range(12)))
    assert [entry[0] for entry in program(appearance)] in (["20", "31", "39"], ["39", "31", "54"])
    assert list(appearance.program.order_by("order_number").values_list("order_number", flat=True)) == [1, 2, 3]


def run(*arguments, **options):
    """Return the output of the command and its exit code."""
    out = io.StringIO()
    try:
        call_command("import_program", *arguments, stdout=out, **options)
    except SystemExit as ended:
        return out.getvalue(), ended.code
    except CommandError as error:
        return str(error), error.returncode
    return out.getvalue(), 0


def test_command_reads_prints_and_assigns(appearance, tmp_path, monkeypatch):
    file = tmp_path / "program.txt"
    file.write_text(TEXT, encoding="utf-8")
    written, code = run(str(file), dry_run=True, json=True)
    assert code == 1
    lines = [json.loads(line) for line in written.splitlines()]
    assert [line["status"] for line in lines] == ["matched", "matched", "ambiguous", "unknown", "noise"]
    assert lines[1]["pieces"] == [{"category": "mazurek", "opus": "17", "number": 4, "key": "A minor"}]
    assert (lines[1]["second"], lines[1]["url"]) == (95, "https://youtu.be/XXXXXXXXXXX?t=95")
    assert [(line["why"], line["same_as"]) for line in lines] == [("", None)] * 3 + [("opus", None), ("", None)]
    assert program(appearance) == []
    assert run(str(appearance.pk), str(file))[1] == 1
    assert len(program(appearance)) == 2
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"Scherzo No. 1")))
    assert run(str(appearance.pk), "-")[1] == 0
    assert [entry[0] for entry in program(appearance)] == ["20"]


def test_command_prints_the_reasons_of_missing_lines(appearance, tmp_path):
    file = tmp_path / "program.txt"
    Participant.objects.update(name="Zofia Nowak")
    file.write_text(
        "Zofia Nowak (Canada)\nScherzo No. 1"
        "\nScherzo h-moll op. 20\nKarg-Elert: Scherzo No. 2\nMazurkas Op. 24 (excerpts)",
        encoding="utf-8",
    )
    written, code = run(str(appearance.pk), str(file), json=True)
    lines = [json.loads(line) for line in written.splitlines()]
    reasons = [(line["status"], line["why"], line["same_as"]) for line in lines]
    assert reasons == [
        ("unknown", "", None),
        ("matched", "", None),
        ("noise", "", 2),
        ("ambiguous", "composer", None),
        ("ambiguous", "left over", None),
    ]
    assert code == 1
    assert "the same as line 2" in run(str(appearance.pk), str(file), dry_run=True)[0]


def test_command_reports_bad_input_in_a_sentence(appearance, tmp_path):
    picture = tmp_path / "picture.txt"
    picture.write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(range(256)))
    for arguments in ((str(picture),), (str(tmp_path / "none.txt"),)):
        printed, code = run(*arguments, dry_run=True)
        assert code == 2
        assert "cannot be read" in printed
    empty = tmp_path / "empty.txt"
    empty.write_text("")
    assert run(str(empty), dry_run=True) == ("Please paste a program first.", 2)
    assert run(str(empty))[1] == 2
    text = tmp_path / "some.txt"
    text.write_text("Scherzo No. 1")
    assert run("999999", str(text)) == ("Selected participant not found", 2)


def test_text_of_one_program_needs_confirmation_for_another(boss, appearance):
    other, text = AppearanceFactory(session=appearance.session), "Scherzo No. 1\nSonata No. 9"
    assert programs_assign(actor=boss, appearance_id=appearance.pk, text=text).pieces == 1
    assert program_assigned_to(user_id=boss.id).appearance_id == appearance.pk
    with pytest.raises(ConfirmationNeeded) as question, transaction.atomic():
        programs_assign(actor=boss, appearance_id=other.pk, text=text)
    (sentence,) = question.value.messages
    assert sentence.startswith(f"A part of this text is the program of {appearance.participant.name} already.")
    assert program(other) == []
    edited = "Scherzo No. 1\nScherzo No. 2\nSonata No. 9"
    program_text_store(actor=boss, text=edited)
    with pytest.raises(ConfirmationNeeded), transaction.atomic():
        programs_assign(actor=boss, appearance_id=other.pk, text=edited)
    programs_assign(actor=boss, appearance_id=appearance.pk, text=edited)  # the same appearance again
    programs_assign(actor=boss, appearance_id=other.pk, text=edited, confirmed=True)
    assert len(program(other)) == 2
    program_text_store(actor=boss, text="Ballade No. 9")
    assert program_assigned_to(user_id=boss.id) is None


def test_text_that_was_read_for_another_performer_needs_confirmation(boss, appearance):
    other, text = AppearanceFactory(session=appearance.session), "Scherzo No. 1\nScherzo No. 2"
    programs_assign(actor=OPERATOR, appearance_id=other.pk, text="4 Mazurkas, Op. 24\nScherzo No. 3")
    program_text_store(actor=boss, text=text, read_for=appearance.pk)
    with pytest.raises(ConfirmationNeeded) as question, transaction.atomic():
        programs_assign(actor=boss, appearance_id=other.pk, text=text)
    assert question.value.messages == [
        f"This text was read for {appearance.participant.name}. It would become the program of another performer."
    ]
    assert len(program(other)) == 5
    program_text_store(actor=boss, text=text, read_for=other.pk)  # read again for the other one
    assert programs_assign(actor=boss, appearance_id=other.pk, text=text).pieces == 2
    for read_for in (None, 10**9):
        program_text_store(actor=boss, text=text, read_for=read_for)
        assert programs_assign(actor=boss, appearance_id=appearance.pk, text=text).pieces == 2


def test_assignment_can_be_undone_unless_the_program_changed(boss, appearance):
    first = programs_assign(actor=boss, appearance_id=appearance.pk, text="Scherzo No. 1\nScherzo No. 2")
    ProgramEntry.objects.update(timestamp=7)
    before = program(appearance)
    second = programs_assign(actor=boss, appearance_id=appearance.pk, text="Scherzo No. 2\n00:05 Scherzo No. 3")
    with pytest.raises(ValidationError, match="changed since"):
        program_undo(actor=boss, undo_id=first.undo_id)
    program_undo(actor=boss, undo_id=second.undo_id)
    assert program(appearance) == before
    with pytest.raises(ValidationError, match="can no longer be taken back"):
        program_undo(actor=boss, undo_id=second.undo_id)
    third = programs_assign(actor=boss, appearance_id=appearance.pk, text="Scherzo No. 4")
    PieceRatingFactory(entry=appearance.program.get())
    with pytest.raises(ValidationError, match="Listeners have rated"):
        program_undo(actor=boss, undo_id=third.undo_id)


def test_preview_result_and_program_have_equally_many_pieces(boss, appearance):
    text = "Mazurka in G minor, Op. 24 No. 1\n4 Mazurkas, Op. 24\nMazurkas Op. 24"
    program_text_store(actor=boss, text=text)
    preview = programs_preview(text=text, session_id=None, appearance_id=appearance.pk)
    assert programs_assign(actor=boss, appearance_id=appearance.pk, text=text).pieces == len(program(appearance)) == 4
    assert preview.pieces_found == 4
