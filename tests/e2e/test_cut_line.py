"""A lost connection is shown within three seconds, and presses during it lose no data."""

import time

from playwright.async_api import expect

from tests.e2e.accounts import ADMINISTRATOR
from tests.e2e.conftest import Site
from tests.e2e.windows import SERVERLESS, Windows, live

STATUS = "[data-connection-status]"
STAYS = "There is no connection. This page stays until there is one."
SAID_WITHIN = 3.0  # seconds


async def test_lost_connection_is_shown_and_links_stay_on_the_page(site: Site, windows: Windows) -> None:
    page = await windows.open("/participants", tolerated=[SERVERLESS])
    await page.context.set_offline(True)
    begun = time.monotonic()
    await expect(page.locator(STATUS)).to_have_text("Reconnecting…")
    assert time.monotonic() - begun < SAID_WITHIN
    for name in ("Sessions", "Log in"):
        await page.locator("#nav").get_by_role("link", name=name).click()
        await expect(page.locator(STATUS)).to_have_text(STAYS)
        await expect(page.locator("h1")).to_have_text("Participants")
    assert page.url.endswith("/participants")
    await page.context.set_offline(False)
    await live(page)
    await expect(page.locator(STATUS)).to_be_empty()
    await page.locator("#nav").get_by_role("link", name="Sessions").click()
    await expect(page.locator("h1")).to_have_text("Sessions")


async def test_performer_is_not_changed_after_a_lost_connection(site: Site, windows: Windows) -> None:
    """The cue bar replaces its text by "No connection", keeps its size, and recovers by itself."""
    page = await windows.open(
        "/admin/blog", session=site.sign_in(ADMINISTRATOR), width=360, has_touch=True, tolerated=[SERVERLESS]
    )
    button, bar = page.locator(".cuebar__next"), page.locator(".cuebar")
    name, room = await button.locator("b").inner_text(), await bar.bounding_box()
    await page.context.set_offline(True)
    away = page.get_by_role("button", name=f"No connection {name}")
    await expect(away).to_be_visible()
    assert await bar.bounding_box() == room
    said = await page.locator(STATUS).bounding_box()
    assert said
    assert room
    assert said["y"] + said["height"] <= room["y"], "what is said stands above the bar"
    await away.focus()
    await away.press("Enter")
    await away.tap(force=True)
    await expect(button).not_to_have_attribute("aria-busy", "true")
    await page.context.set_offline(False)
    await live(page)
    await expect(away).to_have_count(0)
    await expect(button).to_be_focused()
    await expect(button).to_contain_text(name)
    assert await bar.bounding_box() == room
