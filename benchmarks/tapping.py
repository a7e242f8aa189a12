"""Peers of live reactions without storage: one batches taps as the site does, one relays each of them."""

import asyncio
import json
from typing import ClassVar

from benchmarks.peers import HELLO, RawGroup, RawHub
from components.parts.sessions.reactions import EVERY


def picture(total: int) -> str:
    """Return a frame as long as the site's for the same change."""
    totals = json.dumps([total, 0, 0])
    number = [{"3": [{"0": str(total)}]}]
    change = [{"0": [{"0": [{"0": number}]}], "2": number}, {"data-totals": totals}]
    return json.dumps([["session_reactions:1:en", f"{total:08x}", change, "0" * 8]], separators=(",", ":"))


class TapHub(RawHub):
    """Counts taps, and sends the total to all sockets as often as the site does."""

    sockets: ClassVar[set["RawHub"]] = set()
    total: ClassVar[int] = 0
    telling: ClassVar[asyncio.Task[None] | None] = None

    async def receive(self, text_data=None, bytes_data=None):  # noqa: ARG002 - Channels' signature
        """Count a tap."""
        TapHub.total += 1
        if TapHub.telling is None:
            TapHub.telling = asyncio.create_task(self.tell())

    async def tell(self):
        """Wait for further taps, and write the total to all sockets."""
        await asyncio.sleep(EVERY)
        TapHub.telling = None
        sending = {"type": "websocket.send", "text": picture(TapHub.total)}
        await asyncio.gather(*(consumer.base_send(sending) for consumer in self.sockets))


class TapRelay(RawGroup):
    """One channel-layer group that relays each tap, as in the Channels tutorial."""

    total: ClassVar[int] = 0

    async def connect(self):
        """Join."""
        await self.channel_layer.group_add("taps", self.channel_name)
        await self.accept()
        await self.send(text_data=HELLO)

    async def disconnect(self, code):  # noqa: ARG002 - Channels' signature
        """Leave."""
        await self.channel_layer.group_discard("taps", self.channel_name)

    async def receive(self, text_data=None, bytes_data=None):  # noqa: ARG002 - Channels' signature
        """Relay a tap."""
        TapRelay.total += 1
        await self.channel_layer.group_send("taps", {"type": "live.message", "text": picture(TapRelay.total)})


SOCKETS = {"/tap-hub/": TapHub.as_asgi(), "/tap-relay/": TapRelay.as_asgi()}
