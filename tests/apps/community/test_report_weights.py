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
    for each in reporters:
        if is_hidden(post):
            return True
        report(POST, post, by=each)
    return is_hidden(post)


@KINDS
def test_an_administrators_text_is_not_hidden_by_reports_alone(kind, admin):
    text = text_of(kind, user=AdminFactory())
    for _ in range(4):
        report(kind, text)
    case = case_of(kind, text)
    assert (is_hidden(text), case.state, case.is_hidden_by_audience) == (False, ReportState.OPEN, False)
    reports_decide(actor=admin, decision="hide", seen=seen(case))
    assert is_hidden(text)


def test_a_reporter_counts_half_after_one_dismissed_report_and_not_at_all_after_three(admin):
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


def test_a_report_that_is_undecided_or_was_right_costs_nothing(admin):
    reporter, post, other = member(), PostFactory(), PostFactory()
    report(POST, post, by=reporter)
    report(POST, other, by=reporter)
    reports_decide(actor=admin, decision="hide", seen=seen(case_of(POST, other)))
    assert hides([member(), member(), reporter])


def test_an_undone_dismissal_costs_nothing(admin):
    reporter, post = member(), PostFactory()
    report(POST, post, by=reporter)
    decided = reports_decide(actor=admin, decision="dismiss", seen=seen(case_of(POST, post)))
    report_decision_undo(actor=admin, decision_id=decided.id)
    assert hides([member(), member(), reporter])


@KINDS
def test_what_was_restored_is_not_hidden_again_by_the_same_accounts(kind, admin):
    text, reporters = text_of(kind), [member() for _ in range(3)]
    for each in reporters:
        report(kind, text, by=each)
    reports_decide(actor=admin, decision="hide", seen=seen(case_of(kind, text)))
    reports_decide(actor=admin, decision="dismiss", seen=seen(case_of(kind, text)))
    for _ in range(2):
        report(kind, text)
    assert not is_hidden(text)
    report(kind, text)
    assert is_hidden(text)


def hidden_since(kind, text, ago):
    """Hide this text by reports alone, this long ago."""
    for _ in range(3):
        report(kind, text)
    ReportCase.objects.update(updated_at=F("updated_at") - ago)
    Report.objects.update(created_at=F("created_at") - ago)


@KINDS
def test_after_a_day_without_a_decision_a_text_is_shown_again_and_stays_in_the_queue(kind):
    text = text_of(kind)
    hidden_since(kind, text, DAY - dt.timedelta(minutes=5))
    assert reports_show_again() == 0
    assert is_hidden(text)
    ReportCase.objects.update(updated_at=F("updated_at") - dt.timedelta(minutes=10))
    assert reports_show_again() == 1
    assert reports_show_again() == 0
    assert not is_hidden(text)
    [waits] = report_queue(filters=ReportFilter(), limit=10)
    assert (waits.state, waits.is_hidden_by_audience, waits.is_shown_again) == (ReportState.OPEN, False, True)
    noted = audit_list()[0]
    assert (noted.action, noted.user_id) == ("reports.show_again", None)
    assert noted.details == {"count": 1, "reports": [f"{kind}-{text.pk}"]}


def test_once_shown_again_it_takes_as_many_new_reports(admin):
    post = PostFactory()
    hidden_since(POST, post, 2 * DAY)
    reports_show_again()
    for _ in range(2):
        report(POST, post)
    assert not is_hidden(post)
    report(POST, post)
    assert is_hidden(post)
    reports_decide(actor=admin, decision="dismiss", seen=seen(case_of(POST, post)))
    [waits] = report_queue(filters=ReportFilter(state=ReportState.DISMISSED), limit=10)
    assert not waits.is_shown_again


def test_what_an_administrator_has_hidden_stays_hidden(admin):
    post = PostFactory()
    hidden_since(POST, post, 2 * DAY)
    reports_decide(actor=admin, decision="hide", seen=seen(case_of(POST, post)))
    ReportCase.objects.update(updated_at=F("updated_at") - 2 * DAY)
    assert reports_show_again() == 0
    assert is_hidden(post)


@pytest.mark.django_db(transaction=True)
def test_it_is_told_to_the_screens_and_the_author(listener):
    author = UserFactory()
    post = PostFactory(user=author)
    hidden_since(POST, post, 2 * DAY)
    listener.heard()
    reports_show_again()
    assert listener.heard() >= {"reports", "community", f"account.{author.pk}.hidden"}


@pytest.mark.parametrize("count", [1, 20])
def test_it_takes_as_many_queries_for_many(count, django_assert_num_queries):
    for _ in range(count):
        hidden_since(POST, PostFactory(), 2 * DAY)
    with django_assert_num_queries(18):
        assert reports_show_again() == count
