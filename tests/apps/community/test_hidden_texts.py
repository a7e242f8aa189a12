"""Test hidden texts: only the author sees them, with the reason; lists, counts and other pages leave them out."""

import json

import pytest

from apps.community.enums import ReportKind, ReportReason
from apps.community.selectors.hidden_texts import own_hidden
from apps.community.selectors.posts import community_own, post_comments, posts_page, posts_read
from apps.community.services.report_moderation import reports_decide
from apps.competition.dependents import session_dependents
from apps.core.moderation import Seen
from apps.live.limits import COMMENTS_SHOWN
from apps.live.selectors import audience_of, comment_range, comments_before, comments_left, live_own, session_comments
from apps.live.services import comment_add, comment_delete, comments_hide
from apps.ratings.enums import ApprovalFilter, RatingKind
from apps.ratings.models import PerformanceRating
from apps.ratings.selectors.counts import account_ratings_export
from apps.ratings.selectors.lists import ratings_by_id, ratings_latest, ratings_own_list, ratings_public, ratings_words
from apps.ratings.selectors.moderation_queue import QueueFilter, ratings_queue
from apps.ratings.selectors.own import ratings_own
from apps.ratings.selectors.statistics import participant_figures
from apps.ratings.services.rating_moderation import decision_undo, ratings_decide
from apps.ratings.services.removal import rating_comments_hide
from apps.ratings.services.submission import ratings_submit
from tests.apps.community.reporting import (
    KINDS,
    POST,
    POST_COMMENT,
    RATING_COMMENT,
    case_of,
    is_hidden,
    report,
    seen,
    text_of,
)
from tests.factories import PerformanceRatingFactory, ProgramEntryFactory, SessionCommentFactory, SessionFactory

pytestmark = pytest.mark.django_db


def test_hidden_session_comment_is_not_listed_or_counted():
    session = SessionFactory()
    comments = SessionCommentFactory.create_batch(COMMENTS_SHOWN + 8, session=session)
    first, last, middle = comments[0], comments[-1], comments[4]
    comments_hide(ids=[last.pk, middle.pk], hidden=True)
    shown = session_comments(session_id=session.pk)
    assert (len(shown.newest), shown.total) == (COMMENTS_SHOWN, COMMENTS_SHOWN + 6)
    assert shown.newest[0].id == comments[-2].pk
    everything = [
        *comments_before(session_id=session.pk, limit=100),
        *comment_range(session_id=session.pk, from_id=first.pk, below_id=last.pk + 1),
        *comments_left(session_id=session.pk, from_id=first.pk),
        *shown.newest,
    ]
    assert audience_of(session_id=session.pk) == (COMMENTS_SHOWN + 8, 0), "a deletion counts the hidden ones too"
    [dependents] = session_dependents(session.pk)
    assert dependents.numbers["comments"] == COMMENTS_SHOWN + 8
    assert {row.id for row in everything} == {comment.pk for comment in comments} - {last.pk, middle.pk}
    comments_hide(ids=[last.pk, middle.pk], hidden=False)
    shown = session_comments(session_id=session.pk)
    assert (shown.newest[0].id, shown.total) == (last.pk, COMMENTS_SHOWN + 8)


def test_author_can_delete_a_hidden_comment_but_not_repeat_it(fan):
    session = SessionFactory()
    comment = comment_add(actor=fan, session_id=session.pk, content="Rude")
    comments_hide(ids=[comment.pk], hidden=True)
    with pytest.raises(Exception, match="just said the same"):
        comment_add(actor=fan, session_id=session.pk, content="Rude")
    comment_delete(actor=fan, comment_id=comment.pk)


def latest():
    """Return the newest ratings with their marks."""
    return [*ratings_by_id(ids=[rating.id for rating in ratings_latest()]).values()]


def test_hidden_rating_comment_keeps_its_mark_public(fan, admin):
    rating = PerformanceRatingFactory(user_id=fan.id, approved=True, score=2, comment="Rude words")
    appearance = rating.appearance
    before = participant_figures(participant_id=appearance.participant_id)
    rating_comments_hide(ids=[rating.pk], hidden=True)
    of_participant = {"participant_id": appearance.participant_id}
    words = ratings_words(appearance_id=appearance.pk, limit=5)
    for public in (*latest(), *ratings_public(**of_participant), *words):
        shown = public.whole
        assert (shown.id, shown.score, shown.comment, shown.is_comment_hidden) == (rating.pk, 2, "", False)
        assert shown.quick_rating == "great_performance"
    assert participant_figures(participant_id=appearance.participant_id) == before
    [own] = ratings_own_list(user_id=fan.id)
    assert (own.whole.comment, own.whole.is_comment_hidden) == ("Rude words", True)
    mine = ratings_own(user_id=fan.id, participant_id=appearance.participant_id)[appearance.pk].overall
    assert (mine.comment, mine.is_comment_hidden) == ("Rude words", True)
    [queued] = ratings_queue(filters=QueueFilter(RatingKind.PERFORMANCE, ApprovalFilter.ALL))
    assert (queued.whole.comment, queued.whole.is_comment_hidden) == ("Rude words", True)
    rating_comments_hide(ids=[rating.pk], hidden=False)
    assert latest()[0].whole.comment == "Rude words"


