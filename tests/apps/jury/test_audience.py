"""Test the comparison of the jury with the newest audience ranking, complete and as a member sees it."""

from decimal import Decimal

import pytest

from apps.accounts.actors import OPERATOR
from apps.jury.audience import comparison_get, comparisons_get
from apps.jury.comparison import MOST_SHOWN
from apps.jury.selectors import jury_marks, jury_marks_of, jury_scores, jury_sheet
from apps.jury.services import sheet_unpublish
from tests.apps.jury.juries import compared, published, ranked
from tests.apps.ranking.halls import stage_of
from tests.factories import AppearanceFactory, ParticipantFactory, SessionFactory

pytestmark = pytest.mark.django_db


def shown(comparison):
    return [
        (each.appearance.id, each.jury_rank, each.audience_rank, each.difference) for each in comparison.performances
    ]


def test_ranks_are_among_the_performances_that_both_rank():
    appearances = stage_of(6)
    first, second, third, few, unmarked, alone = appearances
    sheet_id = published([first, second, third, few], [["20"], ["22.5"], ["20"], ["25"]])
    run_id = ranked(appearances, [1, 3, 4, None, 2, 5])
    comparison = comparison_get(stage_id=first.session.stage_id)
    assert shown(comparison) == [(second.pk, 1, 2, -1), (first.pk, 2, 1, 1), (third.pk, 2, 3, -1)]
    assert comparison.seed == f"{sheet_id}-{run_id}"
    assert comparison.begun == {each.pk for each in (first, second, third, few, unmarked, alone)}
    assert [each.appearance.id for each in comparison.higher_with_audience] == [first.pk]
    assert [each.appearance.id for each in comparison.higher_with_jury] == [second.pk, third.pk]
    assert comparison.of_appearance(few.pk) is None
    assert comparison.of_appearance(first.pk).jury_rank == 2


def test_newest_ranking_is_compared_with_published_sheets_only():
    appearances = stage_of(2)
    stage_id = appearances[0].session.stage_id
    ranked(appearances, [1, 2])
    assert comparison_get(stage_id=stage_id) is None
    sheet_id = published(appearances, [["20"], ["22"]])
    assert [each.difference for each in comparison_get(stage_id=stage_id).performances] == [-1, 1]
    ranked(appearances, [2, 1])
    assert [each.difference for each in comparison_get(stage_id=stage_id).performances] == [0, 0]
    sheet_unpublish(actor=OPERATOR, sheet_id=sheet_id)
    assert comparisons_get(stage_ids=[stage_id]) == {}
    assert (jury_scores(stage_ids=[stage_id]), jury_marks(stage_id=stage_id)) == ({}, {})
    assert jury_marks_of(participant_ids=[each.participant_id for each in appearances]) == {}


def test_comparison_without_a_ranking_is_empty():
    appearances = stage_of(2)
    published(appearances, [["20"], ["22"]])
    comparison = comparison_get(stage_id=appearances[0].session.stage_id)
    assert (comparison.performances, comparison.agreement.tau) == ((), None)


def test_stage_score_is_compared_not_the_cumulated_score():
    first, second = (ParticipantFactory() for _ in range(2))
    earlier, later = SessionFactory(), SessionFactory()
    before = [AppearanceFactory(session=earlier, participant=each) for each in (first, second)]
    after = [AppearanceFactory(session=later, participant=each) for each in (first, second)]
    published(before, [["25"], ["1"]])
    published(after, [["20"], ["21"]], place=2)
    ranked(after, [2, 1])
    assert [row.participant_id for row in jury_sheet(stage_id=later.stage_id).rows] == [first.pk, second.pk]
    assert shown(comparison_get(stage_id=later.stage_id)) == [(after[1].pk, 1, 1, 0), (after[0].pk, 2, 2, 0)]


def test_ten_largest_differences_are_shown_each_way():
    appearances = compared(24)
    comparison = comparison_get(stage_id=appearances[0].session.stage_id)
    higher, lower = comparison.higher_with_audience, comparison.higher_with_jury
    assert len(higher) == len(lower) == MOST_SHOWN
    assert [each.difference for each in higher] == [23, 21, 19, 17, 15, 13, 11, 9, 7, 5]
    assert [each.difference for each in lower] == [-23, -21, -19, -17, -15, -13, -11, -9, -7, -5]
    assert comparison.agreement.tau == pytest.approx(-1)


def test_member_gets_ranks_among_the_visible_performances():
    appearances = stage_of(5)
    ids = [each.pk for each in appearances]
    published(appearances, [[mark] for mark in ("25", "24", "23", "22", "21")])
    ranked(appearances, [5, 1, 2, 4, 3])
    comparison = comparison_get(stage_id=appearances[0].session.stage_id)
    seen = comparison.as_seen({ids[0], ids[2], ids[4]})
    assert shown(seen) == [(ids[0], 1, 3, -2), (ids[2], 2, 1, 1), (ids[4], 3, 2, 1)]
    assert (seen.covered, comparison.covered) == (2, 0)
    assert comparison.as_seen(ids) is comparison
    assert (comparison.as_seen([]).performances, comparison.as_seen([]).covered) == ((), 5)


def test_jury_marks_of_a_performer_are_by_stage():
    appearances = stage_of(2)
    published(appearances, [["20", "S", "24"], ["18", "19", "25"]])
    stage_id, (one, other) = appearances[0].session.stage_id, appearances
    own = jury_marks_of(participant_ids=[one.participant_id, other.participant_id])[one.participant_id][stage_id]
    assert own.marks == (Decimal(20), Decimal(24))
    assert own.score == jury_scores(stage_ids=[stage_id])[stage_id].scores[one.participant_id]
    assert jury_marks(stage_id=stage_id)["Bruno Cerny"] == {other.participant_id: Decimal(19)}
