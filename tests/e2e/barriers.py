"""Accessibility checks of a page: axe in both themes, on desktop and phone, and the Nu HTML checker."""

import asyncio

from axe_playwright_python.async_playwright import Axe
from playwright.async_api import Page

from tests.e2e.windows import resize
from tests.html_checker import html_faults

RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
# In the dark theme, axe repeats only the rules that depend on colours.
COLOURS = ["color-contrast", "link-in-text-block"]
# axe skips frames, because the player's document belongs to another site.
# Of what axe may fetch beforehand, only media matter: no rule of RULES reads style sheets.
COMMON = {"resultTypes": ["violations"], "iframes": False, "preload": {"assets": ["media"]}}
OPTIONS = {
    "light": COMMON | {"runOnly": {"type": "tag", "values": RULES}},
    "dark": COMMON | {"runOnly": {"type": "rule", "values": COLOURS}},
}
SIZES = ((1280, 900), (360, 740))
INJECTED = Axe("0")  # for a page that has axe already
SIDEWAYS = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"


async def barriers(page: Page) -> str:
    """Return the findings of axe and the Nu HTML checker and any sideways scrolling, or an empty string."""
    await page.wait_for_load_state()  # axe needs the style sheet
    axe = Axe()
    found = [faults] if (faults := await asyncio.to_thread(html_faults, await page.content())) else []
    for width, height in SIZES:
        await resize(page, width, height)
        if await page.evaluate(SIDEWAYS) > 0:
            found.append(f"{width}: scrolls sideways")
        for scheme, options in OPTIONS.items():
            await page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            results = await axe.run(page, options=options)
            axe = INJECTED
            if results.violations_count:
                found.append(f"{width} {scheme}: {results.generate_report()}")
    return "\n".join(found)
