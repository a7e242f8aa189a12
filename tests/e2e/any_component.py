"""Any component in a real browser: this site's document, headers, scripts and layout, without its server.

    async with shown(browser, counter()) as window:
        await window.page.click("button")

`window.faults` contains the browser's console messages and page errors.
"""

import json
import mimetypes
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from django.conf import settings
from playwright.async_api import Browser, Page, Route, WebSocketRoute, expect

from components.runtime import page as pages
from components.runtime.rendering.document import Document
from components.runtime.rendering.layout import PageLayout, first_model, with_connection
from components.runtime.rendering.live_part import LivePart
from project.http.middleware import security_headers
from tests.components.runtime.rendering.mounting import CONNECTION

ADDRESS = f"{settings.PUBLIC_URL}/any"
VIOLATION = """document.addEventListener("securitypolicyviolation", (event) =>
  console.error("policy:", event.violatedDirective, event.blockedURI))"""


@dataclass
class Shown:
    """A browser window that shows one component."""

    page: Page
    html: str = ""
    faults: list[str] = field(default_factory=list)
    socket: WebSocketRoute | None = None
    layout: PageLayout | None = None

    @property
    def markup(self) -> str:
        """Return the component's HTML without the client's data."""
        return self.html.partition('<div id="app"')[2].partition('<script type="application/json"')[0]

    async def live(self) -> None:
        """Wait until React has hydrated the HTML and the socket is live."""
        await expect(self.page.locator("#app[data-hydrated][data-connection=live]")).to_be_attached()

    def says(self, message: dict[str, Any]) -> None:
        """Send a frame to the window."""
        assert self.socket is not None
        self.socket.send(json.dumps(message))


async def _static(route: Route, modules: Mapping[str, str]) -> None:
    path = settings.ROOT / "components" / route.request.url.partition("?")[0].removeprefix(f"{settings.PUBLIC_URL}/")
    if path.name in modules:
        await route.fulfill(body=modules[path.name], content_type="text/javascript")
        return
    kind = mimetypes.guess_type(path)[0] or "text/plain"
    await route.fulfill(body=path.read_bytes(), content_type=kind)


@asynccontextmanager
async def shown(
    browser: Browser,
    root: Any,
    *,
    parts: Sequence[LivePart] = (),
    model: Any = None,
    modules: Mapping[str, str] = MappingProxyType({}),
) -> AsyncIterator[Shown]:
    """Show a component with these parts; a `model` replaces the component's own rendering.

    `modules` maps file names to the source of web modules.
    """
    first = model or await first_model(root, CONNECTION)
    about = pages.Page(title="Any", description="Any", component=root, address="/any", path="/any")
    html = Document(about, first).html(parts).decode()
    context = await browser.new_context()
    await context.add_init_script(VIOLATION)
    window = Shown(await context.new_page(), html)
    await context.route(f"{settings.PUBLIC_URL}/static/**", lambda route: _static(route, modules))
    await context.route(
        ADDRESS, lambda route: route.fulfill(body=html, content_type="text/html", headers=security_headers())
    )

    async def connect(socket: WebSocketRoute) -> None:
        window.socket = socket
        if model is not None:
            window.says({"type": "layout-update", "path": "", "model": model})
            return
        layout = window.layout = PageLayout(with_connection(root, CONNECTION), window.says, lambda: None)

        async def heard(text: str) -> None:
            message = json.loads(text)
            if message["type"] == "layout-event":
                await layout.deliver(message)

        socket.on_message(heard)
        await layout.__aenter__()

    await context.route_web_socket("**/live/**", connect)
    page = window.page
    page.on("console", lambda said: window.faults.append(f"{said.type}: {said.text}"))
    page.on("pageerror", lambda error: window.faults.append(f"page error: {error}"))
    try:
        await page.goto(ADDRESS)
        await window.live()
        yield window
    finally:
        if window.layout is not None:
            await window.layout.__aexit__(None, None, None)
        await context.close()
