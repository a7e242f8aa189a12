"""What the relay says, carried by Valkey through Channels' own layer to one channel of each process.

The layer reconnects by itself and does not say what it missed, so nothing is taken on trust: the relay numbers its
bundles, and says the last number again when there is none. Whoever misses one has lost something.
"""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any
from urllib.parse import urlsplit

from channels_redis.pubsub import RedisPubSubChannelLayer
from redis.exceptions import RedisError

from apps.core.bus.retries import Lost
from apps.core.bus.topics import CHANNEL

GROUP = "processes"
NOBODY = "nobody"
SILENCE = 3.0  # seconds without a message; the relay and we ourselves send some each second
PATIENCE = 2.0  # seconds that Valkey may take
STEPS = (1.0, 2.0)  # seconds before joining again: all processes have lost something, and all read again


class Carrier:
    """This process's place at Valkey. Two sites may use one, by another number or database's name."""

    def __init__(self, address: str, site: str) -> None:
        # With a socket_timeout redis-py sends under `asyncio.wait_for`, which loses cancellations in Python 3.11.
        self.host = {"address": address, "socket_connect_timeout": PATIENCE, "socket_timeout": None}
        self.prefix = f"{CHANNEL}:{site}{urlsplit(address).path.rstrip('/')}:"
        self.layer = self._layer()
        self.own = NOBODY  # the channel that only this process hears
        self.term, self.number = "", -1  # whose bundles these are, and the last one's number
        self.spoke_at = 0.0  # when a relay was last heard, in the loop's time
        self.silent = ""  # the term of a relay that says nothing, although Valkey carries

    async def bundles(self) -> AsyncGenerator[list[str], None]:
        """Yield topics that came together, the first from whatever a relay says first.

        Raises Lost when a bundle is missing, another relay speaks or none does, TimeoutError when nothing arrives.
        """
        try:
            async with _bounded(PATIENCE):
                self.own = await self.layer.new_channel()
                await self.layer.group_add(GROUP, self.own)
            self.term, self.spoke_at = "", _now()
            while True:
                async with _bounded(SILENCE):
                    message = await self.layer.receive(self.own)
                topics = self._topics(message)
                if topics is not None:
                    yield topics
        finally:
            await self._leave()

    async def say(self, term: str, number: int, topics: Sequence[str]) -> None:
        """Tell all processes, as the relay of this term; raises Lost or TimeoutError when Valkey does not take it."""
        async with _bounded(PATIENCE):
            await self.layer.group_send(GROUP, {"term": term, "number": number, "topics": topics})

    async def echo(self) -> bool:
        """Send a message to ourselves, which tells a silent relay from a silent Valkey; returns whether it left."""
        try:
            async with _bounded(PATIENCE):
                await self.layer.send(self.own, {"echo": True})
        except OSError:
            return False
        return True

    def silence(self) -> float:
        """Return the seconds since a relay was heard."""
        return _now() - self.spoke_at

    def _topics(self, message: Any) -> list[str] | None:
        """Return what the relay says; None when it is not the relay who speaks. Unknown names are a later version's."""
        match message:
            case {"term": str(term), "number": int(number), "topics": list(topics)}:
                self.spoke_at = _now()
                return self._counted(term, number, [str(topic) for topic in topics])
            case {"echo": True} if not self.term or self.silence() < SILENCE:
                return None
            case {"echo": True}:
                self.silent = self.term
                raise Lost("the relay says nothing")
        raise Lost("a message at Valkey is not the relay's")

    def _counted(self, term: str, number: int, topics: list[str]) -> list[str]:
        if not self.term:  # whoever begins to listen reads everything again
            self.term, self.number = term, number
            return topics
        if term != self.term:
            raise Lost("another process is the relay now")
        if number <= self.number:
            return []  # it only says that it is there, or says it twice
        if number > self.number + 1 or not topics:
            raise Lost("a message of the relay is missing")
        self.number = number
        return topics

    async def _leave(self) -> None:
        """End the layer's connections; one that does not end them is left alone, and another one made.

        A task does it, because the layer takes whoever cancels it for its own receiver's end, and goes on.
        """
        self.own = NOBODY
        leaving = asyncio.create_task(self.layer.flush())
        await asyncio.wait({leaving}, timeout=PATIENCE)
        if not leaving.done() or leaving.exception():
            leaving.cancel()
            self.layer = self._layer()

    def _layer(self) -> Any:
        return RedisPubSubChannelLayer(hosts=[self.host], prefix=self.prefix, serializer_format="json")


def _now() -> float:
    return asyncio.get_running_loop().time()


@asynccontextmanager
async def _bounded(seconds: float) -> AsyncIterator[None]:
    """Raise TimeoutError after so many seconds, and Lost for what Valkey says, or what cannot be read."""
    try:
        async with asyncio.timeout(seconds):
            yield
    except (RedisError, ValueError) as error:
        raise Lost(f"Valkey: {error}") from error
