"""The plot of the audience beside the jury in a browser: barriers, keyboard, both widths, and its table."""

import asyncio
from collections.abc import Iterator
from decimal import Decimal

import pytest
from axe_playwright_python.async_playwright import Axe
from playwright.async_api import Page, expect

from apps.accounts.actors import OPERATOR
from apps.jury.audience import comparison_get
from apps.jury.services import sheet_delete, sheet_publish, sheet_save, sheet_unpublish
from apps.ranking.selectors import ranking_get
from apps.ranking.selectors.stages import ranking_stage
from tests.e2e.barriers import OPTIONS, SIDEWAYS, SIZES
from tests.e2e.conftest import Site
from tests.e2e.test_stage import tab_to
from tests.e2e.windows import Windows, live, resize
from tests.html_checker import html_faults

POINT = "figure.versus__plot a"
DRAWN = "(point) => [getComputedStyle(point.firstChild).strokeWidth, getComputedStyle(point.firstChild).fill]"


@pytest.fixture
def stage(site: Site) -> Iterator[int]:
    """Yield the id of the ranked stage, with a published sheet: the jury's order is nearly the audience's."""

    def publish() -> tuple[int, int]:
        stage_id = ranking_stage()
        assert stage_id is not None
        ranking = ranking_get(stage_id=stage_id)
        marks = {
            (each.appearance.participant_id, juror): Decimal(min(25, (each.place.rank or 20) % 7 + high))
            for each in ranking.performances
            for juror, high in (("Ada Bell", 12), ("Bruno Cerny", 14))
        }
        saved = sheet_save(actor=OPERATOR, stage_id=stage_id, place=1, marks=marks)
        sheet_publish(actor=OPERATOR, sheet_id=saved.sheet_id)
        return stage_id, saved.sheet_id

    stage_id, sheet_id = site.desk.do(publish)
    yield stage_id
    site.desk.do(sheet_unpublish, actor=OPERATOR, sheet_id=sheet_id)
    site.desk.do(sheet_delete, actor=OPERATOR, sheet_id=sheet_id)


async def no_barriers(page: Page, part: str) -> None:
    """Require that neither axe nor the HTML checker finds a fault in this part, on a phone and on a desktop."""
    assert not await asyncio.to_thread(html_faults, await page.content())
    for width, height in SIZES:
        await resize(page, width, height)
        assert await page.evaluate(SIDEWAYS) <= 0
        for scheme, options in OPTIONS.items():
            await page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            results = await Axe().run(page, context=part, options=options)
            assert not results.violations_count, results.generate_report()


async def test_the_plot_has_no_barriers_and_its_points_lead_to_performers(
    windows: Windows, site: Site, stage: int
) -> None:
    page = await windows.open(f"/stages/{stage}?view=jury")
    await live(page)
    await page.get_by_text("All ranks as a table").click()
    await no_barriers(page, "#audience-and-jury")
    first = site.desk.do(comparison_get, stage_id=stage).performances[0]
    before = await page.locator(POINT).first.evaluate(DRAWN)
    await tab_to(page, POINT)
    point = page.locator(POINT).first
    await expect(point).to_be_focused()
    assert await point.evaluate(DRAWN) != before, "the focus is visible"
    await page.keyboard.press("Tab")
    await expect(page.locator(POINT).nth(1)).to_be_focused()
    await page.keyboard.press("Shift+Tab")
    await page.keyboard.press("Enter")
    await page.wait_for_url(f"**/participants/{first.appearance.participant_id}")
    await expect(page.locator("h1")).to_have_text(first.appearance.name)
    await expect(page.locator(".performance__jury")).to_contain_text("The jury’s marks and the audience’s")
    await no_barriers(page, ".performance__jury")


async def test_the_numbers_are_there_without_scripts(windows: Windows, site: Site, stage: int) -> None:
    page = await windows.open(f"/stages/{stage}?view=jury", java_script_enabled=False, wait_live=False)
    count = len(site.desk.do(comparison_get, stage_id=stage).performances)
    await expect(page.locator(POINT)).to_have_count(count)
    await expect(page.locator(".versus__table tbody tr")).to_have_count(count)
