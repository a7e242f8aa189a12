"""Test the deletion of ratings with their performance or author, and the export of an author's ratings."""

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


def test_appearance_can_be_deleted_after_its_ratings(admin):
    appearance = PieceRatingFactory(approved=True).appearance
    for factory in FACTORIES:
        factory(appearance=appearance)
        factory()
    assert ratings_of_appearances(appearance_ids=[appearance.pk]) == {appearance.pk: AppearanceCounts(2, 1, 1)}
    appearance_ratings_delete(actor=admin, appearance_id=appearance.pk)
    assert not ratings_of_appearances(appearance_ids=[appearance.pk])
    appearance.delete()
    assert [table.objects.count() for table in TABLES] == [1, 1, 1]


def ratings_data():
    """Return the account data that the ratings app registers, and check that it has all of its tables."""
    (data,) = [data for data in account_data() if "piece_ratings.user_id" in data.columns]
    tables = *TABLES, RatingSubmission, RatingDraft, CoveringChoice, UncoveredStage, DecidingChoice
    assert {f"{table._meta.db_table}.user_id" for table in tables} == set(data.columns)
    return data


def test_account_deletion_deletes_all_ratings():
    fan, others = UserFactory(), [factory() for factory in FACTORIES]
    entry = ProgramEntryFactory()
    rating = {"appearance_id": entry.appearance_id, "score": 3, "comment": "So."}
    ratings_submit(actor=viewer_of(fan), pieces={entry.piece_id: 10}, **rating)
    AdvanceRecommendationFactory(user=fan)
    ratings_data().on_deletion(fan.pk)
    assert [list(table.objects.all()) for table in TABLES] == [[other] for other in others]
    assert not RatingDraft.objects.filter(user=fan).exists()
    fan.delete()


def test_export_has_only_the_ratings_of_the_account():
    noon = dt.datetime(2027, 10, 12, 12, 0, tzinfo=dt.UTC)
    at_noon = {"user": UserFactory(), "created_at": noon, "updated_at": noon}
    mark = PieceRatingFactory(**at_noon, score=21)
    whole = PerformanceRatingFactory(**at_noon, approved=True, comment="So.")
    advance = AdvanceRecommendationFactory(**at_noon)
    for factory in FACTORIES:
        factory()
    rows = ratings_data().export(mark.user_id)
    assert json.loads(json.dumps(rows))

    def about(rating):
        appearance = rating.appearance
        names = {"session": appearance.session.title, "participant": appearance.participant.name}
        return {**names, "created_at": noon.isoformat(), "updated_at": noon.isoformat()}

    words = {"comment": "So.", "quick_rating": "great_performance", "is_comment_hidden": False}
    assert rows == {
        "piece_ratings": [{**about(mark), "score": 21, "approved": False, "piece": mark.piece.name}],
        "performance_ratings": [{**about(whole), "score": 4, "approved": True, **words}],
        "advance_recommendations": [{**about(advance), "recommendation": "up"}],
        **{table: [] for table in ("rating_drafts", "draft_marks")},  # filled in test_sheets.py
        **{table: [] for table in ("covering_choices", "deciding_choices", "uncovered_stages")},
    }


@pytest.mark.django_db(transaction=True)
def test_submit_and_account_deletion_do_not_deadlock():
    entry = ProgramEntryFactory()
    for _ in range(3):
        rating = {"actor": viewer_of(UserFactory()), "appearance_id": entry.appearance_id}
        *answers, deleted = run_together(
            partial(ratings_submit, **rating, pieces={entry.piece_id: 10}, score=3, comment="So."),
            partial(recommendation_set, **rating, recommendation="up"),
            partial(account_delete, actor=rating["actor"], password=PASSWORD),
        )
        assert deleted is None
        assert all(isinstance(answer, str | PermissionDenied) for answer in answers)
        assert not any(table.objects.exists() for table in TABLES)
