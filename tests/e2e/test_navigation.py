"""In-place navigation in a browser: history, title, focus and scroll position."""

import re

from playwright.async_api import Page, expect

from tests.e2e.conftest import Site
from tests.e2e.windows import Windows, becomes, live, resize

FOCUSED = "() => document.activeElement.tagName"
SCROLLED = "() => Math.round(scrollY)"


async def stay(page: Page) -> None:
    """Mark this document, so that `stayed` detects a page load."""
    await page.evaluate("() => { window.stayed = true; }")


async def stayed(page: Page) -> bool:
    """Return whether the page still has the marked document."""
    return bool(await page.evaluate("() => window.stayed === true"))


async def test_links_and_history_change_the_page_in_place_with_title_focus_and_scroll_position(
    site: Site, windows: Windows
) -> None:
    page = await windows.open("/")
    await stay(page)
    await page.locator("#nav").get_by_role("link", name="Participants").click()
    await expect(page).to_have_url(f"{site.server.address}/participants")
    await expect(page).to_have_title("Participants – Parterre")
    await expect(page.locator("h1")).to_be_focused()
    await expect(page.locator('#nav [aria-current="page"]')).to_have_text("Participants")

    last = page.locator(".cards > li a").last
    await last.scroll_into_view_if_needed()
    scrolled = await page.evaluate(SCROLLED)
    assert scrolled > 300
    name = await last.inner_text()
    await last.click()
    await expect(page.locator("h1")).to_have_text(name)
    await becomes(page, SCROLLED, 0)
    await page.go_back()
    await expect(page.locator("h1")).to_have_text("Participants")
    await becomes(page, SCROLLED, scrolled)
    await page.go_forward()
    await expect(page.locator("h1")).to_have_text(name)
    await expect(page).to_have_title(f"{name} – Parterre")
    await expect(page.locator("h1")).to_be_focused()

    await resize(page, 1280, 400)
    await page.evaluate("() => scrollTo(0, 60)")
    tab = page.get_by_role("link", name="Biography")
    await tab.click()
    await expect(page).to_have_url(re.compile(r"\?tab=biography$"))
    await expect(tab).to_have_attribute("aria-current", "page")
    await expect(tab).to_be_focused()
    assert await page.evaluate(SCROLLED) == 60
    await page.go_back()
    await expect(page.get_by_role("link", name="Performance & Ratings")).to_have_attribute("aria-current", "page")
    assert await stayed(page)

    # the deep link of a tab survives a reload; a page of forms is loaded by the browser
    await page.go_forward()
    await expect(tab).to_have_attribute("aria-current", "page")
    prose = await page.locator(".prose").inner_text()
    await page.reload()
    await live(page)
    assert await page.locator(".prose").inner_text() == prose
    await stay(page)
    await page.locator("#nav").get_by_role("link", name="Log in").click()
    await expect(page).to_have_url(f"{site.server.address}/login")
    await expect(page.locator("h1")).to_be_visible()
    assert not await stayed(page)
    await page.go_back()
    await expect(page.locator("h1")).to_have_text(name)
    await live(page)
