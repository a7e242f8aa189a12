"""Windows of a browser that forgive nothing: what a page must not do is kept until the end of the test."""

import os
import re
import time
from collections.abc import Iterable, Sequence
from typing import Any

from playwright.async_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Error,
    Frame,
    Locator,
    Page,
    Request,
    WebSocket,
    expect,
)

PLAYER = "https://www.youtube-nocookie.com"
PATIENCE = 30_000  # milliseconds: a machine that does much else at once is no fault of the site
expect.set_options(timeout=PATIENCE)
ABSENT = r"status of 40[04]"  # what Chromium's console says about a page that is none, or a link that does not hold
# What a browser remarks when the server is killed, at whatever moment of loading the page's files that is.
SERVERLESS = (
    r"WebSocket connection to .* failed|ERR_CONNECTION_(REFUSED|RESET|CLOSED)|ERR_EMPTY_RESPONSE"
    r"|ERR_INTERNET_DISCONNECTED|Failed to fetch dynamically imported module"
)
LEAVING = "the page is on its way to another"
# A page that is left while it connects: Chromium remarks that nobody waits for the socket any more.
LEFT = "WebSocket is closed before the connection is established"
LIVE = "#app[data-connection=live]"
# Stands in for YouTube's player: it keeps what it is told, and answers who knocks.
FAKE_PLAYER = """<!doctype html><title>player</title><script>
window.heard = [];
addEventListener("message", ({ data, source, origin }) => {
  const message = JSON.parse(data);
  window.heard.push(message);
  if (message.event === "listening") source.postMessage(JSON.stringify({ event: "onReady", id: message.id }), origin);
});
</script>"""
LATENCY = int(os.environ.get("LATENCY", "0"))  # milliseconds: each frame comes up to so much later, as on a far line
LATE = """const Near = WebSocket;
window.WebSocket = class extends Near {
  set onmessage(handler) {
    const underWay = [];
    let last = 0;
    super.onmessage = (event) => {
      underWay.push(event);
      last = Math.max(last, performance.now() + Math.random() * %d);
      setTimeout(() => handler.call(this, underWay.shift()), last - performance.now());
    };
  }
};"""
REPORT_POLICY = """document.addEventListener("securitypolicyviolation", (event) =>
  console.error("policy:", event.violatedDirective, event.blockedURI))"""


class Windows:
    """Opens windows on the site, each with cookies and a store of its own, and says at the end what was wrong."""

    def __init__(self, browser: Browser, address: str) -> None:
        self.browser, self.address = browser, address
        self.contexts: list[BrowserContext] = []
        self.faults: list[str] = []
        self.videos: list[str] = []  # addresses that a player was loaded at
        self.frames: dict[Page, list[str]] = {}  # what each page's sockets have brought
        self.sent: dict[Page, list[str]] = {}  # and taken
        self.sockets: dict[Page, int] = {}  # how many each page has opened

    async def open(
        self,
        path: str = "",
        *,
        width: int = 1280,
        session: str = "",
        tolerated: Sequence[str] = (),
        wait_live: bool = True,
        **options: Any,
    ) -> Page:
        """A new window at `path`, live unless told otherwise; what matches a pattern in `tolerated` is no fault."""
        viewport = {"width": width, "height": 900 if width > 400 else 740}
        context = await self.browser.new_context(base_url=self.address, viewport=viewport, **options)
        self.contexts.append(context)
        context.set_default_timeout(PATIENCE)
        if session:
            await context.add_cookies([{"name": "session", "value": session, "url": self.address}])
        await context.add_init_script(REPORT_POLICY)
        if LATENCY:
            await context.add_init_script(LATE % LATENCY)
        await context.route(f"{PLAYER}/**", lambda route: route.fulfill(body=FAKE_PLAYER, content_type="text/html"))
        page = await context.new_page()
        self.watch(page, tolerated)
        if path:
            await page.goto(path)
            if wait_live:
                await live(page)
        return page

    def watch(self, page: Page, tolerated: Iterable[str] = ()) -> None:
        """Keep what this page does wrong."""
        self._watch_sockets(page)

        def fault(text: str) -> None:
            if not any(re.search(pattern, text) for pattern in (LEFT, *tolerated)):
                self.faults.append(f"{page.url}: {text}")

        def console(message: ConsoleMessage) -> None:
            if message.type in ("error", "warning"):
                fault(f"{message.type}: {message.text}")

        def request(asked: Request) -> None:
            if asked.url.startswith(f"{PLAYER}/embed/"):
                self.videos.append(asked.url)
            elif not asked.url.startswith((f"{self.address}/", "data:", "blob:")):
                fault(f"asks another origin: {asked.url}")

        page.on("console", console)
        page.on("pageerror", lambda error: fault(f"page error: {error}"))
        page.on("request", request)

    def _watch_sockets(self, page: Page) -> None:
        frames = self.frames[page] = []
        sent = self.sent[page] = []
        self.sockets[page] = 0

        def socket(opened: WebSocket) -> None:
            self.sockets[page] += 1
            opened.on("framereceived", lambda payload: frames.append(str(payload)))
            opened.on("framesent", lambda payload: sent.append(str(payload)))

        page.on("websocket", socket)

    async def end(self) -> None:
        """Close all windows; raises AssertionError when one of them has done what none may."""
        for context in self.contexts:
            for page in context.pages:
                if await page.locator("#app[data-hydration-error]").count():
                    self.faults.append(f"{page.url}: the server's HTML is not what React renders")
            await context.close()
        assert not self.faults, "\n".join(self.faults)


async def live(page: Page) -> None:
    """Wait until the server keeps this page current."""
    await expect(page.locator(LIVE)).to_be_attached()


async def resize(page: Page, width: int, height: int) -> None:
    """Give the window this size in pixels, and return once the page is laid out for it."""
    await page.set_viewport_size({"width": width, "height": height})
    await becomes(page, f"() => matchMedia('(width: {width}px)').matches", wanted=True)


async def player(video: Locator) -> Frame:
    """The player's own document in this frame, once it is there."""
    frame = await (await video.element_handle()).content_frame()
    await frame.wait_for_url(f"{PLAYER}/**")
    return frame


async def becomes(where: Page | Frame, script: str, wanted: Any, seconds: float = PATIENCE / 1000) -> None:
    """Wait until `script` returns `wanted`, looking once a frame: the policy refuses Playwright's own way."""
    until = time.monotonic() + seconds
    while (seen := await shown(where, script)) != wanted:
        assert time.monotonic() < until, f"{script} stays {seen!r} and does not become {wanted!r}"
        await shown(where, "() => new Promise(requestAnimationFrame)")


async def shown(where: Page | Frame, script: str) -> Any:
    """What `script` returns; LEAVING while the document it was asked in goes for another one."""
    try:
        return await where.evaluate(script)
    except Error as error:
        if "Execution context was destroyed" in str(error):
            return LEAVING
        raise


async def opened(row: Locator) -> None:
    """Open a row of the running order, unless it is open."""
    await expect(row.locator(".order__row")).to_be_visible()
    if await row.locator(".order__row").get_attribute("aria-expanded") == "false":
        await row.locator(".order__row").click()
    await expect(row.locator(".order__inside")).to_be_visible()
