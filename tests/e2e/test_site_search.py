"""The search field of the bar: by keyboard, on a phone, without scripts and without a connection."""

import re

from playwright.async_api import Page, expect

from tests.e2e.conftest import Site
from tests.e2e.scriptless import OFF
from tests.e2e.windows import Windows

PERFORMER = re.compile(r"/participants/\d+$")


def suggestions(page: Page):
    """Return the suggested hits."""
    return page.get_by_role("listbox", name="Suggestions").get_by_role("option")


async def test_performer_is_found_by_keyboard(site: Site, windows: Windows) -> None:
    page = await windows.open("/sessions")
    field = page.get_by_label("Search the site")
    await field.focus()
    await page.keyboard.type("wroblew")
    await expect(suggestions(page).first).to_contain_text("Zofia Wróblewska-Łęcka")
    await expect(field).to_have_attribute("aria-expanded", "true")
    await page.keyboard.press("Escape")
    await expect(suggestions(page)).to_have_count(0)
    await expect(field).to_have_value("wroblew")
    await page.keyboard.type("s")
    await expect(suggestions(page).first).to_be_visible()
    await page.keyboard.press("ArrowDown")
    await expect(suggestions(page).first).to_have_attribute("aria-selected", "true")
    await page.keyboard.press("Enter")
    await expect(page).to_have_url(PERFORMER)
    await expect(page.locator("h1")).to_contain_text("Zofia Wróblewska-Łęcka")
    await expect(field).to_have_value("")


async def test_piece_is_found_on_a_phone(site: Site, windows: Windows) -> None:
    page = await windows.open("/", width=360)
    await page.get_by_role("button", name="Menu").click()
    await page.get_by_label("Search the site").fill("rewolucyjna")
    await suggestions(page).filter(has_text="Étude in C minor").click()
    await expect(page).to_have_url(re.compile(r"/pieces/\d+$"))
    await expect(page.locator("h1")).to_contain_text("Étude in C minor")
    await expect(page.get_by_label("Search the site")).to_be_hidden()


async def test_enter_shows_all_results_also_after_a_lost_connection(site: Site, windows: Windows) -> None:
    page = await windows.open("/sessions", tolerated=["ERR_INTERNET_DISCONNECTED"])
    field = page.get_by_label("Search the site")
    await field.fill("zofia")
    await expect(suggestions(page).first).to_be_visible()
    await page.context.set_offline(True)
    async with page.expect_event("requestfailed", lambda request: "/search/suggestions" in request.url):
        await page.keyboard.type(" w")
    await expect(suggestions(page)).to_have_count(0)
    await expect(field).to_have_value("zofia w")
    await page.context.set_offline(False)
    await page.keyboard.press("Enter")
    await expect(page).to_have_url(re.compile(r"/search\?q=zofia(\+|%20)w$"))
    await expect(page.locator(".found li").first).to_contain_text("Zofia Wróblewska-Łęcka")
    await page.get_by_label("Performers, pieces").fill("nocturne op 9/2")
    await expect(page.locator(".found li").first).to_contain_text("Nocturne in E♭ major, op. 9 no. 2")
    await expect(page).to_have_url(re.compile("op"))


async def test_search_field_leads_to_the_results_without_scripts(site: Site, windows: Windows) -> None:
    page = await windows.open("/sessions", **OFF)
    await page.get_by_label("Search the site").fill("cis-moll")
    await page.keyboard.press("Enter")
    await expect(page.locator(".found li").first).to_contain_text("C♯ minor")
