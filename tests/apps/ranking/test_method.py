"""Test the ranking's method against a plain oracle, against a real jury's marks, and as a downloadable script."""

import csv
import math
import random
import shutil
import subprocess
import sys
from decimal import Decimal
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from apps.ranking import method
from tests.apps.ranking import plain

JURY = Path(__file__).with_name("jury_stage1.csv")


def pythons() -> list[str]:
    """Return the Pythons of other versions that this machine has; a shim without one behind it does not start."""
    minors = [minor for minor in range(9, 16) if minor != sys.version_info.minor]
    beside = Path(sys.base_prefix).parent  # where several are installed side by side
    paths = [shutil.which(f"python3.{minor}") for minor in minors]
    paths += [str(path) for minor in minors for path in beside.glob(f"*/bin/python3.{minor}")]
    return [
        path
        for path in paths
        if path and not subprocess.run([path, "-c", ""], check=False, capture_output=True).returncode
    ]


def kendall(one: dict[str, float], other: dict[str, float]) -> float:
    """Return Kendall's tau-b of two orders of the same items."""
    agree = ties_one = ties_other = pairs = 0
    for left, right in combinations(sorted(one), 2):
        a, b = one[left] - one[right], other[left] - other[right]
        agree += (a * b > 0) - (a * b < 0)
        ties_one += a == 0
        ties_other += b == 0
        pairs += 1
    return agree / math.sqrt((pairs - ties_one) * (pairs - ties_other))


@st.composite
def stages(draw):
    """A stage's marks: up to 24 raters of up to seven performances, in quarters and thirds, often the same."""
    performers = [f"P{number}" for number in range(draw(st.integers(1, 7)))]
    mark = st.one_of(
        st.integers(1, 25), st.integers(4, 100).map(lambda n: n / 4), st.integers(3, 75).map(lambda n: n / 3)
    )
    if draw(st.booleans()):
        mark = st.sampled_from(draw(st.lists(mark, min_size=1, max_size=2)))  # ties, or all equal
    raters = draw(st.integers(0, 24))
    is_marked = st.booleans() if draw(st.booleans()) else st.just(True)
    lines = [
        (f"r{rater}", performer, float(draw(mark)))
        for rater in range(raters)
        for performer in performers
        if draw(is_marked)
    ]
    draw(st.randoms(use_true_random=False)).shuffle(lines)
    return lines


@given(stages())
@example([])
@example([("only", performer, mark) for performer, mark in (("A", 1.0), ("B", 25.0), ("C", 13.0))])
@example([(f"r{rater}", performer, 12.345) for rater in range(12) for performer in "ABCDE"])
@example([(f"r{rater}", performer, 12.345) for rater in range(12) for performer in "AB"])
@pytest.mark.long(reason="computes rankings by a slow exact implementation")
def test_method_agrees_with_the_plain_oracle(marks):
    sheets = plain.sheets_that_count(marks)
    scores = plain.exact_scores(plain.on_audience_scale(sheets))
    made = method.ranking(marks)
    given_to = plain.given_to(sheets)
    assert {row.performer: row.raters for row in made.rows} == {name: len(own) for name, own in given_to.items()}
    assert (made.raters, made.marks) == (len(sheets), sum(map(len, sheets.values())))
    ranked = {row.performer: row.score for row in made.rows if row.rank}
    assert ranked.keys() == {name for name, own in given_to.items() if len(own) >= 10}
    assert ranked == {name: plain.shown(scores[name]) for name in ranked}
    for row in made.rows:
        assert row.mean == plain.shown(sum(given_to[row.performer], Decimal(0)) / row.raters)
        if row.rank:
            assert row.rank == 1 + sum(other > row.score for other in ranked.values())
            assert 1 <= row.lowest <= row.rank <= row.highest <= len(ranked)
            assert 1 <= row.score_from <= row.score_to <= 25
    assert [row.rank for row in made.rows if row.rank] == sorted(row.rank for row in made.rows if row.rank)
    assert all(row.rank is None for row in made.rows[len(ranked) :])


def audience(seed: int, *, performers: int = 12, raters: int = 40) -> list[tuple[str, str, float]]:
    """Return the marks of a simulated audience with different severity and range, each listener with three or more."""
    chance = random.Random(seed)  # noqa: S311 - an invented audience
    quality = {f"P{number:02}": chance.gauss(17, 2) for number in range(performers)}
    marks = []
    for rater in range(raters):
        severity, span = chance.gauss(0, 2), chance.lognormvariate(0, 0.25)
        for performer in chance.sample(sorted(quality), chance.choice([3, 4, 6, performers])):
            pieces = [
                min(25, max(1, round(17 + severity + span * (quality[performer] - 17) + chance.gauss(0, 2))))
                for _ in range(4)
            ]
            marks.append((str(rater), performer, sum(pieces) / 4))
    return marks


