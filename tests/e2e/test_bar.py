"""The top bar: it stays on one line, and leads to a stage in one press."""

import re

from playwright.async_api import expect

from tests.e2e.accounts import ADMINISTRATOR
from tests.e2e.barriers import SIDEWAYS
from tests.e2e.conftest import Site
from tests.e2e.fonts import FONTS, font_use
from tests.e2e.scriptless import OFF
from tests.e2e.windows import Windows, resize

# Returns the texts of the bar's links and buttons that are not in the middle of the bar's first line.
WRAPPED = """() => {
  const middle = (element) => { const { top, height } = element.getBoundingClientRect(); return top + height / 2; };
  const first = middle(document.querySelector(".wordmark"));
  const isBelow = (each) => each.checkVisibility() && Math.abs(middle(each) - first) > 2;
  const controls = [...document.querySelectorAll("#nav :is(a, button, input)")];
  return controls.filter(isBelow).map((each) => each.textContent || each.type);
}"""
# Returns the texts of the open menu that take more than one line.
BROKEN = """() => {
  const texts = document.createTreeWalker(document.querySelector("#nav"), NodeFilter.SHOW_TEXT);
  const broken = [], range = document.createRange();
  while (texts.nextNode()) {
    range.selectNodeContents(texts.currentNode);
    if (range.getClientRects().length > 1) broken.push(texts.currentNode.data);
  }
  return broken;
}"""
NAMES = ["Home", "Participants", "Sessions Live", "Ranking", "Community", "Admin", "Following", "Profile"]


async def test_bar_of_an_administrator_is_one_line_at_every_width(site: Site, windows: Windows) -> None:
    page = await windows.open("/stages", session=site.sign_in(ADMINISTRATOR))
    for width in (1024, 1100, 1280, 1600):
        await resize(page, width, 900)
        links = await page.locator("#nav a:not(.nav__phone)").all_inner_texts()
        assert [" ".join(link.split()) for link in links] == NAMES, width
        await expect(page.get_by_label("Search the site")).to_be_visible()
        for font in FONTS:
            await font_use(page, font)
            assert await page.evaluate(WRAPPED) == [], (width, font)
            assert await page.evaluate(SIDEWAYS) == 0, (width, font)
        await expect(page.get_by_role("button", name="Lights down")).to_be_visible()
    await resize(page, 360, 740)
    await page.locator(".menu").click()
    await expect(page.locator("#nav").get_by_role("link", name="Ranking")).to_have_attribute("aria-current", "true")
    assert await page.evaluate(BROKEN) == [], "the menu of a phone"
    assert await page.evaluate(SIDEWAYS) == 0, "the menu of a phone"


async def test_link_ranking_leads_to_a_stage_with_and_without_scripts(site: Site, windows: Windows) -> None:
    stage = re.compile(r"/stages/\d+$")
    page = await windows.open("/")
    await page.evaluate("() => { window.stayed = true; }")
    await page.locator("#nav").get_by_role("link", name="Ranking").click()
    await expect(page).to_have_url(stage)
    await expect(page.locator("h1")).to_be_focused()
    shown = page.url
    assert await page.evaluate("() => window.stayed"), "the page is shown in place"
    await page.go_back()
    await expect(page).to_have_url(f"{site.server.address}/")
    plain = await windows.open("/", **OFF)
    await plain.locator("#nav").get_by_role("link", name="Ranking").click()
    await expect(plain).to_have_url(stage)
    assert plain.url == shown
