"""Daphne, bounded and draining: what it lacks as published (4.2.3), each override with its reason."""

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
from project.server.request_bodies import BoundedRequest

log = logging.getLogger(__name__)
LATE = 10.0  # seconds beyond the spread after which what still runs is cancelled
STOP = 3.0  # seconds after that which the process's own work may take
EXIT = 1.0  # seconds after that until a thread that never returns keeps the process no longer
DEADLINE = LATE + STOP + EXIT  # seconds beyond the spread
ASK_AGAIN = 0.05  # seconds between two looks at who is left
EXIT_CODE = 70  # exit code, as the watchdog's


async def drain(server: "DrainingServer") -> None:
    """End what `server` does, within `spread + LATE + STOP` seconds.

    Sockets are closed in random order over `spread`, and handshakes are refused. Pages are answered meanwhile, each
    with `Connection: close`: behind a proxy for all of the spread, since it may still leave out another process that
    restarted just now. Then this one stops listening, and asks who is left until nobody is.
    """
    loop = asyncio.get_running_loop()
    began = loop.time()
    server.ready = False
    running = len(server.applications())
    sockets = server.sockets()
    random.shuffle(sockets)
    for position, viewer in enumerate(sockets, 1):
        viewer.restart()  # nothing happens where it was closed meanwhile
        await asyncio.sleep(began + server.spread * position / len(sockets) - loop.time())
    if server.proxy_forwarded_address_header:
        await asyncio.sleep(began + server.spread - loop.time())
    for port in server.ports:
        port.stopListening()
    left = True
    while left and loop.time() < began + server.spread + LATE:
        await asyncio.sleep(ASK_AGAIN)  # what had come by now is read before anything is closed
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
        log.warning("drained: what the process itself does did not end in time")


def exit_later(seconds: float) -> threading.Timer:
    """End the process then if nobody cancels it: Python waits for worker threads at its end, for ever if need be."""

    def end() -> None:
        log.error("drained: a thread did not end in time")
        os._exit(EXIT_CODE)

    timer = threading.Timer(seconds, end)
    timer.daemon = True
    timer.start()
    return timer


# Daphne measures its intervals by the wall clock: an hour back and nobody is pinged for an hour, a day forward and
# every socket is closed.
for module in (server, ws_protocol, http_protocol):
    module.time = SimpleNamespace(time=time.monotonic)

http_protocol.WebRequest = BoundedRequest  # what its factory makes

HEARTBEAT = b'{"type":"ping"}'
later: Callable[..., Any] = cast("Any", reactor).callLater


class Latest(Protocol):
    """Something of which a slow reader needs only the newest content, as a complete frame."""

    full_frame: bytes


