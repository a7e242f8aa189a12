"""Request bodies: limited by path while they arrive, and never parsed on the event loop."""

from collections.abc import Callable
from typing import Any, cast

from daphne.http_protocol import WebRequest
from django.conf import settings
from twisted.internet import reactor

from project.limits.rates import BODY_BYTES, BODY_REFUSAL_LINGER, LARGE_BODIES

later: Callable[..., Any] = cast("Any", reactor).callLater
SENTENCE = b"This is too long to be sent.\n"
REFUSAL = (
    b"HTTP/1.1 413 Request Entity Too Large\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n"
    b"Content-Length: %d\r\nX-Content-Type-Options: nosniff\r\nCache-Control: no-store\r\n\r\n%b"
    % (len(SENTENCE), SENTENCE)
)


def body_limit(path: bytes, cookies: "dict[bytes, bytes]") -> int:
    """Return the largest body for this path, in bytes. Only a browser with a session may send a large one."""
    if settings.SESSION_COOKIE_NAME.encode() not in cookies:
        return BODY_BYTES
    return LARGE_BODIES.get(path.partition(b"?")[0].decode("latin1"), BODY_BYTES)


class BoundedRequest(WebRequest):  # type: ignore[misc]  # Daphne has no types
    """A request that refuses a body above its limit early, and leaves all parsing to the application.

    Upstream Twisted stores bodies of any length and parses posted forms on the event loop. Megabytes of newlines, or
    nested multipart bodies, would block the loop for seconds.
    """

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments, parsePOSTFormSubmission=False)
        self.room = BODY_BYTES  # bytes that may still arrive
        self.is_refused = False

    def gotLength(self, length: int | None) -> None:  # noqa: N802 - Twisted's name
        """Set the limit, and refuse a body with a Content-Length above it."""
        self.room = body_limit(self.channel._path, self.received_cookies)  # noqa: SLF001 - its own path is not set yet
        super().gotLength(length)
        if length is not None and length > self.room:
            self._refuse()

    def handleContentChunk(self, data: bytes) -> None:  # noqa: N802 - Twisted's name
        """Store a chunk of the body. Refuse a body without Content-Length once it exceeds the limit."""
        self.room -= len(data)
        if self.is_refused:
            return
        if self.room < 0:
            self._refuse()
        else:
            super().handleContentChunk(data)

    def requestReceived(self, command: bytes, path: bytes, version: bytes) -> None:  # noqa: N802 - Twisted's name
        """Start the application unless the body was refused."""
        if not self.is_refused:
            super().requestReceived(command, path, version)

    def _refuse(self) -> None:
        """Answer 413 at once.

        Incoming data is read and dropped for a moment, because a reset would discard the answer.
        """
        self.is_refused = True
        self.requestHeaders.removeHeader(b"Expect")  # otherwise Twisted would send 100 Continue
        transport = self.channel.transport
        transport.write(REFUSAL)
        transport.loseWriteConnection()
        later(BODY_REFUSAL_LINGER, transport.abortConnection)
