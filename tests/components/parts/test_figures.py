"""The figures on a participant's page: averages, distributions, recommendations, and the number of queries."""

import pytest

from components.parts.ratings.own_ratings import performance_recommendation
from components.parts.ratings.performance import performance_means, performance_strings
from components.parts.ratings.statistics import (
    participant_figures_together,
    participant_together,
    performance_heard,
    performance_heard_figures,
)
from components.runtime.rendering.parts import shared_reads
from tests.components.conftest import busy_session_with
from tests.components.seen import attributes, classes, every, one, text, tree
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


def heard(appearance):
    return tree(performance_heard_figures.markup(appearance.pk, appearance.participant_id, language="en"))


def recommendation(appearance):
    return tree(performance_recommendation.markup(appearance.pk, appearance.participant_id, language="en"))


def together(participant_id):
    """Return the section with its inner part in place."""
    shown = tree(participant_together.markup(participant_id, language="en"))
    for place in [node for node in walk(shown) if node["tagName"] == "shared-part"]:
        place.update(tree(participant_figures_together.markup(participant_id, language="en")))
    return shown


def test_the_parts_that_everybody_gets_contain_no_figure_but_the_number_of_marks(appearance):
    marked(appearance, 20, 20, 23)
    which = (appearance.pk, appearance.participant_id)
    outer = tree(participant_together.markup(appearance.participant_id, language="en"))
    assert text(outer) == "All together3 marks"
    shown = [performance_means.markup(appearance.pk, language="en"), performance_heard.markup(*which, language="en")]
    shown.append(performance_strings.markup(appearance.pk, "Ewa", language="en"))
    assert [text(tree(each)) for each in shown] == [
        "3 marksyou rate",
        "Show the audience’s: The whole performance",  # hidden; shown to an anonymous visitor who has folded it
        "13 marksShow the audience’s: Ewa25",
    ]
    keys = [classes(key) for each in shown for key in every(tree(each), "i")]
    assert keys == [["n-0"]] * 25, "the covered keyboard has no strings"


def marked(appearance, *scores, approved=True):
    """Create ratings of the first piece with these marks. Return its program entry."""
    entry = appearance.program.order_by("order_number").first()
    for score in scores:
        PieceRatingFactory(entry=entry, score=score, approved=approved)
    return entry


def test_nothing_yet(appearance):
    assert text(one(heard(appearance), look="empty")) == "No ratings available yet."
    assert "Should Maëlle d’Hautecombe advance?" in text(recommendation(appearance))
    assert attributes(together(appearance.participant_id))["hidden"] is True


def test_before_it_begins_there_is_nothing_to_see_and_nothing_to_recommend(db):
    coming = AppearanceFactory(session__starts_at=EVENING)
    assert attributes(heard(coming))["hidden"] is True
    assert attributes(recommendation(coming))["hidden"] is True


def test_a_piece_says_count_average_and_distribution_and_draws_them(appearance):
    entry = marked(appearance, 20, 20, 23)
    marked(appearance, 1, approved=False)
    figure = one(heard(appearance), "figure", key=f"{appearance.pk}-{entry.piece_id}")
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
    figure = one(heard(appearance), "figure", key=f"{appearance.pk}-whole")
    assert "average 4.3" in text(figure)
    assert [classes(key) for key in every(one(figure, "div", "five-hist"), "i")] == [
        ["n-0"], ["n-0"], ["n-0"], ["n-100", "on"], ["n-50"],
    ]  # fmt: skip


def test_a_piece_that_is_played_twice_has_one_figure(appearance):
    entry = marked(appearance, 20)
    ProgramEntryFactory(session_participant=appearance, piece=entry.piece)
    assert len(every(heard(appearance), "figure")) == 3


def test_recommendations_are_counted_on_their_buttons(appearance):
    for word in ("up", "up", "down"):
        AdvanceRecommendationFactory(session_participant=appearance, recommendation=word)
    votes = every(recommendation(appearance), "button", "vote")
    assert [(text(vote), attributes(vote)["data-argument"]) for vote in votes] == [
        ("Yes 2", f"{appearance.pk}:up"),
        ("No 1", f"{appearance.pk}:down"),
    ]


def test_all_figures_are_shown_together_also_with_a_single_performance(appearance):
    marked(appearance, 20, 23)
    PerformanceRatingFactory(session_participant=appearance, score=4, approved=True)
    assert "average 21.5" in text(one(together(appearance.participant_id), "figure", key="pieces"))
    other = AppearanceFactory(participant=appearance.participant, session__title="Stage II")
    PerformanceRatingFactory(session_participant=other, score=5, approved=True)
    shown = together(appearance.participant_id)
    assert "average 4.5" in text(one(shown, "figure", key="whole"))
    assert "2 marks" in text(one(shown, look="together__count"))
    assert "average 4.0" in text(one(heard(appearance), "figure", key=f"{appearance.pk}-whole"))


@pytest.mark.parametrize("count", [1, 50])
def test_as_many_queries_for_fifty_ratings_as_for_one(appearance, count, django_assert_num_queries):
    for _ in range(count):
        marked(appearance, 20)
        PerformanceRatingFactory(session_participant=appearance, approved=True)
        AdvanceRecommendationFactory(session_participant=appearance)
    for part, queries in ((heard, 3), (recommendation, 3)):
        with django_assert_num_queries(queries):
            part(appearance)
    with django_assert_num_queries(1), shared_reads():
        together(appearance.participant_id)


@pytest.mark.parametrize("count", [1, 12])
def test_as_many_queries_for_twelve_performances_as_for_one(appearance, count, django_assert_num_queries):
    for _ in range(count):
        AppearanceFactory(participant=appearance.participant)
    with django_assert_num_queries(1), shared_reads():
        together(appearance.participant_id)
