"""Test the log handler: it stores each log record as a row and never disturbs the caller."""

import json
import logging
import threading

import psycopg
import pytest
from django.db import connection

import apps.core.observability
from apps.core.models import ErrorLog
from apps.core.observability import UNRECORDED, ErrorLogHandler, RequestContext, request_context


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
    def lose_the_first(store_connection, columns):
        if len(connections) == 1:
            store_connection.close()
        real_insert(store_connection, columns)

    real_insert = apps.core.observability._insert
    monkeypatch.setattr("apps.core.observability._insert", lose_the_first)
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
