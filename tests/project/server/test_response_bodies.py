"""A response of several chunks waits for a slow reader, and a stalled one loses its connection."""

import asyncio
from typing import Any

import pytest
from twisted.internet.testing import StringTransport
from twisted.web.http import HTTPChannel, Request

from project.server import response_bodies
from project.server.response_bodies import BODY, body_begun, body_read

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
