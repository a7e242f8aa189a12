"""Searching participants: the list follows what one types, and the address keeps it."""

import re

from playwright.async_api import Page, expect

from tests.e2e.conftest import Site
from tests.e2e.windows import Windows, becomes

# As fast as no one types: one letter after the other in one breath.
TYPE = """(field, text) => {
  field.focus();
  for (const letter of text) {
    field.value += letter;
    field.dispatchEvent(new InputEvent("input", { bubbles: true, data: letter }));
  }
}"""


def results(page: Page):
    """The participants that are listed."""
    return page.locator(".cast > li")


async def test_list_narrows_while_one_types(site: Site, windows: Windows) -> None:
    page = await windows.open("/participants")
    everybody = await results(page).count()
    assert everybody >= 24
    sent = len(windows.sent[page])
    await page.get_by_label("Name").evaluate(TYPE, "lecka")
    await expect(results(page)).to_have_count(1)
    await expect(results(page)).to_contain_text("Zofia Wróblewska-Łęcka")
    asked = [frame for frame in windows.sent[page][sent:] if "layout-event" in frame]
    assert len(asked) == 1, "each letter was asked for"
    await expect(page).to_have_url(f"{site.server.address}/participants?q=lecka")
    await expect(page.get_by_label("Name")).to_be_focused()
    await expect(page.get_by_role("status").filter(has_text="1 participant")).to_be_visible()
    for _ in range(5):
        await page.keyboard.press("Backspace")
    await expect(results(page)).to_have_count(everybody)
    await expect(page).to_have_url(f"{site.server.address}/participants")
    await expect(page.get_by_label("Name")).to_be_focused()


async def test_names_are_found_in_any_order_and_spelling(site: Site, windows: Windows) -> None:
    page = await windows.open("/participants")
    for words in ("wroblewska zofia", "WRÓBLEWSKA-ŁĘCKA", "zofia lecka"):
        await page.get_by_label("Name").fill(words)
        await becomes(page, "() => new URLSearchParams(location.search).get('q')", words)
        await expect(results(page)).to_have_count(1)
        await expect(results(page)).to_contain_text("Zofia Wróblewska-Łęcka")


async def test_country_narrows_at_once(site: Site, windows: Windows) -> None:
    page = await windows.open("/participants")
    everybody = await results(page).count()
    await page.get_by_label("Country").select_option("Poland")
    await expect(page).to_have_url(re.compile(r"\?country=Poland$"))
    await expect(page.locator(".cast .person__from").filter(has_not_text="Poland")).to_have_count(0)
    assert 0 < await results(page).count() < everybody
    await page.get_by_label("Country").select_option("All Countries")
    await expect(results(page)).to_have_count(everybody)


async def test_nobody_found_is_said(site: Site, windows: Windows) -> None:
    page = await windows.open("/participants")
    await page.get_by_label("Name").fill("nobody of this name")
    await expect(page.get_by_text("No participants found matching your criteria.")).to_be_visible()
    await expect(results(page)).to_have_count(0)


async def test_going_back_restores_fields_and_results(site: Site, windows: Windows) -> None:
    page = await windows.open("/")
    await page.locator("#nav").get_by_role("link", name="Participants").click()
    await page.get_by_label("Name").fill("lecka")
    await page.get_by_label("Country").select_option("Poland")
    await expect(results(page)).to_have_count(1)
    await results(page).get_by_role("heading").get_by_role("link").click()
    await expect(page.locator("h1")).to_have_text("Zofia Wróblewska-Łęcka")
    await page.go_back()
    await expect(page.get_by_label("Name")).to_have_value("lecka")
    await expect(page.get_by_label("Country")).to_have_value("Poland")
    await expect(results(page)).to_have_count(1)
    await page.go_back()
    await expect(page).to_have_url(f"{site.server.address}/")
    await expect(page.locator(".hero")).to_be_visible()
