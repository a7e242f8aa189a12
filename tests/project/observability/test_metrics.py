"""The metrics that `/metrics` returns."""

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import psycopg
import pytest
from django.db import connection
from prometheus_client.parser import text_string_to_metric_families

from apps.core import observability as times_counted
from apps.core.observability import BOUNDS, Times
from apps.core.scale.valkey import SILENCE
from project.observability.metrics import CLOSE_CODES, Numbers
from project.process.web_process import process
from tests import waiting
from tests.e2e import content
from tests.e2e.server import Server
from tests.project.asking import ask
from tests.project.relay import relay
from tests.project.small import Small, small_site, small_site_in_thread
from tests.servers import CLOSE, LOST, Socket, request
from tests.serving import serving
from tests.valkey import serving as valkey_serving

NAMES = {
    "viewers", "sockets_opened", "sockets_closed", "reconnects", "slow_closed", "flood_closed", "admission_waiting",
    "requests", "request_seconds", "deliveries", "updates", "bytes_out", "render_seconds", "part_refresh_seconds",
    "query_seconds", "collection_seconds", "loop_lag_seconds", "loop_blocked", "bus_connected", "bus_notifications",
    "bus_reconnects", "notify_queue_usage", "pool_wait_seconds", "pool_refused", "pool_connections", "pool_waiting",
    "layouts", "tasks", "parts", "cached_pages", "part_reads_waiting", "database_away", "disk_full", "errors_beyond",
    "reads_from_replica",
}  # fmt: skip


def samples(answer: bytes) -> dict[str, float]:
    """Return the site's and the process's metrics, by name and labels."""
    text = answer.partition(b"\r\n\r\n")[2] or answer
    return {
        sample.name.removeprefix("parterre_") + "".join(f" {value}" for value in sample.labels.values()): sample.value
        for family in text_string_to_metric_families(text.decode())
        for sample in family.samples
    }


async def numbers_of(server: Server) -> dict[str, float]:
    """Return the current metrics of the process."""
    status, answer = await request(server, "/metrics")
    assert status == 200
    return samples(answer)


async def until(server: Server, holds: Callable[[dict[str, float]], bool]) -> dict[str, float]:
    """Wait until the condition is true, and return the metrics."""

    async def numbers() -> dict[str, float] | None:
        return now if holds(now := await numbers_of(server)) else None

    return dict(await waiting.until(numbers, "the metrics satisfy the condition"))


def test_times_are_counted_by_size(monkeypatch: pytest.MonkeyPatch) -> None:
    moments = iter([7.0, 7.25])
    monkeypatch.setattr(times_counted, "time", SimpleNamespace(perf_counter=lambda: next(moments)))
    times = Times()
    for seconds in (0.0001, BOUNDS[0], 0.003, 11.0):
        times.observe(seconds)
    with pytest.raises(ZeroDivisionError), times.measure():
        raise ZeroDivisionError
    assert times.counts[0] == 2
    assert times.counts[BOUNDS.index(0.005)] == 1
    assert times.counts[BOUNDS.index(0.25)] == 1, "a failed call is counted"
    assert times.counts[-1] == 1
    assert times.total == pytest.approx(11.2536)


def test_unknown_close_codes_get_no_labels() -> None:
    numbers = Numbers()
    for code in (*range(3000, 5000), None, 1001):
        numbers.close(code)
    assert set(numbers.closed) <= {*map(str, CLOSE_CODES), "other"}
    assert (numbers.closed["1005"], numbers.closed["1001"], numbers.closed.total()) == (1, 1, 2002)


@pytest.mark.django_db(transaction=True)
async def test_each_metric_has_a_name_and_a_description() -> None:
    async with serving():
        answer = await ask("/metrics")
        assert answer.header("content-type").startswith("text/plain; version=")
        assert answer.header("cache-control") == "no-store"
        families = {family.name: family for family in text_string_to_metric_families(answer.text)}
        assert {name.removeprefix("parterre_") for name in families if name.startswith("parterre_")} == NAMES
        assert all(family.documentation for family in families.values())
        assert {"process_cpu_seconds", "process_resident_memory_bytes", "python_gc_collections"} <= set(families)
        assert samples(answer.body)["notify_queue_usage"] < 0.01  # of the whole database server: other tests notify too
        assert samples(answer.body)["bus_connected"] == 1
        assert samples(answer.body)["bus_notifications_total"] == process.bus.heard


