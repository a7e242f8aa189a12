"""Test the weight of reports, the authors that reports alone never hide, and how long reports hide a text."""

import datetime as dt

import pytest
from django.db.models import F

from apps.community.enums import ReportState
from apps.community.models import Report, ReportCase
from apps.community.selectors.reports import ReportFilter, report_queue
from apps.community.services.report_expiry import reports_show_again
from apps.community.services.report_moderation import report_decision_undo, reports_decide
from apps.core.audit import audit_list
from tests.apps.community.reporting import KINDS, POST, case_of, is_hidden, report, seen, text_of
from tests.apps.live.conftest import member
from tests.factories import AdminFactory, PostFactory, UserFactory

pytestmark = pytest.mark.django_db
DAY = dt.timedelta(days=1)


def dismissed(reporter, times, admin, *, ago=dt.timedelta()):
    """Store this many dismissed reports of this reporter, this long ago."""
    for _ in range(times):
        post = PostFactory()
        report(POST, post, by=reporter)
        reports_decide(actor=admin, decision="dismiss", seen=seen(case_of(POST, post)))
        ReportCase.objects.filter(subject_id=post.pk).update(decided_at=F("decided_at") - ago)
        Report.objects.filter(case__subject_id=post.pk).update(created_at=F("created_at") - ago)


def hides(reporters):
    """Return whether reports of these users alone hide a text."""
    post = PostFactory()
    for reporter in reporters:
        if is_hidden(post):
            return True
        report(POST, post, by=reporter)
    return is_hidden(post)


@KINDS
def test_text_of_an_administrator_is_not_hidden_by_reports(kind, admin):
    text = text_of(kind, user=AdminFactory())
    report(kind, text, times=4)
    case = case_of(kind, text)
    assert (is_hidden(text), case.state, case.is_hidden_by_audience) == (False, ReportState.OPEN, False)
    reports_decide(actor=admin, decision="hide", seen=seen(case))
    assert is_hidden(text)


def test_dismissed_reports_reduce_the_weight_of_a_reporter(admin):
    once, twice, thrice, third = member(), member(), member(), member()
    dismissed(once, 1, admin)
    dismissed(twice, 2, admin)
    dismissed(thrice, 3, admin)
    assert not hides([member(), member(), once])
    assert hides([member(), member(), once, twice])
    assert not hides([member(), member(), thrice])
    assert hides([member(), member(), thrice, third])


def test_dismissed_reports_count_for_thirty_days(admin):
    before, lately = member(), member()
    dismissed(before, 3, admin, ago=30 * DAY + dt.timedelta(minutes=1))
    dismissed(lately, 3, admin, ago=30 * DAY - dt.timedelta(hours=1))
    assert hides([member(), member(), before])
    assert not hides([member(), member(), lately])


def test_open_accepted_and_undone_reports_keep_the_weight(admin):
    reporter, post, other = member(), PostFactory(), PostFactory()
    report(POST, post, by=reporter)
    report(POST, other, by=reporter)
    reports_decide(actor=admin, decision="hide", seen=seen(case_of(POST, other)))
    assert hides([member(), member(), reporter])
    decided = reports_decide(actor=admin, decision="dismiss", seen=seen(case_of(POST, post)))
    report_decision_undo(actor=admin, decision_id=decided.id)
    assert hides([member(), member(), reporter])


def hidden_since(kind, text, ago):
    """Hide this text by reports alone, this long ago."""
    report(kind, text, times=3)
    ReportCase.objects.update(updated_at=F("updated_at") - ago)
    Report.objects.update(created_at=F("created_at") - ago)


@KINDS
def test_undecided_text_is_shown_again_after_a_day(kind):
    text = text_of(kind)
    hidden_since(kind, text, DAY - dt.timedelta(minutes=5))
    assert reports_show_again() == 0
    assert is_hidden(text)
    ReportCase.objects.update(updated_at=F("updated_at") - dt.timedelta(minutes=10))
    assert reports_show_again() == 1
    assert reports_show_again() == 0
    assert not is_hidden(text)
    [case_row] = report_queue(filters=ReportFilter(), limit=10)
    assert (case_row.state, case_row.is_hidden_by_audience, case_row.is_shown_again) == (ReportState.OPEN, False, True)
    entry = audit_list()[0]
    assert (entry.action, entry.user_id) == ("reports.show_again", None)
    assert entry.details == {"count": 1, "reports": [f"{kind}-{text.pk}"]}


def test_text_shown_again_is_hidden_by_as_many_new_reports(admin):
    post = PostFactory()
    hidden_since(POST, post, 2 * DAY)
    reports_show_again()
    report(POST, post, times=2)
    assert not is_hidden(post)
    report(POST, post)
    assert is_hidden(post)
    reports_decide(actor=admin, decision="dismiss", seen=seen(case_of(POST, post)))
    [case_row] = report_queue(filters=ReportFilter(state=ReportState.DISMISSED), limit=10)
    assert not case_row.is_shown_again


def test_text_hidden_by_an_administrator_is_not_shown_again(admin):
    post = PostFactory()
    hidden_since(POST, post, 2 * DAY)
    reports_decide(actor=admin, decision="hide", seen=seen(case_of(POST, post)))
    ReportCase.objects.update(updated_at=F("updated_at") - 2 * DAY)
    assert reports_show_again() == 0
    assert is_hidden(post)


@pytest.mark.django_db(transaction=True)
def test_reports_show_again_publishes_topics(listener):
    author = UserFactory()
    post = PostFactory(user=author)
    hidden_since(POST, post, 2 * DAY)
    listener.heard()
    reports_show_again()
    assert listener.heard() >= {"reports", "community", f"account.{author.pk}.hidden"}


@pytest.mark.parametrize("count", [1, 6])
def test_reports_show_again_has_a_constant_number_of_queries(count, django_assert_num_queries):
    for _ in range(count):
        hidden_since(POST, PostFactory(), 2 * DAY)
    with django_assert_num_queries(18):
        assert reports_show_again() == count
