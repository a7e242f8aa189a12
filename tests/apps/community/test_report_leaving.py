"""Test account deletion of reporters and administrators: the exported data, and what stays."""

import json

import pytest

from apps.accounts.models import User
from apps.accounts.services.accounts import account_delete, account_export
from apps.community.models import DecidedCase, Report, ReportCase, ReportDecision
from apps.community.selectors.reports import reports_own
from apps.community.services.report_moderation import reports_decide
from tests.apps.community.reporting import KINDS, POST, POST_COMMENT, case_of, is_hidden, report, seen, text_of
from tests.apps.live.conftest import member
from tests.factories import PASSWORD, AdminFactory, PostFactory


@KINDS
@pytest.mark.django_db
def test_export_contains_only_own_reports(kind, fan):
    text = text_of(kind)
    report(kind, text, by=fan, reason="other", words="Rude")
    report(kind, text)
    own = reports_own(user_id=fan.id)
    assert json.loads(json.dumps(own)) == own
    moment = Report.objects.get(user_id=fan.id).created_at.isoformat()
    assert own["reports"] == [{"kind": kind, "id": text.pk, "reason": "other", "words": "Rude", "created_at": moment}]
    assert reports_own(user_id=member().id) == {"reports": []}


@pytest.mark.django_db(transaction=True)
def test_account_delete_removes_reports_and_keeps_the_case():
    fan, post = member(), PostFactory()
    report(POST, post, by=fan, words="Rude")
    assert account_export(actor=fan)["reports"][0]["words"] == "Rude"
    account_delete(actor=fan, password=PASSWORD)
    assert not Report.objects.exists()
    assert ReportCase.objects.get().state == "open"


@pytest.mark.django_db(transaction=True)
def test_decisions_of_a_deleted_administrator_have_no_author(admin):
    AdminFactory()  # an administrator has to remain
    post, comment = text_of(POST), text_of(POST_COMMENT)
    for kind, text in ((POST, post), (POST_COMMENT, comment)):
        report(kind, text)
    reports_decide(actor=admin, decision="hide", seen=seen(case_of(POST, post), case_of(POST_COMMENT, comment)))
    reports_decide(actor=admin, decision="dismiss", seen=seen(case_of(POST, post)))
    assert DecidedCase.objects.filter(decided_by_id=admin.id).exists()
    account_delete(actor=admin, password=PASSWORD)
    assert not User.objects.filter(pk=admin.id).exists()
    for table, column in ((ReportCase, "decided_by_id"), (ReportDecision, "user_id"), (DecidedCase, "decided_by_id")):
        assert set(table.objects.values_list(column, flat=True)) == {None}
    assert is_hidden(comment)


@pytest.mark.django_db(transaction=True)
def test_reported_text_stays_hidden_when_its_author_is_deleted():
    fan = member()
    post = text_of(POST, user_id=fan.id)
    for _ in range(3):
        report(POST, post)
    account_delete(actor=fan, password=PASSWORD)
    assert is_hidden(post)
    assert case_of(POST, post).is_hidden_by_audience
