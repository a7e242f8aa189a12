"""Health checks and metrics, answered before Django's middleware and without its threads."""

import asyncio
import hmac
import time
from collections.abc import Awaitable, Callable, Iterator
from ipaddress import ip_address
from typing import Any, Protocol, cast

from django.conf import settings
from django.db import connection
from prometheus_client import CollectorRegistry, GCCollector, PlatformCollector, ProcessCollector, generate_latest
from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    Metric,
    SummaryMetricFamily,
)
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_1_0_0
from prometheus_client.registry import Collector

from apps.core.observability import BOUNDS, Times, row_limit
from apps.core.scale.replica import replica
from apps.core.threads import in_thread
from project.database.outage import outage
from project.http.middleware import SOCKET, security_headers
from project.http.page_cache import page_cache
from project.limits.rates import DISK_FULL_FOR
from project.observability.metrics import layouts, numbers
from project.process.web_process import once, process

PREFIX = "parterre"


class Pool(Protocol):
    """The statistics of psycopg's connection pool."""

    def get_stats(self) -> dict[str, int]:
        """Return the counters by name; zero counters may be missing."""


def gauge(name: str, text: str, value: float) -> Metric:
    """Return a gauge of this name."""
    return GaugeMetricFamily(f"{PREFIX}_{name}", text, value=value)


def counter(name: str, text: str, value: float) -> Metric:
    """Return a counter of this name, to which Prometheus adds `_total`."""
    return CounterMetricFamily(f"{PREFIX}_{name}", text, value=value)


def counters(name: str, text: str, label: str, values: dict[str, int]) -> Metric:
    """Return a counter with one series for each value of `label`."""
    family = CounterMetricFamily(f"{PREFIX}_{name}", text, labels=[label])
    for value, number in values.items():
        family.add_metric([value], number)
    return family


def histogram(name: str, text: str, times: Times) -> Metric:
    """Return a histogram of durations in seconds, with cumulative buckets."""
    with times.lock:
        counts, total = list(times.counts), times.total
    steps, seen = [], 0
    for bound, count in zip([*map(str, BOUNDS), "+Inf"], counts, strict=True):
        seen += count
        steps.append((bound, float(seen)))
    return HistogramMetricFamily(f"{PREFIX}_{name}_seconds", text, buckets=steps, sum_value=total)


