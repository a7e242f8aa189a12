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
from project.limits.rates import FAULT_BYTES, FAULTS, FAULTS_TOGETHER
from project.process.web_process import PRUNE_FUNCTIONS
from tests.factories import UserFactory
from tests.offenders import check_each
from tests.serving import session_cookie

pytestmark = pytest.mark.django_db(transaction=True)
FAULT = {"kind": "error", "message": "No seat here", "stack": "Error: No seat here\n at client.js:1", "page": "/news/7"}
AGENT = "Browser 1.0"


@pytest.fixture(autouse=True)
def report_limits(monkeypatch):
    """Return a function that sets the limits of reports, and reset their counts."""

    def put(one=FAULTS, together=FAULTS_TOGETHER):
        monkeypatch.setattr(errors, "FAULTS", one)
        monkeypatch.setattr(errors, "FAULTS_TOGETHER", together)
        monkeypatch.setattr(errors, "report_limits", errors.ReportLimits())

    put()
    return put


def post(body, *, cookie="", origin=settings.PUBLIC_URL, **more):
    client = Client(enforce_csrf_checks=True)
    if cookie:
        client.cookies.load(cookie)
    text = body if isinstance(body, (bytes, str)) else json.dumps(body)
    headers = {"User-Agent": AGENT} | ({"Origin": origin} if origin is not None else {})
    return client.post("/error-log", text, content_type="text/plain;charset=UTF-8", headers=headers, **more)


def test_error_is_stored_with_page_browser_and_account():
    user = UserFactory()
    response = post(FAULT, cookie=session_cookie(user))
    assert (response.status_code, response.content) == (204, b"")
    row = ErrorLog.objects.get()
    assert (row.message, row.severity, row.page_url) == ("Browser: No seat here", "error", "/news/7")
    assert (row.user_agent, row.user_id) == (AGENT, user.pk)
    assert json.loads(row.error_details) == {"kind": "error", "stack": FAULT["stack"]}
    unstorable = FAULT | {"message": "\x00 \ud800 \u202e", "stack": "\x1b[2J"}
    assert post(unstorable, REMOTE_ADDR="192.0.2.77").status_code == 204
    stored = ErrorLog.objects.exclude(pk=row.pk).values().get()
    assert stored["user_id"] is None
    assert "192.0.2.77" not in str(stored)


def test_severity_depends_on_the_kind():
    for kind, severity in (("hydration", "warn"), ("module", "warn"), ("rejection", "error")):
        post(FAULT | {"kind": kind})
        assert ErrorLog.objects.latest("pk").severity == severity


def test_secrets_are_removed():
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


def test_reports_require_a_post_of_this_site():
    others = ("https://evil.example", f"{settings.PUBLIC_URL}.evil.example", "http://localhost")
    for origin in (None, "", "null", *others):
        assert post(FAULT, origin=origin).status_code == 403, origin
    client = Client()
    assert (client.get("/error-log").status_code, client.put("/error-log").status_code) == (405, 405)
    assert not ErrorLog.objects.exists()


INVALID = [
    *(b"", b"\xff\xfe", "nonsense", "[" * 8000, "[]", "null", {}, FAULT | {"more": "x"}),
    {name: FAULT[name] for name in ("kind", "message", "stack")},
    *(FAULT | more for more in ({"kind": "critical"}, {"kind": ["error"]}, {"message": 7}, {"stack": None})),
    *(FAULT | {"page": page} for page in ("https://evil.example/", "/" + "p" * 2048)),
]


def test_invalid_reports_are_refused(report_limits):
    def check(body):
        report_limits()
        assert post(body).status_code == 400

    check_each(INVALID, check)
    report_limits()
    assert post(FAULT | {"stack": "x" * FAULT_BYTES}).status_code == 413
    assert post("x" * 100_000).status_code == 413
    assert not ErrorLog.objects.exists()


