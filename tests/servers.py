"""A real web process under test, and a low-level websocket client that can send invalid frames."""

import asyncio
import base64
import json
import os
import socket
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import psycopg

from tests.e2e import content
from tests.e2e.server import Server, demo_database
from tests.wire import EXTENSIONS, RSV1, inflated

CLOSE, TEXT, PING, PONG = 8, 1, 9, 10
LOST = 1006  # the code that a browser reports without a close frame
LIMIT = 1 << 24  # bytes of the largest frame that this client accepts
PATIENCE = 60.0  # seconds
ROUNDS = 3  # of a measurement of memory
SOON = 20.0  # seconds; less than the 40 s after which parts are read again without an event


@contextmanager
def site(folder: Path, name: str) -> Iterator[Server]:
    """Yield a web process with the demo competition in its own database."""
    with demo_database(name) as address:
        server = Server(folder, address)
        try:
            server.start()
            yield server
        finally:
            server.kill()


def database(server: Server) -> "psycopg.Connection[Any]":
    """Return a connection to the database of this web process, as its owner."""
    return psycopg.connect(server.environment["OWNER_DATABASE_URL"], autocommit=True)


@contextmanager
def database_away(server: Server) -> Iterator[None]:
    """Close all connections to the database of this web process and refuse new ones until the block ends."""
    with database(server) as own:
        name = own.info.dbname
    with psycopg.connect(content.address("postgres"), autocommit=True) as operator:
        operator.execute(f'ALTER DATABASE "{name}" ALLOW_CONNECTIONS false')
        try:
            operator.execute("SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = %s", [name])
            yield
        finally:
            operator.execute(f'ALTER DATABASE "{name}" ALLOW_CONNECTIONS true')


def megabytes(server: Server) -> int:
    """Return the resident memory of the process."""
    assert server.process is not None
    return int(Path(f"/proc/{server.process.pid}/statm").read_text().split()[1]) * 4 // 1024


async def grown(server: Server, work: Callable[[], Awaitable[Iterable[int] | None]], most: float) -> float:
    """Return by how many megabytes the process grew during `work`, which may return those that it has seen.

    While that is `most` or more, the work is repeated, up to ROUNDS times: a leak grows in each round, and memory that
    threads and tables keep grows in one.
    """
    growth = 0.0
    for _ in range(ROUNDS):
        before = megabytes(server)
        seen = await work() or ()
        growth = max([*seen, megabytes(server)]) - before
        if growth < most:
            break
    return growth


async def request(
    server: Server, path: str, method: str = "GET", *, source: str = "127.0.0.1", **headers: str
) -> tuple[int, bytes]:
    """Return the status and the full answer of one request from the loopback address `source`."""
    return await _asked(server, f"{method} {path}", b"", source, {"Content_Length": "0"} | headers)


async def posted(server: Server, path: str, body: bytes, **headers: str) -> tuple[int, bytes]:
    """Return the status and the full answer of a POST with this body; empty headers are not sent."""
    return await _asked(server, f"POST {path}", body, "127.0.0.1", {"Content_Length": str(len(body))} | headers)


async def _asked(server: Server, line: str, body: bytes, source: str, headers: Mapping[str, str]) -> tuple[int, bytes]:
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port, limit=LIMIT, local_addr=(source, 0))
    lines = {"Host": f"localhost:{server.port}", "Connection": "close", **headers}
    head = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in lines.items() if value)
    writer.write(f"{line} HTTP/1.1\r\n{head}\r\n".encode() + body)
    async with asyncio.timeout(PATIENCE):
        answer = await reader.read()
    writer.close()
    return int(answer.split(b" ", 2)[1]) if answer else 0, answer


class Reader(asyncio.StreamReader):
    """A stream reader that keeps data received before a connection error; asyncio's own discards it."""

    def set_exception(self, exc: BaseException) -> None:  # noqa: ARG002 - the shape of the base
        """Treat an error as the end of the stream."""
        self.feed_eof()


