"""Test the deletion of ratings with their performance or author, and the author's exported data."""

import datetime as dt
import json
from functools import partial

import pytest
from django.core.exceptions import PermissionDenied

from apps.accounts.data_rights import account_data
from apps.accounts.services.accounts import account_delete
from apps.ratings.models import (
    AdvanceRecommendation,
    CoveringChoice,
    DecidingChoice,
    PerformanceRating,
    PieceRating,
    RatingDraft,
    RatingSubmission,
    UncoveredStage,
)
from apps.ratings.selectors.counts import AppearanceCounts, ratings_of_appearances
from apps.ratings.services.removal import appearance_ratings_delete
from apps.ratings.services.submission import ratings_submit, recommendation_set
from tests.apps.conftest import run_together
from tests.factories import (
    PASSWORD,
    AdvanceRecommendationFactory,
    PerformanceRatingFactory,
    PieceRatingFactory,
    ProgramEntryFactory,
    UserFactory,
    viewer_of,
)

pytestmark = pytest.mark.django_db
TABLES = (PieceRating, PerformanceRating, AdvanceRecommendation)
FACTORIES = (PieceRatingFactory, PerformanceRatingFactory, AdvanceRecommendationFactory)


def test_a_performance_tells_what_goes_with_it_and_can_then_be_removed(admin):
    appearance = PieceRatingFactory(approved=True).session_participant
    for factory in FACTORIES:
        factory(session_participant=appearance)
        factory()
    assert ratings_of_appearances(appearance_ids=[appearance.pk]) == {appearance.pk: AppearanceCounts(2, 1, 1)}
    appearance_ratings_delete(actor=admin, session_participant_id=appearance.pk)
    assert not ratings_of_appearances(appearance_ids=[appearance.pk])
    appearance.delete()
    assert [table.objects.count() for table in TABLES] == [1, 1, 1]


def test_nobody_else_deletes_a_performances_ratings(nobody):
    rating = PieceRatingFactory()
    with pytest.raises(PermissionDenied):
        appearance_ratings_delete(actor=nobody, session_participant_id=rating.session_participant_id)
    assert PieceRating.objects.exists()


def ours():
    """Return what this app registered for the deletion of an account."""
    (found,) = [each for each in account_data() if "piece_ratings.user_id" in each.columns]
    return found


def test_every_table_of_ours_is_decided_about():
    tables = {
        f"{table._meta.db_table}.user_id"
        for table in (*TABLES, RatingSubmission, RatingDraft, CoveringChoice, UncoveredStage, DecidingChoice)
    }
    assert tables == set(ours().columns)


def test_whoever_leaves_leaves_no_rating_behind():
    fan, others = UserFactory(), [factory() for factory in FACTORIES]
    entry = ProgramEntryFactory()
    given = {"session_participant_id": entry.session_participant_id, "score": 3, "comment": "So."}
    ratings_submit(actor=viewer_of(fan), pieces={entry.piece_id: 10}, **given)
    AdvanceRecommendationFactory(user=fan)
    ours().on_deletion(fan.pk)
    assert [list(table.objects.all()) for table in TABLES] == [[other] for other in others]
    assert not RatingDraft.objects.filter(user=fan).exists()
    fan.delete()


def test_whoever_leaves_takes_own_rows_and_no_others():
    noon = dt.datetime(2027, 10, 12, 12, 0, tzinfo=dt.UTC)
    fan = UserFactory()
    mark = PieceRatingFactory(user=fan, score=21, created_at=noon, updated_at=noon)
    whole = PerformanceRatingFactory(user=fan, approved=True, comment="So.", created_at=noon, updated_at=noon)
    advance = AdvanceRecommendationFactory(user=fan, created_at=noon, updated_at=noon)
    for factory in FACTORIES:
        factory()
    rows = ours().export(fan.pk)
    assert json.loads(json.dumps(rows))

    def about(rating):
        appearance = rating.session_participant
        names = {"session": appearance.session.title, "participant": appearance.participant.name}
        return {**names, "created_at": noon.isoformat(), "updated_at": noon.isoformat()}

    words = {"comment": "So.", "quick_rating": "great_performance", "is_comment_hidden": False}
    assert rows == {
        "piece_ratings": [{**about(mark), "score": 21, "approved": False, "piece": mark.piece.name}],
        "performance_ratings": [{**about(whole), "score": 4, "approved": True, **words}],
        "advance_recommendations": [{**about(advance), "recommendation": "up"}],
        "rating_drafts": [],  # of those: test_keeping.py
        "draft_marks": [],
        "covering_choices": [],
        "deciding_choices": [],
        "uncovered_stages": [],
    }


@pytest.mark.django_db(transaction=True)
def test_a_submit_and_the_end_of_its_account_never_wait_for_each_other_in_a_circle():
    entry = ProgramEntryFactory()
    given = {"session_participant_id": entry.session_participant_id, "score": 3, "comment": "So."}
    for _ in range(5):
        fan = viewer_of(UserFactory())
        submit = partial(ratings_submit, actor=fan, pieces={entry.piece_id: 10}, **given)
        recommend = partial(
            recommendation_set, actor=fan, session_participant_id=given["session_participant_id"], recommendation="up"
        )
        *answers, left = run_together(submit, recommend, partial(account_delete, actor=fan, password=PASSWORD))
        assert left is None
        assert all(isinstance(answer, str | PermissionDenied) for answer in answers)
        assert not any(table.objects.exists() for table in TABLES)
