"""Viewers of the NiceGUI page: each loads the page, which is created for it alone, and opens its Socket.IO socket."""

import asyncio
import json
import re
import resource
import sys
from typing import Any
from urllib.parse import urlencode
from uuid import uuid4

from benchmarks import viewers

CLIENT = re.compile(rb"client_id\W{1,12}([0-9a-f-]{36})")


def masked(text: bytes) -> bytes:
    """Return a short text frame, masked with zeros."""
    return bytes((0x81, 0x80 | len(text), 0, 0, 0, 0)) + text


class Viewer(viewers.Viewer):
    """A viewer that speaks Engine.IO: it joins the default namespace and answers pings."""

    joined = False

    def data_received(self, data: bytes) -> None:
        """Join when the socket is open."""
        super().data_received(data)
        if self.opened and not self.joined:
            self.joined = True
            self.transport.write(masked(b"40"))

    def frame(self, kind: int, content: bytes) -> None:
        """Answer pings of the websocket and of Engine.IO."""
        super().frame(kind, content)
        if content == b"2":
            self.transport.write(masked(b"3"))


class Bench(viewers.Bench):
    """The same measurements without heartbeats, which NiceGUI's server sends."""

    async def viewer_path(self) -> str:
        """Load the page and return the path of its socket."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.order.port, limit=1 << 22)
        writer.write(f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{self.order.port}\r\nConnection: close\r\n\r\n".encode())
        html = await reader.read(-1)
        writer.close()
        found = CLIENT.search(html)
        if found is None:
            raise SystemExit(f"NiceGUI's page names no client: {html[:300]!r}")
        query = {
            "client_id": found[1].decode(), "tab_id": uuid4(), "old_tab_id": "", "document_id": uuid4(),
            "next_message_id": 0, "implicit_handshake": "true", "EIO": 4, "transport": "websocket",
        }  # fmt: skip
        return "/_nicegui_ws/socket.io/?" + urlencode(query)

    def make_viewer(self, path: str) -> viewers.Viewer:
        """Return a viewer of this kind."""
        return Viewer(self, path)

    async def heartbeats(self) -> float:
        """Return NaN."""
        return float("nan")


async def run(order: viewers.Order) -> Any:
    """Measure at each number of viewers."""
    return await viewers.run(order, Bench)


if __name__ == "__main__":
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    print(json.dumps(asyncio.run(run(viewers.Order(**json.loads(sys.argv[1]))))))
