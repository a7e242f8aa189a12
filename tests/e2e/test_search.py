"""Search of participants: the list follows the input, and the address keeps it."""

import re

from playwright.async_api import Page, expect

from tests.e2e.conftest import Site
from tests.e2e.windows import Windows, becomes

# Types all letters without a pause.
TYPE = """(field, text) => {
  field.focus();
  for (const letter of text) {
    field.value += letter;
    field.dispatchEvent(new InputEvent("input", { bubbles: true, data: letter }));
  }
}"""


def results(page: Page):
    """Return the listed participants."""
    return page.locator(".cards > li")


async def test_list_of_participants_follows_the_search_and_history_restores_it(site: Site, windows: Windows) -> None:
    page = await windows.open("/")
    await page.locator("#nav").get_by_role("link", name="Participants").click()
    await expect(page.locator("h1")).to_be_focused()
    name, country = page.get_by_label("Name"), page.get_by_label("Country")
    total = await results(page).count()
    assert total >= 24
    sent = len(windows.sent[page])
    await name.evaluate(TYPE, "lecka")
    await expect(results(page)).to_have_count(1)
    await expect(results(page)).to_contain_text("Zofia Wróblewska-Łęcka")
    events = [frame for frame in windows.sent[page][sent:] if "layout-event" in frame]
    assert len(events) == 1, "letters that are typed quickly are one event"
    await expect(page).to_have_url(f"{site.server.address}/participants?q=lecka")
    await expect(name).to_be_focused()
    await expect(page.get_by_role("status").filter(has_text="1 participant")).to_be_visible()
    for _ in range(5):
        await page.keyboard.press("Backspace")
    await expect(results(page)).to_have_count(total)
    await expect(page).to_have_url(f"{site.server.address}/participants")
    await expect(name).to_be_focused()

    for words in ("wroblewska zofia", "WRÓBLEWSKA-ŁĘCKA", "zofia lecka"):  # any order and spelling
        await name.fill(words)
        await becomes(page, "() => new URLSearchParams(location.search).get('q')", words)
        await expect(results(page)).to_have_count(1)
        await expect(results(page)).to_contain_text("Zofia Wróblewska-Łęcka")
    await name.fill("nobody of this name")
    await expect(page.get_by_text("No participants found matching your criteria.")).to_be_visible()
    await expect(results(page)).to_have_count(0)
    await name.fill("")
    await expect(results(page)).to_have_count(total)

    await country.select_option("Poland")
    await expect(page).to_have_url(re.compile(r"\?country=Poland$"))
    await expect(page.locator(".cards__from").filter(has_not_text="Poland")).to_have_count(0)
    assert 0 < await results(page).count() < total
    await country.select_option("All Countries")
    await expect(results(page)).to_have_count(total)

    await name.fill("lecka")
    await country.select_option("Poland")
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
