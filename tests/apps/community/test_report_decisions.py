"""Test administrators' decisions about reports: single, many, all that match, and undo."""

from datetime import timedelta

import pytest
from django.core.exceptions import PermissionDenied, ValidationError
from django.utils import timezone

from apps.accounts.actors import OPERATOR
from apps.community.enums import ReportState, ReportVerdict
from apps.community.models import DecidedCase, ReportCase, ReportDecision
from apps.community.selectors.reports import ReportFilter, report_counts, report_decision_last
from apps.community.services.posts import post_delete
from apps.community.services.report_moderation import (
    report_decision_undo,
    report_decisions_prune,
    reports_decide,
    reports_decide_matching,
)
from apps.core.audit import audit_list
from apps.core.moderation import Seen
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
from tests.factories import AdminFactory, viewer_of

pytestmark = pytest.mark.django_db
ALL_KINDS = (POST, POST_COMMENT, SESSION_COMMENT, RATING_COMMENT)


def reported(kind, times=1, **columns):
    """Return a text with this many reports, and its case."""
    text = text_of(kind, **columns)
    report(kind, text, times=times)
    return text, case_of(kind, text)


def state(case):
    """Return the columns of a case that decisions change."""
    case.refresh_from_db()
    return case.state, case.is_hidden_by_audience, case.updated_at, case.decided_at, case.decided_by_id


@KINDS
def test_decision_hides_or_restores_a_text(kind, admin):
    text, case = reported(kind)
    answer = reports_decide(actor=admin, decision="hide", seen=seen(case))
    assert answer.sentence_in("en") == "Hidden. Only its author and administrators see it now."
    assert is_hidden(text)
    case.refresh_from_db()
    assert (case.state, case.decided_by_id) == (ReportState.HIDDEN, admin.id)
    answer = reports_decide(actor=admin, decision="dismiss", seen=seen(case))
    assert answer.sentence_in("en") == "Restored. Everybody sees it."
    assert not is_hidden(text)
    assert report_counts()[kind] == 0


def test_selection_of_all_kinds_is_decided_and_audited_together(admin):
    texts, cases = zip(*(reported(kind) for kind in ALL_KINDS), strict=True)
    answer = reports_decide(actor=admin, decision="hide", seen=seen(*reversed(cases)))
    assert (answer.decided, answer.others, answer.changed, answer.single) == (4, 0, 0, "")
    assert answer.sentence_in("en") == "4 reported texts hidden."
    assert all(is_hidden(text) for text in texts)
    [entry] = audit_list()
    names = [f"{kind}-{text.pk}" for kind, text in zip(ALL_KINDS, texts, strict=True)]
    assert (entry.action, entry.user_id, entry.subject_id) == ("reports.hide", admin.id, answer.id)
    assert entry.details == {"count": 4, "reports": names}


def test_operators_decision_covers_all_reports_of_a_text():
    text, case = reported(POST, times=3)
    reports_decide(actor=OPERATOR, decision="hide", seen=seen(case))
    case.refresh_from_db()
    assert (is_hidden(text), case.is_hidden_by_audience, case.decided_by_id) == (True, False, None)
    assert all(report.created_at < case.decided_at for report in case.reports.all())


def test_reports_are_decided_only_by_administrators(unprivileged):
    text, case = reported(POST)
    with pytest.raises(PermissionDenied, match="Only administrators decide about reports"):
        reports_decide(actor=unprivileged, decision="hide", seen=seen(case))
    with pytest.raises(PermissionDenied):
        reports_decide_matching(actor=unprivileged, decision="hide", filters=ReportFilter(), until=timezone.now())
    with pytest.raises(PermissionDenied):
        report_decision_undo(actor=unprivileged, decision_id=1)
    assert not is_hidden(text)


def test_invalid_decisions_are_refused(admin):
    for decision, count in (("approve", 1), ("", 1), ("hide", 0), ("hide", 1001)):
        with pytest.raises(ValidationError):
            reports_decide(actor=admin, decision=decision, seen=[Seen(POST, 1 + number) for number in range(count)])
    assert not ReportDecision.objects.exists()


def test_concurrently_decided_reports_are_skipped(admin):
    other = viewer_of(AdminFactory())
    (text, case), (_, open_case) = reported(POST), reported(POST_COMMENT)
    seen_before = seen(case, open_case)
    reports_decide(actor=other, decision="hide", seen=seen(case))
    for decision in ReportVerdict:
        with pytest.raises(ValidationError, match=r"This has been decided already\."):
            reports_decide(actor=admin, decision=decision, seen=seen_before[:1])
    answer = reports_decide(actor=admin, decision="dismiss", seen=seen_before)
    assert answer.sentence_in("en") == "1 reported text dismissed. 1 had been decided already."
    assert is_hidden(text)


def test_dismissal_requires_the_newest_report(admin):
    (text, case), (_, other) = reported(POST), reported(POST)
    seen_before = seen(case, other)
    report(POST, text)
    with pytest.raises(ValidationError, match="reported again since"):
        reports_decide(actor=admin, decision="dismiss", seen=seen_before[:1])
    answer = reports_decide(actor=admin, decision="dismiss", seen=seen_before)
    assert answer.sentence_in("en") == "1 reported text dismissed. 1 was reported again since and still waits."
    reports_decide(actor=admin, decision="hide", seen=seen_before[:1])
    assert is_hidden(text)


def test_hiding_a_dismissed_text_requires_the_newest_report(admin):
    text, case = reported(POST)
    seen_before = seen(case)
    reports_decide(actor=viewer_of(AdminFactory()), decision="dismiss", seen=seen_before)
    report(POST, text)
    with pytest.raises(ValidationError, match="reported again since"):
        reports_decide(actor=admin, decision="hide", seen=seen_before)
    assert not is_hidden(text)


