"""Test the public figures: PostgreSQL's results equal those of plain Python."""

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

PIECES, APPEARANCES, RATERS = 2, 2, 24
scores = st.lists(st.tuples(st.integers(1, 25), st.booleans()), max_size=RATERS)
halls = st.fixed_dictionaries(
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
    often = Counter(marks)
    mean = (Decimal(sum(marks)) / len(marks)).quantize(Decimal("0.1"), ROUND_HALF_UP) if marks else None
    return Figures(len(marks), mean, tuple(often[score] for score in range(1, highest + 1)))


@pytest.fixture
def hall(db):
    """A participant's two appearances, two pieces, and many who rate."""
    participant = ParticipantFactory()
    appearances = [AppearanceFactory(participant=participant) for _ in range(APPEARANCES)]
    pieces = [PieceFactory() for _ in range(PIECES)]
    for appearance in appearances:
        for piece in pieces:
            ProgramEntryFactory(session_participant=appearance, piece=piece)
    PieceRatingFactory(piece=pieces[0], score=1, approved=True)  # another participant's performances
    PerformanceRatingFactory(score=1, approved=True)
    return participant, appearances, pieces, [UserFactory() for _ in range(RATERS)]


def fill(hall, given_marks):
    """Store these marks and no others of this participant, and return the approved ones by appearance and piece."""
    _, appearances, pieces, raters = hall
    approved = defaultdict(list)
    for model in (PieceRating, PerformanceRating):
        model.objects.filter(session_participant__in=appearances).delete()
    for (appearance, piece), marks in given_marks.items():
        approved[appearance, piece] = [score for score, shown in marks if shown]
        rows = [
            {"user": rater, "session_participant": appearances[appearance], "score": score, "approved": shown}
            for rater, (score, shown) in zip(raters, marks, strict=False)
        ]
        if piece is None:
            PerformanceRating.objects.bulk_create(PerformanceRating(comment="So.", **row) for row in rows)
        else:
            PieceRating.objects.bulk_create(PieceRating(piece=pieces[piece], **row) for row in rows)
    return approved


# One hall serves all examples: `fill` empties it.
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(given_marks=halls)
@pytest.mark.long
def test_figures_are_those_of_plain_python(hall, given_marks):
    participant, appearances, pieces, _ = hall
    approved = fill(hall, given_marks)
    found = participant_figures(participant_id=participant.pk)
    for appearance, stored in enumerate(appearances):
        of_appearance = found.of_appearance(stored.pk)
        assert of_appearance.overall == figures(approved[appearance, None], 5)
        for piece, row in enumerate(pieces):
            assert of_appearance.piece(row.pk) == figures(approved[appearance, piece], 25)
    assert found.overall == figures([mark for key, marks in approved.items() if key[1] is None for mark in marks], 5)
    assert found.pieces == figures(
        [mark for key, marks in approved.items() if key[1] is not None for mark in marks], 25
    )


@pytest.mark.parametrize(
    ("marks", "mean"),
    [
        ([1, 2, 2, 2], "1.8"),  # 1.75: away from zero
        ([1] * 3 + [2], "1.3"),  # 1.25: a float would be rounded to the even 1.2
        ([20] * 19 + [21], "20.1"),  # 20.05
        ([20] * 21 + [21], "20.0"),
        ([25], "25.0"),
    ],
)
def test_a_half_is_rounded_away_from_zero(hall, marks, mean):
    participant, appearances, pieces, _ = hall
    fill(hall, {(0, 0): [(mark, True) for mark in marks]})
    found = participant_figures(participant_id=participant.pk)
    assert str(found.of_appearance(appearances[0].pk).piece(pieces[0].pk).mean) == mean


@pytest.mark.django_db
def test_nobody_rated_is_said_as_nothing():
    waiting = PieceRatingFactory().session_participant
    found = participant_figures(participant_id=waiting.participant_id)
    assert found == ParticipantFigures()
    assert (found.overall.count, found.overall.mean, found.overall.distribution) == (0, None, (0,) * 5)
    assert found.of_appearance(1).piece(1) == Figures(0, None, (0,) * 25)
    assert participant_figures(participant_id=10**30) == ParticipantFigures()


@pytest.mark.django_db
@pytest.mark.parametrize("rows", [1, 50])
def test_figures_take_one_query(django_assert_num_queries, rows):
    participant = ParticipantFactory()
    appearances = [AppearanceFactory(participant=participant) for _ in range(5)]
    for number in range(rows):
        appearance = appearances[number % 5]
        PieceRatingFactory(session_participant=appearance, approved=True)
        PerformanceRatingFactory(session_participant=appearance, approved=True)
        AdvanceRecommendationFactory(session_participant=appearance)
    ids = [each.pk for each in appearances]
    with django_assert_num_queries(1):
        assert participant_figures(participant_id=participant.pk).overall.count == rows
    with django_assert_num_queries(1):
        assert sum(each.up for each in recommendation_counts(appearance_ids=ids).values()) == rows


@pytest.mark.django_db
def test_recommendations_are_counted_by_performance():
    participant = ParticipantFactory()
    first, second, third = (AppearanceFactory(participant=participant) for _ in range(3))
    for appearance, word, times in ((first, "up", 3), (first, "down", 2), (second, "down", 1)):
        for _ in range(times):
            AdvanceRecommendationFactory(session_participant=appearance, recommendation=word)
    AdvanceRecommendationFactory()
    counts = recommendation_counts(appearance_ids=[first.pk, second.pk, third.pk])
    assert counts == {first.pk: RecommendationCounts(3, 2), second.pk: RecommendationCounts(0, 1)}
    assert third.pk not in counts
    assert AdvanceRecommendation.objects.count() == 7
