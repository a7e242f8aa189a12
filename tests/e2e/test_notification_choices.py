"""The profile's notifications in a browser: its time zone, without scripts, and the link that ends the mails."""

import re

import pytest
from playwright.async_api import Locator, Page, expect

from apps.accounts.models import User
from apps.notifications.models import NotificationPreference
from apps.notifications.selectors.preferences import Preferences, preferences_get
from apps.notifications.unsubscribing import unsubscribe_address
from tests.e2e.accounts import LISTENER
from tests.e2e.barriers import barriers
from tests.e2e.conftest import Site
from tests.e2e.scriptless import OFF, says
from tests.e2e.windows import Windows

NEW_YORK = {"timezone_id": "America/New_York"}
PATH = "/profile"


@pytest.fixture
def nothing_chosen(site: Site):
    """Delete all choices before and after."""
    site.desk.do(NotificationPreference.objects.all().delete)
    yield
    site.desk.do(NotificationPreference.objects.all().delete)


def listener_id(site: Site) -> int:
    return site.desk.do(lambda: User.objects.get(username=LISTENER).pk)


def stored(site: Site) -> Preferences:
    return site.desk.do(preferences_get, user_id=listener_id(site))


def section(page: Page) -> Locator:
    return page.locator("#notifications")


async def save(page: Page) -> None:
    await section(page).get_by_role("button", name="Save notifications").click()


async def saved(page: Page) -> None:
    await save(page)
    await expect(section(page).get_by_role("status")).to_contain_text("Notifications saved.")


async def test_time_zone_of_the_browser_is_offered_until_one_is_chosen(
    site: Site, windows: Windows, nothing_chosen: None
) -> None:
    page = await windows.open(PATH, session=site.sign_in(LISTENER), **NEW_YORK)
    zone = section(page).get_by_label("Time zone")
    await expect(zone).to_have_value("America/New_York")
    await saved(page)
    assert stored(site).time_zone == "America/New_York"
    await zone.select_option("Asia/Tokyo")
    await saved(page)
    assert stored(site).time_zone == "Asia/Tokyo"
    await zone.select_option("")
    await saved(page)
    assert stored(site).time_zone == "", "as in the hall"
    again = await windows.open(PATH, session=site.sign_in(LISTENER), **NEW_YORK)
    await expect(section(again).get_by_label("Time zone")).to_have_value("")


async def test_notification_choices_need_no_scripts(site: Site, windows: Windows, nothing_chosen: None) -> None:
    page = await windows.open(PATH, session=site.sign_in(LISTENER), width=360, **OFF, **NEW_YORK)
    await expect(section(page).get_by_label("Time zone")).to_have_value("")
    await section(page).get_by_role("checkbox", name="Advances to the next stage").check()
    await section(page).get_by_label("From").fill("22:00")
    await save(page)
    await says(page, "Quiet hours need a beginning and an end.")
    await expect(section(page).get_by_role("checkbox", name="Advances to the next stage")).to_be_checked()
    await section(page).get_by_label("Until").fill("07:00")
    await save(page)
    await says(page, "Notifications saved.")
    assert stored(site).advanced
    await section(page).get_by_role("link", name="performers that you follow").click()
    await expect(page).to_have_url(re.compile("/following$"))


async def test_link_in_a_mail_ends_the_mails_without_a_session(
    site: Site, windows: Windows, nothing_chosen: None
) -> None:
    user_id = listener_id(site)
    site.desk.do(NotificationPreference.objects.create, user_id=user_id, mail="daily")
    link = site.desk.do(unsubscribe_address, user_id).partition("?key=")[2]
    page = await windows.open(f"/unsubscribe?key={link}", wait_live=False)
    await expect(page.get_by_role("heading", level=1)).to_have_text("End these e-mails")
    await expect(page.get_by_text("•••@")).to_be_visible()
    assert await barriers(page) == ""
    await page.get_by_role("button", name="End these e-mails").click()
    await expect(page.get_by_role("heading", level=1)).to_have_text("No more e-mails")
    assert stored(site).mail == "never"
