"""A process of a new version takes over: an open page continues and reloads when no input is lost."""

import asyncio
import json
from pathlib import Path

from playwright.async_api import Page, expect

from tests.e2e.accounts import LISTENER
from tests.e2e.conftest import Site
from tests.e2e.windows import LATENCY, PATIENCE, SERVERLESS, Windows, becomes, live

SOON = "Math.random = () => 0.01;"  # the earliest moment of every random delay, such as that of the reload
HALF = "() => document.querySelector('#app').dataset.url"
TYPED = "() => document.querySelector('[data-draft=post] [name=content]')?.value"
TEXT = "The Steinway sounded darker tonight."


async def update(site: Site, windows: Windows, page: Page) -> None:
    """Restart the server with other static files and wait until the page receives the notice."""
    assert await asyncio.to_thread(site.server.stop) == 0
    manifest = Path(site.server.environment["PARTERRE_DATA"]) / "static" / "staticfiles.json"
    files = json.loads(manifest.read_text())
    manifest.write_text(json.dumps(files | {"hash": f"{files['hash']}z"}))
    await asyncio.to_thread(site.server.start)
    async with asyncio.timeout(PATIENCE / 1000):
        while not any('"outdated"' in frame for frame in windows.frames[page]):
            await page.evaluate("() => new Promise(requestAnimationFrame)")
    seen = await page.evaluate("() => performance.now()")
    await becomes(page, f"() => performance.now() > {seen + LATENCY}", wanted=True)  # the frame is delayed by LATENCY
    await live(page)


async def test_a_page_of_the_version_before_comes_in_its_own_time_with_its_draft(site: Site, windows: Windows) -> None:
    page = await windows.open(tolerated=[SERVERLESS], session=site.sign_in(LISTENER))
    await page.add_init_script(SOON)
    await page.goto("/community")
    await live(page)
    half = await page.evaluate(HALF)
    field = page.locator("[data-draft=post] [name=content]")
    await field.fill(TEXT)
    await page.evaluate("() => { window.stayed = true; }")

    await update(site, windows, page)
    begun = await page.evaluate("() => performance.now()")
    # The moment of the reload passes: the focus in the field delays it, and the page stays live.
    await becomes(page, f"() => performance.now() > {begun + 2_000}", wanted=True)
    await field.press("End")
    await field.press_sequentially(" Or not?")
    assert await page.evaluate("() => window.stayed")

    await field.blur()
    await becomes(page, "() => window.stayed === undefined", wanted=True)
    await live(page)
    assert await page.evaluate(HALF) != half
    await becomes(page, TYPED, f"{TEXT} Or not?")
    await expect(page.get_by_role("button", name="Post", exact=True)).to_be_enabled()


async def test_a_link_leads_out_of_the_version_before(site: Site, windows: Windows) -> None:
    page = await windows.open("/participants", tolerated=[SERVERLESS])
    half = await page.evaluate(HALF)
    await page.evaluate("() => { window.stayed = true; }")
    await update(site, windows, page)
    await page.locator("#nav").get_by_role("link", name="Sessions").click()
    await expect(page.locator("h1")).to_have_text("Sessions")
    await live(page)
    assert await page.evaluate("() => window.stayed") is None
    assert await page.evaluate(HALF) != half
