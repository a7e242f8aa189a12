"""Peers of a viewer's socket: without page or layout, one frame for each change, sent in three ways."""

import asyncio
from typing import Any, ClassVar

import orjson
from channels.generic.websocket import AsyncWebsocketConsumer
from channels.layers import get_channel_layer

from components.runtime.rendering.frames import frame
from project.http.middleware import SOCKET

HELLO, PONG = '{"hello":1}', '{"type":"pong"}'


class RawHub(AsyncWebsocketConsumer):
    """Sockets in a set, written to through ASGI: what a Channels team would write for speed."""

    sockets: ClassVar[set["RawHub"]] = set()

    async def connect(self):
        """Join."""
        await self.accept()
        await self.send(text_data=HELLO)
        self.sockets.add(self)

    async def disconnect(self, code):  # noqa: ARG002 - Channels' signature
        """Leave."""
        self.sockets.discard(self)

    async def receive(self, text_data=None, bytes_data=None):  # noqa: ARG002 - Channels' signature
        """Answer a heartbeat."""
        await self.send(text_data=PONG)


class RelayHub(RawHub):
    """Relays each frame of one socket to all sockets."""

    sockets: ClassVar[set["RawHub"]] = set()

    async def receive(self, text_data=None, bytes_data=None):  # noqa: ARG002 - Channels' signature
        """Relay a frame."""
        sending = {"type": "websocket.send", "text": text_data}
        await asyncio.gather(*(consumer.base_send(sending) for consumer in self.sockets))


class RawGroup(AsyncWebsocketConsumer):
    """One channel-layer group, as in the Channels tutorial."""

    async def connect(self):
        """Join."""
        await self.channel_layer.group_add("all", self.channel_name)
        await self.accept()
        await self.send(text_data=HELLO)

    async def disconnect(self, code):  # noqa: ARG002 - Channels' signature
        """Leave."""
        await self.channel_layer.group_discard("all", self.channel_name)

    async def receive(self, text_data=None, bytes_data=None):  # noqa: ARG002 - Channels' signature
        """Answer a heartbeat."""
        await self.send(text_data=PONG)

    async def live_message(self, event):
        """Forward a change."""
        await self.send(text_data=event["text"])


direct: set[Any] = set()


async def direct_app(scope, receive, send):
    """The cheapest possible socket: writes prepared frames directly to the transport."""
    await receive()
    await send({"type": "websocket.accept"})
    await send({"type": "websocket.send", "text": HELLO})
    socket = scope["extensions"][SOCKET]
    direct.add(socket)
    while (await receive())["type"] == "websocket.receive":
        socket.serverSend(PONG)
    direct.discard(socket)


async def broadcast(marker: str, size: int) -> None:
    """Encode a message of `size` bytes with `marker` once, and write it to all sockets of each kind."""
    change = ["set", "/children/0", ""]
    message = {"type": "part", "key": marker, "operations": [change]}
    change[2] = "x" * max(0, size - len(orjson.dumps(message)))
    if RawHub.sockets:
        sending = {"type": "websocket.send", "text": orjson.dumps(message).decode()}
        await asyncio.gather(*(consumer.base_send(sending) for consumer in RawHub.sockets))
    if direct:
        data = frame(message)
        for socket in direct:
            socket.send_prepared(data)
    if layer := get_channel_layer():
        await layer.group_send("all", {"type": "live.message", "text": orjson.dumps(message).decode()})


SOCKETS = {
    "/hub/": RawHub.as_asgi(),
    "/relay-hub/": RelayHub.as_asgi(),
    "/group/": RawGroup.as_asgi(),
    "/direct/": direct_app,
}
