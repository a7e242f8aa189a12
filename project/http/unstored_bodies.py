"""Bodies of requests that cannot be stored, such as on a full disk: they are answered 503 with a sentence."""

import errno
import logging
from typing import Any

from django.core.handlers.asgi import ASGIHandler

log = logging.getLogger(__name__)
FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}  # of a disk, a quota, or a limit of files
NOT_STORED = b"This could not be stored, because the site's disk is full. Please try again later.\n"
NOT_STORED_HEADERS = [
    *((b"content-type", b"text/plain; charset=utf-8"), (b"x-content-type-options", b"nosniff")),
    *((b"cache-control", b"no-store"), (b"content-length", b"%d" % len(NOT_STORED))),
]


class _NotStoredError(Exception):
    """Django could not store the body of a request."""


class BodyHandler(ASGIHandler):
    """Django's handler. It answers 503 if it cannot store a body; upstream cuts the connection."""

    async def read_body(self, receive: Any) -> Any:
        """Return the body as a file. Raises _NotStoredError."""
        try:
            return await super().read_body(receive)
        except OSError as error:
            raise _NotStoredError from error

    async def handle(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer a request."""
        try:
            await super().handle(scope, receive, send)
        except _NotStoredError as error:
            log.error("a request body could not be stored (%s)", error.__cause__)  # noqa: TRY400 - the traceback tells no more
            await send({"type": "http.response.start", "status": 503, "headers": NOT_STORED_HEADERS})
            await send({"type": "http.response.body", "body": NOT_STORED})
