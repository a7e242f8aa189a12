"""The jury's tab in a browser: phone and desktop, keyboard, publication in open windows, and without scripts."""

import re

import pytest
from playwright.async_api import expect

from apps.accounts.actors import OPERATOR
from apps.competition.models import Stage
from apps.jury.models import JuryShown
from apps.jury.selectors import jury_sheet
from apps.jury.services import sheet_publish, sheet_unpublish
from tests.e2e.accounts import LISTENER
from tests.e2e.barriers import barriers
from tests.e2e.conftest import Site
from tests.e2e.layout import layout_faults
from tests.e2e.scriptless import OFF
from tests.e2e.windows import Windows

JUDGED = "Preliminary Round"


@pytest.fixture
def stage(site: Site) -> int:
    """Return the demo's stage with published marks."""
    return site.desk.do(lambda: Stage.objects.get(name=JUDGED).pk)


async def test_jury_table_is_sorted_by_a_juror_and_by_name(site: Site, windows: Windows, stage: int) -> None:
    page = await windows.open(f"/stages/{stage}")
    await page.get_by_role("navigation", name="Whose marks").get_by_role("link", name="Jury").click()
    table = page.get_by_role("region", name="Marks of the jury")
    await expect(table.get_by_role("row")).to_have_count(23)
    assert await layout_faults(page) == ""
    assert await barriers(page) == ""
    await table.focus()  # the window is as wide as a phone since the checks
    await page.keyboard.press("End")  # a region of the keyboard: it scrolls inside its frame
    first = table.get_by_role("columnheader").last.get_by_role("link")
    juror = await first.inner_text()
    await first.click()
    await expect(page.get_by_role("heading", name=f"The ranking of {juror}")).to_be_visible()
    assert await layout_faults(page) == ""
    assert await barriers(page) == ""
    await page.get_by_role("link", name="The whole table in this order").click()
    orders = page.get_by_role("navigation", name="Order of the table")
    await expect(orders.get_by_role("link", name=juror)).to_have_attribute("aria-current", "true")
    assert await layout_faults(page) == ""
    assert await barriers(page) == ""
    await page.go_back()
    await page.get_by_role("link", name="All jurors").click()
    await page.get_by_role("navigation", name="Order of the table").get_by_role("link", name="Name").click()
    await expect(page).to_have_url(re.compile("sort=name"))
    await expect(table.get_by_role("row")).to_have_count(23)


async def test_open_windows_follow_the_publication_of_a_jury_sheet(site: Site, windows: Windows, stage: int) -> None:
    visitor = await windows.open(f"/stages/{stage}?view=jury")
    phone = await windows.open(f"/stages/{stage}", width=360)
    ways = phone.get_by_role("navigation", name="Whose marks")
    await expect(ways).to_be_visible()
    sheet = site.desk.do(lambda: jury_sheet(stage_id=stage))
    site.desk.do(sheet_unpublish, actor=OPERATOR, sheet_id=sheet.id)
    await expect(visitor.get_by_text("The jury’s marks of this stage are not published.")).to_be_visible()
    await expect(ways).to_have_count(0)
    site.desk.do(sheet_publish, actor=OPERATOR, sheet_id=sheet.id)
    await expect(visitor.get_by_role("region", name="Marks of the jury")).to_be_visible()
    await expect(ways).to_be_visible()


@pytest.mark.parametrize("scripts", [True, False])
async def test_member_shows_the_jury_marks_by_one_press(
    site: Site, windows: Windows, stage: int, scripts: bool
) -> None:
    options = {} if scripts else OFF
    session = site.sign_in(LISTENER)
    site.desk.do(lambda: JuryShown.objects.all().delete())
    page = await windows.open(f"/stages/{stage}?view=jury", session=session, width=360, **options)
    await expect(page.get_by_role("region", name="Marks of the jury")).to_have_count(0)
    await page.get_by_role("button", name="Show the jury’s marks").click()
    await expect(page.get_by_role("region", name="Marks of the jury")).to_be_visible()
    site.desk.do(lambda: JuryShown.objects.all().delete())
