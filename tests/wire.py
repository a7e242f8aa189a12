"""The transport below a page socket in tests, in place of Daphne's protocol."""

import json
import os
import zlib
from collections.abc import Callable
from typing import Any

EXTENSIONS = os.environ.get("EXTENSIONS", "permessage-deflate")  # that sockets offer, as nearly all browsers do
RSV1 = 0x40  # the bit of a compressed frame


def inflated(content: bytes) -> bytes:
    """Return the content of a compressed frame (RFC 7692, section 7.2.2), which refers to no earlier frame."""
    return zlib.decompress(content + b"\0\0\xff\xff\x01\0\0\xff\xff", wbits=-15)


class Wire:
    """A replacement for Daphne's protocol, which receives prepared frames and close codes."""

    STATE_OPEN = state = 3
    reason = ""
    deflates = bool(EXTENSIONS)

    def __init__(self, receive: Callable[[dict[str, Any]], None], closed: Callable[[int], None]) -> None:
        self.receive, self.closed = receive, closed

    def send_prepared(self, data: bytes) -> None:
        """Receive complete text frames."""
        while data:
            start = {126: 4, 127: 10}.get(data[1], 2)
            size = data[1] if start == 2 else int.from_bytes(data[2:start], "big")
            content = data[start : start + size]
            self.receive(json.loads(inflated(content) if data[0] & RSV1 else content))
            data = data[start + size :]

    def send_latest(self, _sources: Any, data: bytes) -> None:
        """Receive frames of parts."""
        self.send_prepared(data)

    def sendCloseFrame(self, code: int, reasonUtf8: bytes | None = None) -> None:  # noqa: N802, N803 - autobahn
        """Receive a close code and its reason."""
        self.reason = (reasonUtf8 or b"").decode()
        self.closed(code)
