"""Pages on a phone: the menu by keyboard and touch, the width of a piece's line."""

from playwright.async_api import expect

from tests.e2e.conftest import Site
from tests.e2e.windows import Windows


async def test_menu_opens_and_closes_by_keyboard(site: Site, windows: Windows) -> None:
    page = await windows.open("/", width=360)
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


async def test_menu_closes_when_a_link_is_followed(site: Site, windows: Windows) -> None:
    page = await windows.open("/", width=360, has_touch=True)
    await page.locator(".menu").tap()
    await page.locator("#nav").get_by_role("link", name="Sessions").tap()
    await expect(page.locator("h1")).to_have_text("Sessions")
    await expect(page.locator("#nav")).to_be_hidden()
    await expect(page.locator(".menu")).to_have_attribute("aria-expanded", "false")


async def test_menu_survives_a_live_change(site: Site, windows: Windows) -> None:
    page = await windows.open("/", width=360)
    await page.locator(".menu").click()
    await expect(page.locator(".door__name")).to_have_text(site.perform(5))
    await expect(page.locator(".menu")).to_have_attribute("aria-expanded", "true")
    await expect(page.locator("#nav").get_by_role("link", name="Participants")).to_be_visible()


async def test_piece_in_the_form_has_the_whole_line(site: Site, windows: Windows) -> None:
    page = await windows.open(f"/participants/{site.appearances.participant}", width=360)
    title, board = page.locator(".marks label").first, page.locator(".marks .score__board").first
    named, keys = await title.bounding_box(), await board.bounding_box()
    assert named
    assert keys
    assert round(named["x"] + named["width"]) == round(keys["x"] + keys["width"])
