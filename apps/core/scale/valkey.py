"""The relay's messages over Valkey: Channels' layer with one channel for each process.

The layer reconnects silently and does not report lost messages. The relay therefore numbers its bundles and repeats the
last number as a heartbeat. A process that misses a number raises Lost.
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
SILENCE = 3.0  # seconds without a message; the relay and this process send one at least every second
PATIENCE = 2.0  # seconds that Valkey may take
STEPS = (1.0, 2.0)  # seconds before joining again, with jitter, since all processes lose messages and reload together


class Carrier:
    """This process's channel at Valkey. Sites can share a server by another database number or database name."""

    def __init__(self, address: str, site: str) -> None:
        # With a socket_timeout redis-py sends under `asyncio.wait_for`, which loses cancellations in Python 3.11.
        self.host = {"address": address, "socket_connect_timeout": PATIENCE, "socket_timeout": None}
        self.prefix = f"{CHANNEL}:{site}{urlsplit(address).path.rstrip('/')}:"
        self.layer = self._layer()
        self.own = NOBODY  # the channel of this process only
        self.term, self.number = "", -1  # the relay's term and its last number
        self.spoke_at = 0.0  # time of the relay's last message, in the loop's time
        self.silent = ""  # the term of a silent relay while Valkey works

    async def bundles(self) -> AsyncGenerator[list[str], None]:
        """Yield topics that arrived together, starting with the first message of any relay.

        Raises Lost when a bundle is missing, when the relay changes or is silent, and TimeoutError when no message
        arrives.
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
        """Send topics to all processes as the relay of this term. Raises Lost or TimeoutError when Valkey fails."""
        async with _bounded(PATIENCE):
            await self.layer.group_send(GROUP, {"term": term, "number": number, "topics": topics})

    async def echo(self) -> bool:
        """Send a message to this process; return whether it was sent.

        It distinguishes a silent relay from an outage of Valkey.
        """
        try:
            async with _bounded(PATIENCE):
                await self.layer.send(self.own, {"echo": True})
        except OSError:
            return False
        return True

    def silence(self) -> float:
        """Return the seconds since the relay's last message."""
        return _now() - self.spoke_at

    def _topics(self, message: Any) -> list[str] | None:
        """Return the topics of a relay's message, None for an echo. Unknown keys of later versions are ignored.

        Raises Lost for a silent relay and for any other message.
        """
        match message:
            case {"term": str(term), "number": int(number), "topics": list(topics)}:
                self.spoke_at = _now()
                return self._counted(term, number, [str(topic) for topic in topics])
            case {"echo": True} if not self.term or self.silence() < SILENCE:
                return None
            case {"echo": True}:
                self.silent = self.term
                raise Lost(f"the relay {self.term} is silent")
        raise Lost("unknown message on the channel of the relay")

    def _counted(self, term: str, number: int, topics: list[str]) -> list[str]:
        if not self.term:  # the first message after joining, at which every listener reloads
            self.term, self.number = term, number
            return topics
        if term != self.term:
            raise Lost("another process has become the relay")
        if number <= self.number:
            return []  # a heartbeat or a duplicate
        if number > self.number + 1 or not topics:
            raise Lost(f"bundle {self.number + 1} of the relay is missing, received number {number}")
        self.number = number
        return topics

    async def _leave(self) -> None:
        """Close the layer's connections. A layer that does not close in time is replaced.

        This runs in a task, because the layer mistakes a cancellation for the end of its own receiver and continues.
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
    """Raise TimeoutError after `seconds`, and Lost for errors of Valkey and unreadable messages."""
    try:
        async with asyncio.timeout(seconds):
            yield
    except (RedisError, ValueError) as error:
        raise Lost(f"Valkey: {error}") from error
