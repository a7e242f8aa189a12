"""Test version 2 of the ranking's method against a second implementation, exact fractions, and as a program."""

import hashlib
import random
import shutil
import sys
from fractions import Fraction
from operator import attrgetter

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from apps.ranking import method2
from apps.ranking.method2 import Given
from tests.apps.ranking import exact
from tests.apps.ranking.test_method import printed, pythons


@st.composite
def stages(draw):
    """A stage's marks: up to 16 raters of up to six performances, often tied, of different weights."""
    performers = [f"P{number}" for number in range(draw(st.integers(1, 6)))]
    mark = st.integers(1, 7).flatmap(lambda pieces: st.tuples(st.integers(pieces, 25 * pieces), st.just(pieces)))
    if draw(st.booleans()):
        mark = st.sampled_from(draw(st.lists(mark, min_size=1, max_size=2)))
    is_marked = st.sampled_from([True, True, True, False]) if draw(st.booleans()) else st.just(True)
    quarters = st.sampled_from([4, 4, 2, 1, 0]) if draw(st.booleans()) else st.just(4)
    lines = []
    for rater in range(draw(st.integers(0, 16))):
        weight = draw(quarters)
        lines += [Given(f"r{rater}", each, *draw(mark), weight) for each in performers if draw(is_marked)]
    draw(st.randoms(use_true_random=False)).shuffle(lines)
    return lines


COMPARED = attrgetter("rank", "score", "lowest", "highest", "score_from", "score_to", "raters", "mean")


def compared(ranking):
    return {row.performer: COMPARED(row) for row in ranking.rows}


def audience(seed, *, performers, raters):
    """Return the marks of listeners of different severity, diligence and weight."""
    chance = random.Random(seed)  # noqa: S311 - an invented audience
    quality = {f"P{number:02}": chance.gauss(17, 2) for number in range(performers)}
    marks = []
    for rater in range(raters):
        severity, weight = chance.gauss(0, 2), chance.choice([4, 4, 4, 2, 1, 0])
        for performer in chance.sample(sorted(quality), chance.choice([2, 3, 5, performers])):
            pieces = chance.randint(1, 5)
            points = [min(25, max(1, round(chance.gauss(quality[performer] + severity, 3)))) for _ in range(pieces)]
            marks.append(Given(str(rater), performer, sum(points), pieces, weight))
    return marks


ALIKE = [Given(f"r{rater}", performer, 37, 3) for rater in range(12) for performer in "ABCD"]
APART = [
    Given(f"r{rater}", performer, points, 1)
    for rater in range(10)
    for performer, points in zip("ABC", (1, 25, 9), strict=True)
]


@given(stages(), st.integers(1, 10**6), st.integers(1, 10**6))
@example([], 1, 1)
@example([Given("only", performer, 17, 1) for performer in "ABC"], 1, 1)
@example(ALIKE, 1, 1)
@example(APART, 1, 1)
@pytest.mark.long(reason="computes rankings by a slow exact implementation")
def test_both_implementations_agree_to_the_last_digit(marks, stage, run):
    expected = exact.rows(marks, stage, run, method2.DRAWS)
    assert compared(method2.ranking(marks, stage=stage, run=run)) == expected
    assert compared(method2.ranking(marks, stage=stage, run=run, with_numpy=False)) == expected


@pytest.mark.long(reason="computes rankings by a slow exact implementation")
def test_both_implementations_agree_on_a_larger_evening():
    marks = audience(1, performers=12, raters=70)
    made = method2.ranking(marks, stage=3, run=17)
    assert compared(made) == exact.rows(marks, 3, 17, method2.DRAWS)
    assert sum(row.rank is not None for row in made.rows) >= 10
    assert any(row.raters < method2.FEW_RATERS for row in made.rows if row.rank)
    assert any(row.raters >= method2.FEW_RATERS for row in made.rows)


@pytest.mark.long(reason="computes rankings by a slow exact implementation")
def test_numpy_and_plain_python_agree_on_a_large_audience(monkeypatch):
    marks = audience(2, performers=20, raters=200)
    slow = method2.ranking(marks, stage=1, run=2, with_numpy=False)
    assert slow.marks > 1_000
    for sorted_below in (0, 10**6):
        monkeypatch.setattr(method2, "SORTED_BELOW", sorted_below)
        assert method2.ranking(marks, stage=1, run=2) == slow, sorted_below


