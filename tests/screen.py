"""Open live pages in tests, as a viewer sees them, without a browser, a network or sleeps.

    @pytest.mark.django_db(transaction=True)
    async def test_everybody_sees_who_performs():
        async with open_page("/sessions/1") as fan_sees, open_page("/admin/sessions", user=admin) as admin_sees:
            await admin_sees.press("Perform: Ewa Nowak")
            await fan_sees.until("Now Performing: Ewa Nowak")

Everything is real except the network: the page view, the session, the socket's code, the layout, the shared parts and
the live bus on the test's database. The screen applies frames as the browser does:
`components/client/src/rendering/parts.js`.

`screen.text` is the visible text; `until` and `until_gone` wait for a change of it. `press` presses a button, `follow`
follows a link, `go` opens an address (a search is an address). `title`, `path` and `status` describe the current page.
A test that changes data calls services in a thread: `await in_thread(lambda: performer_set(...))` of
`apps.core.threads`.
"""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any
from urllib.parse import urlencode
from uuid import uuid4

from apps.core.threads import in_thread
from components.runtime.rendering.slots import SLOT, fill_of, slot_fill
from project.http.middleware import SOCKET, public_origin
from project.sockets.page_socket import PageSocket
from tests.entering import enter_faults
from tests.reading import Node, document, embedded, handlers_of, name_of, readable, walk
from tests.rendering import named, patch, update
from tests.serving import page_response, serving, session_cookie
from tests.wire import Wire

SECONDS = 20.0  # enough for a busy machine; the periodic fallback reads begin after 30 s and cannot hide a lost event
MEANING = ("href", "data-page-event", "data-command", "data-argument")


