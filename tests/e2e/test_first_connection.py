"""A server that is killed before the first socket: the page stays and connects by itself."""

import asyncio

from playwright.async_api import Route, expect

from tests.e2e.conftest import Site
from tests.e2e.windows import SERVERLESS, Windows, live

SCRIPT = "**/build/client*.js"


async def test_page_stays_when_its_first_connection_is_refused(site: Site, windows: Windows) -> None:
    page = await windows.open(tolerated=[SERVERLESS])
    gone = asyncio.Event()

    async def kill_behind_the_script(route: Route) -> None:
        answer = await route.fetch()
        await asyncio.to_thread(site.server.kill)
        await route.fulfill(response=answer)
        gone.set()

    await page.route(SCRIPT, kill_behind_the_script)
    await page.goto("/", wait_until="commit")
    await gone.wait()
    await expect(page.locator("#app[data-hydrated][data-connection=waiting]")).to_be_attached()
    await expect(page.locator(".cast > li")).to_have_count(6)
    await expect(page.locator("[data-connection-status]")).to_have_text("Reconnecting…")
    await page.unroute(SCRIPT)
    name = site.perform(7)
    await asyncio.to_thread(site.server.start)
    await live(page)
    await expect(page.locator("[data-connection-status]")).to_be_empty()
    await expect(page.locator(".door__name")).to_have_text(name)
