"""The menu of a phone, by keyboard and touch."""

from playwright.async_api import expect

from tests.e2e.conftest import Site
from tests.e2e.windows import Windows


async def test_menu_opens_and_closes_by_keyboard_and_by_a_link_and_survives_a_live_change(
    site: Site, windows: Windows
) -> None:
    page = await windows.open("/", width=360, has_touch=True)
    menu, ways = page.locator(".menu"), page.locator("#nav")
    await expect(ways).to_be_hidden()
    await expect(menu).to_have_attribute("aria-expanded", "false")
    await menu.focus()
    await page.keyboard.press("Enter")
    await expect(menu).to_have_attribute("aria-expanded", "true")
    await expect(ways.get_by_role("link", name="Sessions")).to_be_visible()
    await page.keyboard.press("Tab")
    await expect(ways.get_by_role("link", name="Home")).to_be_focused()
    await page.keyboard.press("Escape")
    await expect(menu).to_have_attribute("aria-expanded", "false")
    await expect(ways).to_be_hidden()
    await expect(menu).to_be_focused()

    await menu.tap()
    await expect(page.locator(".door__name")).to_have_text(site.perform(5))
    await expect(menu).to_have_attribute("aria-expanded", "true")
    await expect(ways.get_by_role("link", name="Participants")).to_be_visible()
    await ways.get_by_role("link", name="Sessions").tap()
    await expect(page.locator("h1")).to_have_text("Sessions")
    await expect(ways).to_be_hidden()
    await expect(menu).to_have_attribute("aria-expanded", "false")