def test_result_ignores_order_of_lines_and_numbers_of_raters():
    marks = audience(3, performers=8, raters=40)
    shuffles = random.Random(4)  # noqa: S311 - the same numbers in each run
    numbers = list(range(40))
    shuffles.shuffle(numbers)
    renamed = [mark._replace(rater=f"x{numbers[int(mark.rater)]}") for mark in marks]
    shuffles.shuffle(renamed)
    assert method2.ranking(renamed, stage=1, run=1) == method2.ranking(marks, stage=1, run=1)


def test_run_number_changes_intervals_but_not_scores():
    marks = audience(5, performers=8, raters=60)
    first, second = (method2.ranking(marks, stage=1, run=run).rows for run in (1, 2))
    assert [(row.performer, row.score) for row in first] == [(row.performer, row.score) for row in second]
    assert [row.score_from for row in first] != [row.score_from for row in second]


@pytest.mark.long(reason="computes rankings by a slow exact implementation")
def test_plain_means_are_rounded_as_exact_fractions():
    chance = random.Random(6)  # noqa: S311 - the same numbers in each run
    ties = 0
    for _ in range(600):
        marks = []
        for rater in range(chance.choice([10, 16, 20, 40])):
            pieces = chance.choice([1, 2, 4, 5, 8])
            marks.append(Given(f"r{rater}", "P", chance.randint(pieces, 25 * pieces), pieces))
        mean = sum((Fraction(each.points, each.pieces) for each in marks), Fraction(0)) / len(marks)
        hundredths = 100 * mean
        ties += hundredths % 1 == Fraction(1, 2)
        whole, rest = divmod(hundredths.numerator, hundredths.denominator)
        expected = whole + (2 * rest >= hundredths.denominator)
        assert method2.plain_means([{"P": each} for each in marks]) == {"P": expected}
    assert ties > 15


@given(st.integers(-(10**15), 10**15), st.integers(1, 10**12))
def test_ratio_is_the_nearest_number_and_rounds_a_half_up(above, below):
    assert method2.ratio(above, below) == exact.nearest(Fraction(above, below))


def test_tied_performances_share_rank_and_interval():
    """Two performances with the same marks have the same result in all draws: neither is certainly first."""
    marks = []
    for rater in range(20):
        points = 10 + rater % 5
        marks += [Given(f"r{rater}", performer, points, 1) for performer in "AB"]
        marks.append(Given(f"r{rater}", "C", 3 + rater % 3, 1))
    rows = {row.performer: row for row in method2.ranking(marks, stage=1, run=1).rows}
    assert (rows["A"].rank, rows["B"].rank, rows["C"].rank) == (1, 1, 3)
    assert (rows["A"].lowest, rows["A"].highest) == (rows["B"].lowest, rows["B"].highest) == (1, 2)


@pytest.mark.parametrize("marks", [ALIKE, APART])
def test_marks_without_differences_have_no_intervals(marks):
    rows = method2.ranking(marks, stage=1, run=1).rows
    assert all(row.rank for row in rows)
    assert all(row[3:7] == (None, None, None, None) for row in rows)


def test_removal_of_raters_and_performances_repeats():
    """D has nine raters, so its removal leaves r0 with two performances, then C with nine raters, and so on."""
    marks = [Given(f"r{rater}", performer, 15, 1) for rater in range(9) for performer in "ABCD"]
    marks += [Given("r9", performer, 15, 1) for performer in "ABC"]
    rows = {row.performer: row for row in method2.ranking(marks, stage=1, run=1).rows}
    assert [rows[each].rank for each in "ABCD"] == [1, 1, 1, None]
    assert rows["D"].raters == 9
    del marks[-1]  # r9 has two performances then, and when C and D are removed, all others have two as well
    made = method2.ranking(marks, stage=1, run=1)
    assert (made.raters, made.marks) == (0, 0)
    counts = {"C": 9, "D": 9, "A": 0, "B": 0}
    assert made.rows == [method2.Row(None, each, *[None] * 5, count, None) for each, count in counts.items()]


