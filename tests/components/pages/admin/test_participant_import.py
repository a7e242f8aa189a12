"""The page Import: the preview of a file in pages, its encoding, saving and undo, and previous imports."""

import asyncio
import os
import time

import pytest
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import SimpleUploadedFile

from apps.accounts.actors import OPERATOR
from apps.accounts.models import User
from apps.competition.models import Participant
from apps.competition.services.live import performer_set
from apps.core.threads import in_thread
from apps.imports.enums import FileEncoding
from apps.imports.models import ParticipantImport
from apps.imports.participant_files.columns import COLUMNS, ColumnsMissing
from apps.imports.selectors.participant_files import import_pending
from apps.imports.services.participant_files import (
    import_clear,
    import_read_again,
    participant_file_keep,
    participant_file_store,
)
from apps.imports.services.participant_saving import import_save, import_undo
from tests.apps.imports.participant_files import KANADE, ZOFIA, file_of, stored
from tests.apps.imports.workbooks import workbook_of
from tests.commanding import command
from tests.components.pages.checked_commands import succeed
from tests.components.seen import attributes, every, one, opened, text
from tests.factories import AdminFactory, AppearanceFactory, ParticipantFactory, SessionFactory, viewer_of
from tests.project.plain_forms import PlainPage, address
from tests.screen import open_page
from tests.timing import took_at_most

IMPORT = "/admin/import"
IMPORTED = int(os.environ.get("IMPORTED", "400"))  # rows of the large file; `make soak` imports the most
RONDO = "Humoresque in E-flat major, Op. 116"
ROWS = (
    ZOFIA,
    KANADE,
    "Ugnė|Vėtraitė|Lithuania||Noktiurnas op. 62|||",
    "Joaquín|Larrañaga",
    f"Nutsa|Khvedeliani|Georgia|{RONDO}||||",
)


@pytest.fixture
def admin(db):
    return viewer_of(AdminFactory())


def test_page_without_a_file_has_an_upload_form_only(admin):
    page = opened(IMPORT, admin).main
    assert "Each row will say here what it will do." in text(page)
    assert "Nothing was imported yet." in text(page)
    form = attributes(one(page, "form", action="/participant-file"))
    assert (form["method"], form["encType"]) == ("post", "multipart/form-data")
    assert not every(page, "table")
    assert not [button for button in every(page, "button") if text(button) == "Save Participants"]
    explained = text(one(page, "div", id="columns"))
    assert f"Required columns: {', '.join(COLUMNS)}" in explained
    assert "Optional columns: StartNumber, BirthYear, Biography, Program, NameLocal" in explained
    for kind in ("csv", "xlsx"):
        assert every(page, "a", href=f"/participant-file?sample={kind}")


def test_each_row_states_its_effect(admin):
    ParticipantFactory(first_name="Łęcka", second_name="Zofia", country="Poland")
    stored(admin, *ROWS)
    page = opened(IMPORT, admin).main
    assert text(one(page, "p", "read__sum")).strip() == "1 new 1 existing 1 to decide 1 bad 1 short, skipped"
    rows = [text(row) for row in every(page, "tr")][1:]
    bad = "4Ugnė VėtraitėLithuaniaNoktiurnas op. 62Invalid piece formatPiece2: “Noktiurnas op. 62”Leave the piece out"
    assert rows[:2] == [bad, "5Joaquín LarrañagaSkipped: 2 of 8 columns"]
    assert rows[2].startswith("6Nutsa KhvedelianiGeorgiaHumoresque op. 116Newcategory of Humoresque op. 116")
    assert rows[3:] == ["2Zofia ŁęckaPoland10/4 · 27/2Existing, kept as it is", "3Kanade HimuroJapan27/2New"]
    assert "Nothing is saved unless all good rows can be saved. Existing ones keep what they have." in text(page)
    assert "Rows still to decide: 1. 1 bad row stays here. 1 short row stays here." in text(page)


def test_rows_have_pages_with_addresses(admin):
    file = stored(admin, *(f"Anna{n}|Nowak|Poland|||||" for n in range(84)))
    first = opened(IMPORT, admin).main
    assert len(every(first, "tr")) == 51
    assert "1 to 50 of 84" in text(first)
    following = attributes(one(first, "a", rel="next"))["href"]
    assert following == f"{IMPORT}?file={file.pk}&after=50"
    second = opened(following, admin).main
    assert (len(every(second, "tr")), "51 to 84 of 84" in text(second)) == (35, True)
    assert attributes(one(second, "a", rel="prev"))["href"] == f"{IMPORT}?file={file.pk}"
    assert not every(second, "a", rel="next")
    assert len(every(opened(f"{IMPORT}?file={file.pk}&after=99999", admin).main, "tr")) == 0
    assert "Each row will say" in text(opened(f"{IMPORT}?file=99999999", admin).main)


