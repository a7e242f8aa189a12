"""Test reports: what is stored, which field each refusal names, and how many reports hide a text."""

import datetime as dt

import pytest
from django.core.exceptions import PermissionDenied, ValidationError
from django.db import DatabaseError, transaction
from django.utils import timezone

from apps.accounts.actors import ANONYMOUS, OPERATOR
from apps.accounts.models import User
from apps.community.enums import ReportReason, ReportState
from apps.community.models import Post, Report, ReportCase
from apps.community.selectors.reports import report_counts
from apps.community.services.report_moderation import reports_decide
from apps.community.services.reports import report_add
from apps.core.audit import audit_list
from apps.ratings.models import PerformanceRating
from tests.apps.community.reporting import (
    KINDS,
    POST,
    POST_COMMENT,
    RATING_COMMENT,
    SESSION_COMMENT,
    case_of,
    is_hidden,
    report,
    seen,
    text_of,
)
from tests.apps.live.conftest import member
from tests.factories import PerformanceRatingFactory, PostCommentFactory, PostFactory, UserFactory, viewer_of

pytestmark = pytest.mark.django_db


def refused(**report_fields):
    """Return the messages of a refused report, by field."""
    with pytest.raises(ValidationError) as raised:
        report(**report_fields)
    error = raised.value
    return error.message_dict if hasattr(error, "error_dict") else error.messages


@KINDS
def test_report_add_cleans_its_words_and_opens_a_case(kind, fan):
    text = text_of(kind)
    report(kind, text, by=fan, reason="other", words="  It is not\u202e about\n\n\n\nthe music. ")
    stored = Report.objects.get()
    assert (stored.user_id, stored.reason, stored.words) == (fan.id, "other", "It is not about\n\nthe music.")
    case = case_of(kind, text)
    assert (stored.case_id, case.state, case.decided_at, case.is_hidden_by_audience) == (case.pk, "open", None, False)
    assert not is_hidden(text)
    assert report_counts()[kind] == 1


def test_report_without_a_reason_is_refused_at_its_field(fan):
    post = PostFactory()
    for reason, words, errors in (
        ("", "", {"reason": ["Please choose a reason."]}),
        ("rude", "", {"reason": ["Please choose a reason."]}),
        ("other", " \u200b ", {"words": ["Please say what is wrong with it."]}),
        ("spam", "x" * 501, {"words": ["A reason has at most 500 characters."]}),
    ):
        assert refused(kind=POST, text=post, reason=reason, words=words) == errors
    assert not ReportCase.objects.exists()


def test_report_add_requires_an_active_account():
    deactivated = viewer_of(UserFactory(is_active=False))
    for actor in (ANONYMOUS, deactivated, OPERATOR):
        with pytest.raises(PermissionDenied, match=r"Please sign in to report\."):
            report(POST, PostFactory(), by=actor)
    assert not ReportCase.objects.exists()


@KINDS
def test_text_is_reported_once_per_account_and_not_by_its_author(kind, fan):
    text = text_of(kind, user_id=fan.id)
    assert refused(kind=kind, text=text, by=fan) == {"reason": ["You cannot report what you wrote yourself."]}
    other = member()
    report(kind, text, by=other)
    assert refused(kind=kind, text=text, by=other, reason="insult") == {"reason": ["You have reported this already."]}
    assert Report.objects.count() == 1


@KINDS
def test_deleted_or_hidden_text_cannot_be_reported(kind):
    deleted, hidden = text_of(kind), text_of(kind)
    report(kind, hidden, times=3)
    pk = deleted.pk
    deleted.delete()
    deleted.pk = pk
    assert refused(kind=kind, text=deleted) == refused(kind=kind, text=hidden) == ["This is no longer there."]
    assert Report.objects.count() == 3


def test_text_that_is_not_public_cannot_be_reported():
    on_hidden = PostCommentFactory(post=PostFactory(is_hidden=True))
    waiting = PerformanceRatingFactory()
    assert refused(kind=POST_COMMENT, text=on_hidden) == ["This is no longer there."]
    assert refused(kind=RATING_COMMENT, text=waiting) == ["This is no longer there."]
    with pytest.raises(ValidationError, match="no longer there"):
        report_add(actor=member(), kind=POST, subject_id=2**62, reason="spam")


def test_post_of_a_deleted_account_can_be_reported():
    post = PostFactory(user=None)
    report(POST, post, times=3)
    assert is_hidden(post)


def test_account_may_report_twenty_texts_a_day(fan):
    posts = PostFactory.create_batch(21)
    for post in posts[:20]:
        report(POST, post, by=fan)
        with pytest.raises(ValidationError):
            report(POST, post, by=fan)
    messages = refused(kind=POST, text=posts[20], by=fan)
    assert messages == ["You can report 20 things a day. Please try again in 24 h."]
    assert Report.objects.count() == 20
    assert not ReportCase.objects.filter(subject_id=posts[20].pk).exists()


@KINDS
def test_three_reports_of_members_hide_a_text(kind):
    text = text_of(kind)
    for number in range(3):
        assert not is_hidden(text)
        report(kind, text, words=f"Word {number}")
    assert is_hidden(text)
    case = case_of(kind, text)
    assert (case.state, case.is_hidden_by_audience) == (ReportState.OPEN, True)
    [entry] = audit_list()
    assert (entry.action, entry.user_id, entry.subject_id) == ("reports.hide_by_audience", None, case.pk)
    assert entry.details == {"count": 3, "reports": [f"{kind}-{text.pk}"]}