def test_raters_of_weight_zero_are_left_out_and_others_weigh_less():
    marks = [Given(f"r{rater}", performer, 12 + rater % 2, 1) for rater in range(20) for performer in "ABC"]
    extra = [Given("x", performer, points, 1, 0) for performer, points in zip("ABC", (25, 1, 1), strict=True)]
    assert method2.ranking(marks + extra, stage=1, run=1) == method2.ranking(marks, stage=1, run=1)
    scores = {}
    for quarters in (4, 2, 1):
        high = [Given(f"r{n}", "A", 16, 1, quarters) for n in range(10)]
        high += [Given(f"r{n}", each, 12 + n % 2, 1, quarters) for n in range(10) for each in "BC"]
        rest = [mark for mark in marks if int(mark.rater[1:]) >= 10]
        scores[quarters] = next(
            row.score for row in method2.ranking(high + rest, stage=1, run=1).rows if row.performer == "A"
        )
    assert scores[4] > scores[2] > scores[1]


def test_bounds_of_the_widest_marks_hold_in_64_bits(monkeypatch):
    """Every array of a fit with marks of 1 and 25 only stays within the published bounds."""
    chance = random.Random(8)  # noqa: S311 - the same numbers in each run
    marks = [Given(f"r{n}", f"P{p}", chance.choice([1, 25]), 1) for n in range(60) for p in range(8)]
    stage = method2.numbered(method2.reduced(marks)[0])
    ratio, largest = method2.ratio, [0]

    def watched(above, below):
        largest[0] = max(largest[0], int(np.abs(above).max()))
        return ratio(above, below)

    monkeypatch.setattr(method2, "ratio", watched)
    times = [60] + [0] * 59  # one rater chosen by all draws
    for chosen in ([1] * 60, times):
        fast = method2.Arrays(stage, np).fit(chosen, 20)
        assert fast == method2.Lists(stage).fit(chosen, 20)
    assert 10**16 < largest[0] <= 5_000_000 * 711_648**2
    # the same bounds for 10,000 raters, and for the weights' numerator
    assert 4 * 10_000 * 1_250_000 * 490_000 < 2**63
    scale = method2.ratio(14_826 * 480_000, 10_000)
    assert scale == 711_648
    assert 5_000_000 * scale**2 + (4 * scale**2 + 480_000**2) // 2 < 2**63


def test_commitment_follows_from_salted_sheets():
    sheet = [Given("1", "B", 40, 2, 2), Given("1", "Á", 17, 1, 2)]
    text = "1/2\nB\t40\t2\nÁ\t17\t1\n"
    hashed = hashlib.sha256(bytes(16) + text.encode()).digest()
    assert method2.sheet_hash(bytes(16), reversed(sheet)) == hashed
    other = method2.sheet_hash(b"\1" * 16, sheet)
    assert other != hashed
    joined = hashlib.sha256(min(hashed, other) + max(hashed, other)).hexdigest()
    assert method2.commitment([hashed, other]) == method2.commitment([other, hashed]) == joined


def written(marks, folder):
    path = folder / "marks.csv"
    weight = {value: name for name, value in method2.WEIGHTS.items()}
    lines = (f"{m.rater},{m.performer},{m.points},{m.pieces},{weight[m.quarters]},\n" for m in marks)
    path.write_text("rater,performer,points,pieces,weight,salt\n" + "".join(lines), encoding="utf-8")
    return path


def test_file_alone_prints_the_same_digits_with_and_without_numpy(tmp_path, all_draws):
    alone = shutil.copy(method2.__file__, tmp_path / "ranking.py")
    marks = audience(7, performers=8, raters=40)
    path = str(written(marks, tmp_path))
    with_numpy = printed(sys.executable, "-I", alone, path, "4", "9")
    assert printed(sys.executable, "-I", "-S", alone, path, "4", "9") == with_numpy  # -S: without site-packages
    head, *lines = with_numpy
    assert head == ["\ufeffrank", *method2.Row._fields[1:]]
    rows = method2.ranking(marks, stage=4, run=9).rows
    assert [line[:2] for line in lines] == [[str(row.rank or ""), row.performer] for row in rows]
    scores = [(line[2], row.score) for line, row in zip(lines, rows, strict=True)]
    assert all(text == ("" if score is None else f"{score / 100:.2f}") for text, score in scores)


@pytest.mark.long(reason="computes rankings by a slow exact implementation")
def test_other_pythons_print_the_same_digits(tmp_path):
    if not (others := [each for each in pythons() if "python3.9" not in each]):
        pytest.skip("this machine has no other Python")
    path = str(written(audience(9, performers=8, raters=40), tmp_path))
    expected = printed(sys.executable, "-I", method2.__file__, path, "1", "2")
    for python in others:
        assert printed(python, "-I", method2.__file__, path, "1", "2") == expected, python
