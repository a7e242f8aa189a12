"""Every page can be used by everybody: axe finds nothing, in both themes, at a desk and on a phone."""

import pytest
from axe_playwright_python.async_playwright import Axe

from tests.e2e.accounts import ADMINISTRATOR
from tests.e2e.conftest import Site
from tests.e2e.places import EVERY, MISSING, PLAIN
from tests.e2e.windows import ABSENT, Windows

RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
# The player's frame is another's document.
OPTIONS = {"runOnly": {"type": "tag", "values": RULES}, "resultTypes": ["violations"], "iframes": False}
SIZES = ((1280, 900), (360, 740))
SIDEWAYS = "() => document.documentElement.scrollWidth - innerWidth"


@pytest.mark.parametrize("pattern", EVERY)
async def test_page_has_no_barrier(pattern: str, site: Site, windows: Windows) -> None:
    page = await windows.open(
        site.places.at(pattern),
        session=site.sign_in(ADMINISTRATOR),
        tolerated=[ABSENT] if pattern in MISSING else [],
        wait_live=pattern not in PLAIN,
        reduced_motion="reduce",
    )
    axe, found = Axe(), []
    for width, height in SIZES:
        await page.set_viewport_size({"width": width, "height": height})
        assert await page.evaluate(SIDEWAYS) <= 0, f"scrolls sideways at {width}"
        for scheme in ("light", "dark"):
            await page.emulate_media(color_scheme=scheme)
            results = await axe.run(page, options=OPTIONS)
            if results.violations_count:
                found.append(f"{width} {scheme}: {results.generate_report()}")
    assert not found, "\n".join(found)
