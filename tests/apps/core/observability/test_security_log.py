"""Test the security log: one line for each event, and counts per minute for events of anonymous visitors."""

import logging

import pytest
from django.core.exceptions import PermissionDenied

from apps.core.observability import (
    KINDS,
    RequestContext,
    request_context,
    security_count,
    security_counts_write,
    security_event,
)
from apps.core.permissions import require
from tests.apps.conftest import run_together

CONTEXT = RequestContext("/login", "Browser 1.0", None, "0123456789abcdef", "192.0.2.7")


@pytest.fixture(autouse=True)
def lines(caplog):
    """Return the lines so far, each as event, reason, number of further events, account and client."""
    security_counts_write()
    caplog.set_level(logging.INFO, "parterre.security")
    caplog.clear()

    def read():
        names = ("reason", "more", "account", "client")
        rows = [(record.message, *(getattr(record, name, None) for name in names)) for record in caplog.records]
        caplog.clear()
        return rows

    yield read
    security_counts_write()


def test_event_is_logged_with_account_and_client(lines):
    with request_context(CONTEXT):
        security_event("signed in", account=7, reason="password")
        security_event("signed in", account=7, reason="password")
    assert lines() == [("signed in", "password", None, 7, "192.0.2.7")] * 2


def test_repeated_events_are_one_line_and_a_count_per_minute(lines):
    with request_context(CONTEXT):
        for number in range(1_000):
            security_count("sign-in refused", account=number, reason="wrong password")
        security_count("sign-in refused", reason="unknown address")
    assert lines() == [
        ("sign-in refused", "wrong password", None, None, "192.0.2.7"),
        ("sign-in refused", "unknown address", None, None, "192.0.2.7"),
    ]
    security_counts_write()
    assert lines() == [("sign-in refused", "wrong password", 999, None, None)]
    security_counts_write()
    assert lines() == []
    security_count("sign-in refused", reason="wrong password", client="192.0.2.8")
    assert lines() == [("sign-in refused", "wrong password", None, None, "192.0.2.8")]


def test_counts_of_concurrent_threads_are_exact(lines):
    def count():
        for _ in range(500):
            security_count("limit reached", reason="sign-in-here")

    run_together(*[count] * 4, connect=False)
    security_counts_write()
    assert [line[2] for line in lines()] == [None, 1_999]


def test_number_of_reasons_is_limited(lines):
    for number in range(KINDS * 3):
        security_count("socket closed", reason=f"reason {number}")
    assert len(lines()) == KINDS + 1
    security_counts_write()
    assert lines() == [("socket closed", "", KINDS * 2 - 1, None, None)]


def test_refusal_is_logged_with_its_reason(lines):
    with request_context(RequestContext("/admin", user_id=9)), pytest.raises(PermissionDenied):
        require(False, "Only administrators choose the performer.")
    assert lines() == [("refused", "Only administrators choose the performer.", None, 9, "")]
