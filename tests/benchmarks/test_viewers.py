"""The benchmark's websocket client with compressed frames."""

import asyncio
import json
import zlib
from typing import Any

import pytest

from benchmarks.viewers import OFFER, Bench, Order, Viewer, inflated, parts_of

ACCEPTED = b"HTTP/1.1 101 Switching\r\nSec-WebSocket-Extensions: permessage-deflate; server_no_context_takeover\r\n\r\n"
DECLINED = b"HTTP/1.1 101 Switching\r\n\r\n"
PART = b'[["session_order:1:en","b",[{"0":"Player"}],"a"]]'


class Transport:
    """Records the bytes that a viewer sends."""

    def __init__(self) -> None:
        self.sent = b""

    def write(self, data: bytes) -> None:
        self.sent += data


class Reader(Viewer):
    """Records the content and the length of each frame."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.contents: list[tuple[bytes, int]] = []

    def frame(self, kind: int, content: bytes) -> None:
        super().frame(kind, content)
        self.contents.append((content, self.frame_bytes))


def framed(content: bytes, kind: int = 0x81) -> bytes:
    """Return a complete frame of a server."""
    size = bytes((len(content),)) if len(content) < 126 else b"\x7e" + len(content).to_bytes(2, "big")
    return bytes((kind,)) + size + content


def compressed(content: bytes) -> bytes:
    """Return a complete compressed frame (RFC 7692, without context takeover)."""
    deflate = zlib.compressobj(wbits=-15)
    data = deflate.compress(content) + deflate.flush(zlib.Z_SYNC_FLUSH)
    return framed(data[:-4], 0xC1)


async def reader(kind: str = "site", *, deflate: bool = True) -> tuple[Reader, Transport]:
    viewer = Reader(Bench(Order(kind=kind, port=1, pid=1, session=1, appearances=[5, 6], deflate=deflate)), "/live/")
    transport = Transport()
    viewer.connection_made(transport)
    return viewer, transport


async def test_extension_is_offered_to_the_site_only():
    for kind, deflate, is_offered in (("site", True, True), ("site", False, False), ("hub", True, False)):
        _, transport = await reader(kind, deflate=deflate)
        assert (OFFER.encode() in transport.sent) is is_offered, (kind, deflate)


async def test_plain_and_compressed_frames_are_read_and_measured():
    viewer, _ = await reader()
    for byte in ACCEPTED + compressed(PART * 5) + framed(b"plain"):
        viewer.data_received(bytes((byte,)))
    assert viewer.contents == [(PART * 5, len(compressed(PART * 5))), (b"plain", len(framed(b"plain")))]
    assert viewer.content == PART * 5 + b"plain"
    assert viewer.buffer == b""
    viewer.forget()
    assert viewer.content == b""


@pytest.mark.parametrize(("answer", "deflate"), [(DECLINED, True), (ACCEPTED, False)])
async def test_compressed_frame_without_the_extension_is_an_error(answer, deflate):
    viewer, _ = await reader(deflate=deflate)
    viewer.data_received(answer + framed(PART))
    assert viewer.content == PART
    with pytest.raises(ConnectionError, match="without the extension"):
        viewer.data_received(compressed(PART))


async def test_equal_payloads_are_inflated_once():
    inflated.cache_clear()
    data = ACCEPTED + compressed(PART)
    for _ in range(50):
        viewer, _ = await reader()
        viewer.data_received(data)
    assert inflated.cache_info().misses == 1
    assert inflated.cache_info().hits == 49


async def test_ping_is_answered():
    viewer, transport = await reader()
    viewer.data_received(ACCEPTED)
    transport.sent = b""
    viewer.data_received(framed(b"are you there", 0x89))
    assert transport.sent == bytes((0x8A, 0x80 | 13, 0, 0, 0, 0)) + b"are you there"


@pytest.mark.parametrize("framing", [compressed, framed])
async def test_change_is_complete_with_the_stage_and_the_running_order(framing):
    viewer, _ = await reader()
    viewer.data_received(ACCEPTED)
    viewer.bench.viewers.append(viewer)
    viewer.bench.expect()
    now = ["session_now:1:en", "b", [14, "2", 0], "a"]
    order = ["session_order:1:en", "b", [{"1": "is-done"}], "a"]
    viewer.data_received(framing(json.dumps([now], separators=(",", ":")).encode()))
    assert not viewer.bench.done.is_set()
    viewer.data_received(framing(json.dumps([now, order], separators=(",", ":")).encode()))
    assert viewer.bench.done.is_set()


async def test_viewer_fails_if_its_connection_is_lost_early():
    viewer, _ = await reader()
    viewer.bench.leaving = True
    viewer.data_received(b"HTTP/1.1 503 Service")
    viewer.connection_lost(None)
    with pytest.raises(ConnectionError, match="503"):
        await asyncio.wait_for(viewer.ready, 1)


def test_parts_of_a_frame_are_decoded():
    frame = [["a:1:en", "2", {"tagName": "p"}], ["b:1:en", "4", [{}], "3"]]
    parts = [
        {"key": "a:1:en", "to": "2", "content": {"tagName": "p"}},
        {"key": "b:1:en", "to": "4", "content": [{}], "from": "3"},
    ]
    dumped = [json.dumps(message, separators=(",", ":")).encode() for message in (frame, {"type": "pong"})]
    assert [parts_of(each) for each in dumped] == [parts, []]
