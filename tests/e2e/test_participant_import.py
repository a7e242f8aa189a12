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
RONDO = "Humoresque in E-flat major, Op. 116"
SCRIPT = "<script>alert(1)</script>"
ROWS = (
    f"Ewa|Testowa|Poland|{ETUDE}||||",
    f"Ewa|Łęcka-Testowa|Poland|{ETUDE}||||",
    f"Ugnė|Vėtraitė|Lithuania|{ETUDE}|Noktiurnas op. 62|||",
    "Joaquín|Larrañaga",
    f"Nutsa|Testowa-Nowak|Georgia|{RONDO}|{ETUDE}|||",
    f"{SCRIPT}|../../etc|$(reboot)|||||",
    *(f"Anna{number}|Testowa|Poland|{ETUDE}||||" for number in range(3)),
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
    async with page.expect_download() as downloading:
        await page.get_by_role("link", name="Sample file (.xlsx)").press("Enter")
    await (await downloading.value).save_as(folder / "sample.xlsx")
    await send(page, folder / "sample.xlsx")
    await expect(page.locator(".read__sum")).to_contain_text("2 new 0 existing")
    await expect(page.get_by_text("The sheet “Participants” is read.")).to_be_visible()
    await send(page, folder / "participants-2027.csv")
    await expect(page).to_have_url(re.compile(r"\?file=\d+"))
    await expect(page.locator(".read__sum")).to_contain_text("6 new 0 existing 1 to decide 1 bad 1 short, skipped")
    await expect(page.get_by_text(SCRIPT)).to_be_visible()
    assert await barriers(page) == ""
    await resize(page, 1280, 900)

    await page.get_by_label("category of Humoresque op. 116", exact=True).select_option("mazurek")
    await page.get_by_role("button", name="Choose: category of Humoresque op. 116, line 6").press("Enter")
    await expect(page.locator(".read__sum")).to_contain_text("7 new 0 existing 1 bad")
    await page.reload()
    await expect(page.locator(".read__sum")).to_contain_text("7 new 0 existing 1 bad")
    await page.wait_for_load_state("networkidle")  # also wait for lazily loaded files

    await page.context.set_offline(True)
    await page.get_by_role("button", name="Save Participants").press("Enter")
    await page.context.set_offline(False)
    await expect(page.get_by_text("Successfully loaded 7 participants").first).to_be_visible()
    await expect(page.locator(".message--good").last).to_contain_text(
        "7 rows saved. Not saved: 1 bad, 1 short, skipped."
    )
    assert site.desk.do(named, "Testowa") == 4
    await expect(page.locator(".lines")).to_contain_text("7 new participants, 1 new piece")

    await page.get_by_role("button", name="Take back: participants-2027.csv").press("Enter")
    await page.get_by_role("dialog").get_by_role("button", name="Take back").press("Enter")
    await expect(page.locator(".lines")).to_contain_text("taken back")
    assert site.desk.do(named, "Testowa") == 0


async def test_participant_file_is_imported_without_scripts(site: Site, windows: Windows, folder: Path) -> None:
    page = await windows.open(IMPORT, session=site.sign_in(ADMINISTRATOR), **OFF)
    await send(page, folder / "picture.csv")
    await expect(page.get_by_text("Error reading file")).to_be_visible()
    await send(page, folder / "participants-2027.csv")
    await page.get_by_role("button", name="Save Participants").press("Enter")
    await expect(page.get_by_text("Successfully loaded 6 participants").first).to_be_visible()
    await page.get_by_role("button", name="Take back: participants-2027.csv").press("Enter")
    await page.get_by_role("button", name="Yes").press("Enter")
    await expect(page.locator(".lines")).to_contain_text("taken back")
