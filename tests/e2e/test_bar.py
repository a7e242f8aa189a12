"""The top bar stays on one line, and the link Ranking leads to a stage in one press."""

import re

import pytest
from playwright.async_api import expect

from tests.e2e.accounts import ADMINISTRATOR
from tests.e2e.barriers import SIDEWAYS
from tests.e2e.conftest import Site
from tests.e2e.scriptless import OFF
from tests.e2e.windows import Windows

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


@pytest.mark.parametrize("width", [1024, 1100, 1280, 1600])
async def test_the_bar_of_an_administrator_is_one_line(width: int, site: Site, windows: Windows) -> None:
    page = await windows.open("/stages", width=width, session=site.sign_in(ADMINISTRATOR))
    links = await page.locator("#nav a").all_inner_texts()
    assert [" ".join(each.split()) for each in links] == NAMES
    assert await page.evaluate(WRAPPED) == []
    await expect(page.get_by_label("Search the site")).to_be_visible()
    assert await page.evaluate(SIDEWAYS) == 0
    await expect(page.get_by_role("button", name="Lights down")).to_be_visible()


async def test_the_menu_of_a_phone_breaks_no_line(site: Site, windows: Windows) -> None:
    page = await windows.open("/stages", width=360, session=site.sign_in(ADMINISTRATOR))
    await page.locator(".menu").click()
    await expect(page.locator("#nav").get_by_role("link", name="Ranking")).to_have_attribute("aria-current", "true")
    assert await page.evaluate(BROKEN) == []
    assert await page.evaluate(SIDEWAYS) == 0


async def test_home_is_one_press_from_the_ranking_with_and_without_scripts(site: Site, windows: Windows) -> None:
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