class Site(Collector):
    """Collects the metrics of this site, besides those of Python and the process."""

    def __init__(self, queue_usage: float | None) -> None:
        self.queue_usage = queue_usage  # None if the database did not answer

    def collect(self) -> Iterator[Metric]:
        """Yield all metrics of the site."""
        yield from self.viewers()
        yield from self.work()
        yield from self.bus()
        yield from self.pool()
        yield from self.in_memory()

    def viewers(self) -> Iterator[Metric]:
        """Yield the metrics of sockets: open, opened, closed and waiting."""
        known = sum(process.connection_limits.accounts.values())
        family = GaugeMetricFamily(f"{PREFIX}_viewers", "Open sockets.", labels=["signed_in"])
        family.add_metric(["yes"], known)
        family.add_metric(["no"], max(0, numbers.opened - numbers.closed.total() - known))
        yield family
        yield counter("sockets_opened", "Sockets that were opened.", numbers.opened)
        yield counters("sockets_closed", "Sockets that were closed.", "code", dict(numbers.closed))
        yield counter("reconnects", "Sockets of browsers that had lost one.", numbers.reconnects)
        yield counter("slow_closed", "Sockets cut because their reader was too slow.", numbers.slow_closed)
        yield counter("flood_closed", "Sockets closed because they sent too much.", numbers.flood_closed)
        yield gauge("admission_waiting", "Sockets that wait for their first render.", process.render_admission.waiting)

    def work(self) -> Iterator[Metric]:
        """Yield the metrics of requests, frames, renders, queries and the event loop."""
        statuses = {str(status): number for status, number in numbers.requests.items()}
        yield counters("requests", "HTTP requests without static files.", "code", statuses)
        yield histogram("request", "Answering such a request.", numbers.request)
        yield counter("deliveries", "Frames of shared parts to sockets that show them.", process.parts.deliveries)
        yield counter("updates", "Frames with updates of one viewer's page.", numbers.updates)
        sizes = {"pages": numbers.page_bytes, "parts": process.parts.bytes_out, "updates": numbers.update_bytes}
        yield counters("bytes_out", "Bytes for browsers, without static files.", "what", sizes)
        yield histogram("render", "First render of a page, in a page view or for a socket.", numbers.render)
        yield histogram("part_refresh", "Reading, rendering and encoding of a shared part.", process.parts.refresh)
        yield gauge(
            "part_reads_waiting", "Reads of watched parts that wait for a thread.", process.part_threads.waiting
        )
        yield histogram("query", "One query.", numbers.query)
        reads = {"replica": replica.reads[True], "primary": replica.reads[False]}
        yield counters("reads_from_replica", "Reads that the replica may serve, by the server that did.", "at", reads)
        yield histogram("loop_lag", "How late the event loop comes to its heartbeat.", numbers.lag)
        yield histogram("collection", "One garbage collection, which holds all threads.", numbers.collection)
        yield counter("loop_blocked", "Times that the event loop stood still for over a second.", numbers.blocked)

    def bus(self) -> Iterator[Metric]:
        """Yield the metrics of the bus, and of its relay if there is one."""
        bus = process.bus
        yield gauge("bus_connected", "1 while this process hears the database.", bus.connected.is_set())
        yield counter("bus_notifications", "Changes heard.", bus.heard)
        yield counter("bus_reconnects", "Connections of the bus after its first.", max(0, bus.connections - 1))
        if relay := bus.relay:
            silence = "Seconds since this process last heard the relay."
            yield gauge("bus_relay", "1 while this process listens to the database for all.", relay.is_elected)
            yield gauge("bus_relay_silence_seconds", silence, relay.carrier.silence())
        if self.queue_usage is not None:
            yield gauge("notify_queue_usage", "Share of PostgreSQL's queue in use; alarm at 0.01.", self.queue_usage)

    def pool(self) -> Iterator[Metric]:
        """Yield the metrics of the database and its connection pool."""
        yield gauge("database_away", "1 while no connection to the database can be had.", outage.away)
        yield counter("errors_beyond", "Errors without a row of their own in the error log.", row_limit.beyond)
        yield counter("disk_full", "Writes that the database refused because its disk is full.", numbers.disk_full)
        stats = cast("Pool", connection.pool).get_stats()  # type: ignore[attr-defined]  # the stubs lack the pool
        waited = stats.get("requests_wait_ms", 0) / 1000
        asked = stats.get("requests_num", 0)
        text = "Waits for a database connection; those at once count with 0."
        yield SummaryMetricFamily(f"{PREFIX}_pool_wait_seconds", text, count_value=asked, sum_value=waited)
        yield counter("pool_refused", "Waits that ended without a connection.", stats.get("requests_errors", 0))
        yield gauge("pool_connections", "Connections of the pool.", stats.get("pool_size", 0))
        yield gauge("pool_waiting", "Threads that wait for a connection now.", stats.get("requests_waiting", 0))

    def in_memory(self) -> Iterator[Metric]:
        """Yield the metrics of objects held in memory."""
        yield gauge("layouts", "Layouts that are not freed.", len(layouts))
        yield gauge("tasks", "Tasks of the event loop.", len(asyncio.all_tasks()))
        yield gauge("parts", "Shared parts held.", len(process.parts.live))
        yield gauge("cached_pages", "Public pages in the page cache.", len(page_cache.entries))


def exposition(queue_usage: float | None) -> bytes:
    """Return all metrics in Prometheus' text format."""
    registry = CollectorRegistry()
    ProcessCollector(registry=registry)
    PlatformCollector(registry=registry)
    GCCollector(registry=registry)
    registry.register(Site(queue_usage))
    return generate_latest(registry)


