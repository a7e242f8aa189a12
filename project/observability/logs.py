"""How records become lines: one JSON object each in containers, readable elsewhere, and never with what is secret.

A line names the request or socket it belongs to, whose it is and where; bodies, cookies, tokens and everything after a
question mark stay out, whoever logs.
"""

import json
import logging
import re
import time
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from typing import Any

from django.conf import settings
from psycopg_pool import PoolTimeout

from apps.core.observability import RequestContext, address_key, current_context, request_context
from apps.core.text_rules import cut, scrub
from project.limits.rates import LOG_DETAILS, LOG_MESSAGE, LOG_ROUTE
from project.observability.metrics import numbers

access = logging.getLogger("parterre.access")
ID = re.compile(rb"[0-9a-f]{16,32}")
# Strangers choose what these read: each reads a text once, whatever it repeats. Nothing is tried again from within a
# word (the look behind), and what was taken is not given back (`*+`).
QUERY = re.compile(r"(?<![^\s?\"'<>])([^\s?\"'<>/]*+/[^\s?\"'<>]*+)\?[^\s\"'<>]++")
HEADER = re.compile(r"(?i)\b(cookie|authorization|set-cookie)\b(['\"]?\s*[:=,]\s*)[^\r\n]+")
NAMED = re.compile(
    r"(?i)(?<![\w-])(?=[\w-]*?(?:token|passw|secret|csrf|session_?key))([\w-]++['\"]?\s*+[:=]\s*+['\"]?)[^\s'\",&})]++"
)
SIGN_IN_ADDRESS = re.compile(r"(/(?:login|register|forgot-password|reset-password|auth|accounts)/)[^\s\"'<>]+")
CONTROLS = {code: f"\\x{code:02x}" for code in (*range(32), *range(127, 160), 0x2028, 0x2029)} | {10: "\\n", 13: "\\r"}
EXTRA_FIELDS = ("code", "ms", "account", "client", "reason", "more")  # what a record may bring along

Send = Callable[[dict[str, Any]], Awaitable[None]]
App = Callable[[dict[str, Any], Callable[..., Any], Send], Awaitable[None]]


def discreet(text: str, longest: int = LOG_MESSAGE) -> str:
    """Return `text` without queries, cookies, tokens, e-mail addresses, and what follows in sign-in addresses.

    It is cut to `longest` characters first: who asks for something chooses how long its line in the log would be.
    """
    text = scrub(cut(text, longest))
    return NAMED.sub(r"\1…", SIGN_IN_ADDRESS.sub(r"\1…", HEADER.sub(r"\1\2…", QUERY.sub(r"\1", text))))


def moment(created: float) -> str:
    """Return a record's time in UTC, to the millisecond."""
    return datetime.fromtimestamp(created, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def fields(record: logging.LogRecord) -> dict[str, Any]:
    """Return a record's request, account, route and extra fields, those that are known."""
    context = current_context()
    known = {"id": context.request_id, "user": context.user_id, "route": discreet(context.page_url, LOG_ROUTE)}
    extra = {name: getattr(record, name, None) for name in EXTRA_FIELDS}
    return {name: value for name, value in {**known, **extra}.items() if value not in (None, "")}


class Discreet(logging.Formatter):
    """What both forms share."""

    def details(self, record: logging.LogRecord) -> str:
        """Return the traceback or the stacks that belong to a record, if any."""
        found = [self.formatException(record.exc_info)] if record.exc_info and record.exc_info[0] else []
        lines = "\n".join([*found, *filter(None, [record.stack_info, getattr(record, "stacks", "")])]).split("\n")
        return discreet("\n".join(cut(line, LOG_MESSAGE) for line in lines), LOG_DETAILS)


class Text(Discreet):
    """Formats a record as a readable line, with a traceback below it; line breaks in it are escaped."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line."""
        extra = "".join(f" {name}={str(value).translate(CONTROLS)}" for name, value in fields(record).items())
        message = discreet(record.getMessage()).translate(CONTROLS)
        line = f"{moment(record.created)} {record.levelname} {record.name} {message}{extra}"
        details = self.details(record)
        return f"{line}\n{details}" if details else line


class Json(Discreet):
    """One JSON object in one line."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line."""
        line = {
            "time": moment(record.created),
            "level": record.levelname,
            "logger": record.name,
            "message": discreet(record.getMessage()),
            **fields(record),
        }
        if details := self.details(record):
            line["exception" if record.exc_info else "stacks"] = details
        return json.dumps(line, ensure_ascii=False, default=str)


class PoolTimeouts(logging.Filter):
    """Makes a warning without a traceback of whatever failed because the pool had no connection; see `/metrics`."""

    def __init__(self, level: str = "NOTSET") -> None:
        super().__init__()
        self.level = logging.getLevelNamesMapping()[level]

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether the record, as it is now, is for a handler of this level."""
        if record.exc_info and is_pool_timeout(record.exc_info[1]):
            record.msg, record.args = f"{record.getMessage()}: no connection came free in time", None
            record.levelno, record.levelname = logging.WARNING, "WARNING"
            record.exc_info = record.exc_text = None
        return record.levelno >= self.level


def is_pool_timeout(error: BaseException | None) -> bool:
    """Whether this error, or what caused it, is that the pool had no connection."""
    while error is not None and not isinstance(error, PoolTimeout):
        error = error.__cause__
    return error is not None


class Stderr(logging.StreamHandler[Any]):
    """Writes to the standard error output; what cannot be written, for a full disk, is left out."""

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 - the name is logging's
        """Leave out what cannot be written: stock would try to write about it, to the same place."""


def request_id(headers: list[tuple[bytes, bytes]]) -> str:
    """Return the number that our proxy gave the request, or an empty text; clients' own numbers are not believed."""
    if not settings.BEHIND_PROXY:
        return ""
    ids = [value for name, value in headers if name == b"x-request-id"]
    return ids[0].decode() if len(ids) == 1 and ID.fullmatch(ids[0]) else ""


def context_of(scope: dict[str, Any]) -> RequestContext:
    """Whom the records of this request or socket will name."""
    client = address_key(scope.get("client"))
    return RequestContext.of(scope["headers"], scope["path"], None, request_id(scope["headers"]), client)


async def with_request_log(app: App, scope: dict[str, Any], receive: Callable[..., Any], send: Send) -> None:
    """Let `app` answer one request; its number goes with the answer, and a line into the log."""
    context, begun, status = context_of(scope), time.perf_counter(), 0
    number = (b"x-request-id", context.request_id.encode())

    async def request_id_header(message: dict[str, Any]) -> None:
        nonlocal status
        if message["type"] == "http.response.start":
            status = message["status"]
            message = {**message, "headers": [*message["headers"], number]}
        else:
            numbers.page_bytes += len(message.get("body", b""))
        await send(message)

    with request_context(context):
        try:
            await app(scope, receive, request_id_header)
        finally:
            seconds = time.perf_counter() - begun
            numbers.requests[status] += 1
            numbers.request.observe(seconds)
            extra = {"code": status, "ms": round(seconds * 1000, 1)}
            access.info(scope["method"], extra=extra)
