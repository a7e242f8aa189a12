"""Test the log handler: it stores each log record as a row and never disturbs the caller."""

import json
import logging
import threading
from datetime import timedelta

import psycopg
import pytest
from django.db import connection
from django.db.models.functions import Now

import apps.core.observability
from apps.core.models import ErrorLog
from apps.core.observability import (
    BEYOND,
    ROWS_A_MINUTE,
    UNRECORDED,
    ErrorLogHandler,
    RequestContext,
    request_context,
    row_limit,
)
from apps.core.services import error_record


@pytest.fixture
def handler():
    handler = ErrorLogHandler()
    yield handler
    handler.close()


@pytest.fixture
def log(handler):
    logger = logging.getLogger("parterre.test")
    logger.addHandler(handler)
    yield logger
    logger.removeHandler(handler)


@pytest.mark.django_db(transaction=True)
def test_handler_stores_errors_with_request_and_traceback(handler, log):
    with request_context(RequestContext(page_url="/sessions/7", user_agent="Browser 1.0", user_id=42)):
        try:
            int("broken string of halina@example.org")
        except ValueError:
            log.exception("Could not render %s", "/login?next=secret")
    assert handler.drain()
    row = ErrorLog.objects.get()
    assert row.message == "Could not render /login"
    assert (row.severity, row.user_id, row.page_url, row.user_agent) == ("error", 42, "/sessions/7", "Browser 1.0")
    details = json.loads(row.error_details)
    assert details["type"] == "ValueError"
    assert "test_log.py" in details["trace"]
    assert "halina" not in row.error_details


def fault(log, place, count=1):
    for number in range(count):
        try:
            int("no number")
        except ValueError:
            log.exception("Internal Server Error: /%s/%d", place, number)


@pytest.mark.django_db(transaction=True)
def test_equal_faults_of_a_minute_are_one_row_with_a_number(handler, log):
    fault(log, "pieces", 300)
    for _ in range(3):
        log.error("The disk is slow")
    assert handler.drain(60)
    rows = ErrorLog.objects.order_by("id").values_list("message", "times")
    assert list(rows) == [("Internal Server Error: /pieces/0", 300), ("The disk is slow", 3)]
    ErrorLog.objects.update(created_at=Now() - timedelta(minutes=2))
    log.error("The disk is slow")
    assert handler.drain()
    assert list(rows.all())[2:] == [("The disk is slow", 1)]


@pytest.mark.django_db(transaction=True)
def test_process_stores_sixty_rows_a_minute_and_every_critical_error(handler, log, monkeypatch):
    monkeypatch.setattr(apps.core.observability, "MINUTE", 3_600.0)  # the test does not pass the end of a minute
    row_limit.clear()
    before = row_limit.beyond
    for number in range(100):
        log.error("fault %d", number)
    log.critical("the last one")
    assert handler.drain(60)
    rows = dict(ErrorLog.objects.values_list("message", "times"))
    assert len(rows) == ROWS_A_MINUTE + 2
    assert rows[BEYOND] == row_limit.beyond - before == 40
    assert rows["the last one"] == 1
    with request_context(RequestContext()):
        error_record(message="Browser: of a page")
    assert ErrorLog.objects.get(message=BEYOND).times == 41


@pytest.mark.django_db(transaction=True)
def test_handler_stores_only_formatted_errors_of_other_loggers(handler, log):
    log.info("fine")
    log.warning("hm")
    log.error("bad")
    # Not through the logger: pytest's own handler would raise.
    handler.handle(logging.LogRecord("parterre.test", logging.ERROR, "", 0, "%d", ("not a number",), None))
    for name in (UNRECORDED, "psycopg.pool", "django.db.backends"):  # the handler itself causes these records
        handler.handle(logging.LogRecord(name, logging.ERROR, "", 0, "the database is down", None, None))
    log.critical("worst")
    assert handler.drain()
    rows = ErrorLog.objects.order_by("id").values_list("message", "severity")
    assert list(rows) == [("bad", "error"), ("worst", "critical")]


@pytest.fixture
def connections(monkeypatch):
    """Return the list of connections that the handler opens."""
    opened = []

    def connect():
        opened.append(real_connect())
        return opened[-1]

    real_connect = apps.core.observability._connect
    monkeypatch.setattr("apps.core.observability._connect", connect)
    return opened


@pytest.mark.django_db(transaction=True)
def test_handler_reconnects_after_a_lost_connection(handler, log, connections, monkeypatch):
    def lose_the_first(execute, columns):
        if not connections:
            execute("SELECT 1", {})
            connections[0].close()
        real_store(execute, columns)

    real_store = apps.core.observability.error_store
    monkeypatch.setattr("apps.core.observability.error_store", lose_the_first)
    log.error("first")
    assert handler.drain()
    assert ErrorLog.objects.get().message == "first"
    assert len(connections) == 2


@pytest.mark.django_db(transaction=True)
def test_handler_closes_its_idle_connection(handler, log, connections):
    log.error("first")
    assert handler.drain()
    handler.close()
    assert [store_connection.closed for store_connection in connections] == [True]
    assert ErrorLog.objects.count() == 1


def test_handler_gives_up_silently_without_a_database(handler, log, monkeypatch):
    monkeypatch.setitem(connection.settings_dict, "HOST", "/nowhere")
    monkeypatch.setattr("apps.core.observability.connections", {"default": connection})
    log.error("not stored")
    assert handler.drain()


def test_handler_drops_records_when_its_queue_is_full(handler, log, monkeypatch):
    gate = threading.Event()

    def unreachable():
        gate.wait(10)
        raise psycopg.OperationalError("the database is down")

    monkeypatch.setattr("apps.core.observability._connect", unreachable)
    for number in range(1500):
        log.error("flood %d", number)
    assert handler._waiting.full()
    gate.set()


def test_settings_send_errors_to_the_handler(settings):
    name = "errors"
    handler = settings.LOGGING["handlers"][name]
    assert (handler["class"], handler["level"]) == ("apps.core.observability.ErrorLogHandler", "ERROR")
    assert name in settings.LOGGING["root"]["handlers"]
