"""A rating that is submitted in a real browser: which modules of the client a click runs through until it is sent.

The page gets the client bundled, but neither shortened nor mixed, so that each function stands below its module's name;
Chromium counts the calls of functions (`Profiler.takePreciseCoverage`) from the click until the frame is sent, and the
server's frames wait for that long.
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

# Below every mark in `benchmarks/busy_session.py`: a mark that equals the stored one is not written.
MARK = "14"


def bundle() -> str:
    """The client as one readable script."""
    esbuild = CLIENT / "node_modules" / ".bin" / "esbuild"
    order = [str(esbuild), "src/exports.js", "--bundle", "--format=esm", '--define:process.env.NODE_ENV="production"']
    return subprocess.run(order, cwd=CLIENT, check=True, capture_output=True, text=True).stdout


class Gate:
    """The page's socket; what the server sends waits while it is shut."""

    def __init__(self) -> None:
        self.is_shut = False
        self.waiting: list[str | bytes] = []
        self.sent = 0
        self.page: WebSocketRoute

    def between(self, page: WebSocketRoute) -> None:
        """Stand between this socket and the server's."""
        server, self.page = page.connect_to_server(), page
        page.on_message(lambda frame: self._to_server(server, frame))
        server.on_message(self._to_page)

    def open(self) -> None:
        """Let everything through again."""
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
    """The paths of our modules of which a named function has run since the count began."""
    marks = [(found.start(), f"components/client/{found[1]}") for found in MODULE.finditer(script)]
    starts = [start for start, _ in marks]
    found: dict[str, None] = {}
    for each in devtools.send("Profiler.takePreciseCoverage")["result"]:
        path = urlsplit(each["url"]).path
        for function in each["functions"]:
            begins, count = function["ranges"][0]["startOffset"], function["ranges"][0]["count"]
            if not count or begins == 0:
                continue
            if loaded := LOADED.search(path):
                found.setdefault(f"components/static/{loaded[1]}.js")
            elif SERVED.search(path) and (place := bisect_right(starts, begins)):
                found.setdefault(marks[place - 1][1])
    return list(found)


def rated(page: Page, devtools: CDPSession, gate: Gate, script: str) -> list[str]:
    """Fill in the form and send it; returns the modules that the click has run."""
    form = page.locator("form.rating").first
    send = form.get_by_role("button", name="Submit ratings")
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
    found = modules_run(devtools, script)
    devtools.send("Profiler.stopPreciseCoverage")
    gate.open()
    form.get_by_role("status").filter(has_text="submitted successfully").wait_for()
    return found


@contextmanager
def browser(address: str, cookie: str) -> Iterator[tuple[Page, CDPSession, Gate, str]]:
    """A page of somebody who is signed in, whose client can be read."""
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
    """Rate on each of these pages; yields the modules that each click has run, once it was answered."""
    with browser(address, cookie) as (page, devtools, gate, script):
        for path in paths:
            page.goto(address + path)
            page.locator("#app[data-connection=live]").wait_for(state="attached")
            yield rated(page, devtools, gate, script)
