"""Rates, address keys, and the tenfold limits of venue addresses."""

from heapq import heapreplace
from ipaddress import ip_network

import pytest

from apps.core import buckets
from apps.core.buckets import Bucket, Rate
from apps.core.observability import address_key, factor
from project.limits.connections import ConnectionLimits
from project.limits.rates import CROWDED, PAGES, POLL_EVERY, POLL_EVERY_MOST, POLLS, SOCKETS_PER_ADDRESS


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
