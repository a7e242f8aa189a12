"""Test the report queue of administrators: reasons, search, pages and counts."""

from datetime import timedelta
from itertools import product

import pytest
from django.utils import timezone

from apps.accounts.models import User
from apps.community.enums import ReportKind, ReportReason, ReportState
from apps.community.models import PostComment, Report
from apps.community.report_address import fields_of, filters_of
from apps.community.selectors import reports
from apps.community.selectors.reports import (
    ReasonCount,
    ReportFilter,
    cursor_of,
    report_counts,
    report_queue,
    reports_match_count,
)
from apps.community.services.report_moderation import reports_decide
from apps.core.database.paging import keyset_page
from tests.apps.community.reporting import (
    KINDS,
    POST,
    POST_COMMENT,
    RATING_COMMENT,
    SESSION_COMMENT,
    case_of,
    report,
    seen,
    text_of,
)
from tests.apps.live.conftest import member
from tests.factories import AppearanceFactory, PostFactory, UserFactory

pytestmark = pytest.mark.django_db
ALL_KINDS = (POST, POST_COMMENT, SESSION_COMMENT, RATING_COMMENT)


def queue(**narrowed):
    return report_queue(filters=ReportFilter(**narrowed), limit=50)


@KINDS
def test_row_shows_text_reasons_and_number_of_reports(kind):
    author = UserFactory(username="writer")
    text = text_of(kind, user=author)
    report(kind, text, reason="other", words="Word 0")
    report(kind, text, reason="other", words="Word 1")
    report(kind, text, reason="insult")
    [row] = queue()
    assert (row.kind, row.id, row.state, row.is_hidden_by_audience) == (kind, text.pk, ReportState.OPEN, True)
    assert (row.text.author_id, row.text.author, row.text.is_hidden) == (author.pk, "writer", True)
    assert row.text.text == (text.comment if kind == RATING_COMMENT else text.content)
    paths = {
        POST: lambda: f"/community?post={text.pk}",
        POST_COMMENT: lambda: f"/community?post={text.post_id}",
        SESSION_COMMENT: lambda: f"/sessions/{text.session_id}",
        RATING_COMMENT: lambda: f"/participants/{text.appearance.participant_id}",
    }
    assert row.text.path == paths[kind]()
    assert row.reasons == (ReasonCount(ReportReason.OTHER, 2), ReasonCount(ReportReason.INSULT, 1))
    assert (row.count, row.earlier, row.words) == (3, 0, ("Word 1", "Word 0"))
    moments = Report.objects.order_by("id").values_list("created_at", flat=True)
    assert (row.first_at, row.last_at, row.updated_at) == (moments[0], moments[2], case_of(kind, text).updated_at)
    assert (row.decided_at, row.decided_by) == (None, "")


def test_row_shows_the_newest_five_comments_of_reporters(settings):
    settings.REPORTS_HIDE_AT = 0
    post = PostFactory(user=None)
    for number in range(7):
        report(POST, post, words=f"Word {number}" if number != 5 else "")
    [row] = queue()
    assert (row.count, row.text.author_id, row.text.author) == (7, None, "")
    assert row.words == ("Word 6", "Word 4", "Word 3", "Word 2", "Word 1")


def test_row_counts_reports_since_the_last_dismissal(admin):
    post, name = PostFactory(), User.objects.get(pk=admin.id).username
    report(POST, post, words="Before", times=2)
    reports_decide(actor=admin, decision="dismiss", seen=seen(case_of(POST, post)))
    [row] = queue(state=ReportState.DISMISSED)
    assert (row.count, row.earlier, row.decided_by) == (2, 0, name)
    report(POST, post, reason="insult", words="After")
    [row] = queue()
    assert (row.reasons, row.earlier, row.words) == ((ReasonCount(ReportReason.INSULT, 1),), 2, ("After",))
    reports_decide(actor=admin, decision="hide", seen=seen(case_of(POST, post)))
    [row] = queue(state=ReportState.HIDDEN)
    assert (row.count, row.earlier) == (3, 0)


def test_case_is_kept_without_its_reporters():
    post, fan = PostFactory(), member()
    report(POST, post, by=fan, words="Mine")
    User.objects.get(pk=fan.id).delete()
    [row] = queue()
    assert (row.count, row.words, row.first_at, row.last_at) == (0, (), None, None)


