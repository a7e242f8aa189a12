"""The tab of the error log: its filters (text, time, severity), pages and access."""

import pytest
from django.core.exceptions import PermissionDenied

from apps.accounts.selectors.people import errors_read
from apps.core.models import ErrorLog
from apps.core.selectors import DETAILS_SHOWN, ERRORS_PAGE
from apps.core.services import error_record
from tests.components.seen import attributes, every, one, opened, text
from tests.factories import AdminFactory, UserFactory, viewer_of

ERRORS = "/admin?tab=errors"
pytestmark = pytest.mark.django_db


@pytest.fixture
def admin(db):
    return viewer_of(AdminFactory())


def shown(admin, query: str = "") -> list[str]:
    """Return the messages on the page with these filters."""
    return [text(line) for line in every(opened(ERRORS + query, admin).main, "p", "audit__what")]


def test_errors_are_filtered_by_text_time_and_severity(admin):
    assert "Nothing is in the error log." in text(opened(ERRORS, admin).main)
    error_record(message="The piano fell", details={"type": "ValueError", "trace": "File x"}, severity="critical")
    error_record(message="A string broke", severity="warn")
    ErrorLog.objects.filter(severity="warn").update(
        created_at="2021-10-12T12:00:00Z", page_url="/sessions/7", user_id=3
    )
    assert shown(admin) == ["A string broke", "The piano fell"]
    assert shown(admin, "&q=PIANO") == shown(admin, "&q=valueerror") == ["The piano fell"]
    assert shown(admin, "&q=/sessions/7") == shown(admin, "&severity=warn") == ["A string broke"]
    assert shown(admin, "&since=2021-10-12&until=2021-10-12") == ["A string broke"]
    assert shown(admin, "&since=2021-10-13") == ["The piano fell"]
    assert shown(admin, "&severity=loud&since=soon") == ["A string broke", "The piano fell"]
    page = opened(f"{ERRORS}&q=nothing", admin).main
    assert "No errors found matching your criteria." in text(page)
    page = opened(f"{ERRORS}&severity=warn", admin).main
    assert attributes(one(page, "a", href="/admin/people?q=%233"))
    assert "type: ValueError" in text(one(opened(f"{ERRORS}&severity=critical", admin).main, "pre"))


def test_error_log_has_pages_and_cuts_long_details(admin, django_assert_num_queries):
    for number in range(ERRORS_PAGE + 2):
        error_record(message=f"Number {number}", details={"number": number, "trace": "x" * 3 * DETAILS_SHOWN})
    with django_assert_num_queries(2):
        rows = errors_read(actor=admin)
    assert {len(row.error_details) for row in rows} == {DETAILS_SHOWN}
    seen = opened(ERRORS, admin)
    assert len(shown(admin)) == ERRORS_PAGE
    assert "The rest is on the terminal: manage.py error_logs list --details" in text(seen.main)
    assert len(seen.html) < 512 * 1024
    (older,) = [attributes(link)["href"] for link in every(seen.main, "a") if text(link) == "Show older"]
    assert [text(line) for line in every(opened(older, admin).main, "p", "audit__what")] == ["Number 1", "Number 0"]


def test_error_log_is_read_by_administrators_only(db):
    with pytest.raises(PermissionDenied):
        errors_read(actor=viewer_of(UserFactory()))
