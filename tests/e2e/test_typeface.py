"""The site's typeface: it is used, and its late arrival moves nothing."""

import pytest
from playwright.async_api import Route

from tests.e2e.conftest import Site
from tests.e2e.layout import SHIFTS, shifted, type_faults
from tests.e2e.places import PLAIN
from tests.e2e.windows import Windows, live

FONT = "**/build/serif.*woff2"
SMALLEST_SHIFT = 0.005  # less is 0.00 in two decimals
# Returns the state of the first family of the heading.
STATUS_OF_OWN = """() => {
  const family = getComputedStyle(document.querySelector("h1")).fontFamily.split(",")[0].replaceAll('"', "");
  return [...document.fonts].find((face) => face.family.replaceAll('"', "") === family).status;
}"""
IN_USE = f"() => document.fonts.ready.then({STATUS_OF_OWN})"
# Pages with much text or many names, as an anonymous visitor gets them.
PAGES = (
    "/",
    "/participants/{participant}",
    "/sessions/{live}",
    "/stages/{stage}",
    "/stages/method",
    "/login",
)


@pytest.mark.parametrize("width", [1280, 360])
async def test_late_typeface_causes_no_layout_shift(width: int, site: Site, windows: Windows) -> None:
    page = await windows.open(width=width, reduced_motion="reduce")
    held: list[Route] = []
    await page.route(FONT, lambda route: held.append(route))  # noqa: PLW0108 - Playwright marks the handler
    await page.add_init_script(SHIFTS)
    faults: dict[str, list[str]] = {}
    for pattern in PAGES:
        await page.goto(site.appearances.at(pattern), wait_until="domcontentloaded")
        if pattern not in PLAIN:
            await live(page)
        assert [route.request.resource_type for route in held] == ["font"], pattern  # once: preloaded, and in use
        assert await page.evaluate(STATUS_OF_OWN) == "loading", pattern
        before = await shifted(page)
        async with page.expect_response(FONT) as answer:
            await held.pop().continue_()
        assert "immutable" in (await (await answer.value).all_headers())["cache-control"], pattern
        assert await page.evaluate(IN_USE) == "loaded", pattern
        found = await type_faults(page)
        if (shift := await shifted(page) - before) >= SMALLEST_SHIFT:
            found.append(f"moves by {shift}")
        if found:
            faults[pattern] = found
    assert faults == {}
