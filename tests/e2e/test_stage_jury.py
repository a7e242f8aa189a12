"""The jury's tab in a browser: its table, its plot, the keyboard, and one press without scripts."""

import re

import pytest
from playwright.async_api import expect

from apps.competition.models import Stage
from apps.jury.audience import comparison_get
from apps.jury.models import JuryShown
from tests.e2e.accounts import LISTENER
from tests.e2e.barriers import barriers
from tests.e2e.conftest import Site
from tests.e2e.layout import layout_faults
from tests.e2e.scriptless import OFF
from tests.e2e.test_stage import tab_to
from tests.e2e.windows import Windows

JUDGED = "Preliminary Round"
POINT = "figure.versus__plot a"
DRAWN = "(point) => [getComputedStyle(point.lastChild).strokeWidth, getComputedStyle(point.lastChild).fill]"


@pytest.fixture
def stage(site: Site) -> int:
    """Return the demo's stage with published marks."""
    return site.desk.do(lambda: Stage.objects.get(name=JUDGED).pk)


async def test_plot_and_table_of_the_jury_are_used_by_keyboard(site: Site, windows: Windows, stage: int) -> None:
    page = await windows.open(f"/stages/{stage}")
    await page.get_by_role("navigation", name="Whose marks").get_by_role("link", name="Jury").click()
    table = page.get_by_role("region", name="Marks of the jury")
    await expect(table.get_by_role("row")).to_have_count(23)
    await page.get_by_text("All ranks as a table").click()
    assert await layout_faults(page) == ""
    assert await barriers(page) == ""
    row = table.get_by_role("row").nth(1)  # the window is as wide as a phone since the checks: a row unfolds
    await row.locator("summary").focus()
    await page.keyboard.press("Enter")
    await expect(row.locator(".jury__whose").last).to_be_visible()
    await page.get_by_text("The ranking of one juror").click()
    first = page.locator("li a[href*='juror=']").last
    juror = await first.inner_text()
    await first.click()
    await expect(page.get_by_role("heading", name=f"The ranking of {juror}")).to_be_visible()
    assert await layout_faults(page) == ""
    assert await barriers(page) == ""
    await page.get_by_role("link", name="The whole table in this order").click()
    orders = page.get_by_role("navigation", name="Order of the table")
    await expect(orders.get_by_role("link", name=juror)).to_have_attribute("aria-current", "true")
    await orders.get_by_role("link", name="Name").click()
    await expect(page).to_have_url(re.compile("sort=name"))
    await expect(table.get_by_role("row")).to_have_count(23)

    performer = site.desk.do(comparison_get, stage_id=stage).performances[0].appearance
    before = await page.locator(POINT).first.evaluate(DRAWN)
    await tab_to(page, POINT)
    point = page.locator(POINT).first
    await expect(point).to_be_focused()
    await expect(point).to_have_accessible_name(re.compile(f"{performer.name}: jury 1st, audience "))
    assert await point.evaluate(DRAWN) != before, "the focus is visible"
    await page.keyboard.press("Tab")
    await expect(page.locator(POINT).nth(1)).to_be_focused()
    await page.keyboard.press("Shift+Tab")
    await page.keyboard.press("Enter")
    await page.wait_for_url(f"**/participants/{performer.participant_id}")
    await expect(page.locator("h1")).to_have_text(performer.name)
    await expect(page.locator(".performance__jury")).to_contain_text("The jury’s marks and the audience’s")


async def test_member_shows_the_jury_marks_by_one_press_without_scripts(
    site: Site, windows: Windows, stage: int
) -> None:
    site.desk.do(lambda: JuryShown.objects.all().delete())
    page = await windows.open(f"/stages/{stage}?view=jury", session=site.sign_in(LISTENER), width=360, **OFF)
    await expect(page.get_by_role("region", name="Marks of the jury")).to_have_count(0)
    await page.get_by_role("button", name="Show the jury’s marks").click()
    await expect(page.get_by_role("region", name="Marks of the jury")).to_be_visible()
    site.desk.do(lambda: JuryShown.objects.all().delete())
