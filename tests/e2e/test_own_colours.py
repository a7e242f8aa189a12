"""With forced colours the current page and the current tab remain marked."""

from playwright.async_api import expect

from tests.e2e.conftest import Site
from tests.e2e.windows import Windows

EDGE = "(tab) => getComputedStyle(tab).borderBlockEndColor"


async def test_current_page_and_tab_are_marked_with_forced_colours(site: Site, windows: Windows) -> None:
    page = await windows.open("/sessions", forced_colors="active")
    ways = page.locator("#nav")
    await expect(ways.get_by_role("link", name="Sessions")).to_have_css("text-decoration-line", "underline")
    await expect(ways.get_by_role("link", name="Home")).to_have_css("text-decoration-line", "none")
    tabs = page.locator(".tabs a")
    edges = [await tab.evaluate(EDGE) for tab in await tabs.all()]
    assert edges[1] == edges[2] != edges[0]