def test_queue_is_filtered_by_state_kind_and_time(admin):
    texts = {kind: text_of(kind) for kind in ALL_KINDS}
    for kind, text in texts.items():
        report(kind, text)
    assert [row.kind for row in queue()] == [*reversed(ALL_KINDS)]  # the newest report comes first
    assert [row.kind for row in queue(kind=SESSION_COMMENT)] == [SESSION_COMMENT]
    reports_decide(actor=admin, decision="hide", seen=seen(case_of(POST, texts[POST])))
    assert [row.kind for row in queue(state=ReportState.HIDDEN)] == [POST]
    until = case_of(SESSION_COMMENT, texts[SESSION_COMMENT]).updated_at
    assert [row.kind for row in queue(until=until)] == [SESSION_COMMENT, POST_COMMENT]
    counted = reports_match_count(filters=ReportFilter(until=until))
    assert (counted.total, counted.newer) == (2, 1)
    assert reports_match_count(filters=ReportFilter()).total == 3
    assert reports_match_count(filters=ReportFilter(kind=POST)).total == 0
    assert report_counts() == {POST: 0, POST_COMMENT: 1, SESSION_COMMENT: 1, RATING_COMMENT: 1}


def test_pages_list_each_row_once():
    posts = PostFactory.create_batch(7)
    for post in posts:
        report(POST, post)
    before, pages = "", []
    while True:
        page = keyset_page(
            lambda *, before, limit: report_queue(filters=ReportFilter(), before=before, limit=limit),
            cursor_of,
            before=before,
            size=3,
        )
        pages.append([row.id for row in page.rows])
        if not page.older:
            break
        before = page.older
    assert [len(rows) for rows in pages] == [3, 3, 1]
    assert [pk for rows in pages for pk in rows] == [post.pk for post in reversed(posts)]


def test_queue_has_a_constant_number_of_queries(django_assert_num_queries, settings):
    settings.REPORTS_HIDE_AT = 0
    reporters = [member() for _ in range(3)]

    def add():
        for kind in ALL_KINDS:
            text = text_of(kind)
            for reporter in reporters:
                report(kind, text, by=reporter, words="Rude")

    add()
    with django_assert_num_queries(7):
        assert len(queue()) == 4
    for _ in range(2):
        add()
    with django_assert_num_queries(7):
        assert len(queue()) == 12
    with django_assert_num_queries(4):
        assert len(queue(kind=POST)) == 3
    with django_assert_num_queries(1):
        report_counts()
    with django_assert_num_queries(2):
        reports_match_count(filters=ReportFilter(until=timezone.now()))


def test_text_deleted_between_two_queries_is_left_out(monkeypatch):
    comment, other = text_of(POST_COMMENT), text_of(POST_COMMENT)
    report(POST_COMMENT, comment)
    report(POST_COMMENT, other)

    def later(*, ids):
        PostComment.objects.filter(pk=comment.pk).delete()
        return read(ids=ids)

    read = reports._TEXTS[POST_COMMENT]
    monkeypatch.setitem(reports._TEXTS, POST_COMMENT, later)
    assert [row.id for row in queue()] == [other.pk]


def test_filters_are_read_from_their_address():
    until = timezone.now() - timedelta(minutes=1)
    for state, kind in product(ReportState, [None, *ReportKind]):
        fields = fields_of(ReportFilter(state=state, kind=kind))
        assert filters_of(fields) == ReportFilter(state=state, kind=kind)
        assert filters_of(fields, until=until) == ReportFilter(state=state, kind=kind, until=until)
    assert filters_of({"show": "gone", "kind": "news", "tab": "\0"}) == ReportFilter()


def test_row_names_the_performance_of_its_text():
    played = AppearanceFactory()
    reported = {
        POST: text_of(POST, appearance=played),
        SESSION_COMMENT: text_of(SESSION_COMMENT, session=played.session, appearance=played),
        POST_COMMENT: text_of(POST_COMMENT),
    }
    for kind, text in reported.items():
        report(kind, text)
    about = f"{played.participant.name}, {played.session.title}"
    rows = report_queue(filters=ReportFilter(), limit=3)
    assert {row.kind: row.text.about for row in rows} == {POST: about, SESSION_COMMENT: about, POST_COMMENT: ""}
