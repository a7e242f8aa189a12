"""Test the public figures: the results of PostgreSQL equal those of Python."""

from collections import Counter, defaultdict
from decimal import ROUND_HALF_UP, Decimal

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from apps.ratings.models import AdvanceRecommendation, PerformanceRating, PieceRating
from apps.ratings.selectors.counts import RecommendationCounts, recommendation_counts
from apps.ratings.selectors.statistics import Figures, ParticipantFigures, participant_figures
from tests.factories import (
    AdvanceRecommendationFactory,
    AppearanceFactory,
    ParticipantFactory,
    PerformanceRatingFactory,
    PieceFactory,
    PieceRatingFactory,
    ProgramEntryFactory,
    UserFactory,
)

pytestmark = pytest.mark.django_db

PIECES, APPEARANCES, RATERS = 2, 2, 24
scores = st.lists(st.tuples(st.integers(1, 25), st.booleans()), max_size=RATERS)
audiences = st.fixed_dictionaries(
    {
        **{(appearance, piece): scores for appearance in range(APPEARANCES) for piece in range(PIECES)},
        **{
            (appearance, None): st.lists(st.tuples(st.integers(1, 5), st.booleans()), max_size=RATERS)
            for appearance in range(APPEARANCES)
        },
    }
)


def figures(marks, highest):
    """Return the figures of these marks, computed in Python."""
    counts = Counter(marks)
    mean = (Decimal(sum(marks)) / len(marks)).quantize(Decimal("0.1"), ROUND_HALF_UP) if marks else None
    return Figures(len(marks), mean, tuple(counts[score] for score in range(1, highest + 1)))


@pytest.fixture
def audience(db):
    """Return a participant, two appearances, two pieces, and the accounts that rate."""
    participant = ParticipantFactory()
    appearances = [AppearanceFactory(participant=participant) for _ in range(APPEARANCES)]
    pieces = [PieceFactory() for _ in range(PIECES)]
    for appearance in appearances:
        for piece in pieces:
            ProgramEntryFactory(appearance=appearance, piece=piece)
    PieceRatingFactory(piece=pieces[0], score=1, approved=True)  # another participant's performances
    PerformanceRatingFactory(score=1, approved=True)
    return participant, appearances, pieces, [UserFactory() for _ in range(RATERS)]


def fill(audience, all_marks):
    """Replace the marks of the participant by these, and return the approved ones by appearance and piece."""
    _, appearances, pieces, raters = audience
    approved = defaultdict(list)
    for model in (PieceRating, PerformanceRating):
        model.objects.filter(appearance__in=appearances).delete()
    for (appearance, piece), marks in all_marks.items():
        approved[appearance, piece] = [score for score, shown in marks if shown]
        rows = [
            {"user": rater, "appearance": appearances[appearance], "score": score, "approved": shown}
            for rater, (score, shown) in zip(raters, marks, strict=False)
        ]
        if piece is None:
            PerformanceRating.objects.bulk_create(PerformanceRating(comment="So.", **row) for row in rows)
        else:
            PieceRating.objects.bulk_create(PieceRating(piece=pieces[piece], **row) for row in rows)
    return approved


# All examples share one audience, because `fill` replaces its marks.
@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(all_marks=audiences)
@pytest.mark.long(reason="computes the figures of thousands of marks")
def test_figures_equal_those_of_python(audience, all_marks):
    participant, appearances, pieces, _ = audience
    approved = fill(audience, all_marks)
    stored = participant_figures(participant_id=participant.pk)
    of_pieces, of_wholes = [], []
    for number, appearance in enumerate(appearances):
        of_appearance = stored.of_appearance(appearance.pk)
        assert of_appearance.overall == figures(approved[number, None], 5)
        of_wholes += approved[number, None]
        for place, piece in enumerate(pieces):
            assert of_appearance.piece(piece.pk) == figures(approved[number, place], 25)
            of_pieces += approved[number, place]
    assert stored.overall == figures(of_wholes, 5)
    assert stored.pieces == figures(of_pieces, 25)


def test_half_is_rounded_away_from_zero(audience):
    participant, appearances, pieces, _ = audience
    for marks, mean in (
        ([1, 2, 2, 2], "1.8"),  # 1.75: away from zero
        ([1] * 3 + [2], "1.3"),  # 1.25: a float would be rounded to the even 1.2
        ([20] * 19 + [21], "20.1"),  # 20.05
        ([20] * 21 + [21], "20.0"),
        ([25], "25.0"),
    ):
        fill(audience, {(0, 0): [(mark, True) for mark in marks]})
        stored = participant_figures(participant_id=participant.pk).of_appearance(appearances[0].pk)
        assert str(stored.piece(pieces[0].pk).mean) == mean


def test_figures_without_approved_marks_are_empty():
    waiting = PieceRatingFactory().appearance
    empty = participant_figures(participant_id=waiting.participant_id)
    assert empty == participant_figures(participant_id=10**30) == ParticipantFigures()
    assert (empty.overall.count, empty.overall.mean, empty.overall.distribution) == (0, None, (0,) * 5)
    assert empty.of_appearance(1).piece(1) == Figures(0, None, (0,) * 25)


def test_figures_take_one_query_for_any_number_of_rows(django_assert_num_queries):
    participant = ParticipantFactory()
    appearances = [AppearanceFactory(participant=participant) for _ in range(5)]
    ids = [appearance.pk for appearance in appearances]
    for rows in range(1, 11):
        appearance = appearances[rows % 5]
        PieceRatingFactory(appearance=appearance, approved=True)
        PerformanceRatingFactory(appearance=appearance, approved=True)
        AdvanceRecommendationFactory(appearance=appearance)
        with django_assert_num_queries(1):
            assert participant_figures(participant_id=participant.pk).overall.count == rows
        with django_assert_num_queries(1):
            assert sum(counts.up for counts in recommendation_counts(appearance_ids=ids).values()) == rows


def test_recommendations_are_counted_by_appearance():
    participant = ParticipantFactory()
    first, second, third = (AppearanceFactory(participant=participant) for _ in range(3))
    for appearance, word, times in ((first, "up", 3), (first, "down", 2), (second, "down", 1)):
        for _ in range(times):
            AdvanceRecommendationFactory(appearance=appearance, recommendation=word)
    AdvanceRecommendationFactory()
    counts = recommendation_counts(appearance_ids=[first.pk, second.pk, third.pk])
    assert counts == {first.pk: RecommendationCounts(3, 2), second.pk: RecommendationCounts(0, 1)}
    assert third.pk not in counts
    assert AdvanceRecommendation.objects.count() == 7
