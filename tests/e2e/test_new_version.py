"""A process of a new version takes over: an open page continues and reloads when no input is lost."""

import asyncio
import json
from pathlib import Path

from playwright.async_api import Page, expect

from tests.e2e.accounts import LISTENER
from tests.e2e.conftest import Site
from tests.e2e.windows import LATENCY, SERVERLESS, Windows, becomes, live
from tests.waiting import until

SOON = "Math.random = () => 0.01;"  # the earliest moment of every random delay, such as that of the reload
# Records the close codes of sockets.
KEEP_CODES = """window.codes = [];
window.WebSocket = class extends WebSocket {
  constructor(...given) {
    super(...given);
    this.addEventListener("close", ({ code }) => window.codes.push(code));
  }
};"""
RESTARTS = 1012  # the code of a socket whose server restarts
VERSION = "() => document.querySelector('#app').dataset.url"
TYPED = "() => document.querySelector('[data-draft=post] [name=content]')?.value"
TEXT = "The Steinway sounded darker tonight."


async def update(site: Site, windows: Windows, *pages: Page) -> None:
    """Restart the server with other static files and wait until these pages have received the notice."""
    assert await asyncio.to_thread(site.server.stop) == 0
    manifest = Path(site.server.environment["PARTERRE_DATA"]) / "static" / "staticfiles.json"
    files = json.loads(manifest.read_text())
    manifest.write_text(json.dumps(files | {"hash": f"{files['hash']}z"}))
    await asyncio.to_thread(site.server.start)
    for page in pages:
        await until(
            lambda page=page: any('"outdated"' in frame for frame in windows.frames[page]),
            "the notice of the new version",
        )
        noticed = await page.evaluate("() => performance.now()")
        # the frame is delayed by LATENCY
        await becomes(page, f"() => performance.now() > {noticed + LATENCY}", wanted=True)
        await live(page)


async def test_open_pages_move_to_the_new_version_by_a_link_or_when_no_input_is_lost(
    site: Site, windows: Windows
) -> None:
    reader = await windows.open("/participants", tolerated=[SERVERLESS])
    page = await windows.open(tolerated=[SERVERLESS], session=site.sign_in(LISTENER))
    await page.add_init_script(SOON)
    await page.add_init_script(KEEP_CODES)
    await page.goto("/community")
    await live(page)
    version, former = await page.evaluate(VERSION), await reader.evaluate(VERSION)
    field = page.locator("[data-draft=post] [name=content]")
    await field.fill(TEXT)
    for window in (page, reader):
        await window.evaluate("() => { window.stayed = true; }")

    await update(site, windows, reader, page)
    assert await page.evaluate("() => window.codes[0]") == RESTARTS
    begun = await page.evaluate("() => performance.now()")
    await reader.locator("#nav").get_by_role("link", name="Sessions").click()
    await expect(reader.locator("h1")).to_have_text("Sessions")
    await live(reader)
    assert await reader.evaluate("() => window.stayed") is None
    assert await reader.evaluate(VERSION) != former

    # The moment of the reload passes: the focus in the field delays it, and the page stays live.
    await becomes(page, f"() => performance.now() > {begun + 2_000}", wanted=True)
    await field.press("End")
    await field.press_sequentially(" Or not?")
    assert await page.evaluate("() => window.stayed")

    await field.blur()
    await becomes(page, "() => window.stayed === undefined", wanted=True)
    await live(page)
    assert await page.evaluate(VERSION) != version
    await becomes(page, TYPED, f"{TEXT} Or not?")
    await expect(page.get_by_role("button", name="Post", exact=True)).to_be_enabled()
