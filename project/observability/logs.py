"""Formats log records without secrets: one JSON object a line in containers, readable text otherwise.

A line names its request or socket, the account and the route. Bodies, cookies, tokens and query strings are removed
from every record.
"""

import json
import logging
import re
import time
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from secrets import token_hex
from typing import Any

from django.conf import settings
from psycopg_pool import PoolTimeout

from apps.core.limits import USER_AGENT_LENGTH
from apps.core.observability import ID_BYTES, RequestContext, address_key, current_context, request_context
from apps.core.text_rules import cut, scrub
from project.limits.rates import LOG_DETAILS, LOG_MESSAGE, LOG_ROUTE
from project.observability.metrics import numbers

access = logging.getLogger("parterre.access")
ID = re.compile(rb"[0-9a-f]{16,32}")
# Clients choose the texts that these patterns read, so matching is linear: possessive quantifiers (`*+`) never
# backtrack, and the lookbehind prevents matches that start within a word.
QUERY = re.compile(r"(?<![^\s?\"'<>])([^\s?\"'<>/]*+/[^\s?\"'<>]*+)\?[^\s\"'<>]++")
HEADER = re.compile(r"(?i)\b(cookie|authorization|set-cookie)\b(['\"]?\s*[:=,]\s*)[^\r\n]+")
NAMED = re.compile(
    r"(?i)(?<![\w-])(?=[\w-]*?(?:token|passw|secret|csrf|session_?key))([\w-]++['\"]?\s*+[:=]\s*+['\"]?)[^\s'\",&})]++"
)
SIGN_IN_ADDRESS = re.compile(r"(/(?:login|register|forgot-password|reset-password|auth|accounts)/)[^\s\"'<>]+")
CONTROLS = {code: f"\\x{code:02x}" for code in (*range(32), *range(127, 160), 0x2028, 0x2029)} | {10: "\\n", 13: "\\r"}
EXTRA_FIELDS = ("code", "ms", "account", "client", "reason", "more")  # optional attributes of a record

Send = Callable[[dict[str, Any]], Awaitable[None]]
App = Callable[[dict[str, Any], Callable[..., Any], Send], Awaitable[None]]


def discreet(text: str, longest: int = LOG_MESSAGE) -> str:
    """Return `text` without queries, cookies, tokens, e-mail addresses and the rest of sign-in paths.

    It is first cut to `longest` characters, because clients choose the length of what they request.
    """
    text = scrub(cut(text, longest))
    return NAMED.sub(r"\1…", SIGN_IN_ADDRESS.sub(r"\1…", HEADER.sub(r"\1\2…", QUERY.sub(r"\1", text))))


def moment(created: float) -> str:
    """Return a record's time in UTC, to the millisecond."""
    return datetime.fromtimestamp(created, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def fields(record: logging.LogRecord) -> dict[str, Any]:
    """Return the record's request, account, route and extra fields, as far as they are known."""
    context = current_context()
    known = {"id": context.request_id, "user": context.user_id, "route": discreet(context.page_url, LOG_ROUTE)}
    extra = {name: getattr(record, name, None) for name in EXTRA_FIELDS}
    return {name: value for name, value in {**known, **extra}.items() if value not in (None, "")}


class Discreet(logging.Formatter):
    """The part that both formatters share."""

    def details(self, record: logging.LogRecord) -> str:
        """Return the record's traceback or stacks, masked; empty if it has none."""
        tracebacks = [self.formatException(record.exc_info)] if record.exc_info and record.exc_info[0] else []
        lines = "\n".join([*tracebacks, *filter(None, [record.stack_info, getattr(record, "stacks", "")])]).split("\n")
        return discreet("\n".join(cut(line, LOG_MESSAGE) for line in lines), LOG_DETAILS)


class Text(Discreet):
    """Formats a record as a readable line with escaped line breaks, followed by its traceback."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line."""
        extra = "".join(f" {name}={str(value).translate(CONTROLS)}" for name, value in fields(record).items())
        message = discreet(record.getMessage()).translate(CONTROLS)
        line = f"{moment(record.created)} {record.levelname} {record.name} {message}{extra}"
        details = self.details(record)
        return f"{line}\n{details}" if details else line


class Json(Discreet):
    """Formats a record as one JSON object on one line."""

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
    """Logs an exhausted connection pool as a warning without a traceback; `/metrics` counts it."""

    def __init__(self, level: str = "NOTSET") -> None:
        super().__init__()
        self.level = logging.getLevelNamesMapping()[level]

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether a handler of this level takes the record, with its level as lowered here."""
        if record.exc_info and is_pool_timeout(record.exc_info[1]):
            record.msg, record.args = f"{record.getMessage()}: no connection came free in time", None
            record.levelno, record.levelname = logging.WARNING, "WARNING"
            record.exc_info = record.exc_text = None
        return record.levelno >= self.level


def is_pool_timeout(error: BaseException | None) -> bool:
    """Whether this error, or one in its chain of causes, is a timeout of the connection pool."""
    while error is not None and not isinstance(error, PoolTimeout):
        error = error.__cause__
    return error is not None


class Stderr(logging.StreamHandler[Any]):
    """Writes to stderr, and drops records that cannot be written, such as on a full disk."""

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 - the name is logging's
        """Drop the record. Upstream would report the failure to the same stream."""


def request_id(headers: list[tuple[bytes, bytes]]) -> str:
    """Return the id that the site's proxy gave the request, or an empty string. Ids of clients are ignored."""
    if not settings.BEHIND_PROXY:
        return ""
    ids = [value for name, value in headers if name == b"x-request-id"]
    return ids[0].decode() if len(ids) == 1 and ID.fullmatch(ids[0]) else ""


def context_of(scope: dict[str, Any]) -> RequestContext:
    """Return the context that log records of this request or socket carry."""
    agent = next((value.decode("latin1") for name, value in scope["headers"] if name == b"user-agent"), "")
    number = request_id(scope["headers"]) or token_hex(ID_BYTES)
    client = address_key(scope.get("client"))
    return RequestContext(scope["path"], agent[:USER_AGENT_LENGTH], None, number, client)


async def with_request_log(app: App, scope: dict[str, Any], receive: Callable[..., Any], send: Send) -> None:
    """Let `app` answer one request. Adds the request id to the response, counts it and writes an access log line."""
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
