"""Every page: React hydrates it without errors, and it is one document with one heading and a complete head.

Every page is also accessible: axe and the HTML checker find no faults, no word or date breaks, and a phone does not
scroll sideways.
"""

import asyncio
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.async_api import Browser, Page, expect

from tests.e2e.accounts import ADMINISTRATOR
from tests.e2e.barriers import barriers
from tests.e2e.conftest import Site
from tests.e2e.layout import layout_faults
from tests.e2e.places import EVERY, PLAIN, STATUS, WITH_QUERY
from tests.e2e.server import Server
from tests.e2e.windows import ABSENT, Windows, live

TWICE = """() => [...document.querySelectorAll("[id]")].map(({ id }) => id)
    .filter((id, index, all) => all.indexOf(id) !== index)"""
HEAD = ('meta[name="description"]', 'meta[property="og:title"]', 'meta[property="og:image"]')


@pytest.mark.parametrize("pattern", EVERY)
async def test_page_is_one_document_for_everybody(pattern: str, site: Site, windows: Windows) -> None:
    path = site.appearances.at(pattern)
    plain = pattern in PLAIN
    page = await windows.open(
        session="" if plain else site.sign_in(ADMINISTRATOR),
        tolerated=[ABSENT] if pattern in STATUS else [],
        reduced_motion="reduce",
    )
    answer = await page.goto(path)
    assert answer.status == STATUS.get(pattern, 200)
    if not plain:
        await live(page)
    assert await page.evaluate("() => location.pathname + location.search") == path
    await expect(page.locator("h1")).to_have_count(1)
    await expect(page.locator("h1")).to_be_visible()
    assert await page.evaluate(TWICE) == []
    await head_is_complete(page, site.server.address + path, is_whole=pattern in WITH_QUERY)
    assert await layout_faults(page) == ""
    assert await barriers(page) == ""


async def head_is_complete(page: Page, address: str, *, is_whole: bool) -> None:
    """Check title, link preview and canonical address, which contains the query only if `is_whole`."""
    assert (await page.title()).endswith(" – Parterre")
    assert await page.title() != " – Parterre"
    for name in HEAD:
        assert await page.locator(name).get_attribute("content"), name
    own = address if is_whole or urlsplit(address).path == "/" else address.partition("?")[0].removesuffix("/")
    assert await page.locator('link[rel="canonical"]').get_attribute("href") == own
    assert await page.locator('meta[property="og:url"]').get_attribute("content") == own


async def test_styleguide_has_no_barrier(site: Site, browser: Browser, tmp_path: Path) -> None:
    server = Server(tmp_path, site.server.environment["OWNER_DATABASE_URL"], DEBUG="1")
    windows = Windows(browser, server.address)
    try:
        await asyncio.to_thread(server.start)
        page = await windows.open("/styleguide", reduced_motion="reduce")
        assert await barriers(page) == ""
        await windows.end()
    finally:
        server.kill()
