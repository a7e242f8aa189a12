"""Request bodies: limited by path while they arrive, and never parsed on the event loop.

A body that cannot be stored, such as on a full disk, is answered 503: while it arrives, when Django reads it
(`project/http/unstored_bodies.py`), and when Django stores its files (`project/http/errors.py`).
"""

import logging
from collections.abc import Callable
from contextlib import suppress
from typing import Any, cast

from daphne.http_protocol import WebRequest
from django.conf import settings
from twisted.internet import reactor

from project.http.unstored_bodies import NOT_STORED
from project.http.upload_pages import too_large_page
from project.limits.rates import BODY_BYTES, BODY_REFUSAL_LINGER, LARGE_BODIES

later: Callable[..., Any] = cast("Any", reactor).callLater
log = logging.getLogger(__name__)
_RESPONSE = (
    b"HTTP/1.1 %b\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n"
    b"Content-Length: %d\r\nX-Content-Type-Options: nosniff\r\nCache-Control: no-store\r\n\r\n%b"
)
SENTENCE = b"This is too long to be sent.\n"
REFUSAL = _RESPONSE % (b"413 Request Entity Too Large", len(SENTENCE), SENTENCE)
_REDIRECT = b"HTTP/1.1 303 See Other\r\nLocation: %b\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
NOT_STORED_RESPONSE = _RESPONSE % (b"503 Service Unavailable", len(NOT_STORED), NOT_STORED)


def body_limit(path: bytes, cookies: "dict[bytes, bytes]") -> int:
    """Return the largest body for this path, in bytes. Only a browser with a session may send a large one."""
    if not _has_session(cookies):
        return BODY_BYTES
    return LARGE_BODIES.get(path.partition(b"?")[0].decode("latin1"), BODY_BYTES)


def _has_session(cookies: "dict[bytes, bytes]") -> bool:
    return settings.SESSION_COOKIE_NAME.encode() in cookies


class BoundedRequest(WebRequest):  # type: ignore[misc]  # Daphne has no types
    """A request that refuses a body above its limit early, and leaves all parsing to the application.

    Upstream Twisted stores bodies of any length and parses posted forms on the event loop. Megabytes of newlines, or
    nested multipart bodies, would block the loop for seconds.
    """

    content: Any  # Twisted's file of the body; None before its length is known

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments, parsePOSTFormSubmission=False)
        self.room = BODY_BYTES  # bytes that may still arrive
        self.is_refused = False

    def gotLength(self, length: int | None) -> None:  # noqa: N802 - Twisted's name
        """Set the limit, and refuse a body with a Content-Length above it."""
        self.room = body_limit(self.channel._path, self.received_cookies)  # noqa: SLF001 - its own path is not set yet
        self._stored(lambda: super(BoundedRequest, self).gotLength(length))
        if length is not None and length > self.room and not self.is_refused:
            self._too_large()

    def handleContentChunk(self, data: bytes) -> None:  # noqa: N802 - Twisted's name
        """Store a chunk of the body. Refuse a body without Content-Length once it exceeds the limit."""
        self.room -= len(data)
        if self.is_refused:
            return
        if self.room < 0:
            self._too_large()
        else:
            self._stored(lambda: super(BoundedRequest, self).handleContentChunk(data))

    def requestReceived(self, command: bytes, path: bytes, version: bytes) -> None:  # noqa: N802 - Twisted's name
        """Start the application unless the body was refused."""
        if not self.is_refused and self.content is not None:
            self._stored(self.content.flush)
        if not self.is_refused:
            super().requestReceived(command, path, version)

    def _too_large(self) -> None:
        """Answer 413; a file that an administrator sent leads to its page, which says so in the site's frame."""
        path = self.channel._path  # noqa: SLF001 - its own path is not set yet
        page = too_large_page(path, has_session=_has_session(self.received_cookies))
        self._refuse(_REDIRECT % page.encode() if page else REFUSAL)

    def _stored(self, store: Callable[[], object]) -> None:
        """Store a part of the body, or answer 503 if that fails."""
        try:
            store()
        except OSError as error:
            log.error("a request body could not be stored (%s)", error)  # noqa: TRY400 - the traceback tells no more
            if self.content is not None:
                with suppress(OSError):
                    self.content.close()
                self.content = None
            self._refuse(NOT_STORED_RESPONSE)

    def _refuse(self, response: bytes) -> None:
        """Answer at once.

        Incoming data is read and dropped for a moment, because a reset would discard the answer.
        """
        self.is_refused = True
        self.requestHeaders.removeHeader(b"Expect")  # otherwise Twisted would send 100 Continue
        transport = self.channel.transport
        transport.write(response)
        transport.loseWriteConnection()
        later(BODY_REFUSAL_LINGER, transport.abortConnection)
