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

pytestmark = pytest.mark.django_db


def test_a_person_rates_an_item_once():
    mark, whole, advance = PieceRatingFactory(), PerformanceRatingFactory(), AdvanceRecommendationFactory()
    appearance, user = mark.session_participant, mark.user
    PieceRatingFactory(entry=ProgramEntryFactory(session_participant=appearance), user=user)
    with pytest.raises(IntegrityError, match="piece_rated_once"), transaction.atomic():
        PieceRatingFactory(session_participant=appearance, piece=mark.piece, user=user)
    with pytest.raises(IntegrityError, match="performance_rated_once"), transaction.atomic():
        PerformanceRatingFactory(session_participant=whole.session_participant, user=whole.user)
    with pytest.raises(IntegrityError, match="recommended_once"), transaction.atomic():
        AdvanceRecommendationFactory(
            session_participant=advance.session_participant, user=advance.user, recommendation="down"
        )


@pytest.mark.parametrize(("factory", "highest"), [(PieceRatingFactory, 25), (PerformanceRatingFactory, 5)])
def test_scores_stay_in_their_range(factory, highest):
    assert [factory(score=score).score for score in (1, highest)] == [1, highest]
    for score in (-1, 0, highest + 1):
        with pytest.raises(IntegrityError, match="score"), transaction.atomic():
            factory(score=score)


@pytest.mark.parametrize("comment", ["", " ", " before", "after\n"])
def test_a_comment_says_something(comment):
    with pytest.raises(IntegrityError, match="rating_comment_written"):
        PerformanceRatingFactory(comment=comment)


def test_a_comment_has_an_end():
    assert len(PerformanceRatingFactory(comment="ą" * 2000).comment) == 2000
    with pytest.raises(IntegrityError, match="rating_comment_length"):
        PerformanceRatingFactory(comment="ą" * 2001)


def test_words_are_known_ones():
    assert PerformanceRatingFactory(quick_rating="").quick_rating == ""
    with pytest.raises(IntegrityError, match="quick_rating_known"), transaction.atomic():
        PerformanceRatingFactory(quick_rating="splendid")
    with pytest.raises(IntegrityError, match="recommendation_known"), transaction.atomic():
        AdvanceRecommendationFactory(recommendation="left")


@pytest.mark.parametrize("factory", [PieceRatingFactory, PerformanceRatingFactory, AdvanceRecommendationFactory])
def test_what_is_rated_and_who_rated_cannot_just_vanish(factory):
    rating = factory()
    with pytest.raises(ProtectedError):
        rating.session_participant.session.delete()
    with pytest.raises(ProtectedError):
        rating.session_participant.delete()
    with pytest.raises(ProtectedError):
        rating.user.delete()


def test_ratings_are_described_in_logs():
    mark, whole = PieceRatingFactory(), PerformanceRatingFactory()
    advance = AdvanceRecommendationFactory()
    assert str(mark) == f"{mark.user_id}, {mark.session_participant_id}, {mark.piece_id}: 20"
    assert str(whole) == f"{whole.user_id}, {whole.session_participant_id}: 4"
    assert str(advance) == f"{advance.user_id}, {advance.session_participant_id}: up"
