"""Daphne 4.2.3 with bounded sockets and a graceful stop; each override names the upstream behaviour it replaces."""

import asyncio
import logging
import os
import random
import socket
import threading
import time
from collections.abc import Awaitable, Callable, Sequence
from threading import Timer
from types import SimpleNamespace
from typing import Any, Protocol, cast

from autobahn.websocket.types import ConnectionDeny
from daphne import http_protocol, server, ws_protocol
from daphne.http_protocol import WebRequest
from daphne.server import Server
from daphne.ws_protocol import WebSocketProtocol
from twisted.internet import reactor
from twisted.internet.defer import Deferred
from twisted.internet.protocol import connectionDone
from twisted.logger import globalLogPublisher
from twisted.web.http import HTTPChannel

from apps.core.buckets import Bucket
from apps.core.observability import address_key, security_count
from project.http.middleware import SOCKET
from project.limits.rates import (
    BAD_FRAME,
    CLOSE_ANSWER,
    FLOOD,
    FLOOD_PAUSE,
    FRAMES,
    HEARTBEATS,
    PATIENCE,
    PINGS,
    RESTART,
    WAITING_IN,
    WAITING_OUT_HARD,
    WAITING_OUT_KERNEL,
    WAITING_OUT_SOFT,
)
from project.observability.metrics import numbers
from project.server.message_deflate import accepted, known_offers
from project.server.request_bodies import BoundedRequest
from project.server.response_bodies import body_begun, body_read

log = logging.getLogger(__name__)
LATE = 10.0  # seconds after the spread until running applications are cancelled
STOP = 3.0  # seconds after LATE that the process has for its own shutdown
EXIT = 1.0  # seconds after STOP until a hanging thread no longer keeps the process alive
DEADLINE = LATE + STOP + EXIT  # seconds after the spread
ASK_AGAIN = 0.05  # seconds between two checks for remaining connections
EXIT_CODE = 70  # the same as the watchdog's


async def drain(server: "DrainingServer") -> None:
    """Drain the server within `spread + LATE + STOP` seconds.

    Sockets close in random order over `spread`, and new handshakes are refused. Pages are still answered, each with
    `Connection: close`. Behind a proxy that lasts for all of `spread`, since the proxy may still avoid another process
    that restarted just before. Then the server stops listening and waits until no connection is left.
    """
    loop = asyncio.get_running_loop()
    began = loop.time()
    server.ready = False
    running = len(server.applications())
    sockets = server.sockets()
    random.shuffle(sockets)
    for position, viewer in enumerate(sockets, 1):
        viewer.restart()  # a no-op if the socket has closed since
        await asyncio.sleep(began + server.spread * position / len(sockets) - loop.time())
    if server.proxy_forwarded_address_header:
        await asyncio.sleep(began + server.spread - loop.time())
    for port in server.ports:
        port.stopListening()
    left = True
    while left and loop.time() < began + server.spread + LATE:
        await asyncio.sleep(ASK_AGAIN)  # requests that have already arrived are read before connections close
        server.idle_close()
        left = server.is_busy()
    late = server.applications()
    for task in late:
        task.cancel()
    if running or late:
        log.info("drained: %d sockets, %d applications, %d cancelled", len(sockets), running, len(late))
    try:
        await asyncio.wait_for(server.on_stop(), STOP)
    except TimeoutError:
        log.warning("drained: the process's own shutdown exceeded %s s", STOP)


def exit_later(seconds: float) -> threading.Timer:
    """Return a started timer that ends the process after `seconds` unless it is cancelled.

    At exit Python waits for worker threads without limit.
    """

    def end() -> None:
        log.error("drained: a thread did not end within %s s", seconds)
        os._exit(EXIT_CODE)

    timer = threading.Timer(seconds, end)
    timer.daemon = True
    timer.start()
    return timer


# Daphne measures its intervals by the wall clock. A clock set back an hour would stop pings for an hour, and one set
# forward a day would close every socket.
for module in (server, ws_protocol, http_protocol):
    module.time = SimpleNamespace(time=time.monotonic)

http_protocol.WebRequest = BoundedRequest  # used by Daphne's HTTP factory

