"""Many viewers against one process on loopback, in a separate process; prints one JSON line.

`python -m benchmarks.viewers '{"kind": "site", "port": 8220, "pid": 123, …}'`
"""

import asyncio
import base64
import gc
import json
import math
import os
import re
import resource
import sys
import time
import urllib.request
import zlib
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any
from urllib.parse import urlencode

from benchmarks.clocks import cpu, resident

PING = b'{"type":"ping"}'
PING_FRAME = bytes((0x81, 0x80 | len(PING), 0, 0, 0, 0)) + PING  # masked with zeros
FIRST = {"site": b'"layout-update"', "nicegui": b'40{"sid"'}  # part of the first frame of a working socket
TOGETHER = 20  # concurrent handshakes
REST = 0.15  # seconds between changes
PARTS = b'[["'  # the beginning of a frame of parts
OF_A_PART = ("key", "to", "content", "from")  # the last one of a change alone
EXTENSION = "permessage-deflate"  # RFC 7692; a shared frame is the same for all sockets only without context takeover
OFFER = f"{EXTENSION}; server_no_context_takeover; client_no_context_takeover"
COMPRESSED = 0x40  # RSV1, in the first byte of a compressed frame


@lru_cache(maxsize=64)
def inflated(content: bytes) -> bytes:
    """Return the payload of a compressed frame. Equal payloads of many viewers are inflated once."""
    return zlib.decompressobj(wbits=-zlib.MAX_WBITS).decompress(content + b"\x00\x00\xff\xff")


@dataclass(frozen=True, slots=True)
class Order:
    """The run to measure."""

    kind: str
    port: int
    pid: int
    session: int
    appearances: list[int]
    viewers: list[int] = field(default_factory=lambda: [100, 300, 1000])
    changes: int = 12
    rounds: int = 5  # of heartbeats
    bytes: int = 1000  # of a peer's frame: the size of the site's, which is measured first
    deflate: bool = True  # whether viewers offer EXTENSION to the site; they never offer it to a peer


def parts_of(content: bytes) -> list[dict[str, Any]]:
    """Return the parts in a frame; none for a frame without parts."""
    if not content.startswith(PARTS):
        return []
    return [dict(zip(OF_A_PART, part, strict=False)) for part in json.loads(content)]


class Viewer(asyncio.Protocol):
    """A websocket client that reports received data to its bench."""

    transport: asyncio.Transport

    def __init__(self, bench: "Bench", path: str, cookie: str = "") -> None:
        self.bench, self.path, self.cookie = bench, path, cookie
        self.ready = asyncio.get_running_loop().create_future()
        self.deflate = bench.deflate  # whether it offers EXTENSION; from the handshake on, whether the server accepted
        self.buffer, self.opened = bytearray(), False
        self.content = bytearray()  # of the frames since the last `forget`, inflated
        self.frame_bytes = 0  # of the present frame on the wire, with its header

    def connection_made(self, transport: Any) -> None:
        """Send the handshake, with the cookie if there is one."""
        self.transport = transport
        key = base64.b64encode(os.urandom(16)).decode()
        host = f"127.0.0.1:{self.bench.order.port}"
        head = (
            f"GET {self.path} HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\nUpgrade: websocket\r\n"
            f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n"
        )
        cookie = f"Cookie: {self.cookie}\r\n" if self.cookie else ""
        offer = f"Sec-WebSocket-Extensions: {OFFER}\r\n" if self.deflate else ""
        transport.write(f"{head}{cookie}{offer}\r\n".encode())

    def send(self, body: bytes) -> None:
        """Send a text frame, masked with zeros."""
        kind = min(len(body), 126) if len(body) < 1 << 16 else 127
        size = b"" if kind < 126 else len(body).to_bytes(2 if kind == 126 else 8, "big")
        self.transport.write(bytes((0x81, 0x80 | kind)) + size + bytes(4) + body)

    def data_received(self, data: bytes) -> None:
        """Buffer the data, handle its frames, and let the bench search their content."""
        self.buffer += data
        self.bench.received += len(data)
        if not self.opened and b"\r\n\r\n" in self.buffer:
            self.open()
        if self.opened:
            self.frames()
            self.bench.look(self)
        if not self.ready.done() and self.bench.first in self.content:
            self.ready.set_result(None)

    def open(self) -> None:
        """Handle the answer to the handshake."""
        self.opened, end = True, self.buffer.index(b"\r\n\r\n") + 4
        self.deflate = self.deflate and EXTENSION.encode() in self.buffer[:end]
        del self.buffer[:end]

    def frames(self) -> None:
        """Handle the complete frames in the buffer, and drop them from it. Raises for an unexpected compressed one."""
        read = 0
        while len(self.buffer) >= read + 2:
            kind, size = self.buffer[read : read + 2]
            start = read + {126: 4, 127: 10}.get(size, 2)
            if start > read + 2:
                size = int.from_bytes(self.buffer[read + 2 : start], "big")
            if len(self.buffer) < start + size:
                break
            content = bytes(self.buffer[start : start + size])
            if kind & COMPRESSED:
                if not self.deflate:
                    raise ConnectionError("The server compressed a frame without the extension.")
                kind, content = kind & ~COMPRESSED, inflated(content)
            self.frame_bytes = start + size - read
            self.frame(kind, content)
            self.content += content
            read = start + size
        del self.buffer[:read]

    def frame(self, kind: int, content: bytes) -> None:
        """Answer a ping: the server cuts clients that do not."""
        if kind == 0x89:
            self.transport.write(bytes((0x8A, 0x80 | len(content), 0, 0, 0, 0)) + content)

    def forget(self) -> None:
        """Drop the content of the frames so far."""
        self.content.clear()

    def connection_lost(self, error: Exception | None) -> None:
        """Count the loss, and print its reason."""
        self.bench.lost += 1
        if not self.bench.leaving:
            print(f"lost: {error} {bytes(self.content[-60:] + self.buffer[-60:])!r}", file=sys.stderr)
        if not self.ready.done():
            self.ready.set_exception(ConnectionError(bytes(self.buffer[:200])))


