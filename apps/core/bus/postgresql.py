"""One connection that listens: to all topics, and to itself, so that a silent network is noticed."""

import asyncio
from collections.abc import AsyncGenerator, Mapping
from uuid import uuid4

import psycopg

from apps.core.bus.topics import CHANNEL

BEAT = 10.0  # seconds between notifications to ourselves
SILENCE = 5.0  # seconds that the server may take to accept one
STEPS = (1.0, 2.0, 5.0, 10.0)  # seconds before connecting again


async def connect(parameters: Mapping[str, str]) -> psycopg.AsyncConnection:
    """Return a new connection in which every statement is a transaction; `parameters` are libpq's."""
    bounded = {"connect_timeout": str(round(SILENCE)), **parameters}
    # the stubs want a type for each of libpq's names; all of them are texts
    return await psycopg.AsyncConnection.connect(**bounded, autocommit=True)  # type: ignore[arg-type]


class Listening:
    """Hears what is committed; notifies itself every `beat` seconds."""

    def __init__(self, connection: psycopg.AsyncConnection, own: str, beat: float) -> None:
        self.connection, self.beat = connection, beat
        self.own = own  # heartbeats reach only this process
        self.beat_at, self.has_heard = 0.0, True

    async def begin(self) -> None:
        """Listen: whatever is committed from now on will be heard."""
        await self.connection.execute(f"LISTEN {CHANNEL}".encode())
        await self.connection.execute(f"LISTEN {self.own}".encode())

    async def bundle(self, patience: float) -> list[str]:
        """Return the topics that arrived together, none when there were none for `patience` seconds or a beat.

        Raises TimeoutError when our own notification does not come back. The connection is free when this returns:
        whoever wants one thing more of the database for a whole bundle, such as its LSN, asks for it then.
        """
        now = asyncio.get_running_loop().time()
        if now >= self.beat_at:
            await self._beat()
            self.beat_at = now + self.beat
        waiting = self.connection.notifies(timeout=min(patience, self.beat_at - now), stop_after=1)
        notes = [note async for note in waiting]  # to its end: what is left of a packet would be lost (psycopg 3.3.9)
        self.has_heard = self.has_heard or bool(notes)
        return [note.payload for note in notes if note.channel != self.own]

    async def _beat(self) -> None:
        if not self.has_heard:
            raise TimeoutError("own notification did not come back")
        async with asyncio.timeout(SILENCE):
            await self.connection.execute(f"NOTIFY {self.own}".encode())
        self.has_heard = False


def channel_own() -> str:
    """Return the name of a channel that nobody else has."""
    return f"{CHANNEL}_{uuid4().hex[:12]}"


async def bundles(parameters: Mapping[str, str], own: str) -> AsyncGenerator[list[str], None]:
    """Yield the topics that this process hears by a connection of its own; the first, empty, says that it listens."""
    async with await connect(parameters) as connection:
        listening = Listening(connection, own, BEAT)
        await listening.begin()
        yield []
        while True:
            yield await listening.bundle(BEAT)
