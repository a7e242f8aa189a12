"""The figures on a participant's page: averages, distributions, recommendations, and the number of queries."""

import pytest

from components.parts.ratings.own_ratings import performance_recommendation
from components.parts.ratings.performance import performance_distribution, performance_means, performance_strings
from components.parts.ratings.statistics import (
    participant_figures_together,
    participant_together,
    performance_heard,
    performance_heard_figures,
)
from components.runtime.rendering.parts import shared_reads
from tests.components.conftest import busy_session_with
from tests.components.seen import attributes, classes, every, one, read_part, text
from tests.factories import (
    EVENING,
    AdvanceRecommendationFactory,
    AppearanceFactory,
    PerformanceRatingFactory,
    PieceRatingFactory,
    ProgramEntryFactory,
)
from tests.reading import walk


@pytest.fixture
def appearance(db):
    return busy_session_with(1, is_live=False).appearances[0]


def figures(appearance):
    return read_part(performance_heard_figures, appearance.pk, appearance.participant_id)


def recommendation(appearance):
    return read_part(performance_recommendation, appearance.pk, appearance.participant_id)


def together(participant_id):
    """Return the section with its inner part in place."""
    shown = read_part(participant_together, participant_id)
    for place in [node for node in walk(shown) if node["tagName"] == "shared-part"]:
        place.update(read_part(participant_figures_together, participant_id))
    return shown


def test_stage_says_how_many_ratings_wait_while_none_is_approved(appearance):
    assert text(one(read_part(performance_strings, appearance.pk, "Ewa"), look="stage__count")) == "no marks yet"
    for entry in [appearance.program.first()] * 2:
        PieceRatingFactory(entry=entry)
    waiting = "2 ratings, shown once approved"
    assert text(one(read_part(performance_strings, appearance.pk, "Ewa"), look="stage__count")) == waiting
    assert waiting in text(read_part(performance_distribution, appearance.pk))
    marked(appearance, 20)
    assert waiting not in text(read_part(performance_distribution, appearance.pk))


def test_covered_parts_have_no_figure_but_the_number_of_marks(appearance):
    marked(appearance, 20, 20, 23)
    outer = read_part(participant_together, appearance.participant_id)
    assert text(outer) == "All together3 marks"
    means = read_part(performance_means, appearance.pk, appearance.session.stage_id)
    heard = read_part(performance_heard, appearance.pk, appearance.participant_id)
    strings = read_part(performance_strings, appearance.pk, "Ewa")
    assert text(means) == "3 marksyou rate"
    # This text is hidden; it is shown to an anonymous visitor who has folded the figures.
    assert text(heard) == "Show the audience’s: The whole performance"
    assert text(strings) == "13 marksShow the audience’s: Ewa25"
    keys = [classes(key) for shown in (means, heard, strings) for key in every(shown, "i")]
    assert keys == [["n-0"]] * 25, "the covered keyboard has no strings"


def marked(appearance, *scores, approved=True):
    """Create ratings of the first piece with these marks. Return its program entry."""
    entry = appearance.program.order_by("order_number").first()
    for score in scores:
        PieceRatingFactory(entry=entry, score=score, approved=approved)
    return entry


def test_figures_without_ratings_or_before_the_performance_are_empty(appearance, db):
    assert text(one(figures(appearance), look="heard__how")) == "No ratings available yet."
    assert "Should Maëlle d’Hautecombe advance?" in text(recommendation(appearance))
    assert attributes(together(appearance.participant_id))["hidden"] is True
    coming = AppearanceFactory(session__starts_at=EVENING)
    assert attributes(figures(coming))["hidden"] is True
    assert attributes(recommendation(coming))["hidden"] is True


def test_figures_have_counts_averages_and_distributions(appearance):
    entry = marked(appearance, 20, 20, 23)
    marked(appearance, 1, approved=False)
    item = one(figures(appearance), "li", key=f"{appearance.pk}-{entry.piece_id}")
    assert text(one(item, "summary")) == "1Étude in C♯ minor op. 10 no. 4average 21.0"
    figure = one(item, "figure")
    assert "3 marks. How often each mark was given: 20: 2, 23: 1" in text(figure)
    strings = every(one(figure, "span", "keys"), "i")
    assert classes(strings[19]) == ["n-100"]
    assert classes(strings[20]) == ["n-0", "mean"]
    assert classes(strings[22]) == ["n-50"]
    assert attributes(one(figure, "span", "keys"))["aria-hidden"] == "true"
    for score in (4, 4, 5):
        PerformanceRatingFactory(appearance=appearance, score=score, approved=True)
    figure = one(figures(appearance), "figure", key=f"{appearance.pk}-whole")
    assert "average 4.3" in text(figure)
    assert [classes(key) for key in every(one(figure, "div", "five-hist"), "i")] == [
        ["n-0"], ["n-0"], ["n-0"], ["n-100", "on"], ["n-50"],
    ]  # fmt: skip
    entry = marked(appearance, 20)
    ProgramEntryFactory(appearance=appearance, piece=entry.piece)
    assert len(every(figures(appearance), "figure")) == 3
    for word in ("up", "up", "down"):
        AdvanceRecommendationFactory(appearance=appearance, recommendation=word)
    votes = every(recommendation(appearance), "button", "vote")
    assert [(text(vote), attributes(vote)["data-argument"]) for vote in votes] == [
        ("Yes 2", f"{appearance.pk}:up"),
        ("No 1", f"{appearance.pk}:down"),
    ]


def test_figures_of_all_performances_are_shown_together(appearance):
    marked(appearance, 20, 23)
    PerformanceRatingFactory(appearance=appearance, score=4, approved=True)
    assert "average 21.5" in text(one(together(appearance.participant_id), "figure", key="pieces"))
    other = AppearanceFactory(participant=appearance.participant, session__title="Stage II")
    PerformanceRatingFactory(appearance=other, score=5, approved=True)
    shown = together(appearance.participant_id)
    assert "average 4.5" in text(one(shown, "figure", key="whole"))
    assert "2 marks" in text(one(shown, look="together__count"))
    assert "average 4.0" in text(one(figures(appearance), "figure", key=f"{appearance.pk}-whole"))


def test_figures_cost_as_many_queries_for_many_rows_as_for_one(appearance, django_assert_num_queries):
    count = 12
    for _ in range(count):
        marked(appearance, 20)
        PerformanceRatingFactory(appearance=appearance, approved=True)
        AdvanceRecommendationFactory(appearance=appearance)
    for part in (figures, recommendation):
        with django_assert_num_queries(3):
            part(appearance)
    with django_assert_num_queries(1), shared_reads():
        together(appearance.participant_id)
    for _ in range(count):
        AppearanceFactory(participant=appearance.participant)
    with django_assert_num_queries(1), shared_reads():
        together(appearance.participant_id)
