"""The schedule on a phone: times of the hall and of the viewer, the days, a live delay; and without scripts."""

import re
from collections.abc import Iterator

import pytest
from icalendar import Calendar
from playwright.async_api import expect

from apps.accounts.actors import OPERATOR
from apps.competition.services.planned_times import planned_times_clear, planned_times_set
from tests.e2e.conftest import Site
from tests.e2e.scriptless import OFF
from tests.e2e.windows import Windows

WIDE = "document.scrollingElement.scrollWidth > innerWidth"
LINE = 40  # pixels: one line of a row, and not two
LATE = re.compile(r"running (\d+ minutes?|\d+ h( \d+ min)?) late")


@pytest.fixture
def planned(site: Site) -> Iterator[Site]:
    """Plan one minute for each performance of the live session, so that it runs late; clear the times afterwards."""
    live = site.appearances.live
    site.desk.do(planned_times_set, actor=OPERATOR, session_id=live, minutes=1, intervals={})
    yield site
    site.desk.do(planned_times_clear, actor=OPERATOR, session_id=live)


async def test_schedule_shows_both_time_zones_and_a_delay_on_a_phone_and_is_printed(
    planned: Site, windows: Windows
) -> None:
    page = await windows.open("/schedule", width=360, timezone_id="America/New_York")
    now = page.locator(".schedule__order .is-now")
    both = re.compile(r"^(\w{3}\s)?\d\d:\d\d, (\w{3}\s)?\d\d:\d\d$")
    when = now.locator(".schedule__when")
    await expect(when).to_have_text(both)
    assert (await when.bounding_box() or {})["height"] < LINE, "two clocks take one line, also of two days"
    await expect(page.locator(".schedule__meta").first).to_contain_text("in\u00a0the\u00a0hall")
    assert not await page.evaluate(WIDE)
    await expect(now).to_contain_text(planned.perform(5))
    await expect(page.locator(".schedule__meta").filter(has_text="LIVE NOW")).to_contain_text(LATE)
    await page.get_by_role("link", name="All days").click()
    await expect(page.get_by_role("link", name="All days")).to_have_attribute("aria-current", "page")
    await expect(page.locator("section.schedule").nth(1)).to_be_visible()
    assert not await page.evaluate(WIDE)
    await page.emulate_media(media="print")
    await expect(page.locator(".schedule__order").first).to_be_visible()
    await expect(page.locator(".tabs")).to_be_hidden()
    await expect(page.locator("summary", has_text="Calendar")).to_be_hidden()
    await page.emulate_media(media="screen")
    await page.locator("summary", has_text="Calendar").click()
    async with page.expect_download() as file:
        await page.get_by_role("link", name="Calendar file").click()
    content = await (await file.value).path()
    assert len(Calendar.from_ical(content.read_bytes()).events) > 1


async def test_schedule_shows_the_times_of_the_venue_without_scripts(planned: Site, windows: Windows) -> None:
    page = await windows.open("/schedule", width=360, timezone_id="America/New_York", **OFF)
    when = page.locator(".schedule__order .is-now .schedule__when")
    await expect(when).to_have_text(re.compile(r"^\s*\d\d:\d\d\s*$"))
    await expect(page.locator(".schedule .muted").first).to_contain_text("Times in the hall: Europe/Warsaw")
    assert not await page.evaluate(WIDE)
    await page.get_by_role("link", name="All days").click()
    await expect(page).to_have_url(re.compile("day=all"))
    await expect(page.locator("section.schedule").nth(1)).to_be_visible()