class BoundedSocket(WebSocketProtocol):  # type: ignore[misc]  # Daphne has no types
    """A socket that buffers a bounded amount in both directions."""

    http_request_params: dict[str, list[str]]
    is_opened = False
    client_addr: Sequence[object] | None = None  # Daphne's, from the handshake on
    is_refused = False  # in its handshake, before Daphne knew of it
    slow_since: float | None = None
    pending_latest: set[Latest] | None = None

    def onConnect(self, request: Any) -> Any:  # noqa: N802 - autobahn's name
        """Begin to count, and bound what the system holds for this reader; a process that stops takes nobody."""
        if not self.factory.server_class.ready:
            self.is_refused = True
            raise ConnectionDeny(ConnectionDeny.SERVICE_UNAVAILABLE, "Restarting")  # type: ignore[no-untyped-call]
        self.frame_bucket, self.heartbeat_bucket, self.ping_bucket = Bucket(FRAMES), Bucket(HEARTBEATS), Bucket(PINGS)
        if (handle := getattr(self.transport, "getHandle", None)) is not None:  # tests have pipes
            handle().setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, WAITING_OUT_KERNEL)
        return super().onConnect(request)

    def onPing(self, payload: bytes) -> None:  # noqa: N802 - autobahn's name
        """Answer a ping of the protocol; stock answers any number."""
        if self.ping_bucket.take():
            super().onPing(payload)
        else:
            self._close_flooding()

    def onPong(self, payload: bytes) -> None:  # noqa: N802 - autobahn's name
        """Count an answer, asked for or not; stock reads any number."""
        super().onPong(payload)
        if not self.ping_bucket.take():
            self._close_flooding()

    def onMessageFrameEnd(self) -> None:  # noqa: N802 - autobahn's name
        """Count a piece of a message like a message; stock takes empty ones for ever."""
        super().onMessageFrameEnd()
        if not (self.current_frame.fin or self.frame_bucket.take()):
            self._close_flooding()

    def onOpen(self) -> None:  # noqa: N802 - autobahn's name
        """Count; one that was refused in its handshake never opens. Nobody stays whose process has begun to stop."""
        self.is_opened = True
        # the handshake's text, three times: what was asked for is in Daphne's scope
        self.http_request_data, self.http_request_uri, self.http_request_params = b"", "", {}
        numbers.opened += 1
        super().onOpen()
        if not self.server.ready:
            self.restart()

    def restart(self) -> None:
        """Tell the browser to come back; stock cuts whoever takes a second to answer, perhaps before it is read."""
        self.closeHandshakeTimeout = CLOSE_ANSWER
        self.sendCloseFrame(code=RESTART)

    def onClose(self, wasClean: bool, code: int | None, reason: str | None) -> None:  # noqa: FBT001, N802, N803
        """Count by the code that was sent first, ours or the browser's."""
        if self.is_opened:
            numbers.close(self.localCloseCode if self.closedByMe else code)
        if not self.is_refused:
            super().onClose(wasClean, code, reason)

    def connectionLost(self, reason: Any = connectionDone) -> None:  # noqa: N802 - Twisted's name
        """End; stock keeps a result that is this socket itself, and so all that it holds until a collection."""
        super().connectionLost(reason)
        self.is_closed = None

    def waiting_bytes(self) -> int:
        """Return bytes that Twisted holds for this reader (the kernel holds some more)."""
        transport = self.transport
        return int(len(transport.dataBuffer) - transport.offset + transport._tempDataLen)  # noqa: SLF001

    def serverSend(self, content: Any, binary: bool = False) -> None:  # noqa: FBT001, FBT002, N802 - Daphne's signature
        """Send; stock raises `Disconnected` in the consumer while closing, and never bounds."""
        if self.state == self.STATE_OPEN:
            super().serverSend(content, binary)
            self._bound()

    def send_prepared(self, data: bytes) -> None:
        """Write a complete frame.

        A quick reader's frame goes to the kernel at once: Twisted's own `write` registers for writability and sends
        in the loop's next turn, three system calls instead of one.
        """
        if self.state != self.STATE_OPEN:
            return
        transport = self.transport
        idle = not transport._tempDataBuffer and len(transport.dataBuffer) == transport.offset  # noqa: SLF001
        if idle and not transport.disconnecting:
            sent = transport.writeSomeData(data)
            if not isinstance(sent, int):  # the connection is lost; Twisted finds out by reading
                return
            data = data[sent:]
        if data:
            transport.write(data)
            self._bound()

    def send_latest(self, sources: Sequence[Latest], data: bytes) -> None:
        """Write frames of parts in one go; a slow reader is owed only their newest content, later."""
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
            self.send_latest((source,), source.full_frame)

    def onMessage(self, payload: bytes, isBinary: bool) -> None:  # noqa: FBT001, N802, N803 - autobahn's signature
        """Queue a frame; stock queues without end, and `muted` would swallow the disconnect message too."""
        if self.state != self.STATE_OPEN:  # frames still come while our close frame travels
            return
        if isBinary:  # nothing of ours is
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
    """A server that starts what the process holds, and on SIGTERM lets everybody finish."""

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
        self.guard: Timer | None = None

    def run(self) -> None:
        """Serve; stock sends Twisted's log, with every exception in it, to nowhere, and knows no start of its own."""
        cast("Any", globalLogPublisher).addObserver(_log_failure)
        loop = cast("Any", reactor)._asyncioEventloop  # noqa: SLF001 - `callWhenRunning` comes before the loop runs
        loop.call_soon(self._start)
        super().run()

    def _start(self) -> None:
        self.on_start()
        self.ready = True

    def listen_success(self, port: Any) -> None:
        """Remember the port; stock forgets it and so can never stop listening."""
        self.ports.append(port)
        super().listen_success(port)

    def create_application(self, protocol: Any, scope: dict[str, Any]) -> Any:
        """Give the consumer its socket: to see what waits, to write prepared frames, to close with any code."""
        scope.setdefault("extensions", {})[SOCKET] = protocol
        return super().create_application(protocol, scope)

    def protocol_disconnected(self, protocol: Any) -> None:
        """Take note; stock leaves a request that became a socket and its channel referring to each other."""
        super().protocol_disconnected(protocol)
        if isinstance(protocol, WebRequest) and protocol.transport is None:
            protocol.channel.requests.clear()

    def kill_all_applications(self) -> Any:
        """Drain; stock cancels every handler at once and breaks off under traffic (KeyError)."""
        self.guard = exit_later(self.spread + DEADLINE)
        return Deferred.fromFuture(asyncio.ensure_future(drain(self)))

    async def handle_reply(self, protocol: Any, message: dict[str, Any]) -> None:
        """Answer; while draining over a connection that ends with it, since a proxy would ask more over it."""
        if message["type"] == "http.response.start" and not self.ready and protocol.channel is not None:
            message = {**message, "headers": [*message.get("headers", []), (b"connection", b"close")]}
            protocol.channel.persistent = False
        await super().handle_reply(protocol, message)

    def sockets(self) -> "list[BoundedSocket]":
        """Return the open sockets."""
        return [each for each in self.connections if isinstance(each, BoundedSocket) and each.state == each.STATE_OPEN]

    def applications(self) -> "list[asyncio.Future[None]]":
        """Return what still runs for a request or a socket."""
        known = (details.get("application_instance") for details in self.connections.values())
        return [task for task in known if task is not None and not task.done()]

    def is_busy(self) -> bool:
        """Whether a request or a socket is still here, or something runs for one that has left."""
        return bool(self.applications()) or any("disconnected" not in each for each in self.connections.values())

    @staticmethod
    def idle_close() -> None:
        """Close connections that a proxy keeps for later requests and over which nobody asks anything now."""
        for transport in cast("Any", reactor).getReaders():
            channel = getattr(getattr(transport, "protocol", None), "_channel", None)
            if isinstance(channel, HTTPChannel) and not channel.requests:
                transport.loseConnection()
