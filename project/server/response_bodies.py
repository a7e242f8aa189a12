"""Backpressure for responses of several chunks: the next one is produced when the browser has read enough.

Upstream writes every chunk into Twisted's buffer at once, so that a file is in memory as a whole for a slow reader.
"""

import asyncio
from typing import Any

from project.limits.rates import BODY_STALLED

BODY = "http.response.body"


class SlowReader:
    """A push producer, which Twisted pauses while its buffer is full and resumes when that has drained."""

    def __init__(self) -> None:
        self.reads = asyncio.Event()
        self.reads.set()

    def pauseProducing(self) -> None:  # noqa: N802 - Twisted's name, as the next two
        """Note that the buffer is full."""
        self.reads.clear()

    def resumeProducing(self) -> None:  # noqa: N802
        """Note that the buffer has drained."""
        self.reads.set()

    def stopProducing(self) -> None:  # noqa: N802
        """Note that the connection is lost: further chunks are dropped."""
        self.reads.set()


def body_begun(request: Any, message: dict[str, Any]) -> None:
    """Register a producer for the response before its first chunk of several, and remove it before the last."""
    if message["type"] != BODY or request.channel is None:
        return
    if message.get("more_body") and request.producer is None:
        request.registerProducer(SlowReader(), True)  # noqa: FBT003 - Twisted's signature: a push producer
    elif not message.get("more_body") and isinstance(request.producer, SlowReader):
        request.unregisterProducer()


async def body_read(request: Any) -> None:
    """Wait until the browser has read enough for another chunk.

    Close the connection if that takes longer than BODY_STALLED seconds.
    """
    producer = getattr(request, "producer", None)
    if not isinstance(producer, SlowReader):
        return
    try:
        async with asyncio.timeout(BODY_STALLED):
            await producer.reads.wait()
    except TimeoutError:
        if request.channel is not None:
            request.channel.forceAbortClient()
