"""An administrator imports participants from a file: upload, decisions, reload, save and undo."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.async_api import Page, expect

from apps.accounts.actors import OPERATOR
from apps.competition.models import Participant
from apps.imports.models import ParticipantImport
from apps.imports.services.participant_saving import import_undo
from tests.apps.imports.participant_files import ETUDE, file_of
from tests.e2e.accounts import ADMINISTRATOR
from tests.e2e.barriers import barriers
from tests.e2e.conftest import Site
from tests.e2e.scriptless import OFF
from tests.e2e.windows import Windows, resize

IMPORT = "/admin/import"
RONDO = "Rondo in E-flat major, Op. 16"
SCRIPT = "<script>alert(1)</script>"
ROWS = (
    f"Ewa|Testowa|Poland|{ETUDE}||||",
    f"Ewa|Łęcka-Testowa|Poland|{ETUDE}||||",
    f"Ugnė|Vėtraitė|Lithuania|{ETUDE}|Noktiurnas op. 62|||",
    "Joaquín|Larrañaga",
    f"Nutsa|Testowa-Nowak|Georgia|{RONDO}|{ETUDE}|||",
    f"{SCRIPT}|../../etc|$(reboot)|||||",
    *(f"Anna{number}|Testowa|Poland|{ETUDE}||||" for number in range(60)),
)


@pytest.fixture
def folder(site: Site, tmp_path: Path) -> Iterator[Path]:
    """Yield a folder with two upload files; undo the test's imports afterwards."""
    (tmp_path / "participants-2027.csv").write_bytes(file_of(*ROWS))
    (tmp_path / "picture.csv").write_bytes(b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR")

    def ended() -> None:
        for each in ParticipantImport.objects.filter(state="saved"):
            import_undo(actor=OPERATOR, import_id=each.pk)
        ParticipantImport.objects.all().delete()

    yield tmp_path
    site.desk.do(ended)


PEOPLE = (
    "StartNumber;FirstName;LastName;Country;BirthYear;Program\n"
    f'901;Zofia;Testowa-Sto;Poland;2002;"{ETUDE};Nocturne in D-flat major, Op. 27 No. 2"\n'
    "901;Ewa;Testowa-Sto;Poland;;\n"
    f"902;Anna;Testowa-Sto;Poland;17.05.2002;{ETUDE}; Scherzo h-moll op. 20\n"
    "903;Ugnė;Testowa-Sto;Lithuania;2003;\n"
)


async def send(page: Page, file: Path) -> None:
    """Choose a file and submit it."""
    await page.locator("input[type=file]").set_input_files(file)
    await page.get_by_role("button", name="Read the file").press("Enter")


def named(name: str) -> int:
    return Participant.objects.filter(second_name=name).count()


async def test_participant_file_is_imported_and_undone(site: Site, windows: Windows, folder: Path) -> None:
    page = await windows.open(IMPORT, session=site.sign_in(ADMINISTRATOR))
    await send(page, folder / "picture.csv")
    await expect(page.get_by_text("Error reading file")).to_be_visible()
    await send(page, folder / "participants-2027.csv")
    await expect(page).to_have_url(re.compile(r"\?file=\d+"))
    await expect(page.locator(".read__sum")).to_contain_text("63 new 0 existing 1 to decide 1 bad 1 short, skipped")
    await expect(page.get_by_text(SCRIPT)).to_be_visible()
    for width in (1280, 360):
        await resize(page, width, 900)
        assert await barriers(page) == ""
        assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    await resize(page, 1280, 900)

    await page.get_by_label("category of Rondo 16", exact=True).select_option("mazurek")
    await page.get_by_role("button", name="Choose: category of Rondo 16, line 6").press("Enter")
    await expect(page.locator(".read__sum")).to_contain_text("64 new 0 existing 1 bad")
    await page.get_by_role("link", name="Next 16").press("Enter")
    await expect(page.get_by_text("51 to 66 of 66", exact=True)).to_be_visible()
    await page.reload()
    await expect(page.get_by_text("51 to 66 of 66", exact=True)).to_be_visible()
    await page.wait_for_load_state("networkidle")  # also wait for lazily loaded files

    await page.context.set_offline(True)
    await page.get_by_role("button", name="Save Participants").press("Enter")
    await page.context.set_offline(False)
    await expect(page.get_by_text("Successfully loaded 64 participants").first).to_be_visible()
    await expect(page.locator(".message--good").last).to_contain_text(
        "64 rows saved. Not saved: 1 bad, 1 short, skipped."
    )
    assert site.desk.do(named, "Testowa") == 61
    await expect(page.locator(".lines")).to_contain_text("64 new participants, 1 new piece")

    await page.get_by_role("button", name="Take back: participants-2027.csv").press("Enter")
    await page.get_by_role("dialog").get_by_role("button", name="Take back").press("Enter")
    await expect(page.locator(".lines")).to_contain_text("taken back")
    assert site.desk.do(named, "Testowa") == 0


async def test_participants_with_start_numbers_are_imported_on_a_phone(
    site: Site, windows: Windows, folder: Path
) -> None:
    (folder / "people.csv").write_bytes(PEOPLE.encode())
    page = await windows.open(IMPORT, session=site.sign_in(ADMINISTRATOR))
    await resize(page, 360, 740)
    async with page.expect_download() as downloading:
        await page.get_by_role("link", name="Sample file (.xlsx)").press("Enter")
    await (await downloading.value).save_as(folder / "sample.xlsx")
    await send(page, folder / "sample.xlsx")
    await expect(page.locator(".read__sum")).to_contain_text("2 new 0 existing")
    await expect(page.get_by_text("Excel workbook: the first sheet, “Participants”, is read.")).to_be_visible()

    await send(page, folder / "people.csv")
    await expect(page.locator("#file-error")).to_have_text(
        "Missing required columns: Piece1, Piece2, Piece3, Piece4, Piece5"
    )
    await expect(page.locator(".drop__name")).to_have_text("people.csv")
    await expect(page.get_by_label("Columns divided by")).to_have_value("semicolon")
    assert await barriers(page) == ""
    assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    await page.get_by_role("button", name="Read it as people only").press("Enter")
    await expect(page.locator(".read__sum")).to_contain_text("2 new 0 existing 2 bad")
    await expect(page.locator("#file-error")).to_have_count(0)
    await expect(page.get_by_text("An earlier line has this start number")).to_be_visible()
    await expect(page.get_by_text("More columns than the header")).to_be_visible()
    assert await barriers(page) == ""
    assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    await page.get_by_label("Columns divided by").select_option("comma")
    await page.get_by_role("button", name="Read it so").press("Enter")
    await expect(page.get_by_text("Missing required columns: FirstName").first).to_be_visible()
    await expect(page.locator(".read__sum")).to_contain_text("2 new 0 existing 2 bad")

    await page.get_by_role("button", name="Save Participants").press("Enter")
    await expect(page.get_by_text("Successfully loaded 2 participants").first).to_be_visible()
    await page.goto(f"{site.server.address}/participants?q=901")
    await expect(page.locator(".cards__from")).to_contain_text("no. 901")
    await page.get_by_role("link", name="Zofia Testowa-Sto").press("Enter")
    await expect(page.get_by_text("start number 901")).to_be_visible()

    await page.goto(f"{site.server.address}{IMPORT}")
    await page.get_by_role("button", name="Take back: people.csv").press("Enter")
    await page.get_by_role("dialog").get_by_role("button", name="Take back").press("Enter")
    await expect(page.locator(".lines")).to_contain_text("taken back")
    assert site.desk.do(named, "Testowa-Sto") == 0


async def test_participant_file_is_imported_without_scripts(site: Site, windows: Windows, folder: Path) -> None:
    page = await windows.open(IMPORT, session=site.sign_in(ADMINISTRATOR), **OFF)
    await send(page, folder / "picture.csv")
    await expect(page.get_by_text("Error reading file")).to_be_visible()
    await send(page, folder / "participants-2027.csv")
    await page.get_by_role("button", name="Save Participants").press("Enter")
    await expect(page.get_by_text("Successfully loaded 63 participants").first).to_be_visible()
    await page.get_by_role("button", name="Take back: participants-2027.csv").press("Enter")
    await page.get_by_role("button", name="Yes").press("Enter")
    await expect(page.locator(".lines")).to_contain_text("taken back")