class Socket:
    """One websocket to a web process."""

    def __init__(self, server: Server, *, window: int = 0, extensions: str = EXTENSIONS) -> None:
        self.server, self.window, self.extensions = server, window, extensions
        self.compressed: list[bytes] = []  # the contents of compressed frames
        self.head = b""
        self.reader: asyncio.StreamReader
        self.writer: asyncio.StreamWriter

    async def open(
        self,
        path: str = "/",
        *,
        endpoint: str = "/live/",
        origin: str | None = "",
        cookie: str = "",
        real_ip: str = "",
        **more: str,
    ) -> "Socket":
        """Do the handshake; `head` is the answer.

        An empty `origin` sends the site's own, None sends none; `real_ip` is the client's address, as a proxy names it;
        `more` is added to the query.
        """
        wire = socket.socket()
        if self.window:  # before the connect, which fixes the TCP window
            wire.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, self.window)
        wire.setblocking(False)
        loop = asyncio.get_running_loop()
        await loop.sock_connect(wire, ("127.0.0.1", self.server.port))
        self.reader = Reader(limit=LIMIT, loop=loop)
        protocol = asyncio.StreamReaderProtocol(self.reader, loop=loop)
        transport, _ = await loop.create_connection(lambda: protocol, sock=wire)
        self.writer = asyncio.StreamWriter(transport, protocol, self.reader, loop)
        lines = {
            "Host": f"localhost:{self.server.port}",
            "Upgrade": "websocket",
            "Connection": "Upgrade",
            "Sec-WebSocket-Key": base64.b64encode(os.urandom(16)).decode(),
            "Sec-WebSocket-Version": "13",
        }
        if self.extensions:
            lines["Sec-WebSocket-Extensions"] = self.extensions
        if origin is not None:
            lines["Origin"] = origin or self.server.address
        if cookie:
            lines["Cookie"] = cookie
        if real_ip:
            lines["X-Real-IP"] = real_ip
        query = urlencode(
            {
                "path": path.partition("?")[0],
                "query": path[path.find("?") :] if "?" in path else "",
                "versions": "",
                **more,
            }
        )
        head = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
        self.writer.write(f"GET {endpoint}?{query} HTTP/1.1\r\n{head}\r\n".encode())
        async with asyncio.timeout(PATIENCE):
            try:
                self.head = await self.reader.readuntil(b"\r\n\r\n")
            except (asyncio.IncompleteReadError, ConnectionError):
                self.head = b""
        return self

    async def live(self, path: str = "/", **options: Any) -> "Socket":
        """Open the socket and wait for the first layout update."""
        await self.open(path, **options)
        await self.until(b'"layout-update"', PATIENCE)
        return self

    @property
    def accepted(self) -> bool:
        """Return whether the server accepted the socket."""
        return b" 101 " in self.head[:16]

    async def frame(self) -> tuple[int, bytes]:
        """Return the next frame's opcode and content."""
        first, second = await self.reader.readexactly(2)
        size = second & 127
        if size > 125:
            size = int.from_bytes(await self.reader.readexactly(2 if size == 126 else 8), "big")
        content = await self.reader.readexactly(size)
        if first & RSV1:
            content = inflated(content)
            self.compressed.append(content)
        return first & 15, content

    async def until(self, text: bytes, seconds: float = SOON) -> bytes:
        """Return the first text frame that contains `text`."""
        async with asyncio.timeout(seconds):
            while True:
                kind, data = await self.frame()
                assert kind != CLOSE, f"closed with {int.from_bytes(data[:2], 'big')}"
                if kind == TEXT and text in data:
                    return data

    async def closed(self, seconds: float = PATIENCE) -> int:
        """Read until the socket closes. Return the close code, or 1006 without one."""
        try:
            async with asyncio.timeout(seconds):
                while True:
                    kind, data = await self.frame()
                    if kind == CLOSE:
                        self.raw(CLOSE, data[:2])
                        return int.from_bytes(data[:2], "big")
        except (asyncio.IncompleteReadError, ConnectionError):
            return LOST

    async def answers(self) -> None:
        """Wait for the answer to a ping: the server has then handled everything sent before."""
        self.send('{"type":"ping"}')
        await self.until(b'"pong"')

    def send(self, message: str | dict[str, Any]) -> None:
        """Send one text frame."""
        self.raw(TEXT, (message if isinstance(message, str) else json.dumps(message)).encode())

    def raw(self, kind: int, data: bytes, *, masked: bool = True, rsv: int = 0, is_last: bool = True) -> None:
        """Send one frame with this opcode, reserved bits and content, without checks."""
        size, bit = len(data), 0x80 if masked else 0
        short = size if size < 126 else 126 if size < 1 << 16 else 127
        more = size.to_bytes({126: 2, 127: 8}[short], "big") if short > 125 else b""
        self.writer.write(bytes((is_last << 7 | rsv | kind, bit | short)) + more + (bytes(4) if masked else b"") + data)

    def leave(self) -> None:
        """Cut the connection."""
        self.writer.transport.abort()
