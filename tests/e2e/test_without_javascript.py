"""A first visit with JavaScript off: everything public can be read, searched and watched."""

import re

from playwright.async_api import expect

from apps.competition.selectors import session_appearances
from tests.e2e.conftest import Site
from tests.e2e.places import PUBLIC, STATUS
from tests.e2e.windows import ABSENT, Windows

OFF = {"java_script_enabled": False, "wait_live": False}


async def test_every_public_page_can_be_read(site: Site, windows: Windows) -> None:
    page = await windows.open(**OFF, tolerated=[ABSENT])
    for pattern in PUBLIC:
        answer = await page.goto(site.appearances.at(pattern))
        assert answer.status == STATUS.get(pattern, 200), pattern
        await expect(page.locator("h1")).to_be_visible()
        await expect(page.locator("main")).not_to_be_empty()


async def test_search_works_by_its_button(site: Site, windows: Windows) -> None:
    page = await windows.open("/participants", **OFF)
    await page.get_by_label("Name").fill("wroblewska")
    await page.get_by_role("button", name="Search").click()
    await expect(page).to_have_url(re.compile(r"\?q=wroblewska"))
    await expect(page.locator(".cast > li")).to_have_count(1)
    await expect(page.get_by_label("Name")).to_have_value("wroblewska")


async def test_tabs_are_links(site: Site, windows: Windows) -> None:
    page = await windows.open("/sessions", **OFF)
    await page.get_by_role("link", name="Past", exact=True).click()
    await expect(page).to_have_url(re.compile(r"/sessions\?show=past$"))
    await expect(page.get_by_role("link", name="Past", exact=True)).to_have_attribute("aria-current", "page")
    await expect(page.get_by_role("link", name="Preliminary Round, first day")).to_be_visible()


async def test_phone_menu_needs_no_button(site: Site, windows: Windows) -> None:
    page = await windows.open("/", width=360, **OFF)
    await expect(page.locator(".menu")).to_be_hidden()
    await page.locator("#nav").get_by_role("link", name="Sessions").click()
    await expect(page.locator("h1")).to_have_text("Sessions")


async def test_watch_shows_the_video_at_its_second(site: Site, windows: Windows) -> None:
    appearances = site.desk.do(session_appearances, session_id=site.appearances.past)
    line = next(line for line in appearances[1].program if line.second and line.second > 0)
    page = await windows.open(f"/sessions/{site.appearances.past}", **OFF)
    await page.locator(".order > li").nth(1).locator("summary").click()
    await page.locator(f'a.watch[href*="watch={line.id}#"]').click()
    source = await page.locator("#stage-video").get_attribute("src")
    assert f"/embed/{line.video_id}?" in source
    assert re.search(rf"[?&]start={line.second}(&|$)", source)
