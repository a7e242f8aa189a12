"""A server crash or restart: pages keep the viewer's input, video and content, and reconnect."""

import asyncio

from playwright.async_api import Page, expect

from tests.e2e.conftest import Site
from tests.e2e.windows import LIVE, SERVERLESS, Windows, becomes, live

STATUS = "[data-connection-status]"
CARET = "() => [document.activeElement.id, document.activeElement.value, document.activeElement.selectionStart]"
# Records the close codes of sockets.
KEEP_CODES = """window.codes = [];
window.WebSocket = class extends WebSocket {
  constructor(...given) {
    super(...given);
    this.addEventListener("close", ({ code }) => window.codes.push(code));
  }
};"""


async def died(page: Page) -> None:
    """Wait until the page is no longer live."""
    await expect(page.locator(LIVE)).to_have_count(0)


async def test_killed_server_costs_nothing(site: Site, windows: Windows) -> None:
    search = await windows.open("/participants", tolerated=[SERVERLESS])
    stage = await windows.open(f"/sessions/{site.appearances.live}", tolerated=[SERVERLESS])
    home = await windows.open("/", tolerated=[SERVERLESS])
    video = await stage.wait_for_selector("#stage-video")
    field = search.get_by_label("Name")
    await field.press_sequentially("wrob")
    await expect(search.locator(".cards > li")).to_have_count(1)

    await asyncio.to_thread(site.server.kill)
    await died(search)
    await field.press_sequentially("levska")
    await field.press("ArrowLeft")
    await field.press("ArrowLeft")
    for page in (search, stage, home):
        await expect(page.locator(STATUS)).to_have_text("Reconnecting…")
        await expect(page.locator(STATUS)).to_have_attribute("role", "status")
    name = site.perform(9)

    await asyncio.to_thread(site.server.start)
    for page in (search, stage, home):
        await live(page)
        await expect(page.locator(STATUS)).to_be_empty()
    assert await search.evaluate(CARET) == ["q", "wroblevska", 8]
    await expect(search.get_by_text("No participants found matching your criteria.")).to_be_visible()
    await expect(stage.locator(".stand__said .person__name")).to_have_text(name)
    await expect(stage.locator(".order > li.is-now")).to_contain_text(name)
    await expect(home.locator(".door__name")).to_have_text(name)
    assert await video.evaluate("(frame) => frame.isConnected")
    assert len(windows.videos) == 1, "the video began again"


async def test_stopped_server_says_that_it_comes_back(site: Site, windows: Windows) -> None:
    page = await windows.open(tolerated=[SERVERLESS])
    await page.add_init_script(KEEP_CODES)
    await page.goto(f"/sessions/{site.appearances.live}")
    await live(page)
    assert await asyncio.to_thread(site.server.stop) == 0
    await becomes(page, "() => window.codes[0]", 1012)
    name = site.perform(3)
    await asyncio.to_thread(site.server.start)
    await live(page)
    await expect(page.locator(".stand__said .person__name")).to_have_text(name)


async def test_link_is_an_ordinary_one_while_nobody_answers(site: Site, windows: Windows) -> None:
    page = await windows.open("/participants", tolerated=[SERVERLESS])
    await page.evaluate("() => { window.stayed = true; }")
    await asyncio.to_thread(site.server.kill)
    await died(page)
    await asyncio.to_thread(site.server.start)
    # The link works whether the page has reconnected or not.
    await page.locator("#nav").get_by_role("link", name="Sessions").click()
    await expect(page.locator("h1")).to_have_text("Sessions")
    await live(page)
