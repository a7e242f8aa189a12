"""Every page: React hydrates it without errors, and it is one document with one heading and a complete head.

Every page is also accessible: axe finds no faults, no word or date breaks, a phone does not scroll sideways, and
pressed, chosen and current controls differ from others in forced colours.
test_served_pages.py checks the same pages as the server sends them, test_scriptless_pages.py without scripts.
"""

from urllib.parse import urlsplit

import pytest
from playwright.async_api import Page

from tests.e2e.accounts import ADMINISTRATOR
from tests.e2e.barriers import axe_faults, barriers
from tests.e2e.conftest import Site
from tests.e2e.forced_colours import states_that_look_alike
from tests.e2e.layout import PHONE, layout_faults
from tests.e2e.places import EVERY, PLAIN, STATUS, VARIANTS, WITH_QUERY
from tests.e2e.windows import ABSENT, Windows, live

HEAD = ('meta[name="description"]', 'meta[property="og:title"]', 'meta[property="og:image"]')
# Returns what a page says of itself, with the visibility of each main heading.
FACTS = """(head) => ({
  address: location.pathname + location.search,
  "hydration errors": document.querySelectorAll("#app[data-hydration-error]").length,
  headings: [...document.querySelectorAll("h1")].map((one) => one.checkVisibility({ visibilityProperty: true })),
  "repeated ids": [...document.querySelectorAll("[id]")].map(({ id }) => id)
    .filter((id, index, all) => all.indexOf(id) !== index),
  head: head.map((name) => !!document.querySelector(name)?.content),
  title: /. – Parterre$/.test(document.title),
  canonical: document.querySelector('link[rel="canonical"]')?.getAttribute("href"),
  "og:url": document.querySelector('meta[property="og:url"]')?.content,
})"""
AT_ONCE = 12  # pages of one test


@pytest.mark.parametrize("begin", range(0, len(EVERY), AT_ONCE))
@pytest.mark.limit(300, reason="checks twelve pages at all widths")
async def test_page_is_one_accessible_document(begin: int, site: Site, windows: Windows) -> None:
    visitor = await windows.open(width=PHONE)
    tolerated: list[str] = []
    administrator = await windows.open(width=PHONE, session=site.sign_in(ADMINISTRATOR), tolerated=tolerated)
    faults: dict[str, list[str]] = {}
    for pattern in EVERY[begin : begin + AT_ONCE]:
        tolerated[:] = [ABSENT] if pattern in STATUS else []
        page = visitor if pattern in PLAIN else administrator
        if found := await document_faults(page, site, pattern):
            faults[pattern] = found
    assert not faults, "\n".join(f"{pattern}: {fault}" for pattern, found in faults.items() for fault in found)


async def document_faults(page: Page, site: Site, pattern: str) -> list[str]:
    """Open this page in a light window of a phone, and return its faults at all widths."""
    path = site.appearances.at(pattern)
    await page.emulate_media(color_scheme="light")
    answer = await page.goto(path)
    assert answer is not None
    if pattern not in PLAIN:
        await live(page)
    address = site.server.address + path
    is_whole = pattern in WITH_QUERY or urlsplit(address).path == "/"
    expected = {
        "status": STATUS.get(pattern, 200),
        "address": path,
        "hydration errors": 0,
        "headings": [True],
        "repeated ids": [],
        "head": [True] * len(HEAD),
        "title": True,
        # the address has its query only where that names the subject of the page
        **dict.fromkeys(("canonical", "og:url"), address if is_whole else address.partition("?")[0].removesuffix("/")),
    }
    facts = {"status": answer.status, **await page.evaluate(FACTS, HEAD)}
    faults = [f"{name}: {facts[name]!r}, not {value!r}" for name, value in expected.items() if facts[name] != value]
    if pattern not in VARIANTS:
        faults += filter(None, [await layout_faults(page), await states_that_look_alike(page), await axe_faults(page)])
    return faults


async def test_styleguide_has_no_barrier(windows: Windows) -> None:
    page = await windows.open("/styleguide")
    assert await barriers(page) == ""