def test_guessed_encoding_needs_confirmation(admin):
    content = file_of("Jürgen|Müller|Germany|||||", encoding="mac-roman")
    file = participant_file_store(actor=admin, file_name="mac.csv", content=content)
    page = opened(IMPORT, admin).main
    assert "This is a guess: the file is not in UTF-8." in text(page)
    assert "(a guess)" in text(one(page, "select", id="encoding"))
    (save,) = [button for button in every(page, "button") if text(button) == "Save Participants"]
    assert attributes(save)["disabled"] is True
    assert attributes(one(page, "a", href="#encoding"))
    with pytest.raises(ValidationError, match="is a guess"):
        import_save(actor=admin, import_id=file.pk)
    import_read_again(actor=admin, import_id=file.pk, encoding=FileEncoding.MAC_ROMAN)
    page = opened(IMPORT, admin).main
    assert "Jürgen Müller" in text(page)
    assert "This is a guess" not in text(page)
    assert import_save(actor=admin, import_id=file.pk).new_participants == 1


def test_detected_delimiter_and_encoding_are_selected(admin):
    content = file_of(ZOFIA).replace(b"|", b";")
    file = participant_file_store(actor=admin, file_name="a.csv", content=content)
    page = opened(IMPORT, admin).main
    assert attributes(one(page, "select", id="delimiter"))["defaultValue"] == "semicolon"
    options = [text(option) for option in every(one(page, "select", id="delimiter"), "option")]
    assert options == ["Bar |", "Semicolon ; (found)", "Tab", "Comma ,"]
    assert "UTF-8 (found)" in [text(option) for option in every(one(page, "select", id="encoding"), "option")]
    forms = [attributes(form) for form in every(page, "form")]
    assert ("import_read_again", str(file.pk)) in [(e.get("data-command"), e.get("data-argument")) for e in forms]


def test_workbook_has_a_sheet_name_and_no_encoding(admin):
    content = workbook_of([COLUMNS, ("Zofia", "Nowak", "Poland")], more=["Old", "Older"], hidden=(2,))
    participant_file_store(actor=admin, file_name="a.xlsx", content=content)
    page = opened(IMPORT, admin).main
    words = "The sheet “People” is read. Not read: “Old”, “Older”. 1 hidden row is read too."
    assert words in text(page)
    assert not every(page, "select", id="encoding")
    assert import_save(actor=admin, import_id=import_pending(user_id=admin.id)).new_participants == 1
    assert "1 row saved. 1 of them is hidden in the workbook." in text(opened(IMPORT, admin).main)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("first", [[COLUMNS, ("Zofia", "Nowak", "Poland")], [("Notes",)]], ids=["read", "refused"])
def test_another_sheet_of_a_workbook_is_chosen_without_scripts(client, admin, first):
    client.force_login(User.objects.get(pk=admin.id))
    sheets = {"Stage II": [COLUMNS, ("Anna", "Kos", "Poland")], "Empty": []}
    file = SimpleUploadedFile("a.xlsx", workbook_of(first, more=sheets))
    page = PlainPage.at(client, client.post("/participant-file", {"file": file})["Location"])
    number = str(ParticipantImport.objects.get().pk)
    is_refused = len(first) == 1
    for name, answer in (
        ("Empty", "The file cannot be read so, either." if is_refused else "Missing required columns"),
        ("Stage II", "The file was read again."),
    ):
        to = address("import_read_again", number)
        forms = [page._fields(form) for form in page.all(action=to)]
        (fields,) = [fields for fields in forms if "sheet" in fields]
        page = page._posted(to, fields | {"sheet": [name]}, 1)
        assert answer in page.text
    assert "The sheet “Stage II” is read. Not read: “People”, “Empty”." in page.text
    assert import_save(actor=admin, import_id=int(number)).new_participants == 1
    assert Participant.objects.get().name == "Anna Kos"


async def test_file_without_pieces_is_read_as_people_only():
    admin = await in_thread(AdminFactory)
    content, error = b"FirstName,LastName,Country\nEwa,Lis,Poland", ColumnsMissing(COLUMNS[3:])
    file = await in_thread(
        lambda: participant_file_keep(actor=viewer_of(admin), file_name="people.csv", content=content, error=error)
    )
    async with open_page(IMPORT, user=admin) as screen:
        await screen.until("Missing required columns: Piece1, Piece2, Piece3, Piece4, Piece5")
        assert "Read it as people only" in screen.text
        assert "people.csv" in screen.text
        await succeed(screen, "import_read_again", file.pk, "The file cannot be read so, either.", delimiter="tab")
        await screen.until("Missing required columns: FirstName, LastName, Country")
        assert "Read it as people only" not in screen.text
        await command(screen, "import_read_again", file.pk, delimiter="comma", people="on")
        await screen.until("1 new 0 existing")
        assert "Read it with its pieces" in screen.text
        answer = await command(screen, "import_save", file.pk)
        assert answer["text"].startswith("Successfully loaded 1 participants")


