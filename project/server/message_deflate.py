"""The extension permessage-deflate (RFC 7692) for Daphne's sockets, without context takeover in either direction.

The server compresses only frames of shared parts, each once for all sockets (`components/runtime/rendering/frames.py`).
Autobahn would compress every message once the extension is negotiated, also those with one viewer's secrets (BREACH),
with a compressor of 256 KiB for each socket (`BoundedSocket.sendMessage`). It reads compressed messages, and limits
their size before and after inflation.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from autobahn.websocket.compress import (
    PERMESSAGE_COMPRESSION_EXTENSION,
    PerMessageDeflateOffer,
    PerMessageDeflateOfferAccept,
)
from autobahn.websocket.compress_deflate import PerMessageDeflate

NAME = PerMessageDeflate.EXTENSION_NAME
WINDOWS = {0, PerMessageDeflate.DEFAULT_WINDOW_BITS}  # no wish, or the largest; a smaller one needs frames of its own


class Inflation(PerMessageDeflate):
    """Reads compressed messages. Autobahn keeps the last decompressor, 40 KiB, for as long as the socket is open."""

    def decompress_message_data(self, data: bytes, max_output_len: int | None = None) -> Any:
        """Return the inflated data, at most one byte more than `max_output_len`, after which the socket is closed.

        Autobahn would cut a message without notice that ends within zlib's buffer after the limit.
        """
        limit = None if max_output_len is None else max(max_output_len, 0) + 1
        return super().decompress_message_data(data, max_output_len=limit)  # type: ignore[no-untyped-call]

    def end_decompress_message(self) -> None:
        """End a message."""
        super().end_decompress_message()  # type: ignore[no-untyped-call]
        self._decompressor = None


PERMESSAGE_COMPRESSION_EXTENSION[NAME]["PMCE"] = Inflation


def known_offers(extensions: Iterable[tuple[str, Any]]) -> list[tuple[str, Any]]:
    """Return the offers of this extension whose parameters autobahn knows.

    Autobahn refuses the handshake for any other, although it may only be declined (RFC 7692, section 5.1).
    """
    return [(name, parameters) for name, parameters in extensions if name == NAME and _is_known(parameters)]


def _is_known(parameters: Any) -> bool:
    try:
        PerMessageDeflateOffer.parse(parameters)  # type: ignore[no-untyped-call]
    except Exception:  # noqa: BLE001 - autobahn raises Exception itself
        return False
    return True


def accepted(offers: Sequence[Any]) -> Any:
    """Return the acceptance of the first offer that takes frames of the largest window; None if there is none."""
    for offer in offers:
        if offer.request_max_window_bits in WINDOWS:
            offer.request_no_context_takeover = True  # a server may promise it unasked (section 7.1.1.1)
            return PerMessageDeflateOfferAccept(  # type: ignore[no-untyped-call]
                offer, request_no_context_takeover=True
            )
    return None