def test_reports_per_client_are_limited(report_limits):
    report_limits(Rate(3, 0), Rate(5, 0))
    statuses = [post(FAULT, REMOTE_ADDR="192.0.2.1").status_code for _ in range(5)]
    assert statuses == [204] * 3 + [429] * 2
    others = [post(FAULT, REMOTE_ADDR=f"192.0.2.{n}").status_code for n in range(2, 6)]
    assert others == [204] * 2 + [429] * 2
    assert sum(ErrorLog.objects.values_list("times", flat=True)) == 5


def test_anonymous_reports_do_not_use_up_the_limit_of_members(report_limits):
    report_limits(Rate(3, 0), Rate(5, 0))
    statuses = [post(FAULT, REMOTE_ADDR=f"192.0.2.{n}").status_code for n in range(8)]
    assert statuses == [204] * 5 + [429] * 3
    cookies = [session_cookie(UserFactory()) for _ in range(3)]
    statuses = [post(FAULT, cookie=cookie, REMOTE_ADDR="192.0.2.1").status_code for cookie in cookies for _ in range(2)]
    assert statuses == [204] * 5 + [429]
    assert post(FAULT, cookie="session=unknown", REMOTE_ADDR="192.0.2.1").status_code == 429


def test_reports_per_account_are_limited(report_limits):
    report_limits(Rate(2, 0))
    one, other = session_cookie(UserFactory()), session_cookie(UserFactory())
    statuses = [post(FAULT, cookie=one, REMOTE_ADDR=f"192.0.2.{n}").status_code for n in range(3)]
    assert statuses == [204, 204, 429]
    assert post(FAULT, cookie=other, REMOTE_ADDR="192.0.2.0").status_code == 204


def test_unavailable_database_answers_503(monkeypatch):
    from django.db import OperationalError

    def away(*_):
        raise OperationalError("the server is gone")

    monkeypatch.setattr("apps.accounts.session_store.SessionStore.load", away)
    cookie = session_cookie(UserFactory())
    assert post(FAULT, cookie=cookie).status_code == 503


@pytest.fixture
def old_errors():
    """Store errors of today, of 89 and of 91 days ago."""
    for days in (91, 89, 0):
        error_record(message=f"{days} days ago", severity="warn" if days == 89 else "error")
        ErrorLog.objects.filter(message=f"{days} days ago").update(created_at=Now() - timedelta(days=days))
    return SimpleNamespace(messages=lambda: {row.message for row in error_list()})


def test_errors_are_deleted_after_ninety_days(old_errors):
    assert errors_prune() == 1
    assert old_errors.messages() == {"89 days ago", "0 days ago"}
    assert errors_prune() == 0
    assert errors_prune in PRUNE_FUNCTIONS


def error_logs(*words):
    out = StringIO()
    call_command("error_logs", *words, stdout=out)
    return out.getvalue()


def test_command_lists_and_prunes(old_errors):
    lines = error_logs("list").splitlines()
    assert [line.rpartition("  - ")[2] for line in lines] == ["0 days ago", "89 days ago", "91 days ago"]
    assert error_logs("list", "--severity", "warn").count("\n") == 1
    assert error_logs("list", "--limit", "1").count("\n") == 1
    assert error_logs("prune") == "1 errors were older than 90 days and are deleted.\n"
    assert "91 days ago" not in error_logs("list")


def test_command_escapes_control_characters():
    post(FAULT | {"message": "\x1b]0;owned\x07\nforged line", "stack": "\x1b[2J"})
    text = error_logs("list", "--details")
    assert "\x1b" not in text
    assert "\x07" not in text
    assert len(text.splitlines()) == 2


def test_command_reports_an_empty_log():
    assert error_logs("list") == "Nothing is in the error log.\n"
    with pytest.raises(CommandError):
        error_logs("list", "--severity", "loud")


def test_list_is_paged_with_one_query(django_assert_num_queries):
    for number in range(5):
        error_record(message=str(number))
    with django_assert_num_queries(1):
        first = error_list(limit=2)
    assert [row.message for row in first] == ["4", "3"]
    assert [row.message for row in error_list(before_id=first[-1].id, limit=2)] == ["2", "1"]
