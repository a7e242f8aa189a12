"""Rates, address keys, the tenfold limits of venue addresses, and the close codes that client and server share."""

import re
from heapq import heapreplace
from ipaddress import ip_network
from pathlib import Path

import pytest

from apps.core import buckets
from apps.core.buckets import Bucket, Rate
from apps.core.observability import address_key, factor
from components.runtime.page import Page
from components.runtime.rendering.document import Document
from project.http.middleware import PROTOCOL
from project.limits import rates
from project.limits.connections import ConnectionLimits
from project.limits.rates import CROWDED, PAGES, POLL_EVERY, POLL_EVERY_MOST, POLLS, SOCKETS_PER_ADDRESS
from project.observability.metrics import CLOSE_CODES


@pytest.fixture
def clock(monkeypatch):
    """Set the monotonic clock."""
    now = [1000.0]
    monkeypatch.setattr(buckets.time, "monotonic", lambda: now[0])
    return now


def test_bucket_allows_a_burst_and_then_its_rate(clock):
    bucket = Bucket(Rate(3, 0.5))
    assert [bucket.take() for _ in range(4)] == [True, True, True, False]
    clock[0] += 1.9
    assert not bucket.take()
    clock[0] += 0.1
    assert bucket.take()
    assert not bucket.is_full
    clock[0] += 60
    assert bucket.is_full
    assert [bucket.take() for _ in range(4)] == [True, True, True, False]


def test_ipv6_network_counts_as_one_address():
    network = "2001:db8:1:2::/64"
    keys = {"192.0.2.7": "192.0.2.7", "::ffff:192.0.2.7": "192.0.2.7", "unix": ""}
    for address, key in (keys | {"2001:db8:1:2:3:4:5:6": network, "2001:db8:1:2::9": network}).items():
        assert address_key([address, 4000]) == key
    assert address_key([]) == address_key(None) == ""


def test_venue_has_the_tenfold_limit(settings):
    settings.VENUE_ADDRESSES = (ip_network("192.0.2.0/24"), ip_network("2001:db8::/32"))
    assert factor("192.0.2.200") == factor("2001:db8:1:2::/64") == 10
    assert factor("198.51.100.1") == factor("2001:db9::/64") == factor("") == 1


def test_sockets_per_address_are_limited(clock, settings, monkeypatch):
    settings.VENUE_ADDRESSES = ()
    monkeypatch.setattr("project.limits.connections.SOCKETS_PER_ADDRESS", 3)
    connection_limits = ConnectionLimits()
    assert [connection_limits.enter("192.0.2.7") for _ in range(4)] == [0, 0, 0, CROWDED]
    assert connection_limits.enter("192.0.2.8") == 0
    connection_limits.leave("192.0.2.7")
    assert connection_limits.enter("192.0.2.7") == 0
    for _ in range(3):
        connection_limits.leave("192.0.2.7")
    connection_limits.leave("192.0.2.8")
    assert not connection_limits.addresses


def test_handshakes_per_address_are_limited(clock, settings, monkeypatch):
    settings.VENUE_ADDRESSES = (ip_network("198.51.100.1"),)
    monkeypatch.setattr("project.limits.connections.HANDSHAKES", Rate(2, 1))
    connection_limits = ConnectionLimits()
    assert [connection_limits.enter("192.0.2.7") for _ in range(3)] == [0, 0, CROWDED]
    assert [connection_limits.enter("198.51.100.1") for _ in range(21)] == [0] * 20 + [CROWDED]
    assert [connection_limits.enter("") for _ in range(50)] == [0] * 50
    clock[0] += 1
    assert connection_limits.enter("192.0.2.7") == 0


