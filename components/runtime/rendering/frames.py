"""Websocket frames (RFC 6455, section 5.2). Frames of shared parts are compressed once for all sockets (RFC 7692).

A compressed frame refers to no earlier one (no context takeover), so all sockets get the same bytes. Only shared parts
are compressed: they never contain a secret, so their length reveals none (BREACH).
"""

import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from components.runtime.rendering.encoding import LayoutUpdate, encode

TEXT, COMPRESSED_TEXT = 0x81, 0xC1  # the first byte of a whole message: FIN and opcode, with RSV1 when compressed
LEVEL, RAW_DEFLATE = 6, -zlib.MAX_WBITS
END_OF_BLOCK = b"\0\0\xff\xff"  # the end of a sync flush, which RFC 7692 (section 7.2.1) leaves out


def frame(message: dict[str, Any]) -> bytes:
    """Return a complete unmasked frame."""
    return _framed(TEXT, message.body if isinstance(message, LayoutUpdate) else encode(message))


def parts_message(contents: Iterable[bytes]) -> bytes:
    """Return one message, a list, with the contents and changes of parts (`LivePart.full`, `Renewal.change`)."""
    return b"[%b]" % b",".join(contents)


@dataclass(frozen=True, slots=True)
class PartsFrame:
    """A message of parts as a complete frame, uncompressed and compressed."""

    plain: bytes
    deflated: bytes  # the uncompressed frame if that is shorter

    def data(self, *, deflates: bool) -> bytes:
        """Return the frame for a socket which does or does not take compressed frames."""
        return self.deflated if deflates else self.plain


def parts_frame(contents: Iterable[bytes]) -> PartsFrame:
    """Return the frame of `parts_message`."""
    message = parts_message(contents)
    compressor = zlib.compressobj(LEVEL, wbits=RAW_DEFLATE)
    deflated = compressor.compress(message) + compressor.flush(zlib.Z_SYNC_FLUSH)
    frames = _framed(TEXT, message), _framed(COMPRESSED_TEXT, deflated.removesuffix(END_OF_BLOCK))
    return PartsFrame(frames[0], min(frames, key=len))


def _framed(first: int, body: bytes) -> bytes:
    size = len(body)
    if size < 126:  # noqa: PLR2004 - the RFC's numbers
        return bytes((first, size)) + body
    if size < 1 << 16:
        return b"%c\x7e%b" % (first, size.to_bytes(2, "big")) + body
    return b"%c\x7f%b" % (first, size.to_bytes(8, "big")) + body
