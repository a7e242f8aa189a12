"""The counts that PostgreSQL keeps are those that counting gives, whatever happened, and whoever wrote beside."""

import random
from dataclasses import replace
from uuid import uuid4

import pytest
from django.core.exceptions import ValidationError
from django.db import connection, transaction

from apps.accounts.actors import OPERATOR
from apps.community.enums import REACTION_WISHES, ReportKind, ReportVerdict
from apps.community.models import Post, PostComment, PostCommentCount, PostReactionCount, ReportCaseCount
from apps.community.selectors import ReportFilter
from apps.community.services import post_delete, post_reaction_set, report_add, reports_decide_matching
from apps.community.services.data_rights import community_forget
from apps.competition.services import session_delete
from apps.core.database.clock import database_now
from apps.core.database.row_counts import counting_sql
from apps.live.models import CommentCount, SessionComment
from apps.live.services import comment_add, comment_delete
from apps.live.services.data_rights import live_forget
from apps.ratings.enums import RatingKind
from apps.ratings.limits import RATINGS
from apps.ratings.models import (
    AdvanceRecommendation,
    DecidedRating,
    PerformanceRating,
    PieceMarkCount,
    PieceRating,
    PieceRatingCount,
)
from apps.ratings.selectors import QueueFilter, decision_last, participant_figures, ratings_queue
from apps.ratings.services import (
    MarkSeen,
    appearance_ratings_delete,
    decision_undo,
    mark_delete,
    ratings_decide,
    ratings_submit,
    recommendation_set,
)
from apps.ratings.services.data_rights import account_ratings_delete
from tests.apps.conftest import run_together
from tests.apps.live.conftest import member
from tests.factories import (
    AdminFactory,
    AppearanceFactory,
    PostCommentFactory,
    PostFactory,
    ProgramEntryFactory,
    SessionFactory,
    viewer_of,
)
from tests.owner import as_owner

STEPS = 80
COUNTED = (
    ("session_comments", "session_comment_counts", "session_id, is_hidden", "true"),
    ("piece_ratings", "piece_rating_counts", "session_participant_id, piece_id, approved", "true"),
    ("piece_ratings", "piece_mark_counts", "session_participant_id, piece_id, score", "approved"),
    ("performance_ratings", "performance_rating_counts", "session_participant_id, approved, score", "true"),
    ("advance_recommendations", "advance_recommendation_counts", "session_participant_id, recommendation", "true"),
    ("post_reactions", "post_reaction_counts", "post_id, type", "true"),
    ("post_comments", "post_comment_counts", "post_id", "NOT is_hidden"),
    (
        "rating_submissions",
        "rating_submission_counts",
        "session_participant_id, waiting_pieces, approved_pieces",
        "waiting_pieces + approved_pieces > 0",
    ),
    ("report_cases", "report_case_counts", "state, kind", "true"),
)
REPORTED = {
    ReportKind.POST: Post,
    ReportKind.POST_COMMENT: PostComment,
    ReportKind.SESSION_COMMENT: SessionComment,
    ReportKind.RATING_COMMENT: PerformanceRating,
}
DIFFERENCE = """
WITH counted AS (SELECT {keys}, count(*) AS n FROM {table} WHERE {where} GROUP BY {keys}),
kept AS (SELECT {keys}, sum(count) AS n FROM {counts} GROUP BY {keys} HAVING sum(count) <> 0)
SELECT * FROM ((TABLE counted EXCEPT TABLE kept) UNION ALL (TABLE kept EXCEPT TABLE counted)) AS differing
"""


def differences():
    """Return for each table of counts in what it differs from its table; empty when in nothing."""
    found = {}
    with connection.cursor() as cursor:
        for table, counts, keys, where in COUNTED:
            cursor.execute(DIFFERENCE.format(table=table, counts=counts, keys=keys, where=where))
            if rows := cursor.fetchall():
                found[counts] = rows
    return found