HEARTBEAT = b'{"type":"ping"}'
later: Callable[..., Any] = cast("Any", reactor).callLater


class Latest(Protocol):
    """A source of frames of which a slow reader needs only the newest."""

    def full_frame(self, *, deflates: bool) -> bytes:
        """Return the newest content as a complete frame, compressed if the reader takes that."""

    def is_sent_to(self, socket: Any) -> bool:
        """Return whether this reader still gets the content."""


class BoundedSocket(WebSocketProtocol):  # type: ignore[misc]  # Daphne has no types
    """A socket with bounded buffers in both directions."""

    http_request_params: dict[str, list[str]]
    websocket_extensions: list[tuple[str, Any]]  # which the browser offers
    deflates = False  # whether it takes compressed frames
    is_opened = False
    client_addr: Sequence[object] | None = None  # set by Daphne during the handshake
    is_refused = False  # refused in its handshake, before Daphne registered it
    slow_since: float | None = None
    pending_latest: set[Latest] | None = None

    def onConnect(self, request: Any) -> Any:  # noqa: N802 - autobahn's name
        """Create the rate limits, bound the kernel's send buffer, and choose the extension.

        Refuses the handshake while the process drains.
        """
        if not self.factory.server_class.ready:
            self.is_refused = True
            raise ConnectionDeny(ConnectionDeny.SERVICE_UNAVAILABLE, "Restarting")  # type: ignore[no-untyped-call]
        self.frame_bucket, self.heartbeat_bucket, self.ping_bucket = Bucket(FRAMES), Bucket(HEARTBEATS), Bucket(PINGS)
        if (handle := getattr(self.transport, "getHandle", None)) is not None:  # tests have pipes
            handle().setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, WAITING_OUT_KERNEL)
        self.websocket_extensions, self.perMessageCompressionAccept = known_offers(self.websocket_extensions), accepted
        self.failByDrop = False  # a broken message is answered by a close code
        return super().onConnect(request)

    def onPing(self, payload: bytes) -> None:  # noqa: N802 - autobahn's name
        """Answer a ping frame within the rate limit; upstream answers any number."""
        if self.ping_bucket.take():
            super().onPing(payload)
        else:
            self._close_flooding()

    def onPong(self, payload: bytes) -> None:  # noqa: N802 - autobahn's name
        """Count a pong frame, solicited or not; upstream accepts any number."""
        super().onPong(payload)
        if not self.ping_bucket.take():
            self._close_flooding()

    def onMessageFrameEnd(self) -> None:  # noqa: N802 - autobahn's name
        """Count a fragment like a message; upstream accepts empty fragments without limit."""
        super().onMessageFrameEnd()
        if not (self.current_frame.fin or self.frame_bucket.take()):
            self._close_flooding()

    def onOpen(self) -> None:  # noqa: N802 - autobahn's name
        """Count the opened socket. If the process has begun to drain, close it with RESTART.

        A socket refused in its handshake never opens.
        """
        self.is_opened, self.deflates = True, self._perMessageCompress is not None
        # three copies of the handshake's text; the path and query are in Daphne's scope
        self.http_request_data, self.http_request_uri, self.http_request_params = b"", "", {}
        numbers.opened += 1
        super().onOpen()
        if not self.server.ready:
            self.restart()

    def restart(self) -> None:
        """Close with RESTART, so that the browser reconnects.

        Upstream cuts a browser that takes a second to answer, perhaps before it has read the close frame.
        """
        self.closeHandshakeTimeout = CLOSE_ANSWER
        self.sendCloseFrame(code=RESTART)

    def onClose(self, wasClean: bool, code: int | None, reason: str | None) -> None:  # noqa: FBT001, N802, N803
        """Count the socket by the close code that was sent first, by the server or the browser."""
        if self.is_opened:
            numbers.close(self.localCloseCode if self.closedByMe else code)
        if not self.is_refused:
            super().onClose(wasClean, code, reason)

    def connectionLost(self, reason: Any = connectionDone) -> None:  # noqa: N802 - Twisted's name
        """End the connection and break a reference cycle: upstream keeps a result that refers to this socket."""
        super().connectionLost(reason)
        self.is_closed = None

    def waiting_bytes(self) -> int:
        """Return the bytes that Twisted buffers for this reader, without the kernel's buffer."""
        transport = self.transport
        return int(len(transport.dataBuffer) - transport.offset + transport._tempDataLen)  # noqa: SLF001

    def serverSend(self, content: Any, binary: bool = False) -> None:  # noqa: FBT001, FBT002, N802 - Daphne's signature
        """Send a frame within the limits.

        Upstream has no limit, and raises `Disconnected` in the consumer while closing.
        """
        if self.state == self.STATE_OPEN:
            super().serverSend(content, binary)
            self._bound()

    def sendMessage(self, payload: bytes, *arguments: Any, **options: Any) -> None:  # noqa: N802 - autobahn's name
        """Send a message uncompressed: it may contain one viewer's data (BREACH), and a compressor is 256 KiB."""
        super().sendMessage(payload, *arguments, **options | {"doNotCompress": True})

    def send_prepared(self, data: bytes) -> None:
        """Write a complete frame.

        If Twisted's buffer is empty, the frame goes directly to the kernel. Twisted's own `write` registers for
        writability and sends in the next turn of the loop: three system calls instead of one.
        """
        if self.state != self.STATE_OPEN:
            return
        transport = self.transport
        idle = not transport._tempDataBuffer and len(transport.dataBuffer) == transport.offset  # noqa: SLF001
        if idle and not transport.disconnecting:
            sent = transport.writeSomeData(data)
            if not isinstance(sent, int):  # the connection is lost; Twisted detects it when it reads
                return
            data = data[sent:]
        if data:
            transport.write(data)
            self._bound()

    def send_latest(self, sources: Sequence[Latest], data: bytes) -> None:
        """Write frames of shared parts together.

        A slow reader gets only their newest content, when its buffer has drained.
        """
        if self.slow_since is None:
            self.send_prepared(data)
        else:
            self.pending_latest = {*(self.pending_latest or ()), *sources}

    def _bound(self) -> None:
        waiting = self.waiting_bytes()
        if waiting > WAITING_OUT_HARD:
            numbers.slow_closed += 1
            self.dropConnection(abort=True)
        elif waiting > WAITING_OUT_SOFT and self.slow_since is None:
            self.slow_since = time.monotonic()
            later(1, self._reader_check)

    def _reader_check(self) -> None:
        if self.state != self.STATE_OPEN or self.slow_since is None:
            return
        if self.waiting_bytes() > WAITING_OUT_SOFT:
            if time.monotonic() - self.slow_since > PATIENCE:
                numbers.slow_closed += 1
                self.dropConnection(abort=True)
            else:
                later(1, self._reader_check)
            return
        pending_latest, self.pending_latest, self.slow_since = self.pending_latest or (), None, None
        for source in pending_latest:
            if source.is_sent_to(self):  # it may be covered by now, or another page be shown
                self.send_latest((source,), source.full_frame(deflates=self.deflates))

    def onMessage(self, payload: bytes, isBinary: bool) -> None:  # noqa: FBT001, N802, N803 - autobahn's signature
        """Queue a frame within the limits; upstream queues without limit.

        Upstream's `muted` is no alternative, because it would also drop the disconnect message.
        """
        if self.state != self.STATE_OPEN:  # frames still arrive while the close frame is in transit
            return
        if isBinary:  # the protocol has only text frames
            self.sendCloseFrame(code=BAD_FRAME)
            return
        bucket = self.heartbeat_bucket if payload == HEARTBEAT else self.frame_bucket
        allowed = bucket.take() or (bucket is not self.frame_bucket and self.frame_bucket.take())
        if not allowed or self.application_queue.qsize() >= WAITING_IN:
            self._close_flooding()
        else:
            super().onMessage(payload, isBinary)

    def _close_flooding(self) -> None:
        if self.state == self.STATE_OPEN:
            numbers.flood_closed += 1
            security_count("socket closed", reason="flood", client=address_key(self.client_addr))
            self.sendCloseFrame(code=FLOOD, reasonUtf8=b"retry=%d" % FLOOD_PAUSE)


