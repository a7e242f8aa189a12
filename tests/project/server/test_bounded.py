"""Bytes that wait for a slow reader are bounded, of sockets and of responses. The tests replace clock and transport."""

import asyncio
import time
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from twisted.internet.testing import StringTransport
from twisted.web.http import HTTPChannel, Request

from apps.core import buckets
from components.runtime.rendering.covers import NOTHING
from components.runtime.rendering.frames import PartsFrame
from components.runtime.rendering.live_part import LivePart, SocketGroup
from project.limits import rates
from project.server import daphne_server, response_bodies
from project.server.daphne_server import PATIENCE, WAITING_OUT_HARD, WAITING_OUT_SOFT, BoundedSocket
from project.server.response_bodies import BODY, body_begun, body_read


class Pipe:
    """A transport with a reader that takes all bytes, or none."""

    def __init__(self) -> None:
        self.dataBuffer, self.offset, self._tempDataBuffer, self._tempDataLen = b"", 0, list[bytes](), 0
        self.disconnecting = self.stalled = False
        self.read: list[bytes] = []

    def writeSomeData(self, data: bytes) -> int:  # noqa: N802 - Twisted's name
        """Hand the bytes to the kernel."""
        if self.stalled:
            return 0
        self.read.append(data)
        return len(data)

    def write(self, data: bytes) -> None:
        """Keep the bytes for later."""
        self._tempDataBuffer.append(data)
        self._tempDataLen += len(data)

    def resume(self) -> None:
        """Let the reader take all waiting bytes."""
        self.stalled = False
        self.read += self._tempDataBuffer
        self._tempDataBuffer, self._tempDataLen = [], 0


def part_of(newest: bytes, *sockets: Any) -> LivePart:
    """Return a part with this frame as its latest content, shown by these sockets."""
    group = SocketGroup((frozenset(), False, NOTHING), (), deflates=False, sockets=set(sockets))
    return LivePart(cast("Any", None), groups={group}, _full_frame=PartsFrame(newest, newest))


class Clock:
    """A clock that the test sets."""

    def __init__(self) -> None:
        self.now = 0.0
        self.later: list[Callable[[], None]] = []

    def pass_(self, seconds: float) -> None:
        """Advance the clock and run the functions that are due."""
        self.now += seconds
        due, self.later = self.later, []
        for function in due:
            function()


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """The server's clock."""
    made = Clock()
    monkeypatch.setattr(daphne_server, "time", SimpleNamespace(monotonic=lambda: made.now))
    monkeypatch.setattr(buckets, "time", SimpleNamespace(monotonic=lambda: made.now))
    monkeypatch.setattr(daphne_server, "later", lambda _seconds, function: made.later.append(function))
    return made


def socket_on(pipe: Pipe) -> tuple[Any, list[Any]]:
    """Return an open socket on this pipe, and the list of its closes."""
    socket: Any = BoundedSocket.__new__(BoundedSocket)
    ended: list[Any] = []
    socket.transport, socket.state = pipe, BoundedSocket.STATE_OPEN
    socket.dropConnection = lambda **_: ended.append("cut")
    socket.sendCloseFrame = lambda **named: ended.append(named["code"])
    socket.application_queue = asyncio.Queue()
    for name, rate in (("frame", rates.FRAMES), ("heartbeat", rates.HEARTBEATS), ("ping", rates.PINGS)):
        setattr(socket, f"{name}_bucket", buckets.Bucket(rate))
    return socket, ended


def test_slow_reader_gets_each_part_once_in_its_latest_version(clock: Clock) -> None:
    pipe = Pipe()
    socket, ended = socket_on(pipe)
    part, other = part_of(b"newest of one", socket), part_of(b"newest of other", socket)
    left = part_of(b"newest of a part that is covered by now")
    socket.send_latest((part,), b"quick")
    assert pipe.read == [b"quick"], "a quick reader gets frames at once"
    pipe.stalled = True
    socket.send_prepared(b"x" * (WAITING_OUT_SOFT + 1))
    for number in range(100):
        socket.send_latest((part,), b"change %d" % number)
    socket.send_latest((other, left), b"change")
    assert socket.waiting_bytes() == WAITING_OUT_SOFT + 1, "no change waits for a slow reader"
    clock.pass_(1)
    assert not ended
    assert len(pipe.read) == 1, "still slow, still within its patience"
    pipe.resume()
    clock.pass_(1)
    assert sorted(pipe.read[2:]) == [b"newest of one", b"newest of other"]
    socket.send_latest((part,), b"quick again")
    assert pipe.read[-1] == b"quick again"
    assert clock.later == []
    assert ended == []


def test_slow_reader_is_disconnected_after_its_patience(clock: Clock) -> None:
    pipe = Pipe()
    pipe.stalled = True
    socket, ended = socket_on(pipe)
    socket.send_prepared(b"x" * (WAITING_OUT_SOFT + 1))
    for _ in range(int(PATIENCE)):
        clock.pass_(1)
    assert ended == []
    clock.pass_(1)
    assert ended == ["cut"]
    assert clock.later == []


def test_hard_limit_disconnects_at_once(clock: Clock) -> None:
    pipe = Pipe()
    pipe.stalled = True
    socket, ended = socket_on(pipe)
    socket.send_prepared(b"x" * WAITING_OUT_HARD)
    assert ended == []
    socket.send_prepared(b"x")
    assert ended == ["cut"]