class Bench:
    """One run against one kind of socket."""

    page = "/sessions/{session}"

    def __init__(self, order: Order) -> None:
        self.order = order
        self.deflate = order.kind == "site" and order.deflate
        self.first = FIRST.get(order.kind, b'"hello"')
        self.viewers: list[Viewer] = []
        self.received = self.lost = 0
        self.markers: tuple[tuple[bytes, ...], ...] = ()  # of each group, one text must arrive
        self.seen: set[Viewer] = set()
        self.done = asyncio.Event()
        self.sequence = 0
        self.leaving = False
        self.shared_path = ""

    def path(self) -> str:
        """Return the path of the socket.

        The site's contains the versions of the parts in the page's HTML, as a browser's does.
        """
        if self.order.kind != "site":
            return f"/{self.order.kind}/"
        page = self.page.format(session=self.order.session)
        with urllib.request.urlopen(f"http://127.0.0.1:{self.order.port}{page}") as response:
            html = response.read().decode()
        versions = re.findall(r'data-part="([^"]+)" data-version="([^"]+)"', html)
        query = {"path": page, "query": "", "versions": ",".join("~".join(pair) for pair in versions)}
        return "/live/?" + urlencode(query)

    def look(self, viewer: Viewer) -> None:
        """Count the viewer when it has received the whole change."""
        if not self.markers or viewer in self.seen:
            return
        if all(any(marker in viewer.content for marker in group) for group in self.markers):
            self.seen.add(viewer)
            if len(self.seen) == len(self.viewers):
                self.done.set()

    async def viewer_path(self) -> str:
        """Return the path for one viewer."""
        return self.shared_path

    def local(self) -> tuple[str, int] | None:
        """Return the local address of the next viewer; None for any."""
        return None

    def make_viewer(self, path: str) -> Viewer:
        """Return a viewer of this kind."""
        return Viewer(self, path)

    async def grow(self, number: int) -> None:
        """Add viewers up to `number`."""
        gate = asyncio.Semaphore(TOGETHER)
        self.shared_path = self.path()

        async def one() -> None:
            async with gate:
                viewer = self.make_viewer(await self.viewer_path())
                loop = asyncio.get_running_loop()
                await loop.create_connection(lambda: viewer, "127.0.0.1", self.order.port, local_addr=self.local())
                await asyncio.wait_for(viewer.ready, 60)
                self.viewers.append(viewer)

        await asyncio.gather(*(one() for _ in range(number - len(self.viewers))))

    def expect(self) -> str:
        """Reset the count for the next change. Returns the URL that makes the change."""
        self.sequence += 1
        appearance = self.sequence % len(self.order.appearances)
        self.seen, self.done = set(), asyncio.Event()
        for viewer in self.viewers:
            viewer.forget()
        if self.order.kind == "site":
            parts = (f'["session_{part}:{self.order.session}:en"' for part in ("now", "order"))
            self.markers = tuple((part.encode(),) for part in parts)
            return f"/bench/perform?place={self.order.appearances[appearance]}"
        marker = f"change:{self.sequence}:end"
        self.markers = ((marker.encode(),),)
        raw = f"/bench/raw?marker={marker}&bytes={self.order.bytes}"
        return f"/perform?marker={marker}" if self.order.kind == "nicegui" else raw

    async def change(self) -> float:
        """Make the next change of performer. Returns the seconds until the last viewer has all of it."""
        address = self.expect()
        start = time.perf_counter()
        posting = asyncio.create_task(self.post(address))
        try:
            await asyncio.wait_for(self.done.wait(), 60)
        except TimeoutError:
            raise SystemExit(
                f"{len(self.viewers) - len(self.seen)} viewers missed {address} ({self.lost} lost)"
            ) from None
        took = time.perf_counter() - start
        if refusal := await posting:
            raise SystemExit(f"{address}: {refusal!r}")
        return took

    async def post(self, address: str) -> bytes:
        """Send a request to a control point. Returns the beginning of the answer, empty when its status is 200."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.order.port)
        head = f"POST {address} HTTP/1.1\r\nHost: 127.0.0.1:{self.order.port}\r\nContent-Length: 0\r\n"
        writer.write(f"{head}Connection: close\r\n\r\n".encode())
        answer = await reader.read()
        writer.close()
        return b"" if b" 200 " in answer.partition(b"\r\n")[0] else answer[:200]

    async def heartbeats(self) -> float:
        """Return the server's CPU seconds for each heartbeat."""
        start = cpu(self.order.pid)
        for _ in range(self.order.rounds):
            for viewer in self.viewers:
                viewer.transport.write(PING_FRAME)
            await asyncio.sleep(0.6)
        return (cpu(self.order.pid) - start) / self.order.rounds / len(self.viewers)

    async def warm_up(self) -> None:
        """Warm up lazy loading with a few viewers, and disconnect them."""
        await self.grow(5)
        for _ in range(3):
            await self.change()
        self.leaving = True
        for viewer in self.viewers:
            viewer.transport.abort()
        self.viewers.clear()
        await asyncio.sleep(2)
        self.leaving, self.lost = False, 0

    async def measured(self, number: int, base: float) -> dict[str, float]:
        """Return all figures at this number of viewers. `base` is the memory without viewers, in KiB."""
        pid, have = self.order.pid, len(self.viewers)
        before, began = cpu(pid), time.perf_counter()
        await self.grow(number)
        took = time.perf_counter() - began
        await asyncio.sleep(1)
        connect = (cpu(pid) - before) / (number - have)
        memory = (resident(pid) - base) / number
        received, before, times = self.received, cpu(pid), []
        for _ in range(self.order.changes):
            times.append(await self.change())
            await asyncio.sleep(REST)
        change = (cpu(pid) - before) / self.order.changes
        times.sort()
        return {
            "kib": memory,
            "base_mib": base / 1024,
            "connect_ms": connect * 1e3,
            "connects_per_s": (number - have) / took,
            "change_ms": change * 1e3,
            "delivery_us": change / number * 1e6,
            "last_ms": times[len(times) // 2] * 1e3,
            "p99_ms": times[math.ceil(len(times) * 0.99) - 1] * 1e3,
            "worst_ms": times[-1] * 1e3,
            "bytes": (self.received - received) / number / self.order.changes,
            "heartbeat_us": await self.heartbeats() * 1e6,
            "lost": self.lost,
        }


async def run(order: Order, kind: type[Bench] = Bench) -> dict[int, dict[str, float]]:
    """Measure at each number of viewers."""
    bench = kind(order)
    await bench.warm_up()
    base = resident(order.pid)
    gc.disable()
    figures = {number: await bench.measured(number, base) for number in order.viewers}
    bench.leaving = True
    return figures


if __name__ == "__main__":
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    print(json.dumps(asyncio.run(run(Order(**json.loads(sys.argv[1]))))))
