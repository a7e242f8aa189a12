"""Answers for machines that look after this process, given before Django's middleware and without its threads."""

import asyncio
import hmac
import time
from collections.abc import Awaitable, Callable
from ipaddress import ip_address
from typing import Any

from django.conf import settings
from django.db import connection
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_1_0_0

from apps.core.threads import in_thread
from project.http.handshake import SOCKET
from project.http.headers import security_headers
from project.limits.rates import DISK_FULL_FOR
from project.observability.metrics import numbers
from project.process.single_flight import once
from project.process.web_process import process
from project.server.prometheus import exposition

PATIENCE = 1.0  # seconds that the database may take to answer
PLAIN = "text/plain; charset=utf-8"
FORWARDED = frozenset({b"forwarded", b"x-forwarded-for", b"x-real-ip"})
METRICS = "/metrics"

Scope = dict[str, Any]
Send = Callable[[dict[str, Any]], Awaitable[None]]
Reply = tuple[int, str, bytes]  # status, content type, body


async def healthz(_scope: Scope) -> Reply:
    """Whether the process answers at all."""
    return 200, PLAIN, b"ok\n"


async def readyz(scope: Scope) -> Reply:
    """Whether the process can serve: 200, or 503 with a word for each thing that speaks against it."""
    found = [*await database_findings(), *disk_findings(), *bus_findings(), *drain_findings(scope)]
    return (503, PLAIN, "".join(f"{word}\n" for word in found).encode()) if found else (200, PLAIN, b"ok\n")


async def metrics(_scope: Scope) -> Reply:
    """Return the process's numbers for Prometheus; those of the database are missing when it does not answer."""
    try:
        usage = await _soon("queue", lambda: _value("SELECT pg_notification_queue_usage()"))
    except Exception:  # noqa: BLE001 - the numbers are wanted most when something is wrong
        usage = None
    return 200, CONTENT_TYPE_PLAIN_1_0_0, exposition(usage)


ANSWERS: dict[str, Callable[[Scope], Awaitable[Reply]]] = {"/healthz": healthz, "/readyz": readyz, METRICS: metrics}


async def database_findings() -> list[str]:
    """`database` unless it answers a query in time; `read-only` when it takes no writes."""
    try:
        read_only = await _soon("ready", lambda: _value("SELECT current_setting('transaction_read_only')"))
    except Exception:  # noqa: BLE001 - whatever is wrong, it is the database
        return ["database"]
    return ["read-only"] if read_only == "on" else []


def disk_findings() -> list[str]:
    """`disk-full` when the database has refused a write of this process for it lately; reads go on."""
    at = numbers.disk_full_at
    return ["disk-full"] if at is not None and time.monotonic() - at < DISK_FULL_FOR else []


def bus_findings() -> list[str]:
    """Return `bus` while its connection is lost.

    With a relay only until the first one: Valkey is then away for all, and no other process serves better.
    """
    bus = process.bus
    return [] if bus.connected.is_set() or (bus.relay and bus.connections) else ["bus"]


def drain_findings(scope: Scope) -> list[str]:
    """`draining` once the server was asked to stop."""
    server = getattr(scope.get("extensions", {}).get(SOCKET), "server", None)
    return [] if server is None or server.ready else ["draining"]


async def _soon(key: str, work: Callable[[], Any]) -> Any:
    """Return what `work` returns; callers while it runs share one run, so that a silent database takes one thread."""
    async with asyncio.timeout(PATIENCE):
        return await once(("health", key), lambda: in_thread(work))


def _value(query: str) -> Any:
    with connection.cursor() as cursor:
        cursor.execute(query)
        (value,) = cursor.fetchone()
    return value


def may_read_numbers(scope: Scope) -> bool:
    """Whether the request comes from this machine, not by a proxy, or has METRICS_TOKEN."""
    headers: list[tuple[bytes, bytes]] = scope["headers"]
    if token := settings.METRICS_TOKEN:
        wanted = f"Bearer {token}".encode()
        if any(name == b"authorization" and hmac.compare_digest(value, wanted) for name, value in headers):
            return True
    return _is_loopback(scope.get("client")) and not any(name in FORWARDED for name, _ in headers)


def _is_loopback(client: Any) -> bool:
    try:
        address = ip_address(client[0])
    except (TypeError, ValueError, IndexError):  # a unix socket: its other end is a proxy
        return False
    return (getattr(address, "ipv4_mapped", None) or address).is_loopback


async def answer_machine(scope: Scope, send: Send) -> bool:
    """Answer what machines ask; False for everything else, which is a page or leads to one."""
    answer = ANSWERS.get(scope["path"])
    if answer is None or (scope["path"] == METRICS and not may_read_numbers(scope)):
        return False
    allow = []
    if scope["method"] in ("GET", "HEAD"):
        status, kind, body = await answer(scope)
    else:
        status, kind, body = 405, PLAIN, b"Method not allowed.\n"
        allow = [(b"allow", b"GET, HEAD")]
    headers = {"Content-Type": kind, "Content-Length": str(len(body)), "Cache-Control": "no-store"}
    pairs = [(k.lower().encode(), v.encode()) for k, v in {**headers, **security_headers()}.items()]
    await send({"type": "http.response.start", "status": status, "headers": [*pairs, *allow]})
    await send({"type": "http.response.body", "body": b"" if scope["method"] == "HEAD" else body})
    return True
