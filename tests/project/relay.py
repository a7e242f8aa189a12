"""A relay between a real process and the database server, which a test can freeze, cut and open again."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from urllib.parse import quote, urlencode

from django.db import connection

from project.database.embedded import SOCKET_NAME
from tests.pooled import direct_parameters


class Relay:
    """Copies bytes between a socket in `folder` and the server's own socket."""

    def __init__(self, folder: Path) -> None:
        known = connection.settings_dict
        self.source, self.target = folder / SOCKET_NAME, Path(direct_parameters()["host"]) / SOCKET_NAME
        where = urlencode({"host": str(folder)})
        self.address = f"postgresql://{quote(known['USER'])}@/{quote(known['NAME'])}?{where}"
        self.flowing = asyncio.Event()
        self.flowing.set()
        self.writers: set[asyncio.StreamWriter] = set()
        self.passing: list[asyncio.Task[None]] = []
        self.server: asyncio.Server | None = None

    async def open(self) -> None:
        self.server = await asyncio.start_unix_server(self._begin, str(self.source))

    def freeze(self) -> None:
        """Hold all bytes back without closing a connection."""
        self.flowing.clear()

    def thaw(self) -> None:
        """Let all bytes through again."""
        self.flowing.set()

    def cut(self) -> None:
        """Abort every connection and accept no new one."""
        if self.server is not None:
            self.server.close()
        self.source.unlink(missing_ok=True)
        for writer in self.writers:
            writer.transport.abort()
        self.writers.clear()

    async def close(self) -> None:
        self.thaw()
        self.cut()
        for task in self.passing:
            task.cancel()
        await asyncio.gather(*self.passing, return_exceptions=True)

    def _begin(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.passing.append(asyncio.create_task(self._pass(reader, writer)))

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there, back = await self._connect()
        self.writers |= {writer, back}
        await asyncio.gather(self._copy(reader, back), self._copy(there, writer))

    async def _connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        return await asyncio.open_unix_connection(str(self.target))

    async def _copy(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while data := await reader.read(65_536):
                await self.flowing.wait()
                writer.write(data)
        except ConnectionError:
            pass
        finally:
            writer.close()


@asynccontextmanager
async def relay(folder: Path) -> AsyncIterator[Relay]:
    """Yield an open relay."""
    made = Relay(folder)
    await made.open()
    try:
        yield made
    finally:
        await made.close()
