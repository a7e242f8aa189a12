"""Pages as their viewers see them, without a browser, without a network, without waiting by the clock.

    @pytest.mark.django_db(transaction=True)
    async def test_everybody_sees_who_performs():
        async with open_page("/sessions/1") as fan_sees, open_page("/admin/sessions", user=admin) as admin_sees:
            await admin_sees.press("Perform: Ewa Nowak")
            await fan_sees.until("Now Performing: Ewa Nowak")

Everything is real but the wire: the page view, the session, the socket's code, the layout, the shared parts and the
live bus on the test's database. The screen keeps what arrives as the browser does:
`components/client/src/rendering/parts.js`.

`screen.text` is what may be read; `until` and `until_gone` wait for it. `press` a button, `follow` a link, `go` to an
address (a search is an address). `title`, `path` and `status` say where the viewer is. A test that changes something
itself calls services in a thread: `await in_thread(lambda: performer_set(...))` of `apps.core.threads`.
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
from project.http.page_view import page_response
from project.sockets.page_socket import PageSocket
from tests.reading import Node, document, embedded, handlers_of, name_of, readable, walk
from tests.rendering import patch
from tests.serving import serving, session_cookie
from tests.wire import Wire

SECONDS = 20.0  # a busy machine is slow, not wrong; the nets below what is told catch nothing before 30
MEANING = ("href", "data-page-event", "data-command", "data-argument")


class Screen:
    """One window of one viewer."""

    def __init__(self, cookie: str) -> None:
        self.cookie = cookie
        self.address = ""  # where the viewer comes from; nobody is counted by an empty one
        self.status = 0  # of the last whole page load
        self.html = ""
        self.model: Node = {"tagName": ""}
        self.parts: dict[str, tuple[str, Node]] = {}
        self.frames: list[dict[str, Any]] = []  # all that came over the present socket
        self.closed: int | None = None
        self.requests = 0
        self.changed = asyncio.Event()
        self.wire: Wire
        self._incoming: asyncio.Queue[dict[str, Any]]
        self._serving: asyncio.Task[None] | None = None

    @property
    def tree(self) -> Node:
        """The page's model with the shared parts in their places and this viewer's slots filled."""
        return self._whole(self.model)

    @property
    def fills(self) -> dict[str, Any]:
        """What fills this viewer's slots."""
        found = [node["attributes"]["fills"] for node in walk(self.model) if node["tagName"] == "page-slots"]
        return {name: fill for fills in found for name, fill in fills.items()}

    @property
    def text(self) -> str:
        """All that may be read, in one line."""
        return readable(self.tree)

    @property
    def title(self) -> str:
        """The document's title."""
        return str(self._navigation["attributes"]["title"])

    @property
    def path(self) -> str:
        """What the address bar shows."""
        return str(self._navigation["attributes"]["path"])

    def button(self, label: str) -> Node | None:
        """The button with this label, or None when it is not offered."""
        return self._named("button", label)

    def link(self, label: str) -> Node | None:
        """The link with this label, or None when it is not offered."""
        return self._named("a", label)

    async def until(self, text: str, *, seconds: float = SECONDS) -> None:
        """Wait until `text` may be read."""
        await self._until(lambda: text in self.text, f"{text!r} did not appear", seconds)

    async def until_gone(self, text: str, *, seconds: float = SECONDS) -> None:
        """Wait until `text` may be read no more."""
        await self._until(lambda: text not in self.text, f"{text!r} did not go", seconds)

    async def press(self, label: str) -> None:
        """Press the button, or the link that asks for an action, with this label (fields: tests/acting.py)."""
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
        """Ask for one of the page events, as anything with `data-page-event` does."""
        handlers = {k: v for node in walk(self.model) if node["tagName"] == "page-events" for k, v in handlers_of(node)}
        assert name in handlers, f"the page has no action {name!r}, only {sorted(handlers)}"
        self._event(handlers[name], *sent)

    def command(self, name: Any, **sent: Any) -> None:
        """Send a command's frame, as anything with `data-command` does."""
        self.send(json.dumps({"type": "command", "name": name, **sent}))

    async def follow(self, label: str) -> None:
        """Follow the link with this label and arrive."""
        found = self.link(label)
        assert found, f"no link {label!r} in: {self.text}"
        await self.go(found["attributes"]["href"])

    async def go(self, path: str) -> None:
        """Go to an address of the site, in place if the page can, and arrive."""
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
        """Load a whole page, as a browser does for a typed address, and wait until it is live."""
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
        """Open another socket for the present address, as a browser does after a loss (`leave` is the loss)."""
        path = self.path
        await self.leave()
        await self._connect(path, [(b"cookie", self.cookie.encode())] if self.cookie else [])

    async def leave(self) -> None:
        """Close the window."""
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

    def _received(self, message: dict[str, Any]) -> None:
        self.frames.append(message)
        if message["type"] == "layout-update":
            self.model = patch(self.model, ["set", message["path"], message["model"]])
        elif message["type"] == "part":
            self._part(message)
        self.changed.set()

    def _part(self, message: dict[str, Any]) -> None:
        key, version = message["key"], message["to"]
        version_here, model = self.parts.get(key, ("", None))
        if version_here == version:
            return
        if "model" in message:
            model = message["model"]
        elif version_here == message["from"]:
            for operation in message["operations"]:
                model = patch(model, operation)
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

    def _whole(self, node: Node) -> Node:
        if isinstance(node, str):
            return node
        if node["tagName"] == "shared-part":
            key = node["attributes"]["part"]
            return self._whole(self.parts[key][1]) if key in self.parts else ""  # it comes later, or is not listed
        if name := node.get("attributes", {}).get(SLOT):
            node = slot_fill(node, fill_of(self.fills, name))
        return node | {"children": [self._whole(child) for child in node.get("children", ())]}

    def _named(self, tag: str, label: str) -> Node | None:
        found = [node for node in walk(self.tree) if node["tagName"] == tag and name_of(node) == label]
        meant = {tuple(node.get("attributes", {}).get(name) for name in MEANING) for node in found}
        assert len(meant) < 2, f"{len(meant)} different {tag} {label!r}"
        return found[0] if found else None


@asynccontextmanager
async def open_page(path: str, *, user: Any = None, signed_in: float = 0.0) -> AsyncIterator[Screen]:
    """A window on `path` for this account (a user, a viewer, or None for a stranger), live.

    The account signed in so many seconds ago.
    """
    is_account = user is not None and user.id is not None
    cookie = await in_thread(lambda: session_cookie(user, signed_in=signed_in)) if is_account else ""
    async with serving():
        screen = Screen(cookie)
        try:
            await screen.load(path)
            yield screen
        finally:
            await screen.leave()