def test_decision_without_a_version_applies_only_to_open_cases(admin):
    _, case = reported(POST)
    unread = [Seen(POST, case.subject_id)]
    reports_decide(actor=admin, decision="hide", seen=unread)
    with pytest.raises(ValidationError, match="decided already"):
        reports_decide(actor=admin, decision="dismiss", seen=unread)


def test_decision_counts_deleted_texts_separately(admin):
    (text, case), (_, other) = reported(POST), reported(POST)
    seen_before = seen(case, other)
    post_delete(actor=admin, post_id=text.pk)
    answer = reports_decide(actor=admin, decision="hide", seen=seen_before)
    assert (answer.decided, answer.others) == (1, 1)
    with pytest.raises(ValidationError, match="decided already"):
        reports_decide(actor=admin, decision="hide", seen=seen_before[:1])


def test_matching_decision_applies_to_cases_open_at_the_time_of_the_list(admin):
    posts = [reported(POST) for _ in range(3)]
    comment, _ = reported(SESSION_COMMENT)
    reports_decide(actor=admin, decision="dismiss", seen=seen(posts[0][1]))
    until = ReportCase.objects.get(pk=posts[2][1].pk).updated_at
    later, _ = reported(POST)
    answer = reports_decide_matching(actor=admin, decision="hide", filters=ReportFilter(kind=POST), until=until)
    assert answer.sentence_in("en") == "2 reported texts hidden."
    assert [is_hidden(text) for text, _ in posts] == [False, True, True]
    assert not is_hidden(comment)
    assert not is_hidden(later)
    with pytest.raises(ValidationError, match="Nothing that waits matches"):
        reports_decide_matching(actor=admin, decision="hide", filters=ReportFilter(kind=POST), until=until)


def test_matching_decision_skips_decided_cases(admin):
    (text, case), (open_text, _) = reported(POST), reported(POST)
    reports_decide(actor=admin, decision="hide", seen=seen(case))
    filters = ReportFilter(state=ReportState.HIDDEN)
    reports_decide_matching(actor=admin, decision="dismiss", filters=filters, until=timezone.now() + timedelta(hours=1))
    assert is_hidden(text)
    assert not is_hidden(open_text)


@pytest.mark.parametrize("decision", list(ReportVerdict))
def test_undo_restores_the_state_before_the_decision(admin, decision):
    rows = [reported(kind, times) for kind in ALL_KINDS for times in (1, 3)]
    reports_decide(actor=admin, decision="hide", seen=seen(rows[0][1]))
    before = [(is_hidden(text), state(case)) for text, case in rows]
    answer = reports_decide(actor=admin, decision=decision, seen=seen(*(case for _, case in rows)))
    last = report_decision_last(user_id=admin.id)
    assert last is not None
    assert (last.id, last.verdict, last.count) == (answer.id, decision, answer.decided)
    undone = report_decision_undo(actor=admin, decision_id=answer.id)
    assert (undone.back, undone.left) == (answer.decided, 0)
    assert [(is_hidden(text), state(case)) for text, case in rows] == before
    with pytest.raises(ValidationError, match=r"This can no longer be taken back\."):
        report_decision_undo(actor=admin, decision_id=answer.id)
    assert [entry.action for entry in audit_list()][:2] == ["reports.undo", f"reports.{decision}"]


def test_undo_skips_texts_that_changed_since_the_decision(admin):
    rows = [reported(POST) for _ in range(4)]
    answer = reports_decide(actor=admin, decision="dismiss", seen=seen(*(case for _, case in rows)))
    report(POST, rows[0][0])
    reports_decide(actor=admin, decision="hide", seen=seen(rows[1][1]))
    post_delete(actor=admin, post_id=rows[2][0].pk)
    undone = report_decision_undo(actor=admin, decision_id=answer.id)
    assert undone.sentence_in("en") == (
        "1 reported text is as it was before. 3 stay as they are: they were reported again, decided or deleted since."
    )
    assert is_hidden(rows[1][0])


def test_undo_is_possible_for_ten_minutes(admin):
    _, case = reported(POST)
    answer = reports_decide(actor=admin, decision="hide", seen=seen(case))
    ReportDecision.objects.update(created_at=timezone.now() - timedelta(minutes=10, seconds=1))
    assert report_decision_last(user_id=admin.id) is None
    with pytest.raises(ValidationError, match="no longer be taken back"):
        report_decision_undo(actor=admin, decision_id=answer.id)
    assert report_decisions_prune() == 2
    assert not DecidedCase.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_decisions_publish_topics(listener, admin):
    fan = member()
    post, case = reported(POST, user_id=fan.id)
    comment, comment_case = reported(POST_COMMENT)
    listener.heard()
    answer = reports_decide(actor=admin, decision="hide", seen=seen(case, comment_case))
    topics = {
        *("reports", "community", f"community_post.{post.pk}", f"community_post.{comment.post_id}"),
        *(f"account.{author}.hidden" for author in (fan.id, comment.user_id)),
    }
    assert listener.heard() == topics
    report_decision_undo(actor=admin, decision_id=answer.id)
    assert listener.heard() == topics
    rating, rating_case = reported(RATING_COMMENT)
    listener.heard()
    reports_decide(actor=admin, decision="hide", seen=seen(rating_case))
    appearance = rating.appearance
    assert listener.heard() == {
        *("reports", "ratings.latest", f"account.{rating.user_id}.hidden", f"account.{rating.user_id}.ratings"),
        f"session_participant.{appearance.pk}.ratings",
        f"participant.{appearance.participant_id}.ratings",
        f"author.{rating.user_id}.ratings",
        f"stage.{appearance.session.stage_id}.ratings",
    }
