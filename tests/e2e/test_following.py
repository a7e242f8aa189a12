"""Following in a browser: on a phone of 360 pixels, live on Home and in the list, and with a private calendar."""

import re

import pytest
from icalendar import Calendar
from playwright.async_api import expect

from apps.following.models import CalendarKey, Follow
from tests.e2e.accounts import LISTENER
from tests.e2e.barriers import SIDEWAYS
from tests.e2e.conftest import Site
from tests.e2e.windows import Windows

PHONE = {"width": 360, "has_touch": True}


@pytest.fixture
def nothing_followed(site: Site):
    """Delete all follows and private calendars before and after."""
    site.desk.do(Follow.objects.all().delete)
    site.desk.do(CalendarKey.objects.all().delete)
    yield
    site.desk.do(Follow.objects.all().delete)
    site.desk.do(CalendarKey.objects.all().delete)


async def test_performer_is_followed_on_a_phone_and_named_on_the_title_page(
    site: Site, windows: Windows, nothing_followed: None
) -> None:
    page = await windows.open("/participants", session=site.sign_in(LISTENER), **PHONE)
    name = site.appearances.names[5]
    button = page.get_by_role("button", name=f"Follow {name}")
    await button.tap()
    await expect(button).to_have_attribute("aria-pressed", "true")
    await expect(button).to_have_text(re.compile("1$"))
    await expect(page).to_have_url(re.compile("/participants$"))
    assert await page.evaluate(SIDEWAYS) <= 0
    listed = await windows.open("/following", session=site.sign_in(LISTENER), **PHONE)
    home = await windows.open("/", session=site.sign_in(LISTENER), **PHONE)
    visitor = await windows.open("/", **PHONE)
    site.perform(5)
    await expect(listed.get_by_role("listitem").filter(has_text=name).get_by_text("On stage now")).to_be_visible()
    await expect(home.get_by_text("You follow this performer")).to_be_visible()
    await expect(visitor.locator(".door__name")).to_have_text(name)
    await expect(visitor.get_by_text("You follow this performer")).to_have_count(0)
    await listed.get_by_role("button", name=f"Unfollow {name}").tap()
    await expect(listed.get_by_text("You do not follow a performer yet.")).to_be_visible()
    await expect(home.get_by_text("You follow this performer")).to_be_hidden()


async def test_private_calendar_is_created_replaced_and_ended_on_a_phone(
    site: Site, windows: Windows, nothing_followed: None
) -> None:
    page = await windows.open("/following", session=site.sign_in(LISTENER), **PHONE)
    await page.get_by_role("button", name="Private calendar").tap()
    await page.locator("summary", has_text="Calendar").tap()
    address = page.locator(".calendar-links__address")
    await expect(address).to_have_text(re.compile(r"/calendars/[\w-]{43}\.ics$"))
    first = await address.text_content() or ""
    assert await page.evaluate(SIDEWAYS) <= 0
    link = page.get_by_role("link", name="Add to calendar")
    await expect(link).to_have_attribute("href", first.replace("http://", "webcal://"))
    async with page.expect_download() as file:
        await page.get_by_role("link", name="Calendar file").tap()
    content = await (await file.value).path()
    assert Calendar.from_ical(content.read_bytes())["X-WR-CALNAME"] == "Parterre: performers you follow"
    await page.locator("summary", has_text="Calendar").tap()
    await page.get_by_role("button", name="New address").tap()
    await page.get_by_role("dialog").get_by_role("button", name="Replace").tap()
    await expect(address).not_to_have_text(first)
    assert (await page.request.get(first)).status == 404
    second = await address.text_content() or ""
    assert (await page.request.get(second)).status == 200
    await page.get_by_role("button", name="End the calendar").tap()
    await page.get_by_role("dialog").get_by_role("button", name="End it").tap()
    await expect(page.get_by_role("button", name="Private calendar")).to_be_visible()
    assert (await page.request.get(second)).status == 404
