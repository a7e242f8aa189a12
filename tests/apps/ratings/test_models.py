"""Test the database constraints of ratings with writes that bypass the services."""

import pytest
from django.db import IntegrityError, transaction
from django.db.models import ProtectedError

from tests.factories import (
    AdvanceRecommendationFactory,
    PerformanceRatingFactory,
    PieceRatingFactory,
    ProgramEntryFactory,
)
from tests.offenders import check_each

pytestmark = pytest.mark.django_db


def check_refused(case):
    """Require that the database refuses the row: a constraint, a factory, and its values."""
    constraint, factory, values = case
    with pytest.raises(IntegrityError, match=constraint), transaction.atomic():
        factory(**values)


def test_database_refuses_a_second_rating_of_an_item():
    mark, whole, advance = PieceRatingFactory(), PerformanceRatingFactory(), AdvanceRecommendationFactory()
    appearance, user = mark.appearance, mark.user
    PieceRatingFactory(entry=ProgramEntryFactory(appearance=appearance), user=user)
    check_refused(
        ("piece_rated_once", PieceRatingFactory, {"appearance": appearance, "piece": mark.piece, "user": user})
    )
    for constraint, factory, row in (
        ("performance_rated_once", PerformanceRatingFactory, whole),
        ("recommended_once", AdvanceRecommendationFactory, advance),
    ):
        check_refused((constraint, factory, {"appearance": row.appearance, "user": row.user}))


def test_database_refuses_invalid_values():
    scores = [("score", PieceRatingFactory, {"score": score}) for score in (-1, 0, 26)]
    scores += [("score", PerformanceRatingFactory, {"score": score}) for score in (-1, 0, 6)]
    blank = "", " ", " before", "after\n"
    comments = [("rating_comment_written", PerformanceRatingFactory, {"comment": text}) for text in blank]
    others = [
        ("rating_comment_length", PerformanceRatingFactory, {"comment": "ą" * 2001}),
        ("quick_rating_known", PerformanceRatingFactory, {"quick_rating": "splendid"}),
        ("recommendation_known", AdvanceRecommendationFactory, {"recommendation": "left"}),
    ]
    check_each([*scores, *comments, *others], check_refused)
    assert [PieceRatingFactory(score=score).score for score in (1, 25)] == [1, 25]
    assert [PerformanceRatingFactory(score=score).score for score in (1, 5)] == [1, 5]
    whole = PerformanceRatingFactory(comment="ą" * 2000, quick_rating="")
    assert (len(whole.comment), whole.quick_rating) == (2000, "")


@pytest.mark.parametrize("factory", [PieceRatingFactory, PerformanceRatingFactory, AdvanceRecommendationFactory])
def test_rated_performances_and_authors_cannot_be_deleted(factory):
    rating = factory()
    for row in (rating.appearance.session, rating.appearance, rating.user):
        with pytest.raises(ProtectedError):
            row.delete()


def test_ratings_have_a_string_for_logs():
    mark, whole = PieceRatingFactory(), PerformanceRatingFactory()
    advance = AdvanceRecommendationFactory()
    assert str(mark) == f"{mark.user_id}, {mark.appearance_id}, {mark.piece_id}: 20"
    assert str(whole) == f"{whole.user_id}, {whole.appearance_id}: 4"
    assert str(advance) == f"{advance.user_id}, {advance.appearance_id}: up"
