"""The audit: written with what it tells, read in pages, and nobody's after 90 days."""

import datetime as dt

import pytest
from django.db import transaction

from apps.core.audit import audit_count, audit_list, audit_own, audit_prune, audit_record
from apps.core.models import AuditEntry

pytestmark = pytest.mark.django_db


def test_entries_are_read_in_pages_the_newest_first(django_assert_num_queries):
    for number in range(5):
        audit_record(user_id=7, action="session.live", subject="session", subject_id=number, details={"n": number})
    with django_assert_num_queries(1):
        first = audit_list(limit=3)
    assert [each.subject_id for each in first] == [4, 3, 2]
    rest = audit_list(before_id=first[-1].id, limit=3)
    assert [each.subject_id for each in rest] == [1, 0]
    assert (rest[0].user_id, rest[0].action, rest[0].details) == (7, "session.live", {"n": 1})
    assert [each.subject_id for each in audit_own(user_id=7)] == [0, 1, 2, 3, 4]
    assert audit_own(user_id=8) == ()


@pytest.mark.django_db(transaction=True)
def test_what_is_not_done_is_not_noted():
    with pytest.raises(transaction.TransactionManagementError):
        audit_record(user_id=7, action="session.live", subject="session")
    with pytest.raises(ZeroDivisionError), transaction.atomic():
        audit_record(user_id=7, action="session.live", subject="session", subject_id=1 // 0)
    assert not AuditEntry.objects.exists()


def test_lately_is_counted_by_the_databases_clock():
    for action in ("account.export", "account.export", "admin.grant"):
        audit_record(user_id=7, action=action, subject="account", subject_id=7)
    assert audit_count(user_id=7, action="account.export", within=dt.timedelta(days=1)) == 2
    assert audit_count(user_id=8, action="account.export", within=dt.timedelta(days=1)) == 0
    AuditEntry.objects.update(created_at="2026-01-01T00:00Z")
    assert audit_count(user_id=7, action="account.export", within=dt.timedelta(days=1)) == 0


def test_after_ninety_days_an_entry_is_nobodys():
    audit_record(user_id=7, action="admin.grant", subject="account", subject_id=9)
    audit_record(user_id=7, action="session.live", subject="session", subject_id=3)
    assert audit_prune() == 0
    AuditEntry.objects.update(created_at="2026-01-01T00:00Z")
    audit_record(user_id=7, action="admin.grant", subject="account", subject_id=9)
    assert audit_prune() == 2
    kept = {(each.user_id, each.action, each.subject_id) for each in audit_list()}
    assert kept == {(None, "admin.grant", None), (None, "session.live", 3), (7, "admin.grant", 9)}
    assert "account" in str(AuditEntry.objects.first())
