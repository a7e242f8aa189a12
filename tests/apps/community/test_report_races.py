"""Test race conditions between reports, decisions and deletions on a real PostgreSQL."""

from functools import partial

import pytest
from django.core.exceptions import ValidationError
from django.utils import timezone

from apps.accounts.models import User
from apps.accounts.services.accounts import account_delete
from apps.community.enums import ReportKind, ReportState, ReportVerdict
from apps.community.models import Post, PostComment, Report, ReportCase, ReportCaseCount
from apps.community.selectors.reports import ReportFilter, report_counts
from apps.community.services.posts import post_delete
from apps.community.services.report_moderation import report_decision_undo, reports_decide, reports_decide_matching
from apps.core.moderation import DecisionResult, Undone
from apps.live.models import SessionComment
from tests.apps.community.reporting import (
    KINDS,
    POST,
    POST_COMMENT,
    SESSION_COMMENT,
    case_of,
    is_hidden,
    report,
    seen,
    text_of,
)
from tests.apps.conftest import run_together
from tests.apps.live.conftest import member
from tests.factories import PASSWORD, AdminFactory, PostCommentFactory, PostFactory, viewer_of

pytestmark = pytest.mark.django_db(transaction=True)
TIMES = 2


def administrators():
    return [viewer_of(AdminFactory()) for _ in range(2)]


def test_concurrent_reports_of_one_account_are_stored_once():
    for kind in ReportKind:
        text, fan = text_of(kind), member()
        results = run_together(*[lambda kind=kind, text=text, fan=fan: report(kind, text, by=fan)] * 6)
        assert results.count(None) == 1
        assert all(isinstance(result, ValidationError) for result in results if result is not None)
        assert Report.objects.filter(case__kind=kind).count() == ReportCase.objects.filter(kind=kind).count() == 1


def test_concurrent_reports_of_many_accounts_open_one_case():
    for kind in ReportKind:
        text = text_of(kind)
        results = run_together(*(partial(report, kind, text, by=member()) for _ in range(6)))
        assert results.count(None) == 3  # the third report hides the text
        assert is_hidden(text)
        assert report_counts()[kind] == ReportCase.objects.filter(kind=kind).count() == 1


@pytest.mark.parametrize("second", list(ReportVerdict))
def test_concurrent_moderators_decide_each_text_once(second):
    first_admin, second_admin = administrators()
    for _ in range(TIMES):
        texts = [(kind, text_of(kind)) for kind in (POST, POST_COMMENT, SESSION_COMMENT) for _ in range(3)]
        for kind, text in texts:
            report(kind, text)
        cases = [case_of(kind, text) for kind, text in texts]
        answers = run_together(
            partial(reports_decide, actor=first_admin, decision="hide", seen=seen(*cases)),
            partial(reports_decide, actor=second_admin, decision=second, seen=seen(*reversed(cases))),
        )
        decided = [answer.decided for answer in answers if isinstance(answer, DecisionResult)]
        refused = [answer.messages for answer in answers if isinstance(answer, ValidationError)]
        assert (sum(decided), refused) == (9, [["This has been decided already."]])
        for (_, text), case in zip(texts, cases, strict=True):
            case.refresh_from_db()
            assert is_hidden(text) is (case.state == ReportState.HIDDEN)


def test_concurrent_matching_decisions_undo_and_reports_stay_consistent():
    first_admin, second_admin = administrators()
    for _ in range(TIMES):
        posts = PostFactory.create_batch(6)
        for post in posts:
            report(POST, post)
        answer = reports_decide(
            actor=first_admin, decision="dismiss", seen=seen(*map(partial(case_of, POST), posts[:3]))
        )
        every = partial(reports_decide_matching, filters=ReportFilter(), until=timezone.now())
        answers = run_together(
            partial(every, actor=first_admin, decision="hide"),
            partial(every, actor=second_admin, decision="dismiss"),
            partial(report_decision_undo, actor=first_admin, decision_id=answer.id),
            *(partial(report, POST, post, by=member()) for post in posts[:3]),
        )
        allowed = (DecisionResult, Undone, ValidationError, type(None))
        assert all(isinstance(answer, allowed) for answer in answers), answers
        for case in ReportCase.objects.all():
            hidden = case.state == ReportState.HIDDEN or case.is_hidden_by_audience
            assert Post.objects.get(pk=case.subject_id).is_hidden is hidden


@KINDS
def test_text_deleted_while_it_is_decided_leaves_no_case(kind):
    admin, _ = administrators()
    for _ in range(TIMES):
        text = text_of(kind)
        report(kind, text)
        seen_before, reporters = seen(case_of(kind, text)), [member() for _ in range(2)]
        table = type(text)
        answers = run_together(
            lambda table=table, pk=text.pk: table.objects.filter(pk=pk).delete() and None,
            partial(reports_decide, actor=admin, decision="hide", seen=seen_before),
            *(partial(report, kind, text, by=reporter) for reporter in reporters),
        )
        assert answers[0] is None
        assert all(isinstance(answer, DecisionResult | ValidationError | None) for answer in answers)
        assert not table.objects.filter(pk=text.pk).exists()
        assert not ReportCase.objects.exists()
        assert not Report.objects.exists()
        assert not ReportCaseCount.objects.filter(count__gt=0).exists()


def test_post_deleted_while_its_comments_are_decided_leaves_no_case():
    admin, _ = administrators()
    for _ in range(TIMES):
        post, fan = PostFactory(), member()
        comments = PostCommentFactory.create_batch(8, post=post)
        for comment in comments:
            report(POST_COMMENT, comment)
        report(POST, post)
        cases = [*(case_of(POST_COMMENT, comment) for comment in comments), case_of(POST, post)]
        Post.objects.filter(pk=post.pk).update(user_id=fan.id)
        answers = run_together(
            partial(post_delete, actor=fan, post_id=post.pk),
            partial(reports_decide, actor=admin, decision="hide", seen=seen(*reversed(cases))),
            partial(
                reports_decide_matching, actor=admin, decision="hide", filters=ReportFilter(), until=timezone.now()
            ),
        )
        assert answers[0] is None
        assert all(isinstance(answer, DecisionResult | ValidationError) for answer in answers[1:]), answers
        assert not PostComment.objects.exists()
        assert not ReportCase.objects.exists()


def test_account_deleted_while_its_texts_are_decided_leaves_no_reports():
    admin, _ = administrators()
    for _ in range(TIMES):
        leaving, remaining = member(), member()
        texts = [
            (kind, text_of(kind, user_id=leaving.id))
            for kind in (POST, POST_COMMENT, SESSION_COMMENT)
            for _ in range(4)
        ]
        other = PostFactory(user_id=remaining.id)
        report(POST, other, by=leaving)
        for kind, text in texts:
            report(kind, text)
        cases = [case_of(kind, text) for kind, text in texts] + [case_of(POST, other)]
        answers = run_together(
            partial(account_delete, actor=leaving, password=PASSWORD),
            partial(reports_decide, actor=admin, decision="hide", seen=seen(*reversed(cases))),
            partial(report, POST, other, by=member()),
        )
        assert answers[0] is None, answers
        assert isinstance(answers[1], DecisionResult), answers
        assert answers[2] is None or isinstance(answers[2], ValidationError)
        assert not User.objects.filter(pk=leaving.id).exists()
        assert not SessionComment.objects.exists()
        assert not ReportCase.objects.filter(kind=SESSION_COMMENT).exists()
        assert not Report.objects.filter(user_id=leaving.id).exists()
        PostComment.objects.all().delete()
        Post.objects.all().delete()