@pytest.mark.parametrize("seed", range(3))
def test_result_ignores_order_of_lines_and_numbers_of_raters(seed):
    marks = audience(seed)
    others = list(range(len(marks)))
    shuffles = random.Random(seed)  # noqa: S311
    shuffles.shuffle(others)
    renamed = [(f"other-{others[int(rater)]}", performer, mark) for rater, performer, mark in marks]
    shuffles.shuffle(renamed)
    assert method.ranking(renamed) == method.ranking(marks)


def test_intervals_agree_with_a_plain_draw_of_raters(all_draws):
    marks = audience(5, raters=30)
    made = method.ranking(marks)
    corrected = plain.on_audience_scale(plain.sheets_that_count(marks))
    given_marks = plain.sheets_that_count(marks)
    ordered = [corrected[rater] for rater in sorted(given_marks, key=lambda rater: sorted(given_marks[rater].items()))]
    sheets = [{performer: float(mark) for performer, mark in sheet.items()} for sheet in ordered]
    words = [int(made.digest[at : at + 8], 16) for at in range(0, 64, 8)]
    drawing = np.random.RandomState(words)
    shown = [row.performer for row in made.rows if row.rank]
    ranks: dict[str, list[int]] = {performer: [] for performer in shown}
    for _ in range(1000):
        drawn = [sheets[int(drawing.random_sample() * len(sheets))] for _ in sheets]
        scores = _scores(drawn, shown)
        for performer in shown:
            ranks[performer].append(1 + sum(other > scores[performer] for other in scores.values()))
    for row in made.rows:
        if row.rank:
            middle = sorted(ranks[row.performer])[50:950]
            assert (row.lowest, row.highest) == (min(middle[0], row.rank), max(middle[-1], row.rank))
    assert any(row.lowest < row.highest for row in made.rows if row.rank)


def _scores(drawn, shown):
    """Return rounded scores of drawn raters, by lists that have each mark five times."""
    everything = [mark for sheet in drawn for mark in sheet.values()]
    average = math.fsum(everything) / len(everything)
    scores = {}
    for performer in shown:
        fifths = sorted(5 * [sheet[performer] for sheet in drawn if performer in sheet])
        count = len(fifths) // 5
        kept = fifths[count : len(fifths) - count]
        total = math.fsum(kept) / 3 if kept else 0.0
        scores[performer] = math.floor((total + 10 * average) / (count + 10) * 100 + 0.5)
    return scores


def test_marks_of_a_real_jury_give_nearly_the_official_order():
    with JURY.open(newline="") as lines:
        rows = list(csv.DictReader(lines))
    marks = [
        (juror, row["number"], float(mark))
        for row in rows
        for juror, mark in row.items()
        if juror.startswith("juror_") and mark
    ]
    assert len(rows) == 84
    assert len(marks) > 1_350
    made = {row.performer: float(row.score) for row in method.ranking(marks).rows if row.rank}
    assert len(made) == 84
    assert kendall(made, {row["number"]: float(row["official_score"]) for row in rows}) >= 0.9  # 0.946


def written(marks, folder: Path) -> Path:
    path = folder / "marks.csv"
    path.write_text("rater,performer,mark\n" + "".join(f"{r},{p},{m!r}\n" for r, p, m in marks), encoding="utf-8")
    return path


def printed(python: str, *arguments: str) -> list[list[str]]:
    done = subprocess.run([python, *arguments], capture_output=True, check=True, text=True, timeout=120)
    return list(csv.reader(done.stdout.splitlines()))


def test_file_alone_prints_the_computed_ranking(tmp_path, all_draws):
    alone = shutil.copy(method.__file__, tmp_path / "ranking.py")
    marks = audience(7)
    path = written(marks, tmp_path)
    made = method.ranking(marks)
    table = [["" if value is None else str(value) for value in row[:7]] for row in made.rows]
    head = ["rank", "performer", "score", "lowest", "highest", "raters", "mean"]
    assert printed(sys.executable, "-I", alone, str(path)) == [head, *table]
    # without numpy, as most machines are: everything but the intervals
    bare = [[*row[:3], "", "", *row[5:]] for row in table]
    assert printed(sys.executable, "-I", "-S", alone, str(path)) == [head, *bare]


def test_other_pythons_print_the_same_scores(tmp_path):
    if not (others := pythons()):
        pytest.skip("this machine has no other Python")
    marks = audience(11)
    table = [[str(row.rank or ""), row.performer, str(row.score or "")] for row in method.ranking(marks).rows]
    path = str(written(marks, tmp_path))
    for python in others:
        assert [line[:3] for line in printed(python, "-I", method.__file__, path)[1:]] == table, python
