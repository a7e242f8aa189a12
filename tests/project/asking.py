"""Requests to the site over ASGI, as Daphne sends them, without a network."""

import asyncio
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings

from apps.core.threads import in_thread
from tests.factories import UserFactory
from tests.serving import session_cookie

HOST = urlsplit(settings.PUBLIC_URL).netloc


@dataclass(frozen=True, slots=True)
class Answer:
    """A response. Repeated headers appear more than once."""

    status: int
    headers: list[tuple[str, str]]
    body: bytes

    @property
    def text(self) -> str:
        return self.body.decode()

    def every(self, name: str) -> list[str]:
        return [value for known, value in self.headers if known == name.lower()]

    def header(self, name: str) -> str:
        """Return the only value of this header, or an empty text."""
        values = self.every(name)
        assert len(values) < 2, (name, values)
        return values[0] if values else ""


async def ask(address: str, method: str = "GET", **headers: str) -> Answer:
    """Send one request. A keyword such as `if_none_match` sets the header If-None-Match."""
    from project.asgi import application

    path, _, query = address.partition("?")
    raw = {"host": HOST} | {name.replace("_", "-"): value for name, value in headers.items()}
    sent: list[dict[str, Any]] = []

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    body = iter([{"type": "http.request", "body": b"", "more_body": False}])

    async def receive() -> dict[str, Any]:
        if (message := next(body, None)) is None:
            await asyncio.Event().wait()  # the client stays connected
            raise AssertionError
        return message

    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "scheme": "http",
        "method": method,
        "path": path,
        "raw_path": path.encode(),
        "query_string": query.encode(),
        "root_path": "",
        "headers": [(name.encode(), value.encode()) for name, value in raw.items()],
        "client": ("127.0.0.1", 1),
        "server": ("127.0.0.1", 80),
    }
    await application(scope, receive, send)
    start, *bodies = sent
    received = [(name.decode().lower(), value.decode("latin1")) for name, value in start["headers"]]
    return Answer(start["status"], received, b"".join(message.get("body", b"") for message in bodies))


async def signed_in(factory: Any = UserFactory) -> str:
    """Return the session cookie of a new account."""
    return await in_thread(lambda: session_cookie(factory()))