PATIENCE = 1.0  # seconds that the database has to answer
PLAIN = "text/plain; charset=utf-8"
FORWARDED = frozenset({b"forwarded", b"x-forwarded-for", b"x-real-ip"})
METRICS = "/metrics"

Scope = dict[str, Any]
Send = Callable[[dict[str, Any]], Awaitable[None]]
Reply = tuple[int, str, bytes]  # status, content type, body


async def healthz(_scope: Scope) -> Reply:
    """Answer 200: the process and its event loop run."""
    return 200, PLAIN, b"ok\n"


async def readyz(scope: Scope) -> Reply:
    """Answer 200 if the process can serve, else 503 with one word for each problem."""
    problems = [*await database_findings(), *disk_findings(), *bus_findings(), *drain_findings(scope)]
    return (503, PLAIN, "".join(f"{word}\n" for word in problems).encode()) if problems else (200, PLAIN, b"ok\n")


async def metrics(_scope: Scope) -> Reply:
    """Return the metrics for Prometheus, without the database's queue usage if the database does not answer."""
    try:
        usage = await _soon("queue", lambda: _value("SELECT pg_notification_queue_usage()"))
    except Exception:  # noqa: BLE001 - the metrics matter most during a failure
        usage = None
    return 200, CONTENT_TYPE_PLAIN_1_0_0, exposition(usage)


ANSWERS: dict[str, Callable[[Scope], Awaitable[Reply]]] = {"/healthz": healthz, "/readyz": readyz, METRICS: metrics}


async def database_findings() -> list[str]:
    """Return `database` unless it answers a query in time, `read-only` if it accepts no writes."""
    try:
        read_only = await _soon("ready", lambda: _value("SELECT current_setting('transaction_read_only')"))
    except Exception:  # noqa: BLE001 - any failure here is the database's
        return ["database"]
    return ["read-only"] if read_only == "on" else []


def disk_findings() -> list[str]:
    """Return `disk-full` if the database refused a write of this process within DISK_FULL_FOR; reads still work."""
    at = numbers.disk_full_at
    return ["disk-full"] if at is not None and time.monotonic() - at < DISK_FULL_FOR else []


def bus_findings() -> list[str]:
    """Return `bus` while the bus is disconnected.

    With a relay only until its first connection: afterwards a lost Valkey affects all processes alike, and none serves
    better.
    """
    bus = process.bus
    return [] if bus.connected.is_set() or (bus.relay and bus.connections) else ["bus"]


def drain_findings(scope: Scope) -> list[str]:
    """Return `draining` after the server has received a stop signal."""
    server = getattr(scope.get("extensions", {}).get(SOCKET), "server", None)
    return [] if server is None or server.ready else ["draining"]


async def _soon(key: str, work: Callable[[], Any]) -> Any:
    """Return the result of `work` within PATIENCE.

    Concurrent callers share one run, so that a hanging database blocks one thread.
    """
    async with asyncio.timeout(PATIENCE):
        return await once(("health", key), lambda: in_thread(work))


def _value(query: str) -> Any:
    with connection.cursor() as cursor:
        cursor.execute(query)
        (value,) = cursor.fetchone()
    return value


def may_read_numbers(scope: Scope) -> bool:
    """Whether the request may read the metrics: it comes from this machine without a proxy, or has METRICS_TOKEN."""
    headers: list[tuple[bytes, bytes]] = scope["headers"]
    if token := settings.METRICS_TOKEN:
        wanted = f"Bearer {token}".encode()
        if any(name == b"authorization" and hmac.compare_digest(value, wanted) for name, value in headers):
            return True
    return _is_loopback(scope.get("client")) and not any(name in FORWARDED for name, _ in headers)


def _is_loopback(client: Any) -> bool:
    try:
        address = ip_address(client[0])
    except (TypeError, ValueError, IndexError):  # a unix socket, with a proxy at the other end
        return False
    return (getattr(address, "ipv4_mapped", None) or address).is_loopback


async def answer_machine(scope: Scope, send: Send) -> bool:
    """Answer a health check or a metrics request. Returns False for any other path, which is left to the site."""
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
