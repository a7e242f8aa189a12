"""Test the arithmetic against the published result of the first stage of 2025, to the hundredth."""

import csv
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.jury.arithmetic import corrected, cumulated, mean, ranks, stage_score
from apps.jury.rules import NINETEENTH

DATA = Path(__file__).parent
FIRST = NINETEENTH.stage(1)
MARKS = st.lists(st.integers(1, 25).map(Decimal), min_size=1, max_size=20)


def sheet() -> dict[str, list[Decimal]]:
    """Return the marks of each start number, without those of recused jurors."""
    marks: dict[str, list[Decimal]] = {}
    with (DATA / "jury_scores_stage1.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            if row["recused_student"] != "S":
                marks.setdefault(row["start_number"], []).append(Decimal(row["score"]))
    return marks


def published() -> list[dict[str, str]]:
    """Return the rows of the published result, in its order."""
    with (DATA / "jury_golden_stage1.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_published_scores_are_recomputed_in_their_order():
    marks, rows = sheet(), published()
    assert len(rows) == 84
    scores = {int(row["start_number"]): stage_score(marks[row["start_number"]], FIRST, NINETEENTH) for row in rows}
    for row in rows:
        score = scores[int(row["start_number"])]
        assert score is not None
        assert (score.mean, score.score) == (Decimal(row["raw_mean_2dp"]), Decimal(row["official_stage_score"]))
        assert cumulated([score.score], FIRST.weights, 2) == Decimal(row["official_cumulative"])
    places = ranks({pk: each and each.score for pk, each in scores.items()})
    assert [places[int(row["start_number"])] for row in rows] == sorted(places.values())
    assert sorted(int(row["official_rank"]) - places[int(row["start_number"])] for row in rows)[-3:] == [1, 1, 1]


def half_up(value: Fraction) -> Fraction:
    """Return the value rounded half up to hundredths, as a fraction."""
    return Fraction(int(value * 100 + Fraction(1, 2)), 100)


@pytest.mark.parametrize(
    ("number", "first", "second", "right"),
    [
        (Fraction, half_up, half_up, 84),
        (Fraction, lambda value: value, half_up, 80),
        (float, lambda value: round(value, 2), lambda value: round(value, 2), 81),
    ],
    ids=["both rounded", "first mean exact", "binary fractions"],
)
def test_each_rounding_is_needed(number: Any, first: Any, second: Any, right: int):
    def score(marks: list[Decimal]) -> Any:
        numbers = [number(mark) for mark in marks]
        centre = first(sum(numbers) / len(numbers))
        return second(sum(min(max(each, centre - 3), centre + 3) for each in numbers) / len(numbers))

    marks = sheet()
    scores = [(score(marks[row["start_number"]]), number(row["official_stage_score"])) for row in published()]
    assert sum(own == official for own, official in scores) == right


@given(MARKS, st.randoms(use_true_random=False))
def test_score_equals_exact_fractions_and_ignores_juror_order(marks, chance):
    centre = half_up(Fraction(sum(map(Fraction, marks)), len(marks)))
    clipped = [min(max(Fraction(mark), centre - 3), centre + 3) for mark in marks]
    score = stage_score(marks, FIRST, NINETEENTH)
    assert score is not None
    assert Fraction(score.mean) == centre
    assert Fraction(score.score) == half_up(Fraction(sum(clipped), len(marks)))
    assert min(marks) <= score.score <= max(marks)
    shuffled = list(marks)
    chance.shuffle(shuffled)
    assert stage_score(shuffled, FIRST, NINETEENTH) == score
    if len(set(marks)) == 1:
        assert (score.score, score.corrected) == (marks[0], 0)


@given(MARKS, st.data())
def test_higher_mark_never_lowers_the_score(marks, data):
    at = data.draw(st.integers(0, len(marks) - 1))
    higher = [*marks]
    higher[at] = data.draw(st.integers(int(marks[at]), 25).map(Decimal))
    before, after = stage_score(marks, FIRST, NINETEENTH), stage_score(higher, FIRST, NINETEENTH)
    assert before is not None
    assert after is not None
    assert after.score >= before.score


def test_halves_are_rounded_up():
    assert mean([Decimal(1), Decimal("1.01")], 2) == Decimal("1.01")
    assert corrected(Decimal(25), Decimal("20.40"), Decimal(3)) == Decimal("23.40")
    assert stage_score([], FIRST, NINETEENTH) is None


def test_equal_scores_share_a_rank_and_missing_stages_have_no_total():
    assert ranks({1: Decimal(20), 2: None, 3: Decimal(21), 4: Decimal(20), 5: Decimal(19)}) == {1: 2, 3: 1, 4: 2, 5: 4}
    stages = (Decimal("20.05"), Decimal("21.15"), Decimal("22.25"), Decimal("23.35"))
    assert [cumulated(stages[:n], NINETEENTH.stage(n).weights, 2) for n in range(1, 5)] == [
        *(Decimal("20.05"), Decimal("20.82"), Decimal("21.81"), Decimal("22.20")),
    ]
    assert cumulated([None, Decimal(20)], NINETEENTH.stage(2).weights, 2) is None
