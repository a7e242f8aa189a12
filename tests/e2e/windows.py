"""Browser windows that record every fault of a page, and fail the test at its end."""

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

from tests.e2e.fake_player import PAGE as PLAYER_PAGE
from tests.e2e.fake_player import PLAYER

PATIENCE = 30_000  # milliseconds: a busy machine is no fault of the site
expect.set_options(timeout=PATIENCE)
ABSENT = r"status of 40[04]"  # Chromium's console message about a missing page or an invalid link
# A browser logs one of these when the server is killed, also while the page's files load.
SERVERLESS = (
    r"WebSocket connection to .* failed|ERR_CONNECTION_(REFUSED|RESET|CLOSED)|ERR_EMPTY_RESPONSE"
    r"|ERR_INTERNET_DISCONNECTED|Failed to fetch dynamically imported module"
)
LEAVING = "the page is on its way to another"
# Chromium logs this when a page is left while its socket connects.
LEFT = "WebSocket is closed before the connection is established"
LIVE = "#app:is([data-hydrated], :not([data-reactpy-root]))[data-connection=live]"  # pages of forms have no client
LATENCY = int(os.environ.get("LATENCY", "0"))  # milliseconds: maximum delay of each frame, as on a slow network
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
    """Opens windows on the site, each with separate cookies and storage, and reports their faults at the end."""

    def __init__(self, browser: Browser, address: str) -> None:
        self.browser, self.address = browser, address
        self.contexts: list[BrowserContext] = []
        self.faults: list[str] = []
        self.videos: list[str] = []  # addresses of loaded players
        self.frames: dict[Page, list[str]] = {}  # frames received by each page's sockets
        self.sent: dict[Page, list[str]] = {}  # frames sent by each page's sockets
        self.sockets: dict[Page, int] = {}  # number of sockets that each page has opened

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
        """Open a window at `path`, by default wait until it is live, and ignore faults that match `tolerated`.

        Without `reduced_motion` its animations are off: they take a tenth of a core for as long as a page is open.
        """
        options = {"reduced_motion": "reduce", **options}
        viewport = {"width": width, "height": 900 if width > 400 else 740}
        context = await self.browser.new_context(base_url=self.address, viewport=viewport, **options)
        self.contexts.append(context)
        context.set_default_timeout(PATIENCE)
        if session:
            await context.add_cookies([{"name": "session", "value": session, "url": self.address}])
        await context.add_init_script(REPORT_POLICY)
        if LATENCY:
            await context.add_init_script(LATE % LATENCY)
        if "proxy" in options:  # which resolves names itself
            player = f"{PLAYER}/**"
            await context.route(player, lambda route: route.fulfill(body=PLAYER_PAGE, content_type="text/html"))
        page = await context.new_page()
        self.watch(page, tolerated)
        if path:
            await page.goto(path)
            if wait_live:
                await live(page)
        return page

    def watch(self, page: Page, tolerated: Iterable[str] = ()) -> None:
        """Record the faults, frames and videos of this page."""
        self._watch_sockets(page)

        def fault(text: str) -> None:
            if not any(re.search(pattern, text) for pattern in (LEFT, *tolerated)):
                self.faults.append(f"{page.url}: {text}")

        def console(message: ConsoleMessage) -> None:
            if message.type in ("error", "warning"):
                fault(f"{message.type}: {message.text} {message.location['url']}")

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
        """Close all windows; raise AssertionError if one of them has a fault."""
        for context in self.contexts:
            for page in context.pages:
                if await page.locator("#app[data-hydration-error]").count():
                    self.faults.append(f"{page.url}: the server's HTML is not what React renders")
            await context.close()
        assert not self.faults, "\n".join(self.faults)


async def live(page: Page) -> None:
    """Wait until the server keeps this page current and its scripts answer."""
    await expect(page.locator(LIVE)).to_be_attached()


async def resize(page: Page, width: int, height: int) -> None:
    """Resize the window to this size in pixels and wait until the page has this width."""
    if page.viewport_size != {"width": width, "height": height}:
        await page.set_viewport_size({"width": width, "height": height})
    await becomes(page, f"() => matchMedia('(width: {width}px)').matches", wanted=True)


async def player(video: Locator) -> Frame:
    """Wait for the player's document in this frame and return it."""
    frame = await (await video.element_handle()).content_frame()
    await frame.wait_for_url(f"{PLAYER}/**")
    return frame


async def becomes(where: Page | Frame, script: str, wanted: Any, seconds: float = PATIENCE / 1000) -> None:
    """Wait until `script` returns `wanted`, checked once a frame: the policy blocks Playwright's own polling."""
    until = time.monotonic() + seconds
    while (seen := await shown(where, script)) != wanted:
        assert time.monotonic() < until, f"{script} stays {seen!r} and does not become {wanted!r}"
        await shown(where, "() => new Promise(requestAnimationFrame)")


async def shown(where: Page | Frame, script: str) -> Any:
    """Return the result of `script`, or LEAVING if the document is replaced while it runs."""
    try:
        return await where.evaluate(script)
    except Error as error:
        if "Execution context was destroyed" in str(error):
            return LEAVING
        raise


async def opened(row: Locator) -> None:
    """Open a row of the running order if it is closed, and the line with the rows before the performer."""
    line = row.page.locator(".order__before:not([open]) summary")
    if await line.is_visible() and not await row.is_visible():
        await line.click()
    await expect(row.locator(".order__row")).to_be_visible()
    if await row.locator(".order__row").get_attribute("aria-expanded") == "false":
        await row.locator(".order__row").click()
    await expect(row.locator(".order__inside")).to_be_visible()
