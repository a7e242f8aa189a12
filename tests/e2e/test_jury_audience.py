"""The plot of the audience beside the jury in a browser: barriers, keyboard, both widths, and its table."""

import re

import pytest
from playwright.async_api import expect

from apps.competition.models import Stage
from apps.jury.audience import comparison_get
from tests.e2e.barriers import barriers
from tests.e2e.conftest import Site
from tests.e2e.scriptless import OFF
from tests.e2e.test_stage import tab_to
from tests.e2e.test_stage_jury import JUDGED
from tests.e2e.windows import Windows, live

POINT = "figure.versus__plot a"
DRAWN = "(point) => [getComputedStyle(point.lastChild).strokeWidth, getComputedStyle(point.lastChild).fill]"


@pytest.fixture
def stage(site: Site) -> int:
    """Return the demo's stage with published marks."""
    return site.desk.do(lambda: Stage.objects.get(name=JUDGED).pk)


async def test_plot_has_no_barriers_and_its_points_lead_to_performers(windows: Windows, site: Site, stage: int) -> None:
    page = await windows.open(f"/stages/{stage}?view=jury")
    await live(page)
    await page.get_by_text("All ranks as a table").click()
    assert await barriers(page, "#audience-and-jury") == ""
    first = site.desk.do(comparison_get, stage_id=stage).performances[0]
    before = await page.locator(POINT).first.evaluate(DRAWN)
    await tab_to(page, POINT)
    point = page.locator(POINT).first
    await expect(point).to_be_focused()
    await expect(point).to_have_accessible_name(re.compile(f"{first.appearance.name}: jury 1st, audience "))
    assert await point.evaluate(DRAWN) != before, "the focus is visible"
    await page.keyboard.press("Tab")
    await expect(page.locator(POINT).nth(1)).to_be_focused()
    await page.keyboard.press("Shift+Tab")
    await page.keyboard.press("Enter")
    await page.wait_for_url(f"**/participants/{first.appearance.participant_id}")
    await expect(page.locator("h1")).to_have_text(first.appearance.name)
    await expect(page.locator(".performance__jury")).to_contain_text("The jury’s marks and the audience’s")
    assert await barriers(page, ".performance__jury") == ""


async def test_plot_and_table_need_no_scripts(windows: Windows, site: Site, stage: int) -> None:
    page = await windows.open(f"/stages/{stage}?view=jury", **OFF)
    count = len(site.desk.do(comparison_get, stage_id=stage).performances)
    await expect(page.locator(POINT)).to_have_count(count)
    await expect(page.locator(".versus__table tbody tr")).to_have_count(count)
