"""Test that the counters in PostgreSQL equal a real count, also after arbitrary and concurrent writes."""

from dataclasses import replace

import pytest
from django.db import connection, transaction

from apps.accounts.actors import OPERATOR
from apps.community.enums import ReportKind
from apps.community.models import PostCommentCount, PostReactionCount, ReportCaseCount
from apps.community.services.reports import report_add
from apps.competition.services.sessions import session_delete
from apps.core.moderation import Seen
from apps.live.models import CommentCount, SessionComment
from apps.ratings.limits import RATINGS
from apps.ratings.models import (
    AdvanceRecommendation,
    PerformanceRating,
    PieceMarkCount,
    PieceRating,
    PieceRatingCount,
)
from apps.ratings.selectors.moderation_queue import QueueFilter, ratings_queue
from apps.ratings.selectors.statistics import participant_figures
from apps.ratings.services.rating_moderation import ratings_decide
from apps.ratings.services.submission import ratings_submit
from tests.apps.conftest import run_together
from tests.apps.core.database.random_session import STEPS, RandomSession
from tests.apps.live.conftest import member
from tests.apps.ratings import closing
from tests.factories import AdminFactory, PostFactory, ProgramEntryFactory, SessionFactory, viewer_of

MARKS = (PieceRating, PerformanceRating, AdvanceRecommendation)
# `closing.sql` counts the tables of ratings.
COUNTED = (
    ("session_comments", "session_comment_counts", "session_id, is_hidden", "true"),
    ("post_reactions", "post_reaction_counts", "post_id, type", "true"),
    ("post_comments", "post_comment_counts", "post_id", "NOT is_hidden"),
    ("report_cases", "report_case_counts", "state, kind", "true"),
    ("follows", "follow_counts", "participant_id", "true"),
)
DIFFERENCE = """
WITH counted AS (SELECT {keys}, count(*) AS n FROM {table} WHERE {where} GROUP BY {keys}),
kept AS (SELECT {keys}, sum(count) AS n FROM {counts} GROUP BY {keys} HAVING sum(count) <> 0)
SELECT * FROM ((TABLE counted EXCEPT TABLE kept) UNION ALL (TABLE kept EXCEPT TABLE counted)) AS differing
"""


def differences():
    """Return for each counter table the rows that differ from a real count; empty if all agree."""
    differing = {}
    with connection.cursor() as cursor:
        for table, counts, keys, where in COUNTED:
            cursor.execute(DIFFERENCE.format(table=table, counts=counts, keys=keys, where=where))
            if rows := cursor.fetchall():
                differing[counts] = rows
    if of_ratings := closing.differences():
        differing["ratings"] = of_ratings
    return differing


@pytest.mark.django_db
@pytest.mark.long(reason="makes random steps and counts after each")
def test_counters_equal_a_count_after_random_steps(monkeypatch):
    unlimited = replace(RATINGS, amount=STEPS)
    monkeypatch.setattr("apps.ratings.services.submission.RATINGS", unlimited)
    counts = (PieceRatingCount, PieceMarkCount, CommentCount, PostCommentCount, PostReactionCount)
    random_session, states = RandomSession(seed=0), set()
    for number in range(STEPS):
        random_session.step()
        assert differences() == {}, number
        for table in MARKS:
            states |= {(table, is_active) for is_active in table.objects.values_list("is_author_active", flat=True)}
        states |= {table for table in counts if table.objects.exists()}
    assert len(states) == 2 * len(MARKS) + len(counts), "marks of each kind by open and closed accounts, all counts"
    report_add(actor=member(), kind=ReportKind.POST, subject_id=PostFactory().pk, reason="spam")
    assert ReportCaseCount.objects.exists()
    session = random_session.sessions[0]
    SessionComment.objects.create(session=session, user_id=random_session.fans[0].id, content="Bravo")
    session_delete(actor=OPERATOR, session_id=session.pk, confirmed=True)
    assert differences() == {}
    assert not CommentCount.objects.filter(session_id=session.pk).exists()


@pytest.mark.django_db(transaction=True)
def test_concurrent_writes_are_all_counted_without_waiting():
    session, fans = SessionFactory(), [member() for _ in range(6)]

    def write(fan):
        for number in range(6):
            with transaction.atomic():
                SessionComment.objects.create(session=session, user_id=fan.id, content=f"Bravo {number}")
                if number % 3 == 0:
                    SessionComment.objects.filter(user_id=fan.id).earliest("pk").delete()

    assert run_together(*(lambda fan=fan: write(fan) for fan in fans)) == [None] * 6
    assert differences() == {}
    assert SessionComment.objects.count() == 6 * 4


@pytest.mark.django_db(transaction=True)
def test_counter_row_locked_by_another_transaction_is_merged_later():
    session, fan = SessionFactory(), member()
    SessionComment.objects.create(session=session, user_id=fan.id, content="First")

    def write_concurrently():
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SET LOCAL lock_timeout = 1")  # ms; a statement that waits for a lock fails
            SessionComment.objects.create(session=session, user_id=fan.id, content="Concurrent")
        return list(CommentCount.objects.values_list("count", flat=True))

    with transaction.atomic():
        SessionComment.objects.create(session=session, user_id=fan.id, content="Held")
        [concurrent_counts] = run_together(write_concurrently)
    assert sorted(concurrent_counts) == [1, 1]  # the locked row, and a row of its own
    assert differences() == {}
    SessionComment.objects.create(session=session, user_id=fan.id, content="Last")
    assert list(CommentCount.objects.values_list("count", flat=True)) == [4]


@pytest.mark.django_db
def test_figures_follow_approval_and_resubmission(django_assert_num_queries):
    entry = ProgramEntryFactory()
    appearance, fan, admin = entry.appearance, member(), viewer_of(AdminFactory())
    marks = {"score": 4, "comment": "Weather."}
    ratings_submit(actor=fan, appearance_id=appearance.pk, pieces={entry.piece_id: 20}, **marks)
    waiting = [Seen(mark.kind, mark.id) for row in ratings_queue(filters=QueueFilter()) for mark in row.marks]

    def counts():
        figures = participant_figures(participant_id=appearance.participant_id)
        return figures.pieces.count, figures.overall.count

    assert counts() == (0, 0)
    ratings_decide(actor=admin, decision="approve", seen=waiting)
    with django_assert_num_queries(1):
        assert counts() == (1, 1)
    ratings_submit(actor=fan, appearance_id=appearance.pk, pieces={entry.piece_id: 21}, **marks)
    assert counts() == (0, 1)
