"""Held keys, many clicks, many choices and broken characters lose neither the socket nor the text."""

import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest_asyncio
from playwright.async_api import Browser, Page, expect

from project.process.commands import TOO_MUCH
from tests.e2e.accounts import LISTENER
from tests.e2e.conftest import Site
from tests.e2e.windows import Windows, becomes, live, opened
from tests.project.small import Small

HELD = 200  # repeats of a key: 7 s of a held key, five times the burst limit of a window
FAST = "That was a little fast. Please try again in a moment."
# Simulates a held key, faster than any keyboard, with the browser's own text insertion.
HOLD = """async (field, times) => {
  field.focus();
  for (let time = 0; time < times; time += 1) {
    document.execCommand("insertText", false, "x");
    if (time % 10 === 0) await new Promise(requestAnimationFrame);
  }
}"""
WRITE = """(field, text) => {
  const setter = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), "value").set;
  setter.call(field, text);
  field.dispatchEvent(new InputEvent("input", { bubbles: true }));
}"""
CHOOSE = """(field, count) => {
  [...field.options].forEach((option, index) => { option.selected = index < count; });
  field.dispatchEvent(new Event("change", { bubbles: true }));
}"""
PRESS = "(button, times) => { for (let time = 0; time < times; time += 1) button.click(); }"
HALF = "before \ud83c after"
MENDED = "before \ufffd after"


@pytest_asyncio.fixture(loop_scope="session")
async def typing(browser: Browser, site: Site, tmp_path: Path) -> AsyncIterator[tuple[Page, Windows]]:
    """Yield a page with a component's fields and button, as in ReactPy's examples."""
    # DEBUG serves uncollected static files
    small = Small(tmp_path, site.server.environment["OWNER_DATABASE_URL"], DEBUG="1")
    try:
        small.start()
        windows = Windows(browser, small.address)
        yield await windows.open("/typing"), windows
        await windows.end()
    finally:
        small.leave()


async def has_kept_its_socket(page: Page, windows: Windows) -> bool:
    """Return whether the page is live on its first socket."""
    await live(page)
    return windows.sockets[page] == 1


async def test_component_accepts_a_held_key_many_choices_and_a_broken_character(
    typing: tuple[Page, Windows],
) -> None:
    page, windows = typing
    field, options = page.get_by_label("Text"), page.get_by_label("Options")
    await field.evaluate(HOLD, HELD)
    await expect(page.locator("#text")).to_have_text("x" * HELD)
    assert await field.input_value() == "x" * HELD
    await field.evaluate(WRITE, HALF)
    await expect(page.locator("#text")).to_have_text(MENDED)
    await options.evaluate(CHOOSE, 70)
    await expect(page.locator("#chosen")).to_have_text("70")
    await options.evaluate(CHOOSE, 300)
    await expect(page.get_by_text(TOO_MUCH)).to_be_visible()
    await page.get_by_role("button", name="Press").evaluate(PRESS, HELD)
    await expect(page.get_by_text(FAST)).to_be_visible()
    await expect(page.locator("#times")).not_to_have_text("0")
    assert int(await page.locator("#times").inner_text()) < HELD
    await field.fill("whole")
    await expect(page.locator("#text")).to_have_text("whole")
    assert await has_kept_its_socket(page, windows)


async def test_pages_keep_socket_and_text_after_many_clicks_and_held_keys(site: Site, windows: Windows) -> None:
    page = await windows.open(f"/sessions/{site.appearances.past}", session=site.sign_in(LISTENER))
    row = page.locator(".order > li").first
    await opened(row)
    watch = row.locator("a.watch").first
    await watch.evaluate(PRESS, HELD)
    await expect(page.get_by_text(FAST)).to_be_visible()
    assert await has_kept_its_socket(page, windows)

    people = await windows.open("/participants")
    await people.get_by_label("Country").evaluate(
        """(field, times) => {
          for (let time = 0; time < times; time += 1) {
            field.selectedIndex = time % field.options.length;
            field.dispatchEvent(new Event("change", { bubbles: true }));
          }
          field.value = "Poland";
          field.dispatchEvent(new Event("change", { bubbles: true }));
        }""",
        HELD,
    )
    await expect(people.locator(".cards__from").filter(has_not_text="Poland")).to_have_count(0)
    await expect(people).to_have_url(re.compile("country=Poland$"))
    search = people.get_by_label("Name")
    await search.evaluate(WRITE, HALF)
    await becomes(people, "() => new URLSearchParams(location.search).get('q')", MENDED)
    await search.evaluate(WRITE, "")
    await search.evaluate(HOLD, 100)
    await becomes(people, "() => new URLSearchParams(location.search).get('q')", "x" * 100)
    assert await has_kept_its_socket(people, windows)


async def test_oversized_form_is_answered_and_broken_characters_are_replaced(site: Site, windows: Windows) -> None:
    page = await windows.open(f"/sessions/{site.appearances.live}#comments", session=site.sign_in(LISTENER))
    say = page.get_by_label("Your comment", exact=True)
    button = page.get_by_role("button", name="Comment", exact=True)
    more = """(field, count) => {
      const chosen = Array.from({ length: count }, (_, value) => `<option selected>${value}</option>`).join("");
      field.form.querySelector("select")?.remove();
      field.form.insertAdjacentHTML("beforeend", `<select name="more" multiple hidden>${chosen}</select>`);
    }"""
    await say.evaluate(WRITE, HALF)
    await say.evaluate(more, 300)
    await button.click()
    await expect(page.get_by_role("alert").filter(has_text=TOO_MUCH)).to_be_visible()
    assert await say.input_value() in {HALF, MENDED}
    await say.evaluate(more, 70)
    await button.click()
    await expect(page.locator(".says__text").filter(has_text=MENDED)).to_be_visible()
    assert await has_kept_its_socket(page, windows)