@pytest.mark.parametrize(("comment", "kept"), [("Rude", True), ("Better", False)])
def test_changed_mark_keeps_the_comment_hidden_and_a_changed_comment_shows_it(fan, admin, comment, kept):
    entry = ProgramEntryFactory()
    submission = {"actor": fan, "appearance_id": entry.appearance_id, "pieces": {entry.piece_id: 5}}
    ratings_submit(**submission, score=2, comment="Rude")
    rating = PerformanceRating.objects.get()
    ratings_decide(actor=admin, decision="approve", seen=[Seen("performance", rating.pk)])
    rating_comments_hide(ids=[rating.pk], hidden=True)
    ratings_submit(**submission, score=3, comment=comment)
    rating.refresh_from_db()
    assert (rating.approved, rating.is_comment_hidden) == (False, kept)
    ratings_decide(actor=admin, decision="approve", seen=[Seen("performance", rating.pk)])
    assert latest()[0].whole.comment == ("" if kept else "Better")


def test_restored_rating_has_no_report_case(admin):
    rating = text_of(RATING_COMMENT)
    report(RATING_COMMENT, rating)
    PerformanceRating.objects.update(approved=False)
    answer = ratings_decide(actor=admin, decision="reject", seen=[Seen("performance", rating.pk)])
    decision_undo(actor=admin, decision_id=answer.id)
    assert not is_hidden(rating)
    for _ in range(2):
        with pytest.raises(Exception, match="no longer there"):  # the rating waits for approval
            report(RATING_COMMENT, rating)


def test_hidden_post_and_comment_are_not_listed(admin):
    post, comment = text_of(POST), text_of(POST_COMMENT)
    for kind, text in ((POST, post), (POST_COMMENT, comment)):
        report(kind, text)
        reports_decide(actor=admin, decision="hide", seen=seen(case_of(kind, text)))
    assert [post.id for post in posts_page(limit=20)] == [comment.post_id]
    assert posts_read(ids=[post.pk, comment.post_id])[comment.post_id].comments == 0
    assert post_comments(post_id=comment.post_id).newest == ()


@KINDS
def test_author_sees_own_hidden_texts_with_reasons(kind, fan, admin):
    text, other = text_of(kind, user_id=fan.id), text_of(kind, user_id=fan.id)
    report(kind, text, reason="insult", words="Names me")
    for reason in ("spam", "spam", "off_topic"):
        report(kind, other, reason=reason)
        if is_hidden(other):
            break
    assert [(own.kind, own.text.id, own.by_audience) for own in own_hidden(user_id=fan.id)] == [(kind, other.pk, True)]
    reports_decide(actor=admin, decision="hide", seen=seen(case_of(kind, text)))
    shown = {own.text.id: own for own in own_hidden(user_id=fan.id)}
    assert (shown[text.pk].reasons, shown[text.pk].by_audience) == ((ReportReason.INSULT,), False)
    assert shown[other.pk].reasons == (ReportReason.SPAM, ReportReason.OFF_TOPIC)
    assert "Names me" not in str(shown)
    assert own_hidden(user_id=admin.id) == ()
    reports_decide(actor=admin, decision="dismiss", seen=seen(case_of(kind, text), case_of(kind, other)))
    assert own_hidden(user_id=fan.id) == ()


def test_own_hidden_has_a_constant_number_of_queries(fan, admin, django_assert_num_queries):
    def add():
        for kind in ReportKind:
            text = text_of(kind, user_id=fan.id)
            report(kind, text)
            reports_decide(actor=admin, decision="hide", seen=seen(case_of(kind, text)))

    with django_assert_num_queries(4):
        assert own_hidden(user_id=fan.id) == ()
    for count in (4, 8):
        while len(own_hidden(user_id=fan.id)) < count:
            add()
        with django_assert_num_queries(6):
            assert len(own_hidden(user_id=fan.id)) == count


def test_export_marks_hidden_texts(fan):
    texts = {kind: text_of(kind, user_id=fan.id) for kind in ReportKind}
    for kind, text in texts.items():
        report(kind, text, times=3)
    own = {**community_own(user_id=fan.id), **live_own(user_id=fan.id), **account_ratings_export(fan.id)}
    assert json.loads(json.dumps(own)) == own
    for name in ("posts", "post_comments", "session_comments"):
        assert [row["is_hidden"] for row in own[name]] == [True], name
    assert [row["is_comment_hidden"] for row in own["performance_ratings"]] == [True]
