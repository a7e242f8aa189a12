"""Submit a rating in a browser, and record the client's modules that the click runs until its frame is sent.

The page gets the client bundled but not minified, so that each function follows the name of its module. Chromium counts
function calls (`Profiler.takePreciseCoverage`) from the click until the frame is sent. Frames from the server are held
back during that time.
"""

import re
import subprocess
from bisect import bisect_right
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit

from playwright.sync_api import CDPSession, Page, WebSocketRoute, sync_playwright

from project.config import ROOT
from tests import chromium

CLIENT = ROOT / "components" / "client"
MODULE = re.compile(r"^// (src/[\w./-]+\.js)$", re.MULTILINE)
SERVED = re.compile(r"/static/build/client\.[\w.]*js$")
LOADED = re.compile(r"/static/(?:build/)?(modules/[\w/-]+|lights|faults)\.[\w.]*js$")

# Below every mark in `benchmarks/busy_session.py`, because a mark equal to the stored one is not written.
MARK = "14"
SUBMIT = re.compile("Submit ratings|Send changes")  # the second if the account has rated before


def bundle() -> str:
    """Return the client as one readable script."""
    esbuild = CLIENT / "node_modules" / ".bin" / "esbuild"
    order = [str(esbuild), "src/exports.js", "--bundle", "--format=esm", '--define:process.env.NODE_ENV="production"']
    return subprocess.run(order, cwd=CLIENT, check=True, capture_output=True, text=True).stdout


class Gate:
    """A proxy of the page's socket; while it is shut, frames from the server wait."""

    def __init__(self) -> None:
        self.is_shut = False
        self.waiting: list[str | bytes] = []
        self.sent = 0
        self.page: WebSocketRoute

    def between(self, page: WebSocketRoute) -> None:
        """Connect this socket to the server through the gate."""
        server, self.page = page.connect_to_server(), page
        page.on_message(lambda frame: self._to_server(server, frame))
        server.on_message(self._to_page)

    def open(self) -> None:
        """Deliver the waiting frames, and stop holding frames back."""
        self.is_shut = False
        for frame in self.waiting:
            self.page.send(frame)
        self.waiting.clear()

    def _to_server(self, server: WebSocketRoute, frame: str | bytes) -> None:
        self.sent += self.is_shut
        server.send(frame)

    def _to_page(self, frame: str | bytes) -> None:
        if self.is_shut:
            self.waiting.append(frame)
        else:
            self.page.send(frame)


def modules_run(devtools: CDPSession, script: str) -> list[str]:
    """Return the paths of the client's modules with a named function that has run since the count began."""
    marks = [(match.start(), f"components/client/{match[1]}") for match in MODULE.finditer(script)]
    starts = [start for start, _ in marks]
    modules: dict[str, None] = {}
    for covered in devtools.send("Profiler.takePreciseCoverage")["result"]:
        path = urlsplit(covered["url"]).path
        for function in covered["functions"]:
            begins, count = function["ranges"][0]["startOffset"], function["ranges"][0]["count"]
            if not count or begins == 0:
                continue
            if loaded := LOADED.search(path):
                modules.setdefault(f"components/static/{loaded[1]}.js")
            elif SERVED.search(path) and (place := bisect_right(starts, begins)):
                modules.setdefault(marks[place - 1][1])
    return list(modules)


def rated(page: Page, devtools: CDPSession, gate: Gate, script: str) -> list[str]:
    """Fill in the form and submit it. Returns the modules that the click has run."""
    form = page.locator("form.rating").first
    send = form.get_by_role("button", name=SUBMIT)
    form.get_by_label("Your comment").fill("As if it was the first time.")
    mark = form.locator("input[type=range]").first
    while send.is_disabled() or mark.input_value() != MARK:  # until the scripts of the marks run
        mark.focus()
        page.keyboard.type(MARK)
        form.get_by_role("radio", name="4 of 5").check(force=True)
    gate.sent, gate.is_shut = 0, True
    devtools.send("Profiler.startPreciseCoverage", {"callCount": True, "detailed": False})
    send.click()
    while not gate.sent:
        page.wait_for_timeout(10)
    modules = modules_run(devtools, script)
    devtools.send("Profiler.stopPreciseCoverage")
    gate.open()
    form.get_by_role("status").filter(has_text="submitted successfully").wait_for()
    return modules


@contextmanager
def browser(address: str, cookie: str) -> Iterator[tuple[Page, CDPSession, Gate, str]]:
    """Open a browser with a signed-in page and the readable client."""
    chromium.require()
    script, gate = bundle(), Gate()
    name, _, value = cookie.partition("=")
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=chromium.executable(), args=list(chromium.ARGUMENTS))
        context = started.new_context()
        context.add_cookies([{"name": name, "value": value, "url": address}])
        page = context.new_page()
        page.route(SERVED, lambda route: route.fulfill(body=script, content_type="text/javascript"))
        page.route("https://**", lambda route: route.abort())
        page.route_web_socket(re.compile("/live/"), gate.between)
        devtools = context.new_cdp_session(page)
        devtools.send("Profiler.enable")
        yield page, devtools, gate, script
        started.close()


def ratings(address: str, cookie: str, paths: list[str]) -> Iterator[list[str]]:
    """Rate on each of these pages, and yield the modules of each click after its answer."""
    with browser(address, cookie) as (page, devtools, gate, script):
        for path in paths:
            page.goto(address + path)
            page.locator("#app[data-connection=live]").wait_for(state="attached")
            yield rated(page, devtools, gate, script)