def test_reports_of_new_and_closed_accounts_do_not_hide_a_text():
    post = PostFactory()
    for _ in range(5):
        report(POST, post, by=viewer_of(UserFactory()))
    closed = member()
    report(POST, post, by=closed)
    User.objects.filter(pk=closed.id).update(is_active=False)
    report(POST, post, times=2)
    assert not is_hidden(post)
    report(POST, post)
    assert is_hidden(post)


def test_reports_count_from_accounts_older_than_a_week(settings):
    settings.REPORTS_HIDE_AT = 1
    post, young, old = PostFactory(), UserFactory(), UserFactory()
    week = dt.timedelta(days=7)
    User.objects.filter(pk=young.pk).update(created_at=timezone.now() - week + dt.timedelta(minutes=1))
    User.objects.filter(pk=old.pk).update(created_at=timezone.now() - week - dt.timedelta(minutes=1))
    report(POST, post, by=viewer_of(young))
    assert not is_hidden(post)
    report(POST, post, by=viewer_of(old))
    assert is_hidden(post)


@pytest.mark.parametrize(("hide_at", "hides"), [(0, False), (2, True), (3, False)])
def test_number_of_reports_that_hide_is_a_setting(settings, hide_at, hides):
    settings.REPORTS_HIDE_AT = hide_at
    post = PostFactory()
    report(POST, post, times=2)
    assert is_hidden(post) is hides


@KINDS
@pytest.mark.parametrize("decisions", [["dismiss"], ["hide", "dismiss"]], ids=["dismissed", "restored"])
def test_restored_text_is_not_hidden_again_by_the_same_accounts(kind, decisions, admin):
    text, reporters = text_of(kind), [member() for _ in range(3)]
    for reporter in reporters:
        report(kind, text, by=reporter)
    for decision in decisions:
        reports_decide(actor=admin, decision=decision, seen=seen(case_of(kind, text)))
    assert not is_hidden(text)
    for reporter in reporters:
        assert refused(kind=kind, text=text, by=reporter) == {"reason": ["You have reported this already."]}
    for _ in range(2):
        report(kind, text)
        assert case_of(kind, text).state == ReportState.OPEN
    assert not is_hidden(text)
    report(kind, text)
    assert is_hidden(text)


def test_reports_of_deleted_accounts_do_not_count():
    post, leaving = PostFactory(), member()
    report(POST, post, by=leaving)
    report(POST, post)
    User.objects.get(pk=leaving.id).delete()
    report(POST, post)
    assert not is_hidden(post)


@KINDS
def test_deleted_text_deletes_its_case(kind, admin):
    text, other = text_of(kind), text_of(kind)
    report(kind, text)
    report(kind, other)
    reports_decide(actor=admin, decision="dismiss", seen=seen(case_of(kind, text)))
    text.delete()
    assert [case.subject_id for case in ReportCase.objects.all()] == [other.pk]
    assert Report.objects.count() == 1
    assert sum(report_counts().values()) == 1
    if kind == POST_COMMENT:
        Post.objects.get(pk=other.post_id).delete()
        assert not ReportCase.objects.exists()


def test_changed_comment_ends_the_case_but_a_changed_mark_does_not():
    rating = text_of(RATING_COMMENT)
    report(RATING_COMMENT, rating)
    rows = PerformanceRating.objects.filter(pk=rating.pk)
    rows.update(score=1, approved=False)
    assert ReportCase.objects.count() == 1
    rows.update(comment="Something else.")
    assert not ReportCase.objects.exists()
    assert not Report.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_reports_publish_topics(listener):
    comment, fan = text_of(SESSION_COMMENT), member()
    listener.heard()
    report(SESSION_COMMENT, comment, by=fan)
    report(SESSION_COMMENT, comment)
    assert listener.heard() == {"reports"}
    report(SESSION_COMMENT, comment)
    of_session = f"session.{comment.session_id}.comments"
    assert listener.heard() == {"reports", f"account.{comment.user_id}.hidden", of_session}
    comment.delete()
    assert listener.heard() == {"reports"}
    text_of(SESSION_COMMENT).delete()
    assert listener.heard() == set()


def test_database_refuses_invalid_reports(fan):
    valid = {"case": ReportCase.objects.create(kind=POST, subject_id=1), "user_id": fan.id, "reason": ReportReason.SPAM}
    for columns in ({"reason": "rude"}, {"reason": "other", "words": ""}, {"words": "x" * 501}, {"user_id": None}):
        with pytest.raises(DatabaseError), transaction.atomic():
            Report.objects.create(**valid | columns)


def test_database_refuses_invalid_cases(db):
    ReportCase.objects.create(kind=POST, subject_id=2)
    for columns in ({"kind": "news"}, {"state": "gone"}, {"state": "hidden"}, {"subject_id": 2}):
        with pytest.raises(DatabaseError, match="report_"), transaction.atomic():
            ReportCase.objects.create(**{"kind": POST, "subject_id": 1, **columns})