def test_refused_file_hides_the_file_before(admin):
    file = stored(admin, ZOFIA)
    page = opened(f"{IMPORT}?file=refused", admin).main
    assert "Łęcka" not in text(page)
    assert not [button for button in every(page, "button") if text(button) == "Save Participants"]
    assert text(one(page, "a", href=f"{IMPORT}?file={file.pk}")) == "Go on with the file before"
    import_clear(actor=admin, import_id=file.pk)
    assert "Go on with" not in text(opened(f"{IMPORT}?file=refused", admin).main)


def test_undecided_rows_are_first(admin):
    people = [f"Anna{n}|Nowak|Poland|||||" for n in range(83)]
    file = stored(admin, *people, f"Nutsa|Khvedeliani|Georgia|{RONDO}||||")
    assert "Nutsa" in text(every(opened(IMPORT, admin).main, "tr")[1])
    import_save(actor=admin, import_id=file.pk)
    page = opened(f"{IMPORT}?file={file.pk}", admin).main
    assert "83 rows saved. Not saved: 1 to decide." in text(page)
    assert "Not saved." in text(every(page, "tr")[1])
    assert [form for form in every(page, "form") if attributes(form).get("data-command") == "import_category_set"]
    anew = opened(IMPORT, admin).main
    (line,) = [row for row in every(anew, "li") if "participants.csv" in text(row)]
    assert attributes(one(line, "a"))["href"] == f"{IMPORT}?file={file.pk}"
    assert "Not saved: 1 to decide." in text(line)
    (waiting,) = [link for link in every(anew, "a") if text(link) == "Rows that wait in participants.csv: 1."]
    assert attributes(waiting)["href"] == f"{IMPORT}?file={file.pk}"
    assert "Rows that wait" not in text(opened(f"{IMPORT}?file={file.pk}", admin).main)
    assert "Rows that wait" not in text(opened(IMPORT, viewer_of(AdminFactory())).main)


def test_imports_are_listed_with_undo(admin):
    file = stored(admin, ZOFIA)
    import_save(actor=admin, import_id=file.pk)
    page = opened(IMPORT, admin).main
    (line,) = [row for row in every(page, "li") if "participants.csv" in text(row)]
    assert f"by {admin.username}," in text(line)
    assert "1 new participant, 2 new pieces" in text(line)
    assert attributes(one(line, "button"))["data-command"] == "import_undo"
    saved = text(opened(f"{IMPORT}?file={file.pk}", admin).main)
    assert "Successfully loaded 1 participant" in saved
    assert "Save Participants" not in saved
    import_undo(actor=admin, import_id=file.pk)
    assert "taken back" in text(opened(IMPORT, admin).main)


async def test_import_is_saved_and_undone_in_all_windows(colleague):
    admin = await in_thread(AdminFactory)
    file = await in_thread(lambda: stored(viewer_of(admin), *ROWS))
    async with open_page(IMPORT, user=admin) as screen, open_page(IMPORT, user=colleague) as other:
        await command(screen, "import_category_set", f"{file.pk}:5:1", category="mazurek")
        await screen.until("3 new")
        answer = await command(screen, "import_save", file.pk)
        assert answer["text"].startswith("Successfully loaded 3 participants\nParticipants: 3 new, 0 existing.")
        assert answer["text"].endswith("\n3 rows saved. Not saved: 1 bad, 1 short, skipped.")
        assert answer["go"] == f"{IMPORT}?file={file.pk}"
        await other.until("3 new participants, 3 new pieces")
        await succeed(other, "import_undo", file.pk, "Taken back: 3 participants, 3 pieces.")
        await screen.until("taken back")


async def test_performer_change_is_prompt_during_a_large_import():
    admin, session = await in_thread(AdminFactory), await in_thread(lambda: SessionFactory(is_live=True))
    playing = [await in_thread(lambda: AppearanceFactory(session=session)) for _ in range(2)]
    names = await in_thread(lambda: [appearance.participant.name for appearance in playing])
    rows = [
        f"Anna{n}|Testowa|Poland|Scherzo h-moll op. 20|Nocturne in E minor, Op. {n % 60}|||" for n in range(IMPORTED)
    ]

    def import_rows() -> int:
        file = stored(viewer_of(admin), *rows)
        return import_save(actor=viewer_of(admin), import_id=file.pk).new_participants

    async with open_page(f"/sessions/{session.pk}") as screen:
        importing, changes = asyncio.create_task(in_thread(import_rows)), 0
        while not importing.done():
            number = changes % 2
            begun = time.monotonic()
            await in_thread(lambda number=number: performer_set(actor=OPERATOR, appearance_id=playing[number].pk))
            await screen.until(f"Now Performing {names[number]}")
            took_at_most(1.0, time.monotonic() - begun, "a performer change")
            changes += 1
        assert await importing == IMPORTED
    assert changes
