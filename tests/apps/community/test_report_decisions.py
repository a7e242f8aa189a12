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
EVERY = (POST, POST_COMMENT, SESSION_COMMENT, RATING_COMMENT)


def reported(kind, times=1, **columns):
    """Return a text with this many reports, and its case."""
    text = text_of(kind, **columns)
    for _ in range(times):
        report(kind, text)
    return text, case_of(kind, text)


def state(case):
    """Return the columns of a case that decisions change."""
    case.refresh_from_db()
    return case.state, case.is_hidden_by_audience, case.updated_at, case.decided_at, case.decided_by_id


@KINDS
def test_hidden_means_nobody_reads_it_and_dismissed_that_everybody_does(kind, admin):
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


def test_a_selection_of_all_kinds_is_decided_in_one_go_and_audited_without_words(admin):
    texts, cases = zip(*(reported(kind) for kind in EVERY), strict=True)
    answer = reports_decide(actor=admin, decision="hide", seen=seen(*reversed(cases)))
    assert (answer.decided, answer.others, answer.changed, answer.single) == (4, 0, 0, "")
    assert answer.sentence_in("en") == "4 reported texts hidden."
    assert all(is_hidden(text) for text in texts)
    [noted] = audit_list()
    names = [f"{kind}-{text.pk}" for kind, text in zip(EVERY, texts, strict=True)]
    assert (noted.action, noted.user_id, noted.subject_id) == ("reports.hide", admin.id, answer.id)
    assert noted.details == {"count": 4, "reports": names}


def test_all_reports_of_a_text_are_decided_by_one_decision(admin):
    text, case = reported(POST, times=3)
    reports_decide(actor=admin, decision="hide", seen=seen(case))
    case.refresh_from_db()
    assert not case.is_hidden_by_audience
    assert all(each.created_at < case.decided_at for each in case.reports.all())
    assert is_hidden(text)


def test_only_administrators_decide(nobody):
    text, case = reported(POST)
    with pytest.raises(PermissionDenied):
        reports_decide(actor=nobody, decision="hide", seen=seen(case))
    with pytest.raises(PermissionDenied):
        reports_decide_matching(actor=nobody, decision="hide", filters=ReportFilter(), until=timezone.now())
    with pytest.raises(PermissionDenied):
        report_decision_undo(actor=nobody, decision_id=1)
    assert not is_hidden(text)


def test_the_operator_decides_too():
    text, case = reported(POST)
    reports_decide(actor=OPERATOR, decision="hide", seen=seen(case))
    case.refresh_from_db()
    assert (is_hidden(text), case.decided_by_id) == (True, None)


@pytest.mark.parametrize(("decision", "count"), [("approve", 1), ("", 1), ("hide", 0), ("hide", 1001)])
def test_nonsense_is_refused(admin, decision, count):
    reports = [Seen(POST, 1 + number) for number in range(count)]
    with pytest.raises(ValidationError):
        reports_decide(actor=admin, decision=decision, seen=reports)
    assert not ReportDecision.objects.exists()


def test_what_was_decided_meanwhile_is_left_alone(admin):
    other = viewer_of(AdminFactory())
    (text, case), (_, open_case) = reported(POST), reported(POST_COMMENT)
    read = seen(case, open_case)
    reports_decide(actor=other, decision="hide", seen=seen(case))
    for decision in ReportVerdict:
        with pytest.raises(ValidationError, match=r"This has been decided already\."):
            reports_decide(actor=admin, decision=decision, seen=read[:1])
    answer = reports_decide(actor=admin, decision="dismiss", seen=read)
    assert answer.sentence_in("en") == "1 reported text dismissed. 1 had been decided already."
    assert is_hidden(text)


def test_a_text_that_was_reported_again_is_read_again_before_it_is_dismissed(admin):
    (text, case), (_, other) = reported(POST), reported(POST)
    read = seen(case, other)
    report(POST, text)
    with pytest.raises(ValidationError, match="reported again since"):
        reports_decide(actor=admin, decision="dismiss", seen=read[:1])
    answer = reports_decide(actor=admin, decision="dismiss", seen=read)
    assert answer.sentence_in("en") == "1 reported text dismissed. 1 was reported again since and still waits."
    reports_decide(actor=admin, decision="hide", seen=read[:1])
    assert is_hidden(text)


