"""Errors that browsers report: what is stored, what is refused, who reads them, and when they are deleted."""

import json
from datetime import timedelta
from io import StringIO
from types import SimpleNamespace

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from django.db.models.functions import Now
from django.test import Client

from apps.core.buckets import Rate
from apps.core.models import ErrorLog
from apps.core.selectors import error_list
from apps.core.services import error_record, errors_prune
from project.http import errors
from project.limits.rates import FAULT_BYTES
from project.process.web_process import PRUNE_FUNCTIONS
from tests.factories import UserFactory
from tests.serving import session_cookie

pytestmark = pytest.mark.django_db(transaction=True)
FAULT = {
    "kind": "error",
    "message": "No seat here",
    "stack": "Error: No seat here\n at client.js:1",
    "page": "/news/7",
}
AGENT = "Browser 1.0"


@pytest.fixture(autouse=True)
def fresh_counts(monkeypatch):
    """Reset the limits of reports."""
    monkeypatch.setattr(errors, "report_limits", errors.ReportLimits())


def post(body, *, cookie="", origin=settings.PUBLIC_URL, **more):
    client = Client(enforce_csrf_checks=True)
    if cookie:
        client.cookies.load(cookie)
    text = body if isinstance(body, (bytes, str)) else json.dumps(body)
    headers = {"User-Agent": AGENT} | ({"Origin": origin} if origin is not None else {})
    return client.post("/error-log", text, content_type="text/plain;charset=UTF-8", headers=headers, **more)


def test_an_error_is_stored_with_its_page_its_browser_and_its_account():
    user = UserFactory()
    answer = post(FAULT, cookie=session_cookie(user))
    assert (answer.status_code, answer.content) == (204, b"")
    row = ErrorLog.objects.get()
    assert (row.message, row.severity, row.page_url) == ("Browser: No seat here", "error", "/news/7")
    assert (row.user_agent, row.user_id) == (AGENT, user.pk)
    assert json.loads(row.error_details) == {"kind": "error", "stack": FAULT["stack"]}


def test_a_strangers_is_stored_without_an_account_and_nowhere_with_an_address():
    assert post(FAULT, REMOTE_ADDR="192.0.2.77").status_code == 204
    row = ErrorLog.objects.get()
    assert row.user_id is None
    assert "192.0.2.77" not in str(ErrorLog.objects.values().get())


@pytest.mark.parametrize(("kind", "severity"), [("hydration", "warn"), ("module", "warn"), ("rejection", "error")])
def test_what_the_viewer_hardly_notices_is_a_warning(kind, severity):
    post(FAULT | {"kind": kind})
    assert ErrorLog.objects.get().severity == severity


def test_no_secret_is_kept_whoever_put_it_there():
    secrets = {
        "page": "/reset-password?key=s3cret#s3cret",
        "message": "at https://hall.example/list?token=s3cret for ewa@example.org, password=s3cret",
        "stack": "Cookie: session=s3cret\n at /login?next=s3cret",
    }
    assert post(FAULT | secrets).status_code == 204
    stored = str(ErrorLog.objects.values().get())
    assert "s3cret" not in stored
    assert "ewa" not in stored
    assert ErrorLog.objects.get().page_url == "/reset-password"


@pytest.mark.parametrize(
    "origin", [None, "", "null", "https://evil.example", f"{settings.PUBLIC_URL}.evil.example", "http://localhost"]
)
def test_pages_of_others_report_nothing(origin):
    assert post(FAULT, origin=origin).status_code == 403
    assert not ErrorLog.objects.exists()


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"\xff\xfe",
        "nonsense",
        "[" * 8000,
        "[]",
        "null",
        {},
        FAULT | {"more": "x"},
        {name: FAULT[name] for name in ("kind", "message", "stack")},
        FAULT | {"kind": "critical"},
        FAULT | {"kind": ["error"]},
        FAULT | {"message": 7},
        FAULT | {"stack": None},
        FAULT | {"page": "https://evil.example/"},
        FAULT | {"page": "/" + "p" * 2048},
    ],
)
def test_what_no_browser_of_ours_sends_is_refused(body):
    assert post(body).status_code == 400
    assert not ErrorLog.objects.exists()


def test_more_than_a_report_can_be_is_refused_unread():
    assert post(FAULT | {"stack": "x" * FAULT_BYTES}).status_code == 413
    assert post("x" * 100_000).status_code == 413
    assert not ErrorLog.objects.exists()


def test_it_is_no_page():
    client = Client()
    assert (client.get("/error-log").status_code, client.put("/error-log").status_code) == (405, 405)


def test_whatever_text_can_be_is_stored():
    assert post(FAULT | {"message": "\x00 \ud800 \u202e", "stack": "\x1b[2J"}).status_code == 204
    assert ErrorLog.objects.count() == 1