class Evening:
    """A small evening on which anything may happen."""

    def __init__(self, seed):
        self.luck = random.Random(seed)  # noqa: S311 - a repeatable evening
        self.admin = viewer_of(AdminFactory())
        self.fans = [member() for _ in range(4)]
        self.sessions = [SessionFactory() for _ in range(3)]
        self.posts = [PostFactory(user_id=fan.id) for fan in self.fans]
        self.appearances = [AppearanceFactory(session=session) for session in self.sessions for _ in range(2)]
        self.entries = {
            appearance.pk: [ProgramEntryFactory(session_participant=appearance) for _ in range(2)]
            for appearance in self.appearances
        }

    def step(self):
        """Do something; what a service refuses is not done."""
        try:
            with transaction.atomic():
                self.luck.choice(STEPS_TO_TAKE)(self)
        except ValidationError:
            pass

    def fan(self):
        return self.luck.choice(self.fans)

    def appearance(self):
        return self.luck.choice(self.appearances)

    def rate(self):
        appearance = self.appearance()
        pieces = {entry.piece_id: self.luck.randint(1, 25) for entry in self.entries[appearance.pk]}
        words = {"score": self.luck.randint(1, 5), "comment": f"Heard {self.luck.random()}"}
        ratings_submit(actor=self.fan(), session_participant_id=appearance.pk, pieces=pieces, **words)

    def decide(self):
        kind = self.luck.choice([*RatingKind])
        found = ratings_queue(filters=QueueFilter(kind), limit=self.luck.randint(1, 8))
        waiting = [mark for each in found for mark in each.waiting(kind)]
        seen = [MarkSeen(each.kind, each.id) for each in waiting]
        ratings_decide(actor=self.admin, decision=self.luck.choice(["approve", "approve", "reject"]), marks=seen)

    def undo(self):
        last = decision_last(user_id=self.admin.id)
        if last is not None:
            assert 0 < last.count <= DecidedRating.objects.filter(decision_id=last.id).count()
            decision_undo(actor=self.admin, decision_id=last.id)

    def take_back(self):
        kind = self.luck.choice(list(RatingKind))
        table = PieceRating if kind == RatingKind.PIECE else PerformanceRating
        rating = table.objects.order_by("?").first()
        if rating is not None:
            mark_delete(actor=self.admin, kind=kind, mark_id=rating.pk)

    def recommend(self):
        word = self.luck.choice(["up", "down"])
        recommendation_set(actor=self.fan(), session_participant_id=self.appearance().pk, recommendation=word)

    def empty_appearance(self):
        appearance_ratings_delete(actor=OPERATOR, session_participant_id=self.appearance().pk)

    def comment(self):
        comment_add(actor=self.fan(), session_id=self.luck.choice(self.sessions).pk, content=f"Bravo {uuid4()}")

    def comment_many(self):
        sessions = [self.luck.choice(self.sessions) for _ in range(40)]
        rows = [SessionComment(session=each, user_id=self.fan().id, content="Bravo") for each in sessions]
        SessionComment.objects.bulk_create(rows)

    def uncomment(self):
        comment = SessionComment.objects.order_by("?").first()
        if comment is not None:
            comment_delete(actor=self.admin, comment_id=comment.pk)

    def post(self):
        """One that is there, another one in place of the eldest at times."""
        if self.luck.random() < 1 / STEPS:
            post_delete(actor=OPERATOR, post_id=self.posts.pop(0).pk)
            self.posts.append(PostFactory(user_id=self.fan().id))
        return self.luck.choice(self.posts)

    def applaud(self):
        post_reaction_set(actor=self.fan(), post_id=self.post().pk, reaction=self.luck.choice(REACTION_WISHES))

    def comment_post(self):
        PostCommentFactory(post=self.post(), user_id=self.fan().id)

    def hide_comment(self):
        comment = PostComment.objects.order_by("?").first()
        if comment is not None:
            PostComment.objects.filter(pk=comment.pk).update(is_hidden=not comment.is_hidden)

    def report(self):
        kind, table = self.luck.choice([*REPORTED.items()])
        text = table.objects.order_by("?").first()
        if text is not None:
            report_add(actor=self.fan(), kind=kind, subject_id=text.pk, reason="spam")

    def decide_reports(self):
        decision, until = self.luck.choice([*ReportVerdict]), database_now()
        reports_decide_matching(actor=self.admin, decision=decision, filters=ReportFilter(), until=until)

    def leave(self):
        fan = self.fan()
        community_forget(user_id=fan.id)
        account_ratings_delete(fan.id)
        live_forget(user_id=fan.id)


STEPS_TO_TAKE = (
    *[Evening.rate] * 8,
    *[Evening.decide] * 5,
    *[Evening.recommend, Evening.comment, Evening.applaud, Evening.comment_post, Evening.report] * 4,
    *(
        Evening.undo,
        Evening.take_back,
        Evening.empty_appearance,
        Evening.comment_many,
        Evening.uncomment,
        Evening.hide_comment,
        Evening.decide_reports,
        Evening.leave,
    ),
)


