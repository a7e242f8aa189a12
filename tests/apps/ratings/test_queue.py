"""Test the moderation queue and its filters."""

from datetime import timedelta

import pytest
from django.utils import timezone

from apps.accounts.models import User
from apps.core.moderation import MatchCount
from apps.ratings.enums import ApprovalFilter
from apps.ratings.selectors.moderation_queue import QueueFilter, ratings_match_count, ratings_queue
from tests.apps.ratings.deciding import PERFORMANCE, PIECE
from tests.factories import (
    AppearanceFactory,
    ParticipantFactory,
    PerformanceRatingFactory,
    PieceRatingFactory,
    UserFactory,
)

pytestmark = pytest.mark.django_db


def test_queue_filters_by_each_criterion(django_assert_num_queries):
    appearance = AppearanceFactory(participant=ParticipantFactory(second_name="Łęcka"))
    new = UserFactory(username="una_corda")
    old = UserFactory(username="row_g")
    User.objects.filter(pk=old.pk).update(created_at=timezone.now() - timedelta(days=8))
    mark = PieceRatingFactory(appearance=appearance, user=new, score=25)
    whole = PerformanceRatingFactory(user=old, comment="Like weather.", score=2)
    shown = PerformanceRatingFactory(user=old, approved=True)

    def found(**narrow):
        ids = set()
        for kind in (PIECE, PERFORMANCE):
            filters = QueueFilter(**{"kind": kind} | narrow)
            rows = ratings_queue(filters=filters)
            assert ratings_match_count(filters=filters).total == len(rows)
            ids |= {(mark.kind, mark.id) for row in rows for mark in row.marks if mark.kind == filters.kind}
        return ids

    a, b, c = (PIECE, mark.pk), (PERFORMANCE, whole.pk), (PERFORMANCE, shown.pk)
    assert found() == {a, b}
    assert found(kind=PIECE) == {a}
    assert found(show=ApprovalFilter.APPROVED) == {c}
    assert found(show=ApprovalFilter.ALL) == {a, b, c}
    assert found(participant_id=appearance.participant_id) == {a}
    assert found(session_id=whole.appearance.session_id) == {b}
    assert found(score_from=3) == {a}
    assert found(score_to=2) == {b}
    assert found(text="lecka") == {a}
    assert found(text="WEATHER like") == {b}
    assert found(text="corda łęcka") == {a}
    assert found(text="Lęc-ka") == {a}
    assert found(text="%") == found(text="corda weather") == set()
    assert found(new_accounts=True) == {a}
    with django_assert_num_queries(4):
        ratings_queue(filters=QueueFilter(text="a", new_accounts=True))
    with django_assert_num_queries(5):
        ratings_queue(filters=QueueFilter(text="a", session_id=appearance.session_id))


def test_queue_filters_pieces_by_mean_and_by_the_comment():
    low, high = (AppearanceFactory() for _ in range(2))
    fan = UserFactory(username="una_corda")
    for appearance, scores in ((low, (1, 2, 12)), (high, (25, 24))):
        for score in scores:
            PieceRatingFactory(user=fan, appearance=appearance, score=score)
    PieceRatingFactory(user=fan, appearance=low, score=25, approved=True)
    PerformanceRatingFactory(user=fan, appearance=high, comment="Like weather.")

    def found(**narrow):
        return {row.appearance_id for row in ratings_queue(filters=QueueFilter(**narrow))}

    assert found(score_to=5) == {low.pk}
    assert found(score_to=4) == set()
    assert found(score_from=24) == {high.pk}
    assert found(score_from=25) == set()
    assert found(text="weather corda") == {high.pk}
    assert found(show=ApprovalFilter.APPROVED, score_from=25) == {low.pk}
    assert found(show=ApprovalFilter.ALL, score_to=10) == {low.pk}


def test_match_count_counts_marks_changed_since_the_list_was_read():
    mark = PieceRatingFactory()
    until = timezone.now()
    filters = QueueFilter(until=until)
    assert ratings_match_count(filters=filters) == MatchCount(1, 0, marks=1)
    again = {"user": mark.user, "appearance": mark.appearance}
    PieceRatingFactory(**again, updated_at=until + timedelta(seconds=1))
    assert ratings_match_count(filters=filters) == MatchCount(0, 1)
    assert ratings_queue(filters=filters) == ()