def test_one_client_reports_so_many_and_leaves_room_for_others(monkeypatch):
    monkeypatch.setattr(errors, "FAULTS", Rate(3, 0))
    monkeypatch.setattr(errors, "FAULTS_TOGETHER", Rate(5, 0))
    monkeypatch.setattr(errors, "report_limits", errors.ReportLimits())
    sent = [post(FAULT, REMOTE_ADDR="192.0.2.1").status_code for _ in range(5)]
    assert sent == [204] * 3 + [429] * 2
    others = [post(FAULT, REMOTE_ADDR=f"192.0.2.{n}").status_code for n in range(2, 6)]
    assert others == [204] * 2 + [429] * 2
    assert ErrorLog.objects.count() == 5


def test_strangers_use_up_nothing_of_what_is_for_the_signed_in(monkeypatch):
    monkeypatch.setattr(errors, "FAULTS", Rate(3, 0))
    monkeypatch.setattr(errors, "FAULTS_TOGETHER", Rate(5, 0))
    monkeypatch.setattr(errors, "report_limits", errors.ReportLimits())
    strangers = [post(FAULT, REMOTE_ADDR=f"192.0.2.{n}").status_code for n in range(8)]
    assert strangers == [204] * 5 + [429] * 3
    members = [session_cookie(UserFactory()) for _ in range(3)]
    sent = [post(FAULT, cookie=cookie, REMOTE_ADDR="192.0.2.1").status_code for cookie in members for _ in range(2)]
    assert sent == [204] * 5 + [429]
    assert post(FAULT, cookie="session=nobody", REMOTE_ADDR="192.0.2.1").status_code == 429


def test_an_account_reports_so_many_and_leaves_room_for_others(monkeypatch):
    monkeypatch.setattr(errors, "FAULTS", Rate(2, 0))
    monkeypatch.setattr(errors, "report_limits", errors.ReportLimits())
    one, other = session_cookie(UserFactory()), session_cookie(UserFactory())
    sent = [post(FAULT, cookie=one, REMOTE_ADDR=f"192.0.2.{n}").status_code for n in range(3)]
    assert sent == [204, 204, 429]
    assert post(FAULT, cookie=other, REMOTE_ADDR="192.0.2.0").status_code == 204


def test_without_a_database_the_browser_is_told_nothing_but_that(monkeypatch):
    from django.db import OperationalError

    def away(*_):
        raise OperationalError("the server is gone")

    monkeypatch.setattr("apps.accounts.session_store.SessionStore.load", away)
    cookie = session_cookie(UserFactory())
    assert post(FAULT, cookie=cookie).status_code == 503


@pytest.fixture
def aged():
    """Store errors of today, of 89 and of 91 days ago."""
    for days in (91, 89, 0):
        error_record(message=f"{days} days ago", severity="warn" if days == 89 else "error")
        ErrorLog.objects.filter(message=f"{days} days ago").update(created_at=Now() - timedelta(days=days))
    return SimpleNamespace(messages=lambda: {each.message for each in error_list()})


def test_what_is_older_than_ninety_days_is_forgotten(aged):
    assert errors_prune() == 1
    assert aged.messages() == {"89 days ago", "0 days ago"}
    assert errors_prune() == 0


def test_the_process_forgets_by_itself():
    assert errors_prune in PRUNE_FUNCTIONS


def told(*words):
    out = StringIO()
    call_command("error_logs", *words, stdout=out)
    return out.getvalue()


def test_the_terminal_lists_and_prunes(aged):
    lines = told("list").splitlines()
    assert [line.rpartition("  - ")[2] for line in lines] == ["0 days ago", "89 days ago", "91 days ago"]
    assert told("list", "--severity", "warn").count("\n") == 1
    assert told("list", "--limit", "1").count("\n") == 1
    assert told("prune") == "1 errors were older than 90 days and are deleted.\n"
    assert "91 days ago" not in told("list")


def test_the_terminal_obeys_no_browser():
    post(FAULT | {"message": "\x1b]0;owned\x07\nforged line", "stack": "\x1b[2J"})
    said = told("list", "--details")
    assert "\x1b" not in said
    assert "\x07" not in said
    assert len(said.splitlines()) == 2


def test_an_empty_log_says_so():
    assert told("list") == "Nothing is in the error log.\n"
    with pytest.raises(CommandError):
        told("list", "--severity", "loud")


def test_the_list_is_one_query_and_goes_on_where_it_ended(django_assert_num_queries):
    for number in range(5):
        error_record(message=str(number))
    with django_assert_num_queries(1):
        first = error_list(limit=2)
    assert [each.message for each in first] == ["4", "3"]
    assert [each.message for each in error_list(before_id=first[-1].id, limit=2)] == ["2", "1"]