def test_closing_socket_neither_sends_nor_receives(clock: Clock) -> None:
    pipe = Pipe()
    socket, _ = socket_on(pipe)
    socket.state = BoundedSocket.STATE_CLOSING
    socket.send_prepared(b"late")
    socket.serverSend("late")
    socket.onMessage(b"late", False)
    assert pipe.read == []
    assert socket.application_queue.qsize() == 0


def test_flood_closes_the_socket_and_time_refills_its_bucket(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    taken: list[bytes] = []
    upstream = daphne_server.WebSocketProtocol
    monkeypatch.setattr(upstream, "onMessage", lambda _self, payload, _binary: taken.append(payload))
    socket, ended = socket_on(Pipe())
    for _ in range(int(rates.FRAMES.burst)):
        socket.onMessage(b"frame", False)
    assert (len(taken), ended) == (rates.FRAMES.burst, [])
    clock.pass_(1)
    for _ in range(int(rates.FRAMES.per_second)):
        socket.onMessage(b"frame", False)
    assert ended == []
    socket.sendCloseFrame = lambda **named: ended.append(named)
    socket.onMessage(b"frame", False)
    assert ended == [{"code": 4005, "reasonUtf8": b"retry=5"}], "below 4500: the browser comes back, after a pause"


def test_unhandled_frames_are_bounded(clock: Clock) -> None:
    socket, ended = socket_on(Pipe())
    for number in range(rates.WAITING_IN):
        socket.application_queue.put_nowait(number)
    socket.onMessage(b"one more", False)
    assert ended == [4005]


@pytest.mark.parametrize("jump", [-3600.0, 86_400.0])
def test_changed_wall_clock_affects_neither_sockets_nor_pings(jump: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """Upstream uses the wall clock: an hour back stops the pings for an hour, and a day forward closes every socket."""
    pings: list[bool] = []
    opened = BoundedSocket.__new__(BoundedSocket)
    opened.state, opened.server = BoundedSocket.STATE_OPEN, SimpleNamespace(websocket_timeout=86_000, ping_interval=20)
    opened._sendAutoPing = lambda: pings.append(True)
    opened.serverClose = lambda: pytest.fail("the socket was closed")
    opened.socket_opened = opened.last_ping = daphne_server.ws_protocol.time.time()
    wall = time.time()
    monkeypatch.setattr(time, "time", lambda: wall + jump)
    opened.check_timeouts()
    assert not pings
    opened.last_ping -= 21
    opened.check_timeouts()
    assert pings == [True]


@given(
    sizes=st.lists(st.integers(1, 40), min_size=1, max_size=30),
    taken=st.lists(st.integers(0, 40), max_size=60),
    resumed=st.sets(st.integers(0, 30)),
)
@settings(max_examples=30)
def test_frames_leave_in_order(sizes: list[int], taken: list[int], resumed: set[int]) -> None:
    """The kernel takes any part of a frame at any time; frames still need no sequence numbers."""
    pipe = Pipe()
    socket, ended = socket_on(pipe)
    takes = iter(taken)

    def write_some(data: bytes) -> int:
        some = data[: next(takes, 0)]
        pipe.read.append(some)
        return len(some)

    pipe.writeSomeData = write_some  # type: ignore[method-assign]
    frames = [bytes([number]) * size for number, size in enumerate(sizes)]
    for number, data in enumerate(frames):
        if number % 2:
            socket.send_latest((part_of(data),), data)  # parts and layouts use this method
        else:
            socket.send_prepared(data)
        if number in resumed:
            pipe.resume()
    pipe.resume()
    assert b"".join(pipe.read) == b"".join(frames)
    assert ended == []


CHUNK = {"type": BODY, "body": b"x", "more_body": True}
END = {"type": BODY, "body": b"", "more_body": False}


class Waiting(Request):
    """A request; the test writes its response."""

    def process(self) -> None:
        """Leave the response to the test."""


@pytest.fixture
async def request_() -> Any:
    """Return a request on a connection without a network."""
    channel = HTTPChannel()
    channel.requestFactory = Waiting
    channel.timeOut = None
    channel.makeConnection(StringTransport())
    channel.dataReceived(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
    return channel.requests[0]


async def test_next_chunk_waits_while_the_buffer_is_full(request_: Any) -> None:
    body_begun(request_, CHUNK)
    request_.write(b"x")
    await body_read(request_)  # the buffer has room
    request_.channel.pauseProducing()
    waiting = asyncio.ensure_future(body_read(request_))
    _, pending = await asyncio.wait([waiting], timeout=0.05)
    assert pending == {waiting}
    request_.channel.resumeProducing()
    await waiting
    body_begun(request_, END)
    assert request_.producer is None
    request_.finish()


async def test_lost_connection_does_not_wait(request_: Any) -> None:
    body_begun(request_, CHUNK)
    request_.channel.pauseProducing()
    waiting = asyncio.ensure_future(body_read(request_))
    request_.channel.stopProducing()
    await waiting


async def test_stalled_reader_is_disconnected(request_: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(response_bodies, "BODY_STALLED", 0.01)
    body_begun(request_, CHUNK)
    request_.channel.pauseProducing()
    transport = request_.channel.transport
    await body_read(request_)
    assert transport.disconnecting or transport.disconnected


async def test_response_of_one_chunk_has_no_producer(request_: Any) -> None:
    body_begun(request_, {"type": "http.response.start", "status": 200})
    body_begun(request_, END)
    assert request_.producer is None
    await body_read(request_)
