"""A participant's figures: numbers as text, strings over keys, one read for all."""

import pytest

from components.parts.ratings.statistics import participant_statistics
from tests.components.conftest import evening_with
from tests.components.seen import attributes, classes, every, one, text, tree
from tests.factories import (
    AdvanceRecommendationFactory,
    AppearanceFactory,
    PerformanceRatingFactory,
    PieceRatingFactory,
    ProgramEntryFactory,
)


@pytest.fixture
def appearance(db):
    return evening_with(1, is_live=False).appearances[0]


def part(appearance):
    return tree(participant_statistics.markup(appearance.participant_id, language="en"))


def marked(appearance, *scores, approved=True):
    """Give the first piece these marks, and return its entry."""
    entry = appearance.program.order_by("order_number").first()
    for score in scores:
        PieceRatingFactory(entry=entry, score=score, approved=approved)
    return entry


def test_nothing_yet(appearance):
    shown = part(appearance)
    assert text(one(shown, look="empty")) == "No ratings available yet."
    assert "Should Maëlle d’Hautecombe advance?" in text(shown)


def test_a_piece_says_count_average_and_distribution_and_draws_them(appearance):
    entry = marked(appearance, 20, 20, 23)
    marked(appearance, 1, approved=False)
    figure = one(part(appearance), "figure", key=f"{appearance.pk}-{entry.piece_id}")
    assert text(figure).startswith("Étude in C♯ minor op. 10 no. 4average 21.0")
    assert "3 ratings. How often each mark was given: 20: 2, 23: 1" in text(figure)
    strings = every(one(figure, "span", "keys"), "i")
    assert classes(strings[19]) == ["n-100"]
    assert classes(strings[20]) == ["n-0", "mean"]
    assert classes(strings[22]) == ["n-50"]
    assert attributes(one(figure, "span", "keys"))["aria-hidden"] == "true"


def test_the_whole_performance_is_five_keys(appearance):
    for score in (4, 4, 5):
        PerformanceRatingFactory(session_participant=appearance, score=score, approved=True)
    figure = one(part(appearance), "figure", key=f"{appearance.pk}-whole")
    assert "average 4.3" in text(figure)
    assert [classes(key) for key in every(one(figure, "div", "five-hist"), "i")] == [
        ["n-0"], ["n-0"], ["n-0"], ["n-100", "on"], ["n-50"],
    ]  # fmt: skip


def test_a_piece_that_is_played_twice_has_one_figure(appearance):
    entry = marked(appearance, 20)
    ProgramEntryFactory(session_participant=appearance, piece=entry.piece)
    assert len(every(part(appearance), "figure")) == 3


def test_recommendations_are_counted_on_their_buttons(appearance):
    for recommendation in ("up", "up", "down"):
        AdvanceRecommendationFactory(session_participant=appearance, recommendation=recommendation)
    votes = every(part(appearance), "button", "vote")
    assert [(text(vote), attributes(vote)["data-argument"]) for vote in votes] == [
        ("Yes 2", f"{appearance.pk}:up"),
        ("No 1", f"{appearance.pk}:down"),
    ]


def test_several_performances_are_told_apart_and_summed(appearance):
    other = AppearanceFactory(participant=appearance.participant, session__title="Stage II")
    PerformanceRatingFactory(session_participant=appearance, score=4, approved=True)
    PerformanceRatingFactory(session_participant=other, score=5, approved=True)
    shown = part(appearance)
    assert {text(button) for button in every(shown, "button", "vote")} == {
        f"{word} 0, {title}" for word in ("Yes", "No") for title in ("Stage I, evening session", "Stage II")
    }
    assert "average 4.5" in text(one(shown, "figure", key="whole"))


@pytest.mark.parametrize("count", [1, 50])
def test_as_many_queries_for_fifty_ratings_as_for_one(appearance, count, django_assert_num_queries):
    for _ in range(count):
        marked(appearance, 20)
        PerformanceRatingFactory(session_participant=appearance, approved=True)
        AdvanceRecommendationFactory(session_participant=appearance)
    with django_assert_num_queries(4):
        part(appearance)


@pytest.mark.parametrize("count", [1, 12])
def test_as_many_queries_for_twelve_performances_as_for_one(appearance, count, django_assert_num_queries):
    for _ in range(count):
        AppearanceFactory(participant=appearance.participant)
    with django_assert_num_queries(4):
        part(appearance)
