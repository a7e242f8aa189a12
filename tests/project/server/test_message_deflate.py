"""Compressed messages (RFC 7692) on a real process: what is negotiated, sent, read and refused."""

import asyncio
import json
import zlib
from collections.abc import Iterator

import psycopg
import pytest

from apps.core.bus.topics import CHANNEL
from tests.project.small import Small, small_site
from tests.servers import TEXT, Socket, database, megabytes
from tests.wire import RSV1

pytestmark = pytest.mark.django_db(transaction=True)

OFFER = "permessage-deflate"
ACCEPTED = "permessage-deflate; client_no_context_takeover; server_no_context_takeover"
DECLINED = ""
OFFERS = {
    "permessage-deflate": ACCEPTED,
    "permessage-deflate; client_max_window_bits": ACCEPTED,  # Chromium's
    "permessage-deflate; client_max_window_bits=10": ACCEPTED,  # about its own messages alone
    "permessage-deflate; server_no_context_takeover": ACCEPTED,
    "permessage-deflate; server_max_window_bits=15": f"{ACCEPTED}; server_max_window_bits=15",
    "permessage-deflate; server_max_window_bits=9, permessage-deflate": ACCEPTED,
    "permessage-deflate; server_max_window_bits=14": DECLINED,
    "permessage-deflate; server_max_window_bits=8": DECLINED,
    "permessage-deflate; server_max_window_bits": DECLINED,
    "permessage-deflate; unknown": DECLINED,
    "permessage-deflate; server_no_context_takeover=1": DECLINED,
    "permessage-deflate; client_max_window_bits; client_max_window_bits": DECLINED,
    "permessage-bzip2, x-webkit-deflate-frame; =;; =": DECLINED,
    "": DECLINED,
}
PING = b'{"type":"ping"}'
LONG = json.dumps({"type": "layout-event", "target": "unknown", "data": ["0123456789abcdef" * 2_500]}).encode()
FRAME_LIMIT = 1 << 16  # bytes of a message
CONTINUATION = 0
UNNEGOTIATED, BROKEN, TOO_LARGE = 1002, 1007, 1009
MANY, GROWN_EACH = 250, 20e-3  # sockets, and the megabytes that each may add; a decompressor has 40 KiB


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, django_db_setup: None) -> Iterator[Small]:
    """A process without limits per address for the test's sockets."""
    environment = {"VENUE_ADDRESSES": "127.0.0.0/8", "DRAIN_SECONDS": "0"}
    with small_site(tmp_path_factory.mktemp("deflate"), **environment) as small:
        yield small


def deflated(message: bytes) -> bytes:
    """Return the content of a compressed frame."""
    compressor = zlib.compressobj(wbits=-15)
    return (compressor.compress(message) + compressor.flush(zlib.Z_SYNC_FLUSH)).removesuffix(b"\0\0\xff\xff")


def extensions(socket: Socket) -> str:
    """Return the extensions of the server's answer to a handshake."""
    lines = dict(line.split(": ", 1) for line in socket.head.decode().splitlines() if ": " in line)
    return lines.get("Sec-WebSocket-Extensions", DECLINED)


async def change(operator: "psycopg.Connection", *viewers: Socket) -> list[bytes]:
    """Publish a change of the page, and return the message of parts that each viewer gets."""
    operator.execute("SELECT pg_notify(%s, 'turns')", [CHANNEL])
    return [await viewer.until(b'"turns:en"') for viewer in viewers]


async def test_read_compressed_messages_leave_no_memory_in_use(server: Small) -> None:
    """It runs first: memory that other tests have freed would hide a growth."""

    async def beat(viewer: Socket) -> None:
        viewer.raw(TEXT, deflated(LONG), rsv=RSV1)
        viewer.raw(TEXT, deflated(PING), rsv=RSV1)
        await viewer.until(b'"pong"')

    viewers = [await Socket(server, extensions=OFFER).live() for _ in range(2 * MANY)]
    for viewer in viewers:
        await viewer.answers()
    await asyncio.gather(*map(beat, viewers[:MANY]))  # the first work allocates memory that stays
    before = megabytes(server)
    await asyncio.gather(*map(beat, viewers[MANY:]))
    assert megabytes(server) - before < MANY * GROWN_EACH
    for viewer in viewers:
        viewer.leave()


async def test_unsupported_offers_are_served_without_the_extension(server: Small) -> None:
    viewers = [await Socket(server, extensions=offered).live() for offered in OFFERS]
    accepted = {viewer.extensions: set(extensions(viewer).split("; ")) for viewer in viewers}
    assert accepted == {offer: set(answer.split("; ")) for offer, answer in OFFERS.items()}
    before = [len(viewer.compressed) for viewer in viewers]
    with database(server) as operator:
        received = await change(operator, *viewers)
    assert len({json.dumps(json.loads(message)) for message in received}) == 1
    compressed = [len(viewer.compressed) - number for viewer, number in zip(viewers, before, strict=True)]
    assert compressed == [int(OFFERS[viewer.extensions] != DECLINED) for viewer in viewers]


async def test_only_frames_of_shared_parts_are_compressed(server: Small) -> None:
    viewer = await Socket(server, extensions=OFFER).open()
    layout = await viewer.until(b'"layout-update"')
    assert len(layout) > 500, "long enough to be worth it"
    await viewer.answers()
    with database(server) as operator:
        await change(operator, viewer)
    assert len(viewer.compressed) >= 2, "the parts that its browser lacks, and a change"
    assert all(message.startswith(b'[["') for message in viewer.compressed)


async def test_compressed_message_may_be_fragmented(server: Small) -> None:
    viewer = await Socket(server, extensions=OFFER).live()
    viewer.raw(TEXT, deflated(PING), rsv=RSV1)
    await viewer.until(b'"pong"')
    whole = deflated(b" " * FRAME_LIMIT)  # the longest
    viewer.raw(TEXT, whole[:9], rsv=RSV1, is_last=False)
    viewer.raw(CONTINUATION, whole[9:])
    assert await viewer.closed() == 4500, "read whole, and not a known message"


async def test_bombs_and_broken_messages_close_only_their_own_socket(server: Small) -> None:
    """A bomb is cut before it is inflated: 64 MB would be seen in the memory of the process."""
    watcher = await Socket(server, extensions=OFFER).live()
    plain = await Socket(server, extensions="").live()
    before = megabytes(server)
    for data, rsv, code in [
        (deflated(b" " * (FRAME_LIMIT + 1)), RSV1, TOO_LARGE),
        (deflated(b" " * (64 << 20))[: FRAME_LIMIT - 8], RSV1, TOO_LARGE),
        (b"\xff\xff\xff not deflate", RSV1, BROKEN),
        (deflated(b"\xff\xfe"), RSV1, BROKEN),  # no UTF-8
        (deflated(PING), RSV1 | 0x20, UNNEGOTIATED),
    ]:
        attacker = await Socket(server, extensions=OFFER).live()
        attacker.raw(TEXT, data, rsv=rsv)
        assert await attacker.closed() == code
    assert megabytes(server) - before < 16
    plain.raw(TEXT, deflated(PING), rsv=RSV1)
    assert await plain.closed() == UNNEGOTIATED
    fragments = await Socket(server, extensions=OFFER).live()
    fragments.raw(TEXT, deflated(PING), rsv=RSV1, is_last=False)
    fragments.raw(CONTINUATION, b"", rsv=RSV1)
    assert await fragments.closed() == UNNEGOTIATED
    with database(server) as operator:
        await change(operator, watcher)
