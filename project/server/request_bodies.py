"""Bodies of HTTP requests: bounded by address while they arrive, and never parsed on the event loop."""

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
    """Return how many bytes a body for this address may have; only a browser with a session sends a large one."""
    if settings.SESSION_COOKIE_NAME.encode() not in cookies:
        return BODY_BYTES
    return LARGE_BODIES.get(path.partition(b"?")[0].decode("latin1"), BODY_BYTES)


class BoundedRequest(WebRequest):  # type: ignore[misc]  # Daphne has no types
    """A request whose body is refused before it is read when it is too long, and is left to the application otherwise.

    Stock Twisted stores a body of any length and parses every form that is posted, on the event loop: megabytes of
    newlines, or parts nested in parts, hold it for seconds.
    """

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments, parsePOSTFormSubmission=False)
        self.room = BODY_BYTES  # bytes that may still come
        self.is_refused = False

    def gotLength(self, length: int | None) -> None:  # noqa: N802 - Twisted's name
        """Refuse a body that says that it is too long."""
        self.room = body_limit(self.channel._path, self.received_cookies)  # noqa: SLF001 - the request has none yet
        super().gotLength(length)
        if length is not None and length > self.room:
            self._refuse()

    def handleContentChunk(self, data: bytes) -> None:  # noqa: N802 - Twisted's name
        """Store a piece of the body; refuse one without a length that becomes too long."""
        self.room -= len(data)
        if self.is_refused:
            return
        if self.room < 0:
            self._refuse()
        else:
            super().handleContentChunk(data)

    def requestReceived(self, command: bytes, path: bytes, version: bytes) -> None:  # noqa: N802 - Twisted's name
        """Begin to answer, unless that was done."""
        if not self.is_refused:
            super().requestReceived(command, path, version)

    def _refuse(self) -> None:
        """Answer now. What still comes is dropped for a moment, since a reset would take the answer from the client."""
        self.is_refused = True
        self.requestHeaders.removeHeader(b"Expect")  # Twisted would ask for the body
        transport = self.channel.transport
        transport.write(REFUSAL)
        transport.loseWriteConnection()
        later(BODY_REFUSAL_LINGER, transport.abortConnection)
