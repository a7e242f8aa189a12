"""A proxy that forwards pages and blocks websockets, as in offices, schools and hotels."""

import asyncio
import contextlib
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from enum import Enum

LINE = re.compile(rb"^(\w+) http://[^/ ]+(\S*) (HTTP/1\.1)\r\n")
HOP = re.compile(rb"^(Proxy-)?Connection:.*\r\n", re.IGNORECASE | re.MULTILINE)
END = b"\r\n\r\n"
SHORT = 1.0  # seconds


class Blocking(Enum):
    """How the proxy blocks a websocket; browsers request its tunnel with CONNECT."""

    REFUSES = "it is refused"
    CUTS = "it ends after a second"
    SWALLOWS = "it opens, and nothing comes through it"


class Proxy:
    """Forwards requests to the site at `port`."""

    def __init__(self, blocking: Blocking, port: int) -> None:
        self.blocking, self.port = blocking, port
        self.tunnels = 0  # requested tunnels
        self.address = ""
        self.connections: set[asyncio.Task[None]] = set()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Forward one browser connection."""
        task = asyncio.current_task()
        assert task
        self.connections.add(task)
        try:
            with contextlib.suppress(OSError, asyncio.IncompleteReadError, asyncio.CancelledError):
                head = await reader.readuntil(END)
                if head.startswith(b"CONNECT "):
                    await self._tunnel(reader, writer)
                else:
                    await self._forward(head, reader, writer)
        finally:
            self.connections.discard(task)
            writer.close()

    async def _forward(self, head: bytes, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Forward one request with its body, and its response."""
        head = LINE.sub(rb"\1 \2 \3\r\nConnection: close\r\n", HOP.sub(b"", head))
        await self._exchange(head, reader, writer)

    async def _exchange(self, head: bytes, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        site_reader, site_writer = await asyncio.open_connection("127.0.0.1", self.port)
        site_writer.write(head)
        up = asyncio.create_task(_pipe(reader, site_writer))
        try:
            await _pipe(site_reader, writer)
        finally:
            up.cancel()
            site_writer.close()

    async def _tunnel(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.tunnels += 1
        if self.blocking is Blocking.REFUSES:
            writer.write(b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n")
            return
        writer.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
        if self.blocking is Blocking.CUTS:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._exchange(b"", reader, writer), SHORT)
            return
        handshake = await reader.readuntil(END)
        site_reader, site_writer = await asyncio.open_connection("127.0.0.1", self.port)
        try:
            site_writer.write(handshake)
            writer.write(await site_reader.readuntil(END))
            while await reader.read(65_536):
                pass
        finally:
            site_writer.close()


async def _pipe(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while data := await reader.read(65_536):
        writer.write(data)
        await writer.drain()


@asynccontextmanager
async def blocking_proxy(blocking: Blocking, port: int) -> AsyncIterator[Proxy]:
    """Run a proxy that blocks websockets in this way; yield it with its own address."""
    proxy = Proxy(blocking, port)
    server = await asyncio.start_server(proxy.serve, "127.0.0.1", 0)
    proxy.address = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    try:
        yield proxy
    finally:
        server.close()
        for task in list(proxy.connections):
            task.cancel()
        await asyncio.gather(*proxy.connections, return_exceptions=True)
