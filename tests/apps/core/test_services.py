"""Test the service that writes the error log."""

import json

import pytest
from django.db import IntegrityError, connection, transaction

from apps.core.models import ErrorLog
from apps.core.observability import RequestContext, request_context
from apps.core.services import error_record

pytestmark = pytest.mark.django_db


def test_error_record_stores_the_request():
    with request_context(RequestContext(page_url="/sessions/7", user_agent="Browser 1.0", user_id=42)):
        error_record(message="Error fetching home page data", details={"code": "57014"}, severity="warn")
    row = ErrorLog.objects.get()
    assert (row.message, row.severity) == ("Error fetching home page data", "warn")
    assert (row.page_url, row.user_agent, row.user_id) == ("/sessions/7", "Browser 1.0", 42)
    assert json.loads(row.error_details) == {"code": "57014"}


def test_error_record_without_details_stores_null():
    error_record(message="No details")
    row = ErrorLog.objects.get()
    assert (row.error_details, row.user_id, row.severity) == (None, None, "error")


def test_error_record_stores_any_value():
    with request_context(RequestContext(page_url="/" + "p" * 5000, user_agent="u" * 5000)):
        error_record(message="x" * 10_000, details={"trace": "y" * 200_000})
        error_record(message="\x00 and \ud800", details={"\x00": "\ud800"})
        error_record(message="", details={"object": object()})
    assert len([json.loads(row.error_details) for row in ErrorLog.objects.all()]) == 3


def test_error_record_writes_no_secrets():
    with request_context(RequestContext(page_url="/reset-password?access_token=s3cret")):
        error_record(message="halina@example.org at /login?password=s3cret", details={"to": "halina@example.org"})
    row = ErrorLog.objects.get()
    stored = f"{row.message}{row.error_details}{row.page_url}"
    assert "s3cret" not in stored
    assert "halina" not in stored


def test_unknown_severity_is_refused_without_raising(caplog):
    error_record(message="m", severity="loud")
    assert not ErrorLog.objects.exists()
    assert [record.name for record in caplog.records] == ["parterre.unrecorded"]
    with pytest.raises(IntegrityError):
        ErrorLog.objects.create(message="m", severity="loud")


def test_error_record_in_a_broken_transaction_does_not_raise(caplog):
    with transaction.atomic():
        try:
            with connection.cursor() as cursor:
                cursor.execute("SELECT 1/0")
        except Exception:  # noqa: BLE001 - only the state it leaves matters
            error_record(message="after the fall")
        transaction.set_rollback(True)
    assert "after the fall" in caplog.text
