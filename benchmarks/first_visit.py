"""The cost of a first visit to the live session page for a browser: bytes transferred and main-thread tasks.

The processor is slowed down four times. `script_ms` is the longest task in which a script of the page runs, until a
second after the page is live. It is CPU time of the task's thread by Chromium's trace, so that other load on the
machine does not count. The browser's own tasks, such as the first layout and paint, are excluded.
"""

import asyncio
from typing import Any

from playwright.async_api import Browser, CDPSession

SLOWER = 4
ZONE = "Europe/Warsaw"  # the venue's; in another zone the first Intl.DateTimeFormat is one more task
TRACED = "toplevel,v8,devtools.timeline"
TASK, SCRIPTS = "ThreadControllerImpl::RunTask", ("v8.evaluateModule", "FunctionCall", "EvaluateScript")
Event = dict[str, Any]


async def first_visit(browser: Browser, address: str, path: str, cookie: str) -> dict[str, float]:
    """Visit the page once.

    Returns KiB of files, KiB with the socket's frames, kB of scripts, ms of the longest task.
    """
    context = await browser.new_context(base_url=address, viewport={"width": 1280, "height": 900}, timezone_id=ZONE)
    name, _, value = cookie.partition("=")
    await context.add_cookies([{"name": name, "value": value, "url": address}])
    page = await context.new_page()
    await page.route("https://**", lambda route: route.abort())  # the video's page is not part of the measurement
    devtools = await context.new_cdp_session(page)
    addresses: dict[str, str] = {}
    sizes: dict[str, float] = {}
    frames: list[int] = []
    devtools.on("Network.requestWillBeSent", lambda sent: addresses.update({sent["requestId"]: sent["request"]["url"]}))
    devtools.on("Network.loadingFinished", lambda done: sizes.update({done["requestId"]: done["encodedDataLength"]}))
    devtools.on(
        "Network.webSocketFrameReceived", lambda got: frames.append(len(got["response"]["payloadData"].encode()))
    )
    await devtools.send("Network.enable")
    await devtools.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    await devtools.send("Tracing.start", {"categories": TRACED, "transferMode": "ReportEvents"})
    await page.goto(path)
    await page.wait_for_selector("#app[data-connection=live]", state="attached")
    await page.wait_for_selector("#app[data-hydrated]", state="attached")
    await asyncio.sleep(1)
    events = await traced(devtools)
    await context.close()
    own = {addresses[request]: size for request, size in sizes.items() if addresses[request].startswith(address)}
    return {
        "kib": sum(own.values()) / 1024,
        "with_socket_kib": (sum(own.values()) + sum(frames)) / 1024,
        "scripts_kb": sum(size for url, size in own.items() if url.endswith(".js")) / 1000,
        "script_ms": longest(events),
    }


async def traced(devtools: CDPSession) -> list[Event]:
    """End the trace and return its events."""
    events: list[Event] = []
    complete = asyncio.Event()
    devtools.on("Tracing.dataCollected", lambda data: events.extend(data["value"]))
    devtools.on("Tracing.tracingComplete", lambda _: complete.set())
    await devtools.send("Tracing.end")
    await complete.wait()
    return events


def longest(events: list[Event]) -> float:
    """Return the milliseconds of CPU of the longest task with a script of a module; `lights.js` is no module."""
    mains = {(event["pid"], event["tid"]) for event in events if event.get("args", {}).get("name") == "CrRendererMain"}
    found = 0.0
    for main in mains:
        own = [event for event in events if (event["pid"], event["tid"]) == main and "dur" in event]
        began = min((event["ts"] for event in own if event["name"] == "v8.evaluateModule"), default=None)
        if began is None:  # the thread of the video's page
            continue
        scripts = [event["ts"] for event in own if event["name"] in SCRIPTS and event["ts"] >= began]
        for task in (event for event in own if event["name"] == TASK):
            if any(task["ts"] <= script <= task["ts"] + task["dur"] for script in scripts):
                found = max(found, task["tdur"] / 1e3)
    return found
