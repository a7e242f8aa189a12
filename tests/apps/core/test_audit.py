"""Test the audit: its entries, its pages, and the removal of the actor after 90 days."""

import datetime as dt

import pytest
from django.core.exceptions import PermissionDenied
from django.db import transaction

from apps.accounts.actors import ANONYMOUS
from apps.accounts.selectors.people import audit_read
from apps.core.audit import AuditFilter, audit_list, audit_own, audit_prune, audit_record, changed_details
from apps.core.database.paging import Cursor
from apps.core.models import AuditEntry
from tests.factories import UserFactory, viewer_of
from tests.owner import as_owner

pytestmark = pytest.mark.django_db
NOON = dt.datetime(2027, 10, 12, 12, 0, tzinfo=dt.UTC)


def test_entries_are_read_in_pages_newest_first(django_assert_num_queries):
    for number in range(5):
        audit_record(user_id=7, action="session.live", subject="session", subject_id=number, details={"n": number})
    with django_assert_num_queries(1):
        first = audit_list(limit=3)
    assert [entry.subject_id for entry in first] == [4, 3, 2]
    rest = audit_list(before=Cursor(first[-1].created_at, first[-1].id), limit=3)
    assert [entry.subject_id for entry in rest] == [1, 0]
    assert (rest[0].user_id, rest[0].action, rest[0].details) == (7, "session.live", {"n": 1})
    assert [entry.subject_id for entry in audit_own(user_id=7)] == [0, 1, 2, 3, 4]
    assert audit_own(user_id=8) == ()


@pytest.mark.django_db(transaction=True)
def test_rolled_back_change_is_not_audited():
    with pytest.raises(transaction.TransactionManagementError):
        audit_record(user_id=7, action="session.live", subject="session")
    with pytest.raises(ZeroDivisionError), transaction.atomic():
        audit_record(user_id=7, action="session.live", subject="session", subject_id=1 // 0)
    assert not AuditEntry.objects.exists()


def test_actor_of_an_entry_is_removed_after_ninety_days():
    audit_record(user_id=7, action="admin.grant", subject="account", subject_id=9)
    audit_record(user_id=7, action="session.live", subject="session", subject_id=3)
    assert audit_prune() == 0
    with as_owner():
        AuditEntry.objects.update(created_at="2026-01-01T00:00Z")
    audit_record(user_id=7, action="admin.grant", subject="account", subject_id=9)
    assert audit_prune() == 2
    kept = {(entry.user_id, entry.action, entry.subject_id) for entry in audit_list()}
    assert kept == {(None, "admin.grant", None), (None, "session.live", 3), (7, "admin.grant", 9)}
    assert "account" in str(AuditEntry.objects.first())


def test_entries_are_filtered_by_actor_subject_and_time():
    for user_id, action, subject_id in ((7, "session.live", 1), (7, "post.update", 1), (8, "session.live", 2)):
        audit_record(user_id=user_id, action=action, subject=action.partition(".")[0], subject_id=subject_id)
    with as_owner():
        AuditEntry.objects.filter(subject_id=2).update(created_at="2026-01-01T00:00Z")
    spring = dt.datetime(2026, 3, 1, tzinfo=dt.UTC)

    def entries(**narrow):
        return [(entry.user_id, entry.action) for entry in audit_list(filters=AuditFilter(**narrow))]

    assert entries(user_id=7) == [(7, "post.update"), (7, "session.live")]
    assert entries(action="session.live") == [(7, "session.live"), (8, "session.live")]
    assert entries(subject="post") == [(7, "post.update")]
    assert entries(subject="session", subject_id=1) == [(7, "session.live")]
    assert entries(until=spring) == [(8, "session.live")]
    assert entries(since=spring, user_id=8) == []


def test_changed_details_contain_the_differences():
    old, new = {"title": "A", "text": "x" * 400, "at": None}, {"title": "B", "text": "x" * 400, "at": NOON}
    assert changed_details(old, new) == {
        "before": {"title": "A", "at": None},
        "after": {"title": "B", "at": NOON.isoformat()},
    }
    assert changed_details(None, old) == {"after": {"title": "A", "text": "x" * 300 + "…", "at": None}}
    assert changed_details({"title": "A"}, None) == {"before": {"title": "A"}}
    assert changed_details(None, None) == {}


def test_details_of_an_entry_are_removed_after_ninety_days():
    audit_record(user_id=None, action="post.create", subject="post", details={"after": {"title": "A"}})
    audit_record(user_id=None, action="post.create", subject="post", details={"n": 1})
    audit_prune()
    assert [entry.details for entry in audit_list()] == [{"n": 1}, {"after": {"title": "A"}}]
    with as_owner():
        AuditEntry.objects.update(created_at="2026-01-01T00:00Z")
    audit_prune()
    assert [entry.details for entry in audit_list()] == [{"n": 1}, {}]


def test_audit_is_read_only_by_administrators(admin, django_assert_num_queries):
    audit_record(user_id=admin.id, action="post.create", subject="post", subject_id=3)
    audit_record(user_id=None, action="post.delete", subject="post", subject_id=3)
    with django_assert_num_queries(3):
        terminal, own = audit_read(actor=admin)
    assert (terminal.who, terminal.action) == ("", "post.delete")
    assert (own.who, own.user_id, own.subject, own.subject_id) == (admin.username, admin.id, "post", 3)
    assert audit_read(actor=admin, before=Cursor(own.created_at, own.id)) == ()
    for actor in (ANONYMOUS, viewer_of(UserFactory())):
        with pytest.raises(PermissionDenied):
            audit_read(actor=actor)
