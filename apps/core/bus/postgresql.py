"""The listening connection to PostgreSQL. A heartbeat that it sends to itself detects a broken network."""

import asyncio
from collections.abc import AsyncGenerator, Mapping
from uuid import uuid4

import psycopg

from apps.core.bus.topics import CHANNEL

BEAT = 10.0  # seconds between heartbeats
SILENCE = 5.0  # seconds that the server may take to accept a heartbeat
STEPS = (1.0, 2.0, 5.0, 10.0)  # seconds before a reconnect


async def connect(parameters: Mapping[str, str]) -> psycopg.AsyncConnection:
    """Return a new connection in autocommit mode; `parameters` are libpq's."""
    bounded = {"connect_timeout": str(round(SILENCE)), **parameters}
    # the stubs require a type for each of libpq's names; all values are strings
    return await psycopg.AsyncConnection.connect(**bounded, autocommit=True)  # type: ignore[arg-type]


class Listening:
    """Receives the topics of committed transactions; sends a heartbeat to itself every `beat` seconds."""

    def __init__(self, connection: psycopg.AsyncConnection, own: str, beat: float) -> None:
        self.connection, self.beat = connection, beat
        self.own = own  # the heartbeat channel of this process
        self.beat_at, self.has_heard = 0.0, True

    async def begin(self) -> None:
        """Start to listen. Every later commit is received."""
        await self.connection.execute(f"LISTEN {CHANNEL}".encode())
        await self.connection.execute(f"LISTEN {self.own}".encode())

    async def bundle(self, patience: float) -> list[str]:
        """Return the topics that arrived together; an empty list after `patience` seconds or at a heartbeat.

        Raises TimeoutError when the own heartbeat does not come back. The connection is free when this returns, so that
        the caller can run one query for a whole bundle, such as for the WAL position.
        """
        now = asyncio.get_running_loop().time()
        if now >= self.beat_at:
            await self._beat()
            self.beat_at = now + self.beat
        waiting = self.connection.notifies(timeout=min(patience, self.beat_at - now), stop_after=1)
        notes = [note async for note in waiting]  # exhausted, because psycopg 3.3.9 would lose the rest of a packet
        self.has_heard = self.has_heard or bool(notes)
        return [note.payload for note in notes if note.channel != self.own]

    async def _beat(self) -> None:
        if not self.has_heard:
            raise TimeoutError("own heartbeat did not come back")
        async with asyncio.timeout(SILENCE):
            await self.connection.execute(f"NOTIFY {self.own}".encode())
        self.has_heard = False


def channel_own() -> str:
    """Return the name of a heartbeat channel that is unique to this process."""
    return f"{CHANNEL}_{uuid4().hex[:12]}"


async def bundles(parameters: Mapping[str, str], own: str) -> AsyncGenerator[list[str], None]:
    """Yield topics as this process receives them on its own connection; the first, empty bundle marks the start."""
    async with await connect(parameters) as connection:
        listening = Listening(connection, own, BEAT)
        await listening.begin()
        yield []
        while True:
            yield await listening.bundle(BEAT)
