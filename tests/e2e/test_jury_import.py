"""The jury's file in a browser: faults, a choice by hand, draft, publication, withdrawal; without scripts."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.async_api import Page, expect

from apps.accounts.actors import OPERATOR
from apps.competition.models import Participant, Stage
from apps.competition.services.stages import stage_create, stage_delete
from apps.imports.models import JuryFile
from apps.jury.models import JurySheet
from tests.apps.imports.jury_files import HEADER
from tests.e2e.accounts import ADMINISTRATOR
from tests.e2e.barriers import barriers
from tests.e2e.conftest import Site
from tests.e2e.layout import SIDEWAYS, layout_faults
from tests.e2e.windows import Windows, resize

STAGE = "Trial Final"
JURORS = ("Invented Juror", "Second Juror")


@pytest.fixture
def names(site: Site) -> Iterator[list[str]]:
    """Create a stage; yield the names of three participants."""

    def begun() -> list[str]:
        stage_create(actor=OPERATOR, name=STAGE)
        return [person.name for person in Participant.objects.order_by("sort_folded")[:3]]

    def ended() -> None:
        JuryFile.objects.all().delete()
        JurySheet.objects.filter(stage__name=STAGE).delete()
        for stage in Stage.objects.filter(name=STAGE):
            stage_delete(actor=OPERATOR, stage_id=stage.pk)

    yield site.desk.do(begun)
    site.desk.do(ended)


def written(folder: Path, names: list[str], *, first: str = "20") -> Path:
    """Write a file with two marks for each name, the first mark being `first`; return its path."""
    marks = [(name, juror, "21") for name in names for juror in JURORS]
    marks[0] = (*marks[0][:2], first)
    file = folder / "marks.csv"
    file.write_text("\n".join([HEADER, *(f"4,,{name},{juror},{mark}," for name, juror, mark in marks)]))
    return file


async def send(page: Page, file: Path) -> None:
    """Choose the stage and the file, and send them."""
    await page.get_by_label("Stage", exact=True).select_option(label=STAGE)
    await page.get_by_label("file", exact=False).last.set_input_files(file)
    await page.get_by_role("button", name="Read the file").click()
    await expect(page.get_by_text("The file was read as UTF-8. Please look at it below.")).to_be_visible()


async def test_jury_sheet_is_read_decided_published_and_taken_back(
    site: Site, windows: Windows, names: list[str], tmp_path: Path
) -> None:
    page = await windows.open("/admin/jury", session=site.sign_in(ADMINISTRATOR))
    await send(page, written(tmp_path, [*names[:2], "Nobody Known"], first="25.5"))
    await expect(page.get_by_text("“25.5” is not a mark from 1 to 25")).to_be_visible()
    await send(page, written(tmp_path, [*names[:2], "Nobody Known"]))
    field = page.get_by_label("Line 6: Nobody Known")
    options = await page.locator("#participants option").evaluate_all("all => all.map(each => each.value)")
    await field.fill(next(option for option in options if names[2] in option))
    await page.get_by_role("button", name="Choose", exact=True).click()
    await expect(page.get_by_text("Chosen by hand.")).to_be_visible()
    assert await layout_faults(page) == ""
    await resize(page, 1280, 900)
    await page.get_by_role("button", name="Save Draft").click()
    question = page.get_by_role("dialog")
    await expect(question).to_contain_text(f"No performance of {STAGE} has begun.")
    await question.get_by_role("button", name="Save Draft").click()
    await expect(page.get_by_role("heading", name=f"Figures of {STAGE}")).to_be_visible()
    await page.get_by_role("button", name=f"Publish: {STAGE}").click()
    await page.get_by_role("dialog").get_by_role("button", name="Publish").click()
    await expect(page.get_by_text("The sheet is published.").first).to_be_visible()
    await page.get_by_role("button", name=f"Take back: {STAGE}").click()
    await page.get_by_role("dialog").get_by_role("button", name="Take back").click()
    await expect(page.get_by_role("button", name=f"Publish: {STAGE}")).to_be_visible()
    assert await barriers(page) == ""


async def test_jury_sheet_is_saved_and_published_without_scripts_on_a_phone(
    site: Site, windows: Windows, names: list[str], tmp_path: Path
) -> None:
    page = await windows.open(
        "/admin/jury",
        session=site.sign_in(ADMINISTRATOR),
        java_script_enabled=False,
        wait_live=False,
        width=360,
    )
    await send(page, written(tmp_path, names))
    assert await page.evaluate(SIDEWAYS) <= 0
    await page.get_by_role("button", name="Save Draft").click()
    await expect(page.get_by_text(f"No performance of {STAGE} has begun.")).to_be_visible()
    await page.get_by_role("button", name="Yes").click()
    await expect(page.get_by_text("Draft saved. It is public when you publish it.")).to_be_visible()
    await page.get_by_role("button", name=f"Publish: {STAGE}").click()
    await page.get_by_role("button", name="Yes").or_(page.get_by_role("button", name="Publish")).first.click()
    await expect(page.get_by_text("The sheet is published.")).to_be_visible()
    published = site.desk.do(lambda: JurySheet.objects.get(stage__name=STAGE).published_at)
    assert published is not None
