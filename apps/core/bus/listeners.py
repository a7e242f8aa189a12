"""The bus of one process: listeners by topic, and the task that receives topics and calls the listeners."""

import asyncio
import logging
from collections import deque
from collections.abc import AsyncGenerator, Callable, Iterable, Mapping, Sequence
from contextlib import aclosing
from functools import partial
from itertools import takewhile

from apps.core.bus import postgresql
from apps.core.bus.postgresql import channel_own
from apps.core.bus.retries import LOSSES, Retries
from apps.core.scale.relay import Relay
from apps.core.scale.replica import replica

REMEMBERED = 1000  # number of changes that `changed_since` can look back on
log = logging.getLogger(__name__)
Listener = Callable[[], None]
Bundles = Callable[[], AsyncGenerator[list[str], None]]  # the first bundle marks the start of listening


class Bus:
    """Calls this process's listeners by topic. A listener must return at once, without work or waiting."""

    def __init__(self) -> None:
        self.listeners: dict[str, set[Listener]] = {}
        self.connected = asyncio.Event()
        self.sequence = 0  # counts the changes; a reader compares it before and after a read
        self.recent: deque[tuple[int, str]] = deque()
        self.forgotten = 0  # the last sequence that is no longer in `recent`
        self.heard = self.connections = 0  # notifications and connections so far
        self.own = channel_own()
        self.relay: Relay | None = None  # only with BUS_URL

    def subscribe(self, topic: str, listener: Listener) -> Callable[[], None]:
        """Call `listener` on each change of `topic`; return the function that unsubscribes it."""
        self.listeners.setdefault(topic, set()).add(listener)

        def unsubscribe() -> None:
            group = self.listeners.get(topic)
            if group:
                group.discard(listener)
                if not group:
                    del self.listeners[topic]

        return unsubscribe

    def notify_listeners(self, topic: str) -> None:
        """Record a change of `topic` and call its listeners."""
        self.sequence += 1
        replica.require_up_to_date()
        self.recent.append((self.sequence, topic))
        if len(self.recent) > REMEMBERED:
            self.forgotten, _ = self.recent.popleft()
        for listener in tuple(self.listeners.get(topic, ())):
            listener()

    def changed_since(self, sequence: int, topics: Iterable[str]) -> bool:
        """Return whether one of `topics` changed after `sequence`. True when `sequence` is too old to be known."""
        if sequence == self.sequence:
            return False
        if sequence < self.forgotten:
            return True
        watched = frozenset(topics)
        newer = takewhile(lambda change: change[0] > sequence, reversed(self.recent))
        return any(topic in watched for _, topic in newer)

    def reload_all(self) -> None:
        """Call all listeners, because changes may have been missed."""
        self.sequence += 1
        replica.require_up_to_date()
        self.forgotten = self.sequence  # makes `changed_since` true for every earlier sequence
        for topic in tuple(self.listeners):
            self.notify_listeners(topic)

    async def run(self, parameters: Mapping[str, str], address: str = "") -> None:
        """Listen until cancelled, and reconnect after every loss.

        `parameters` are connection parameters of libpq; `address` is that of Valkey. With `address` one process listens
        for all, and this process is a candidate for it.
        """
        if not address:
            await self._hear(partial(postgresql.bundles, parameters, self.own), postgresql.STEPS)
            return
        from apps.core.scale import valkey  # noqa: PLC0415 - its packages are installed only with BUS_URL

        carrier = valkey.Carrier(address, parameters["dbname"])
        self.relay = Relay(carrier, self.own)
        async with asyncio.TaskGroup() as both:
            both.create_task(self.relay.run(parameters))
            both.create_task(self._hear(carrier.bundles, valkey.STEPS))

    async def _hear(self, bundles: Bundles, steps: Sequence[float]) -> None:
        retries = Retries(steps)
        while True:
            try:
                async with aclosing(bundles()) as hearing:
                    async for topics in hearing:
                        if not self.connected.is_set():
                            retries.succeed()
                            self._connect()
                        for topic in topics:
                            self.heard += 1
                            self.notify_listeners(topic)
            except LOSSES as error:
                log.warning("bus: connection lost: %s", error)
            self.connected.clear()
            await retries.wait()

    def _connect(self) -> None:
        self.connected.set()
        self.connections += 1
        self.reload_all()
