"""Test how marks that were made blind are counted and compared with the others."""

import itertools
from datetime import UTC, datetime
from decimal import Decimal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.ranking.blindness import LEAST_BLIND, blindness
from apps.ranking.counting import ApprovedMark, CountedMark
from apps.ranking.models import RankingRun
from apps.ranking.selectors import blind_comparisons, run_get
from apps.ranking.services import ranking_compute
from apps.ratings.models import DraftMark, PieceRating, RatingDraft
from tests.apps.ranking.halls import give, listeners, stage_of

NOW = datetime(2026, 1, 1, tzinfo=UTC)
WIDE = 1.6448536269514722  # of the normal distribution, five hundredths on either side


def counted(*kinds: list[tuple[int, float]]) -> tuple[list[CountedMark], set[tuple[int, int]]]:
    """Return marks of performances by one account each, the blind ones first, and which are blind."""
    marks = [CountedMark(n, ApprovedMark(pk, mark, 1, NOW)) for n, (pk, mark) in enumerate(itertools.chain(*kinds))]
    return marks, {(mark.user_id, mark.appearance_id) for mark in marks[: len(kinds[0])]}


@given(
    st.lists(st.tuples(st.integers(1, 3), st.floats(1, 25)), min_size=LEAST_BLIND, max_size=60),
    st.lists(st.tuples(st.integers(1, 3), st.floats(1, 25)), min_size=LEAST_BLIND, max_size=60),
)
def test_difference_is_of_the_means_within_a_performance(blind, others):
    marks, which = counted(blind, others)
    comparison = blindness(marks, which)
    pairs = np.array([*blind, *others])
    means = {pk: pairs[pairs[:, 0] == pk, 1].mean() for pk in np.unique(pairs[:, 0])}
    own, other = (np.array([mark - means[pk] for pk, mark in kind]) for kind in (blind, others))
    error = np.sqrt(own.var(ddof=1) / len(own) + other.var(ddof=1) / len(other))
    assert comparison.count == len(blind)
    expected = own.mean() - other.mean()
    for shown, exact in ((comparison.difference, 0), (comparison.lowest, -1), (comparison.highest, 1)):
        assert float(shown) == pytest.approx(expected + exact * WIDE * error, abs=0.0051)


def test_few_marks_of_either_kind_are_not_compared():
    few, many = [(1, 9.0)] * (LEAST_BLIND - 1), [(1, 8.0)] * 90
    for kinds in ((few, many), (many, few), ([], many)):
        marks, which = counted(*kinds)
        assert (blindness(marks, which).count, blindness(marks, which).difference) == (len(kinds[0]), None)


@pytest.mark.django_db
def test_run_counts_ratings_with_blind_marks_only():
    appearances = stage_of(3)
    stage_id, people = appearances[0].session.stage_id, listeners(4)
    for person in people:
        give(person, appearances, [10, 12, 14])

    def sheet(person, blind):
        for mark in PieceRating.objects.filter(user=person):
            draft, _ = RatingDraft.objects.get_or_create(user=person, appearance_id=mark.appearance_id)
            DraftMark.objects.create(
                draft=draft, piece_id=mark.piece_id, score=mark.score, struck_at=mark.updated_at, blind=blind(mark)
            )

    sheet(people[0], lambda _mark: True)
    sheet(people[1], lambda mark: mark.appearance_id != appearances[0].pk)
    sheet(people[2], lambda _mark: None)
    ranking_compute(stage_id=stage_id)
    run = run_get(stage_id=stage_id)
    assert (run.marks, run.blind) == (12, 3 + 2)
    assert blind_comparisons() == ()
    values = {"blind_difference": Decimal("-0.31"), "blind_from": Decimal("-0.50"), "blind_to": Decimal("-0.12")}
    RankingRun.objects.update(**values)
    [comparison] = blind_comparisons()
    assert (comparison.stage, comparison.difference) == (appearances[0].session.stage.name, Decimal("-0.31"))
