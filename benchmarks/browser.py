"""Main-thread time of a browser for each small update, as measured by Chromium; prints JSON (ms).

`Performance.getMetrics` returns the seconds that the page's main thread has spent in tasks: script, style, layout and
paint together. Updates come at a fixed pace, without queries of the page, which would run on the same thread. The time
that the page spends without updates is subtracted.
"""

import asyncio
import json
import sys
import urllib.request
from functools import partial
from statistics import median
from typing import Any

from playwright.async_api import Browser, CDPSession, Page, async_playwright

from benchmarks.first_visit import first_visit
from benchmarks.lengths import LISTS, LONG_PATH, PATH, ROWS
from tests import chromium

UPDATES, PACE = 60, 0.1  # updates of each kind, and seconds between them
WANTED = {
    "TaskDuration": "task",
    "ScriptDuration": "script",
    "RecalcStyleDuration": "style",
    "LayoutDuration": "layout",
}


async def spent(devtools: CDPSession) -> dict[str, float]:
    """Return the milliseconds of the main thread so far, by kind of work."""
    metrics = (await devtools.send("Performance.getMetrics"))["metrics"]
    return {WANTED[metric["name"]]: metric["value"] * 1e3 for metric in metrics if metric["name"] in WANTED}


async def post(port: int, address: str) -> None:
    """Post to a control point of the server."""
    request = urllib.request.Request(f"http://127.0.0.1:{port}{address}", method="POST", data=b"")
    await asyncio.to_thread(lambda: urllib.request.urlopen(request).read())


async def touched(port: int, address: str, base: int, number: int) -> None:
    """Post the number `base` + `number` to a control point."""
    await post(port, f"{address}{base + number}")


async def updates(devtools: CDPSession, make: Any) -> dict[str, float]:
    """Return the main-thread milliseconds of each update, without those that the idle page spends."""
    marks = [await spent(devtools)]
    for busy in (False, True):
        for number in range(1, UPDATES + 1):
            if busy:
                await make(number)
            await asyncio.sleep(PACE)
        marks.append(await spent(devtools))
    before, idle, after = marks
    return {name: (after[name] - 2 * idle[name] + before[name]) / UPDATES for name in before}


async def ready(page: Page, address: str) -> None:
    """Open the page and wait until it is live."""
    await page.goto(address)
    await page.wait_for_selector("#app[data-connection=live]", state="attached")
    await asyncio.sleep(1)


VISITS = 5  # the median of these counts


async def visits(browser: Browser, port: int, session: int, cookie: str) -> dict[str, float]:
    """Return the median of each figure of a signed-in user's first visit."""
    address, path = f"http://127.0.0.1:{port}", f"/sessions/{session}"
    figures = [await first_visit(browser, address, path, cookie) for _ in range(VISITS)]
    return {name: median(visit[name] for visit in figures) for name in figures[0]}


async def run(port: int, session: int, appearances: list[int], cookie: str) -> dict[str, Any]:
    """Measure first visits, a row of a usual list, a live query, a row of a long list, and a change of performer."""
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=chromium.executable(), args=list(chromium.ARGUMENTS))
        page = await browser.new_page()
        await page.route("https://**", lambda route: route.abort())  # the video's page is not part of the measurement
        devtools = await page.context.new_cdp_session(page)
        await devtools.send("Performance.enable", {"timeDomain": "threadTicks"})  # CPU time instead of wall time
        out: dict[str, Any] = {"visit": await visits(browser, port, session, cookie)}
        for sequence, (path, kinds) in enumerate({PATH: ("row", "leaf"), LONG_PATH: ("row",)}.items()):
            await ready(page, f"http://127.0.0.1:{port}{path}")
            out["nodes"] = await page.evaluate("document.body.querySelectorAll('*').length")
            for kind in kinds:
                # unused numbers on the same rows
                address, base = f"/bench/touch?kind={kind}&number=", sequence * LISTS * ROWS
                name = "long_row" if path == LONG_PATH else kind
                out[name] = await updates(devtools, partial(touched, port, address, base))
                await page.locator(f"#{kind}-{base + UPDATES}").wait_for()
        await ready(page, f"http://127.0.0.1:{port}/sessions/{session}")
        out["session_nodes"] = await page.evaluate("document.body.querySelectorAll('*').length")
        out["performer"] = await updates(
            devtools, lambda number: post(port, f"/bench/perform?place={appearances[number % len(appearances)]}")
        )
        await browser.close()
        return out


if __name__ == "__main__":
    chromium.require()
    print(json.dumps(asyncio.run(run(**json.loads(sys.argv[1])))))