class Screen:
    """One open page of one viewer."""

    def __init__(self, cookie: str) -> None:
        self.cookie = cookie
        self.address = ""  # the viewer's IP address; limits by address ignore an empty one
        self.status = 0  # of the last full page load
        self.html = ""
        self.model: Node = {"tagName": ""}
        self.parts: dict[str, tuple[str, Node]] = {}
        self.frames: list[dict[str, Any]] = []  # all frames of the current socket
        self.closed: int | None = None
        self.requests = 0
        self.changed = asyncio.Event()
        self.wire: Wire
        self._incoming: asyncio.Queue[dict[str, Any]]
        self._serving: asyncio.Task[None] | None = None

    @property
    def tree(self) -> Node:
        """Return the page's model with its shared parts inserted and this viewer's slots filled."""
        return self._whole(self.model, self.fills)

    @property
    def fills(self) -> dict[str, Any]:
        """Return the fills of this viewer's slots."""
        found = [node["attributes"]["fills"] for node in walk(self.model) if node["tagName"] == "page-slots"]
        return {name: fill for fills in found for name, fill in fills.items()}

    @property
    def text(self) -> str:
        """Return the visible text in one line."""
        return readable(self.tree)

    @property
    def title(self) -> str:
        """Return the document's title."""
        return str(self._navigation["attributes"]["title"])

    @property
    def path(self) -> str:
        """Return the address in the address bar."""
        return str(self._navigation["attributes"]["path"])

    def button(self, label: str) -> Node | None:
        """Return the button with this label, or None."""
        return self._named("button", label)

    def link(self, label: str) -> Node | None:
        """Return the link with this label, or None."""
        return self._named("a", label)

    async def until(self, text: str, *, seconds: float = SECONDS) -> None:
        """Wait until `text` is visible."""
        await self._until(lambda: text in self.text, f"{text!r} did not appear", seconds)

    async def until_gone(self, text: str, *, seconds: float = SECONDS) -> None:
        """Wait until `text` is no longer visible."""
        await self._until(lambda: text not in self.text, f"{text!r} did not go", seconds)

    async def press(self, label: str) -> None:
        """Press the button, or the link of a page event, with this label (with fields: tests/commanding.py)."""
        found = self.button(label) or self.link(label)
        assert found, f"no button {label!r} in: {self.text}"
        attributes = found.get("attributes", {})
        if handler := found.get("eventHandlers", {}).get("onClick"):
            self._event(handler["target"], {"type": "click"})
        elif "data-command" in attributes:
            self.command(attributes["data-command"], argument=attributes["data-argument"], fields={}, key=uuid4().hex)
        else:
            assert "data-page-event" in attributes, f"the button {label!r} does nothing"
            self.act(attributes["data-page-event"], attributes["data-argument"])

    def act(self, name: str, *sent: Any) -> None:
        """Send a page event, as an element with `data-page-event` does."""
        handlers = {k: v for node in walk(self.model) if node["tagName"] == "page-events" for k, v in handlers_of(node)}
        assert name in handlers, f"the page has no action {name!r}, only {sorted(handlers)}"
        self._event(handlers[name], *sent)

    def command(self, name: Any, **sent: Any) -> None:
        """Send a command's frame, as an element with `data-command` does."""
        self.send(json.dumps({"type": "command", "name": name, **sent}))

    async def follow(self, label: str) -> None:
        """Follow the link with this label and wait for its page."""
        found = self.link(label)
        assert found, f"no link {label!r} in: {self.text}"
        await self.go(found["attributes"]["href"])

    async def go(self, path: str) -> None:
        """Go to an address of the site, in place if the page can, and wait for the new page."""
        self.requests += 1
        request = {"path": path, "versions": self._versions(), "number": self.requests}
        self._event(dict(handlers_of(self._navigation))["onNavigate"], request)

        def answered() -> bool:
            attributes = self._navigation["attributes"]
            return attributes.get("number") == self.requests or bool(attributes.get("leave"))

        await self._until(answered, f"{path} was not answered")
        if leave := self._navigation["attributes"].get("leave"):
            await self.load(leave)

    async def load(self, path: str) -> None:
        """Load a full page, as a browser does for a typed address, and wait until it is live."""
        await self.leave()
        headers = [(b"cookie", self.cookie.encode())] if self.cookie else []
        response = await page_response(path, headers)
        while response.status_code in (301, 302):
            path = response["Location"]
            response = await page_response(path, headers)
        self.status, self.html = response.status_code, response.content.decode()
        found = embedded(self.html)
        if found is None:  # a page of forms: HTML only
            self.model = document(self.html, path)
            return
        self.model, self.parts = found
        await self._connect(path, headers)

    async def go_online(self) -> None:
        """Reconnect: open another socket for the current address, as a browser does after a lost connection."""
        path = self.path
        await self.leave()
        await self._connect(path, [(b"cookie", self.cookie.encode())] if self.cookie else [])

    async def leave(self) -> None:
        """Close the page."""
        if self._serving is not None:
            self._incoming.put_nowait({"type": "websocket.disconnect", "code": 1001})
            await self._serving
            self._serving = None

    def send(self, text: str) -> None:
        """Send a raw frame."""
        self._incoming.put_nowait({"type": "websocket.receive", "text": text})

    async def _connect(self, path: str, headers: list[tuple[bytes, bytes]], **more: str) -> None:
        place, _, query = path.partition("?")
        versions = ",".join(f"{key}~{version}" for key, version in self._versions().items())
        asked = urlencode({"path": place, "query": f"?{query}" if query else "", "versions": versions, **more})
        self.frames, self.closed, self._incoming = [], None, asyncio.Queue()
        self.wire = Wire(self._received, self._closed)
        scope = {
            "type": "websocket",
            "path": "/live/",
            "client": [self.address, 0],
            "query_string": asked.encode(),
            "headers": [*headers, (b"origin", public_origin().encode())],
            "extensions": {SOCKET: self.wire},
        }
        self._incoming.put_nowait({"type": "websocket.connect"})
        self._serving = asyncio.create_task(PageSocket(scope, self._incoming.get, self._accepted).run())
        await self._until(lambda: any(f["type"] == "layout-update" for f in self.frames), "the page is not live")

    async def _accepted(self, message: dict[str, Any]) -> None:
        assert message["type"] == "websocket.accept"

    def _received(self, message: dict[str, Any] | list[Any]) -> None:
        if isinstance(message, list):
            for part in map(named, message):
                self.frames.append({"type": "part", **part})
                self._part(part)
        else:
            self.frames.append(message)
            if message["type"] == "layout-update":
                self.model = update(self.model, message["path"], message["model"])
        self.changed.set()

    def _part(self, message: dict[str, Any]) -> None:
        key, version = message["key"], message["to"]
        version_here, model = self.parts.get(key, ("", None))
        if version_here == version:
            return
        if "model" in message:
            model = message["model"]
        elif version_here == message["from"]:
            model = patch(model, message["change"])
        else:
            self.send(json.dumps({"type": "part-request", "key": key}))
            return
        self.parts[key] = (version, model)

    def _closed(self, code: int) -> None:
        self.closed = code
        self.changed.set()

    async def _until(self, holds: Callable[[], bool], complaint: str, seconds: float = SECONDS) -> None:
        try:
            async with asyncio.timeout(seconds):
                while not holds():
                    assert self.closed is None, f"{complaint}; the socket was closed with {self.closed}"
                    self.changed.clear()
                    await self.changed.wait()
        except TimeoutError:
            raise AssertionError(f"{complaint} within {seconds} s in: {self.text}") from None

    def _event(self, target: str, *data: Any) -> None:
        self.send(json.dumps({"type": "layout-event", "target": target, "data": data}))

    def _versions(self) -> dict[str, str]:
        return {key: version for key, (version, _) in self.parts.items()}

    @property
    def _navigation(self) -> Node:
        return next(node for node in walk(self.model) if node["tagName"] == "page-navigation")

    def _whole(self, node: Node, fills: dict[str, Any]) -> Node:
        if isinstance(node, str):
            return node
        if node["tagName"] == "shared-part":
            key = node["attributes"]["part"]
            return self._whole(self.parts[key][1], fills) if key in self.parts else ""  # its frame has not arrived yet
        if name := node.get("attributes", {}).get(SLOT):
            node = slot_fill(node, fill_of(fills, name))
        return node | {"children": [self._whole(child, fills) for child in node.get("children", ())]}

    def _named(self, tag: str, label: str) -> Node | None:
        found = [node for node in walk(self.tree) if node["tagName"] == tag and name_of(node) == label]
        meant = {tuple(node.get("attributes", {}).get(name) for name in MEANING) for node in found}
        assert len(meant) < 2, f"{len(meant)} different {tag} {label!r}"
        return found[0] if found else None


@asynccontextmanager
async def open_page(path: str, *, user: Any = None, signed_in: float = 0.0) -> AsyncIterator[Screen]:
    """Yield a live page at `path` for this account: a user, a viewer, or None for an anonymous visitor.

    The account signed in `signed_in` seconds ago. At the end Enter must press the button beside each field.
    """
    is_account = user is not None and user.id is not None
    cookie = await in_thread(lambda: session_cookie(user, signed_in=signed_in)) if is_account else ""
    async with serving():
        screen = Screen(cookie)
        try:
            await screen.load(path)
            yield screen
            faults = enter_faults(screen.tree)
            assert not faults, faults
        finally:
            await screen.leave()
