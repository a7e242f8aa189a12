"""Peers of live reactions: one that collects taps as ours does, one that passes each of them on; neither stores any."""

import asyncio
import json
from typing import ClassVar

from benchmarks.peers import HELLO, RawGroup, RawHub
from components.parts.reactions import EVERY

_SHAPE = {"class": "reactions", "id": "reactions", "data-refresh-after": "5"}


def picture(total: int) -> str:
    """A frame as long as the site's own for the same change."""
    attributes = {**_SHAPE, "data-totals": json.dumps({"heart": total, "thumbsUp": 0, "thumbsDown": 0})}
    number = ["set", "/children/0/children/0/children/0/children/3/children/0", str(total)]
    ends = {"from": "0" * 18, "to": f"{total:018x}"}
    changes = {"operations": [["attributes", "", attributes], number]}
    return json.dumps({"type": "part", "key": "session_reactions:1:en", **ends, **changes}, separators=(",", ":"))


class TapHub(RawHub):
    """Counts what arrives, and tells all sockets as often as the site does."""

    sockets: ClassVar[set["RawHub"]] = set()
    total: ClassVar[int] = 0
    telling: ClassVar[asyncio.Task[None] | None] = None

    async def receive(self, text_data=None, bytes_data=None):  # noqa: ARG002 - Channels' signature
        """Count a tap."""
        TapHub.total += 1
        if TapHub.telling is None:
            TapHub.telling = asyncio.create_task(self.tell())

    async def tell(self):
        """Wait for what else comes, and write it to all."""
        await asyncio.sleep(EVERY)
        TapHub.telling = None
        sending = {"type": "websocket.send", "text": picture(TapHub.total)}
        await asyncio.gather(*(consumer.base_send(sending) for consumer in self.sockets))


class TapRelay(RawGroup):
    """One channel-layer group to which each tap is sent: what the Channels tutorial leads to."""

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
        """Pass a tap on."""
        TapRelay.total += 1
        await self.channel_layer.group_send("taps", {"type": "live.message", "text": picture(TapRelay.total)})


SOCKETS = {"/tap-hub/": TapHub.as_asgi(), "/tap-relay/": TapRelay.as_asgi()}