def test_pages_of_a_crowd_poll_at_a_pace_that_the_limit_carries(clock, settings):
    """A thousand people open 1,200 windows; those beyond the socket limit poll at the pace that they get."""
    settings.VENUE_ADDRESSES = ()
    limits, begun = ConnectionLimits(), clock[0]
    assert limits.poll("192.0.2.7").after == POLL_EVERY, "a lone page"
    due = [begun + number / 400 for number in range(1_200 - SOCKETS_PER_ADDRESS)]
    answered, paces = 0, []
    while due[0] < begun + 600:
        clock[0] = due[0]
        turn = limits.poll("192.0.2.7")
        assert turn.is_answered
        answered += 1
        paces.append(turn.after)
        heapreplace(due, clock[0] + turn.after)
    assert max(paces) < 45
    assert (answered - len(due)) / 600 <= POLLS.per_second, "after the first poll of each"
    assert limits.pages.of("192.0.2.7").left == PAGES.burst, "pages and writes have tokens of their own"


def test_polls_that_ignore_their_pace_are_refused(clock, settings):
    settings.VENUE_ADDRESSES = ()
    limits = ConnectionLimits()
    turns = [limits.poll("192.0.2.7") for _ in range(10_000)]
    assert sum(turn.is_answered for turn in turns) == POLLS.burst
    assert turns[-1].refused_for == POLL_EVERY_MOST
    assert limits.poll("192.0.2.8") == (True, POLL_EVERY), "another address"
    assert limits.poll("").after == 0


def test_old_handshakes_are_forgotten(clock, settings, monkeypatch):
    settings.VENUE_ADDRESSES = ()
    monkeypatch.setattr("apps.core.buckets.Buckets.TIDY_ABOVE", 10)
    connection_limits = ConnectionLimits()
    for number in range(11):
        connection_limits.enter(f"192.0.2.{number}")
    clock[0] += 3600
    connection_limits.enter("192.0.2.200")
    assert list(connection_limits.handshakes.buckets) == ["192.0.2.200"]


def test_sockets_and_commands_per_account_are_limited(clock, monkeypatch):
    monkeypatch.setattr("project.limits.connections.SOCKETS_PER_ACCOUNT", 2)
    monkeypatch.setattr("project.limits.connections.COMMANDS_ACCOUNT", Rate(2, 1))
    connection_limits = ConnectionLimits()
    assert [connection_limits.account_enter(7) for _ in range(3)] == [True, True, False]
    assert [connection_limits.account_commands(7) for _ in range(3)] == [True, True, False]
    assert connection_limits.account_commands(8)
    for _ in range(2):
        connection_limits.account_leave(7)
    assert not connection_limits.accounts
    assert not connection_limits.account_commands(7)  # closing every window does not reset the count


ROOT = Path(__file__).parents[3]
CLIENT, TESTS = ROOT / "components" / "client" / "src" / "connection.js", ROOT / "tests" / "client"
NAMES = ("FAILED", "RESTART", "BUSY", "NEW_VERSION", "FLOOD", "CROWDED", "STOP", "BAD_FRAME", "SIGNED_OUT", "TOO_MANY")
NUMBERS = {name: getattr(rates, name) for name in NAMES}


def test_all_close_codes_are_counted() -> None:
    assert set(NUMBERS.values()) == rates.OURS
    assert rates.OURS < CLOSE_CODES


def test_client_has_the_same_close_codes() -> None:
    lines = [line.split(" // ")[0].removeprefix("export ") for line in CLIENT.read_text().splitlines()]
    for name in ("NEW_VERSION", "CROWDED", "SIGNED_OUT", "STOP"):
        assert f"const {name} = {NUMBERS[name]};" in lines
    assert f'const PROTOCOL = "{PROTOCOL}";' in lines


def test_busy_labels_are_tested_with_every_close_code() -> None:
    [codes] = re.findall(r"const CODES = \[(.+)\];", (TESTS / "busy-labels.test.js").read_text())
    assert set(map(int, codes.split(", "))) >= rates.OURS


def test_every_stopping_code_has_a_sentence() -> None:
    page = Page(title="A", description="B", component=lambda _: None)  # type: ignore[arg-type, return-value]
    html = Document(page, {"tagName": "main"}).html([]).decode()
    stopping = {f"data-stopped-{code}=" for code in rates.OURS if code >= rates.STOP}
    assert {name for name in stopping if name in html} == stopping
    for code in (rates.NEW_VERSION, rates.FLOOD):
        assert f"data-waiting-{code}=" in html
    assert html.count("data-stopped-") == len(stopping)
    assert html.count("data-waiting-") == 2