@pytest.mark.django_db
@pytest.mark.parametrize("seed", range(3))
def test_counts_are_what_counting_gives_after_anything(seed, monkeypatch):
    unlimited = replace(RATINGS, amount=STEPS)
    for service in ("submission", "recommendations"):
        monkeypatch.setattr(f"apps.ratings.services.{service}.RATINGS", unlimited)
    evening = Evening(seed)
    for number in range(STEPS):
        evening.step()
        assert differences() == {}, number
    counts = (PieceRatingCount, PieceMarkCount, CommentCount, PostCommentCount, PostReactionCount)
    for table in (*counts, PerformanceRating, AdvanceRecommendation):
        assert table.objects.exists(), table
    report_add(actor=member(), kind=ReportKind.POST, subject_id=PostFactory().pk, reason="spam")
    assert ReportCaseCount.objects.exists()
    session = evening.sessions[0]
    SessionComment.objects.create(session=session, user_id=evening.fans[0].id, content="Bravo")
    session_delete(actor=OPERATOR, session_id=session.pk, confirmed=True)
    assert differences() == {}
    assert not CommentCount.objects.filter(session_id=session.pk).exists()


@pytest.mark.django_db(transaction=True)
def test_many_at_the_same_moment_are_all_counted_and_none_waits():
    session, fans = SessionFactory(), [member() for _ in range(6)]

    def write(fan):
        for number in range(12):
            with transaction.atomic():
                SessionComment.objects.create(session=session, user_id=fan.id, content=f"Bravo {number}")
                if number % 3 == 0:
                    SessionComment.objects.filter(user_id=fan.id).earliest("pk").delete()

    assert run_together(*(lambda fan=fan: write(fan) for fan in fans)) == [None] * 6
    assert differences() == {}
    assert SessionComment.objects.count() == 6 * 8


@pytest.mark.django_db(transaction=True)
def test_a_count_that_another_transaction_holds_is_left_to_it_and_joined_later():
    session, fan = SessionFactory(), member()
    SessionComment.objects.create(session=session, user_id=fan.id, content="First")

    def beside():
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SET LOCAL lock_timeout = 1")  # ms; whoever waits fails
            SessionComment.objects.create(session=session, user_id=fan.id, content="Beside")
        return list(CommentCount.objects.values_list("count", flat=True))

    with transaction.atomic():
        SessionComment.objects.create(session=session, user_id=fan.id, content="Held")
        [seen] = run_together(beside)
    assert sorted(seen) == [1, 1]  # what was before, and its own beside it
    assert differences() == {}
    SessionComment.objects.create(session=session, user_id=fan.id, content="Last")
    assert list(CommentCount.objects.values_list("count", flat=True)) == [4]


@pytest.mark.django_db
def test_what_was_there_before_the_triggers_is_counted_with_them():
    begin, end = counting_sql("session_comments", "session_comment_counts", "session_id", "is_hidden")
    session, fan = SessionFactory(), member()
    with as_owner() as cursor:  # as migrations do
        cursor.execute(end)
        SessionComment.objects.bulk_create(
            SessionComment(session=session, user_id=fan.id, content="B") for _ in range(3)
        )
        assert not CommentCount.objects.exists()
        cursor.execute(begin)
    assert differences() == {}
    SessionComment.objects.create(session=session, user_id=fan.id, content="Bravo")
    assert list(CommentCount.objects.values_list("session_id", "count")) == [(session.pk, 4)]


@pytest.mark.django_db
def test_figures_follow_an_approval_and_its_end(django_assert_num_queries):
    entry = ProgramEntryFactory()
    appearance, fan, admin = entry.session_participant, member(), viewer_of(AdminFactory())
    words = {"score": 4, "comment": "Weather."}
    ratings_submit(actor=fan, session_participant_id=appearance.pk, pieces={entry.piece_id: 20}, **words)
    waiting = [MarkSeen(mark.kind, mark.id) for each in ratings_queue(filters=QueueFilter()) for mark in each.marks]

    def marks():
        figures = participant_figures(participant_id=appearance.participant_id)
        return figures.pieces.count, figures.overall.count

    assert marks() == (0, 0)
    ratings_decide(actor=admin, decision="approve", marks=waiting)
    with django_assert_num_queries(1):
        assert marks() == (1, 1)
    ratings_submit(actor=fan, session_participant_id=appearance.pk, pieces={entry.piece_id: 21}, **words)
    assert marks() == (0, 1)
