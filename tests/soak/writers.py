"""Writers that leave notes with idempotency keys while processes restart, and their acknowledged notes."""

import asyncio
import json
from contextlib import suppress
from itertools import count
from typing import Any
from uuid import uuid4

from tests.rolling import Site
from tests.servers import CLOSE, PING, PONG, TEXT, Socket


class Writer:
    """A user who leaves one note after another. A note keeps its idempotency key until it is acknowledged."""

    def __init__(self, site: Site, cookie: str, name: str, every: float = 1.0) -> None:
        self.site, self.cookie, self.name, self.every = site, cookie, name, every
        self.acknowledged: list[str] = []
        self.repeated = 0

    async def write(self) -> None:
        for number in count():
            text, key = f"{self.name}-{number}", str(uuid4())
            event = {"type": "command", "name": "note_add", "argument": "7", "fields": {"text": text}, "key": key}
            while not await self._answered(event, key):
                self.repeated += 1
            self.acknowledged.append(f"7: {text}")
            await asyncio.sleep(self.every)  # the rate of notes

    socket: Socket | None = None

    async def _answered(self, event: dict[str, Any], key: str) -> bool:
        """Send this event, over a new socket if necessary. Return whether the answer came before the socket closed."""
        with suppress(asyncio.IncompleteReadError, ConnectionError):
            if self.socket is None:
                self.socket = await Socket(self.site.proxy).open("/notes", cookie=self.cookie)
                self.site.handshakes[int(self.socket.head[9:12] or 0)] += 1
                await self._text(b'"layout-update"')
            self.socket.send(event)
            answer = json.loads(await self._text(key.encode()))
            assert answer["ok"] or answer["again"], answer
            return bool(answer["ok"])
        self.socket = None
        return False

    async def _text(self, part: bytes) -> bytes:
        """Return the next text frame that contains `part`. Raises ConnectionError when the socket is closed."""
        assert self.socket
        while True:
            kind, data = await self.socket.frame()
            if kind == PING:
                self.socket.raw(PONG, data)
            elif kind == CLOSE:
                self.site.closed[int.from_bytes(data[:2], "big")] += 1
                self.socket.raw(CLOSE, data[:2])
                raise ConnectionError
            elif kind == TEXT and part in data:
                return data
