"""The numbers of `/metrics`, collected when it is requested."""

import asyncio
from collections.abc import Iterator
from typing import Protocol, cast

from django.db import connection
from prometheus_client import CollectorRegistry, GCCollector, PlatformCollector, ProcessCollector, generate_latest
from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    Metric,
    SummaryMetricFamily,
)
from prometheus_client.registry import Collector

from apps.core.database.standby import standby
from apps.core.observability.times import BOUNDS, Times
from project.database.outage import outage
from project.http.page_cache import page_cache
from project.observability.metrics import layouts, numbers
from project.process.web_process import process

PREFIX = "parterre"


class Pool(Protocol):
    """The statistics of psycopg's pool."""

    def get_stats(self) -> dict[str, int]:
        """Return its counters by name; those that are zero may be missing."""


def gauge(name: str, text: str, value: float) -> Metric:
    """Return a number that goes up and down."""
    return GaugeMetricFamily(f"{PREFIX}_{name}", text, value=value)


def counter(name: str, text: str, value: float) -> Metric:
    """Return a number that only grows; `_total` is added to its name."""
    return CounterMetricFamily(f"{PREFIX}_{name}", text, value=value)


def counters(name: str, text: str, label: str, values: dict[str, int]) -> Metric:
    """Numbers that only grow, told apart by a label."""
    family = CounterMetricFamily(f"{PREFIX}_{name}", text, labels=[label])
    for value, number in values.items():
        family.add_metric([value], number)
    return family


def histogram(name: str, text: str, times: Times) -> Metric:
    """Times by size, each step with all that were shorter."""
    with times.lock:
        counts, total = list(times.counts), times.total
    steps, seen = [], 0
    for bound, count in zip([*map(str, BOUNDS), "+Inf"], counts, strict=True):
        seen += count
        steps.append((bound, float(seen)))
    return HistogramMetricFamily(f"{PREFIX}_{name}_seconds", text, buckets=steps, sum_value=total)


class Site(Collector):
    """Everything that only this site has."""

    def __init__(self, queue_usage: float | None) -> None:
        self.queue_usage = queue_usage  # None when the database did not say

    def collect(self) -> Iterator[Metric]:
        """Every number with its name."""
        yield from self.viewers()
        yield from self.work()
        yield from self.bus()
        yield from self.pool()
        yield from self.in_memory()

    def viewers(self) -> Iterator[Metric]:
        """Yield the open, opened and closed sockets."""
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
        """What was done, and how long it took."""
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
        reads = {"standby": standby.reads[True], "primary": standby.reads[False]}
        yield counters("reads_elsewhere", "Reads that may be made at the standby, by where they were.", "at", reads)
        yield histogram("loop_lag", "How late the event loop comes to its heartbeat.", numbers.lag)
        yield histogram("collection", "One garbage collection, which holds all threads.", numbers.collection)
        yield counter("loop_blocked", "Times that the event loop stood still for over a second.", numbers.blocked)

    def bus(self) -> Iterator[Metric]:
        """How the live bus is."""
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
        """Who waited how long for a connection, and who got none."""
        yield gauge("database_away", "1 while no connection to the database can be had.", outage.away)
        yield counter("disk_full", "Writes that the database refused because its disk is full.", numbers.disk_full)
        stats = cast("Pool", connection.pool).get_stats()  # type: ignore[attr-defined]  # the stubs know of no pool
        waited = stats.get("requests_wait_ms", 0) / 1000
        asked = stats.get("requests_num", 0)
        text = "Waits for a database connection; those at once count with 0."
        yield SummaryMetricFamily(f"{PREFIX}_pool_wait_seconds", text, count_value=asked, sum_value=waited)
        yield counter("pool_refused", "Waits that ended without a connection.", stats.get("requests_errors", 0))
        yield gauge("pool_connections", "Connections of the pool.", stats.get("pool_size", 0))
        yield gauge("pool_waiting", "Threads that wait for a connection now.", stats.get("requests_waiting", 0))

    def in_memory(self) -> Iterator[Metric]:
        """What is kept in memory."""
        yield gauge("layouts", "Layouts that are not freed.", len(layouts))
        yield gauge("tasks", "Tasks of the event loop.", len(asyncio.all_tasks()))
        yield gauge("parts", "Shared parts held.", len(process.parts.live))
        yield gauge("cached_pages", "Public pages in the page cache.", len(page_cache.entries))


def exposition(queue_usage: float | None) -> bytes:
    """Return all numbers in Prometheus' text format."""
    registry = CollectorRegistry()
    ProcessCollector(registry=registry)
    PlatformCollector(registry=registry)
    GCCollector(registry=registry)
    registry.register(Site(queue_usage))
    return generate_latest(registry)
