"""What a first visit to the live session page costs a browser: what is transferred, and what holds up its main thread.

The processor is slowed down four times. Tasks are those from when the document is read until a second after the page is
live; `script_ms` is the longest of them that a script of ours runs, by Chromium's long animation frames, which leave out
the browser's own first layout and paint.
"""

import asyncio
from typing import Any

from playwright.async_api import Browser

SLOWER = 4
LONG_FRAME = 50  # milliseconds: Chromium tells of no shorter one
WATCH = """() => {
  window.found = { tasks: [], scripts: [], shift: 0 };
  const watch = (type, note) => new PerformanceObserver((list) => list.getEntries().forEach(note)).observe({ type, buffered: true });
  watch("longtask", ({ startTime, duration }) => found.tasks.push([startTime, duration]));
  watch("long-animation-frame", ({ scripts }) => scripts.forEach(({ startTime, duration }) => found.scripts.push([startTime, duration])));
  watch("layout-shift", ({ value }) => { found.shift += value; });
}"""
READ = """() => ({ ...window.found, read: performance.getEntriesByType("navigation")[0].domInteractive })"""


async def first_visit(browser: Browser, address: str, path: str, cookie: str) -> dict[str, Any]:
    """KiB of all files and of what the socket says, kB of scripts, milliseconds of the longest task and of our longest."""
    context = await browser.new_context(base_url=address, viewport={"width": 1280, "height": 900})
    name, _, value = cookie.partition("=")
    await context.add_cookies([{"name": name, "value": value, "url": address}])
    page = await context.new_page()
    await page.route("https://**", lambda route: route.abort())  # the video's page is not ours to measure
    devtools = await context.new_cdp_session(page)
    addresses: dict[str, str] = {}
    sizes: dict[str, float] = {}
    frames: list[int] = []
    devtools.on("Network.requestWillBeSent", lambda event: addresses.update({event["requestId"]: event["request"]["url"]}))
    devtools.on("Network.loadingFinished", lambda event: sizes.update({event["requestId"]: event["encodedDataLength"]}))
    devtools.on("Network.webSocketFrameReceived", lambda event: frames.append(len(event["response"]["payloadData"].encode())))
    await devtools.send("Network.enable")
    await devtools.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    await page.add_init_script(f"({WATCH})()")
    await page.goto(path)
    await page.wait_for_selector("#app[data-connection=live]", state="attached")
    await page.wait_for_selector("#app[data-hydrated]", state="attached")
    await asyncio.sleep(1)
    found = await page.evaluate(READ)
    await context.close()
    own = {addresses[each]: size for each, size in sizes.items() if addresses[each].startswith(address)}
    return {
        "kib": sum(own.values()) / 1024,
        "with_socket_kib": (sum(own.values()) + sum(frames)) / 1024,
        "scripts_kb": sum(size for each, size in own.items() if each.endswith(".js")) / 1000,
        "task_ms": longest(found["tasks"], found["read"]),
        "script_ms": longest(found["scripts"], found["read"]),
        "shift": found["shift"],
    }


def longest(tasks: list[tuple[float, float]], since: float) -> float:
    """The longest of those that began since then; none is as long as a frame of which nobody is told."""
    return max((duration for start, duration in tasks if start >= since), default=LONG_FRAME)
