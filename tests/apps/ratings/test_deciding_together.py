"""Test race conditions between decisions of two moderators."""

from functools import partial

import pytest
from django.core.exceptions import ValidationError
from django.utils import timezone

from apps.core.moderation import DecisionResult
from apps.ratings.models import PieceRating
from apps.ratings.selectors.moderation_queue import QueueFilter
from apps.ratings.services.rating_moderation import ratings_decide, ratings_decide_matching
from apps.ratings.services.submission import ratings_submit
from tests.apps.conftest import run_together
from tests.apps.ratings.deciding import TABLES, approved, seen
from tests.factories import PerformanceRatingFactory, PieceRatingFactory, ProgramEntryFactory, UserFactory, viewer_of

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.parametrize("second", ["approve", "reject"])
def test_concurrent_decisions_decide_each_rating_once(admin, second):
    other = viewer_of(UserFactory(is_admin=True))
    for _ in range(4):
        ratings = [*PieceRatingFactory.create_batch(8), *PerformanceRatingFactory.create_batch(8)]
        answers = run_together(
            partial(ratings_decide, actor=admin, decision="approve", seen=seen(*ratings)),
            partial(ratings_decide, actor=other, decision=second, seen=seen(*reversed(ratings))),
        )
        decided = [answer.decided for answer in answers if isinstance(answer, DecisionResult)]
        messages = [answer.messages for answer in answers if isinstance(answer, ValidationError)]
        assert sum(decided) == 16
        assert messages in ([], [["This rating has been decided already."]])
        left = sum(len(table) for table in approved())
        rejected = answers[1].decided if second == "reject" and isinstance(answers[1], DecisionResult) else 0
        assert left == 16 - rejected
        for table in TABLES:
            table.objects.all().delete()


def test_concurrent_matching_decisions_leave_changed_ratings_waiting(admin):
    entries = [ProgramEntryFactory() for _ in range(3)]
    fans = [viewer_of(UserFactory()) for _ in range(3)]

    def submit(fan, entry, score):
        return ratings_submit(
            actor=fan,
            session_participant_id=entry.session_participant_id,
            pieces={entry.piece_id: score},
            score=3,
            comment=f"{score}.",
        )

    for turn in range(3):
        for fan in fans:
            for entry in entries:
                submit(fan, entry, 1 + turn * 2)
        every = partial(ratings_decide_matching, actor=admin, filters=QueueFilter(), until=timezone.now())
        answers = run_together(
            partial(every, decision="approve"),
            partial(every, decision="reject"),
            *(partial(submit, fan, entries[0], 2 + turn * 2) for fan in fans),
        )
        assert all(isinstance(answer, DecisionResult | ValidationError | str) for answer in answers)
        shown = PieceRating.objects.filter(approved=True).values_list("score", flat=True)
        assert set(shown) <= {1 + turn * 2}  # a changed rating waits, in either order