@pytest.mark.django_db(transaction=True)
async def test_events_of_viewers_and_reconnects_of_the_bus_are_counted(tmp_path: Path) -> None:
    async with relay(tmp_path) as way, small_site_in_thread(tmp_path, address=way.address) as server:
        await viewers_come_and_go(server)
        way.cut()  # no new connection either, until the test opens the relay
        await until(server, lambda now: now["bus_connected"] == 0)
        await way.open()
        after = await until(server, lambda now: now["bus_connected"] == 1)
        assert after["bus_reconnects_total"] == 1


async def viewers_come_and_go(server: Small) -> None:
    """Two viewers connect, one of them again; a part changes; one leaves, one sends a bad frame, one floods."""
    before = await until(server, lambda now: now["bus_connected"] == 1)
    assert before["bus_reconnects_total"] == 0
    assert (await request(server, "/"))[0] == 200
    first, second = await Socket(server).live("/"), await Socket(server).live("/", attempt="2")
    present = await until(server, lambda now: now["viewers no"] == 2)
    kept = ("viewers yes", "layouts", "parts", "cached_pages")
    assert [present[name] for name in kept] == [0, 0, 2, 1], "anonymous visitors share a page without a layout"
    assert present["reconnects_total"] == before["reconnects_total"] + 1
    assert present["updates_total"] == before["updates_total"] + 2
    assert present["render_seconds_count"] == before["render_seconds_count"] + 2  # a page view, and one for both
    assert present["bytes_out_total pages"] > before["bytes_out_total pages"] + 1000
    # not through the relay, which needs this event loop
    address = content.address(connection.settings_dict["NAME"])
    with psycopg.connect(address, autocommit=True) as operator:
        operator.execute("SELECT pg_notify('parterre', 'turns')")
        await first.until(b'[["')
        await second.until(b'[["')
    first.raw(CLOSE, (1001).to_bytes(2, "big"))
    assert await first.closed() != LOST
    second.send("{")
    assert await second.closed() == 4500
    third = await Socket(server).live("/")
    for _ in range(100):
        third.send('{"type":"part-request","key":"x"}')
    assert await third.closed() == 4005
    after = await until(server, lambda now: now["viewers no"] == 0)
    grown = {name: number - present.get(name, 0) for name, number in after.items()}
    assert grown["deliveries_total"] == 2
    assert grown["bytes_out_total parts"] > 100  # as sent: compressed
    assert grown["part_refresh_seconds_count"] == 1
    assert grown["query_seconds_count"] >= 1
    assert grown["pool_wait_seconds_count"] >= 1
    assert grown["bus_notifications_total"] == 1
    assert {name: grown[name] for name in grown if name.startswith("sockets_closed_total")} == {
        "sockets_closed_total 1001": 1, "sockets_closed_total 4500": 1, "sockets_closed_total 4005": 1,
    }  # fmt: skip
    assert (grown["sockets_opened_total"], grown["flood_closed_total"]) == (1, 1)
    assert after["requests_total 200"] == 1
    await until(server, lambda now: now["loop_lag_seconds_count"] > present["loop_lag_seconds_count"])  # periodic
    assert grown["process_cpu_seconds_total"] > 0


@pytest.mark.django_db(transaction=True)
async def test_relay_and_its_silence_have_metrics(tmp_path: Path) -> None:
    with valkey_serving() as valkey, small_site(tmp_path, BUS_URL=valkey.address) as server:
        now = await until(server, lambda now: now["bus_connected"] == 1)
        assert now["bus_relay"] == 1
        assert 0 <= now["bus_relay_silence_seconds"] < SILENCE
        valkey.stop()
        await until(server, lambda now: now["bus_connected"] == now["bus_relay"] == 0)
        await until(server, lambda now: now["bus_relay_silence_seconds"] > 1)
        assert (await request(server, "/readyz"))[0] == 200, "no other process would serve better"
        assert " ERROR " not in server.text