def test_what_was_dismissed_and_reported_again_is_not_hidden_by_who_read_it_before(admin):
    text, case = reported(POST)
    read = seen(case)
    reports_decide(actor=viewer_of(AdminFactory()), decision="dismiss", seen=read)
    report(POST, text)
    with pytest.raises(ValidationError, match="reported again since"):
        reports_decide(actor=admin, decision="hide", seen=read)
    assert not is_hidden(text)


def test_without_a_version_only_what_is_open_is_decided(admin):
    _, case = reported(POST)
    unread = [Seen(POST, case.subject_id)]
    reports_decide(actor=admin, decision="hide", seen=unread)
    with pytest.raises(ValidationError, match="decided already"):
        reports_decide(actor=admin, decision="dismiss", seen=unread)


def test_a_text_that_was_deleted_is_among_the_others(admin):
    (text, case), (_, other) = reported(POST), reported(POST)
    read = seen(case, other)
    post_delete(actor=admin, post_id=text.pk)
    answer = reports_decide(actor=admin, decision="hide", seen=read)
    assert (answer.decided, answer.others) == (1, 1)
    with pytest.raises(ValidationError, match="decided already"):
        reports_decide(actor=admin, decision="hide", seen=read[:1])


def test_all_that_match_are_those_that_were_open_when_the_list_was_read(admin):
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


def test_all_that_match_of_a_list_of_decided_ones_are_still_those_that_wait(admin):
    (text, case), (open_text, _) = reported(POST), reported(POST)
    reports_decide(actor=admin, decision="hide", seen=seen(case))
    filters = ReportFilter(state=ReportState.HIDDEN)
    reports_decide_matching(actor=admin, decision="dismiss", filters=filters, until=timezone.now() + timedelta(hours=1))
    assert is_hidden(text)
    assert not is_hidden(open_text)


@pytest.mark.parametrize("decision", list(ReportVerdict))
def test_an_undo_leaves_everything_as_it_was(admin, decision):
    rows = [reported(kind, times) for kind in EVERY for times in (1, 3)]
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
    assert [each.action for each in audit_list()][:2] == ["reports.undo", f"reports.{decision}"]


def test_an_undo_leaves_what_was_reported_again_decided_or_deleted_since(admin):
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


def test_an_undo_comes_at_most_ten_minutes_later_and_what_is_older_is_forgotten(admin):
    _, case = reported(POST)
    answer = reports_decide(actor=admin, decision="hide", seen=seen(case))
    ReportDecision.objects.update(created_at=timezone.now() - timedelta(minutes=10, seconds=1))
    assert report_decision_last(user_id=admin.id) is None
    with pytest.raises(ValidationError, match="no longer be taken back"):
        report_decision_undo(actor=admin, decision_id=answer.id)
    assert report_decisions_prune() == 2
    assert not DecidedCase.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_topics_of_decisions(listener, admin):
    fan = member()
    post, case = reported(POST, user_id=fan.id)
    comment, of_comment = reported(POST_COMMENT)
    listener.heard()
    answer = reports_decide(actor=admin, decision="hide", seen=seen(case, of_comment))
    topics = {
        *("reports", "community", f"community_post.{post.pk}", f"community_post.{comment.post_id}"),
        *(f"account.{author}.hidden" for author in (fan.id, comment.user_id)),
    }
    assert listener.heard() == topics
    report_decision_undo(actor=admin, decision_id=answer.id)
    assert listener.heard() == topics
    rating, of_rating = reported(RATING_COMMENT)
    listener.heard()
    reports_decide(actor=admin, decision="hide", seen=seen(of_rating))
    appearance = rating.session_participant
    assert listener.heard() == {
        *("reports", "ratings.latest", f"account.{rating.user_id}.hidden", f"account.{rating.user_id}.ratings"),
        f"session_participant.{appearance.pk}.ratings",
        f"participant.{appearance.participant_id}.ratings",
        f"author.{rating.user_id}.ratings",
        f"stage.{appearance.session.stage_id}.ratings",
    }
