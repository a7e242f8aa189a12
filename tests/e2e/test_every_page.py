"""Every page: React hydrates it without errors, and it is one document with one heading and a complete head.

Every page is also accessible: axe finds no faults, no word or date breaks, a phone does not scroll sideways, and
pressed, chosen and current controls differ from others in forced colours.
test_served_pages.py checks the same pages as the server sends them, test_scriptless_pages.py without scripts.
"""

import asyncio
import re
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.async_api import Browser, Page

from tests.e2e.accounts import ADMINISTRATOR
from tests.e2e.barriers import axe_faults, barriers
from tests.e2e.conftest import Site
from tests.e2e.forced_colours import states_that_look_alike
from tests.e2e.layout import layout_faults
from tests.e2e.places import EVERY, PLAIN, STATUS, VARIANTS, WITH_QUERY
from tests.e2e.server import Server
from tests.e2e.windows import ABSENT, Windows, live

DUPLICATE_IDS = """() => [...document.querySelectorAll("[id]")].map(({ id }) => id)
    .filter((id, index, all) => all.indexOf(id) !== index)"""
HEAD = ('meta[name="description"]', 'meta[property="og:title"]', 'meta[property="og:image"]')
AT_ONCE = 12  # pages of one test


@pytest.mark.parametrize("begin", range(0, len(EVERY), AT_ONCE))
@pytest.mark.limit(300, reason="checks twelve pages at all widths")
async def test_page_is_one_accessible_document(begin: int, site: Site, windows: Windows) -> None:
    visitor = await windows.open()
    tolerated: list[str] = []
    administrator = await windows.open(session=site.sign_in(ADMINISTRATOR), tolerated=tolerated)
    faults: dict[str, list[str]] = {}
    for pattern in EVERY[begin : begin + AT_ONCE]:
        tolerated[:] = [ABSENT] if pattern in STATUS else []
        page = visitor if pattern in PLAIN else administrator
        if found := await document_faults(page, site, pattern):
            faults[pattern] = found
    assert not faults, "\n".join(f"{pattern}: {fault}" for pattern, found in faults.items() for fault in found)


async def document_faults(page: Page, site: Site, pattern: str) -> list[str]:
    """Open this page in a light window of a desktop, and return its faults."""
    path = site.appearances.at(pattern)
    await page.emulate_media(color_scheme="light")
    await page.set_viewport_size({"width": 1280, "height": 900})
    answer = await page.goto(path)
    if pattern not in PLAIN:
        await live(page)
    facts = {
        "status": (answer.status, STATUS.get(pattern, 200)),
        "address": (await page.evaluate("() => location.pathname + location.search"), path),
        "hydration errors": (await page.locator("#app[data-hydration-error]").count(), 0),
        "headings": ([await heading.is_visible() for heading in await page.locator("h1").all()], [True]),
        "repeated ids": (await page.evaluate(DUPLICATE_IDS), []),
        **await head_facts(page, site.server.address + path, is_whole=pattern in WITH_QUERY),
    }
    faults = [f"{name}: {seen!r}, not {expected!r}" for name, (seen, expected) in facts.items() if seen != expected]
    if pattern not in VARIANTS:
        faults += filter(None, [await layout_faults(page), await states_that_look_alike(page), await axe_faults(page)])
    return faults


async def head_facts(page: Page, address: str, *, is_whole: bool) -> dict[str, tuple[Any, Any]]:
    """Return what the head contains and should contain: its canonical address has the query only if `is_whole`."""
    own = address if is_whole or urlsplit(address).path == "/" else address.partition("?")[0].removesuffix("/")
    filled = {name: (bool(await page.locator(name).get_attribute("content")), True) for name in HEAD}
    return filled | {
        "title": (bool(re.search(". – Parterre$", await page.title())), True),
        "canonical": (await page.locator('link[rel="canonical"]').get_attribute("href"), own),
        "og:url": (await page.locator('meta[property="og:url"]').get_attribute("content"), own),
    }


async def test_styleguide_has_no_barrier(site: Site, browser: Browser, tmp_path: Path) -> None:
    server = Server(tmp_path, site.server.environment["OWNER_DATABASE_URL"], DEBUG="1")
    windows = Windows(browser, server.address)
    try:
        await asyncio.to_thread(server.start)
        page = await windows.open("/styleguide")
        assert await barriers(page) == ""
        await windows.end()
    finally:
        server.kill()