def _log_failure(event: dict[str, Any]) -> None:
    if failure := event.get("log_failure"):
        trace = (failure.type, failure.value, failure.getTracebackObject())
        logging.getLogger(event.get("log_namespace") or "twisted").error("failed inside Twisted", exc_info=trace)


class DrainingServer(Server):  # type: ignore[misc]  # Daphne has no types
    """A Daphne server that starts and stops the process's own work, and drains on SIGTERM."""

    def __init__(
        self,
        *args: Any,
        on_start: Callable[[], None],
        on_stop: Callable[[], Awaitable[None]],
        spread: float,
        **options: Any,
    ) -> None:
        super().__init__(*args, **options)
        self.ports: list[Any] = []
        self.on_start, self.on_stop, self.spread = on_start, on_stop, spread
        self.ready = False
        self.on_listen: Callable[[], None] | None = None  # called once, when the first port listens
        self.guard: Timer | None = None

    def run(self) -> None:
        """Serve until stopped. Upstream discards Twisted's log with its exceptions, and has no start hook."""
        cast("Any", globalLogPublisher).addObserver(_log_failure)
        loop = cast("Any", reactor)._asyncioEventloop  # noqa: SLF001 - `callWhenRunning` comes before the loop runs
        loop.call_soon(self._start)
        super().run()

    def _start(self) -> None:
        self.on_start()
        self.ready = True

    def listen_success(self, port: Any) -> None:
        """Record the port; upstream does not, and so can never stop listening."""
        self.ports.append(port)
        super().listen_success(port)
        if self.on_listen is not None:
            self.on_listen()
            self.on_listen = None

    def create_application(self, protocol: Any, scope: dict[str, Any]) -> Any:
        """Put the socket into the scope: the consumer reads its backlog, writes frames and closes with any code."""
        scope.setdefault("extensions", {})[SOCKET] = protocol
        return super().create_application(protocol, scope)

    def protocol_disconnected(self, protocol: Any) -> None:
        """Break a reference cycle: upstream leaves an upgraded request and its channel referring to each other."""
        super().protocol_disconnected(protocol)
        if isinstance(protocol, WebRequest) and protocol.transport is None:
            protocol.channel.requests.clear()

    def kill_all_applications(self) -> Any:
        """Drain; upstream cancels every handler at once and fails under traffic (KeyError)."""
        self.guard = exit_later(self.spread + DEADLINE)
        return Deferred.fromFuture(asyncio.ensure_future(drain(self)))

    async def handle_reply(self, protocol: Any, message: dict[str, Any]) -> None:
        """Send a reply.

        While draining, add `Connection: close`, because a proxy would send more requests over the connection. After a
        chunk of a longer body, wait for a slow reader (`response_bodies.py`).
        """
        is_request = isinstance(protocol, WebRequest)
        if message["type"] == "http.response.start" and not self.ready and protocol.channel is not None:
            message = {**message, "headers": [*message.get("headers", []), (b"connection", b"close")]}
            protocol.channel.persistent = False
        if is_request:
            body_begun(protocol, message)
        await super().handle_reply(protocol, message)
        if is_request:
            await body_read(protocol)

    def sockets(self) -> "list[BoundedSocket]":
        """Return the open sockets."""
        return [peer for peer in self.connections if isinstance(peer, BoundedSocket) and peer.state == peer.STATE_OPEN]

    def applications(self) -> "list[asyncio.Future[None]]":
        """Return the running applications of requests and sockets."""
        known = (details.get("application_instance") for details in self.connections.values())
        return [task for task in known if task is not None and not task.done()]

    def is_busy(self) -> bool:
        """Whether a request or a socket is connected, or an application still runs for a closed one."""
        return bool(self.applications()) or any("disconnected" not in details for details in self.connections.values())

    @staticmethod
    def idle_close() -> None:
        """Close keep-alive connections without a request in progress."""
        for transport in cast("Any", reactor).getReaders():
            channel = getattr(getattr(transport, "protocol", None), "_channel", None)
            if isinstance(channel, HTTPChannel) and not channel.requests:
                transport.loseConnection()
