"""The live bus over PostgreSQL: topics published inside transactions, one LISTEN connection per process.

A topic names what changed (`session.1`), never the data. After a lost or silent connection every listener is told to
reload, since notifications may be lost. The connection only listens, and notifies itself: when that notification does
not come back, the network is silent.

Only this module knows the transport; another one would offer `publish_topics` and `Bus`, and replace a trigger
(`apps/community/migrations/0002_reports.py`).
"""

import asyncio
import logging
import random
import re
from collections import deque
from collections.abc import Callable, Iterable
from itertools import takewhile
from uuid import uuid4

import psycopg
from django.db import connection, transaction

from apps.core.database.standby import standby

CHANNEL = "parterre"
BEAT = 10.0  # seconds between notifications to ourselves
SILENCE = 5.0  # seconds that the server may take to accept one
STEPS = (1.0, 2.0, 5.0, 10.0)  # seconds before connecting again, each drawn from 0.5 to 1.5 of the step
TOPIC_LENGTH = 200  # PostgreSQL would take 7,999 bytes
TOPIC = re.compile(
    r"[a-z_]+(?:\.(?:[a-z_]+|[0-9]+))*", re.ASCII
)  # such as session.42.performer: every process reads them
REMEMBERED = 1000  # changes that `changed_since` can tell of
log = logging.getLogger(__name__)
Listener = Callable[[], None]


def publish_topics(*topics: str) -> None:
    """Tell all processes, when the running transaction commits, that these topics changed.

    Raises ValueError for a topic that holds more than names and ids, TransactionManagementError outside a transaction.
    """
    if not connection.in_atomic_block:
        raise transaction.TransactionManagementError("topics are published inside the transaction that changes them")
    for topic in topics:
        if len(topic) > TOPIC_LENGTH or not TOPIC.fullmatch(topic):
            raise ValueError(f"a topic of {len(topic)} characters that is no name and ids: topics never carry data")
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_notify(%s, topic) FROM unnest(%s::text[]) AS topic", [CHANNEL, list(topics)])


class Bus:
    """Calls this process's listeners by topic; a listener must return at once, without work or waiting."""

    def __init__(self) -> None:
        self.listeners: dict[str, set[Listener]] = {}
        self.connected = asyncio.Event()
        self.sequence = 0  # counts the changes; a reader compares it before and after a read
        self.recent: deque[tuple[int, str]] = deque()
        self.forgotten = 0  # the last sequence that is no longer in `recent`
        self.heard = self.connections = 0  # notifications and connections so far
        self.own = f"{CHANNEL}_{uuid4().hex[:12]}"  # heartbeats reach only this process

    def subscribe(self, topic: str, listener: Listener) -> Callable[[], None]:
        """Call `listener` on each change of `topic`; returns the function that ends it."""
        self.listeners.setdefault(topic, set()).add(listener)

        def unsubscribe() -> None:
            group = self.listeners.get(topic)
            if group:
                group.discard(listener)
                if not group:
                    del self.listeners[topic]

        return unsubscribe

    def notify_listeners(self, topic: str) -> None:
        """Tell the listeners of one topic."""
        self.sequence += 1
        standby.newest_require()
        self.recent.append((self.sequence, topic))
        if len(self.recent) > REMEMBERED:
            self.forgotten, _ = self.recent.popleft()
        for listener in tuple(self.listeners.get(topic, ())):
            listener()

    def changed_since(self, sequence: int, topics: Iterable[str]) -> bool:
        """Whether one of `topics` changed after `sequence`; True when that is longer ago than is remembered."""
        if sequence == self.sequence:
            return False
        if sequence < self.forgotten:
            return True
        wanted = frozenset(topics)
        newer = takewhile(lambda change: change[0] > sequence, reversed(self.recent))
        return any(topic in wanted for _, topic in newer)

    def reload_all(self) -> None:
        """Notify all listeners, because changes may have been missed."""
        self.sequence += 1
        standby.newest_require()
        self.forgotten = self.sequence  # `changed_since` is then true for every earlier sequence
        for topic in tuple(self.listeners):
            self.notify_listeners(topic)

    async def run(self, parameters: dict[str, str]) -> None:
        """Listen until cancelled, connecting again for ever; `parameters` are libpq's."""
        bounded = {"connect_timeout": str(round(SILENCE)), **parameters}
        attempt = 0
        while True:
            try:
                # the stubs want a type for each of libpq's names; all of them are texts
                async with await psycopg.AsyncConnection.connect(**bounded, autocommit=True) as listening:  # type: ignore[arg-type]
                    await listening.execute(f"LISTEN {CHANNEL}".encode())
                    await listening.execute(f"LISTEN {self.own}".encode())
                    self.connected.set()
                    self.connections += 1
                    attempt = 0
                    self.reload_all()
                    await self._listen(listening)
            except (psycopg.Error, OSError, TimeoutError) as error:
                log.warning("bus: connection lost: %s", error)
            self.connected.clear()
            step = STEPS[min(attempt, len(STEPS) - 1)]
            attempt += 1
            await asyncio.sleep(step * random.uniform(0.5, 1.5))  # noqa: S311 - spread, not secrecy

    async def _listen(self, listening: psycopg.AsyncConnection) -> None:
        """Notify listeners of topics; raises TimeoutError when our own notification does not come back.

        The generator runs to its timeout: leaving it early (`break`) loses every further notification of the same
        packet (psycopg 3.3.9).
        """
        while True:
            async with asyncio.timeout(SILENCE):
                await listening.execute(f"NOTIFY {self.own}".encode())
            has_heard = False
            async for note in listening.notifies(timeout=BEAT):
                has_heard = True
                if note.channel != self.own:
                    self.heard += 1
                    self.notify_listeners(note.payload)
            if not has_heard:
                raise TimeoutError("own notification did not come back")
