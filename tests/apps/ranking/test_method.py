"""Test the ranking's first method: known results, a real jury's marks, and the file as a downloadable script.

Rankings that it closed stay published, so its results may not change. A second, exact implementation agreed with them
until commit 40f8f5af.
"""

import csv
import hashlib
import math
import random
import shutil
import subprocess
import sys
from itertools import combinations
from pathlib import Path

import pytest

from apps.ranking import method

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


def small_stage(seed: int) -> list[tuple[str, str, float]]:
    """Return up to 30 raters' marks of up to seven performances, in quarters and thirds, often the same."""
    chance = random.Random(seed)  # noqa: S311 - invented marks
    performers, parts = "ABCDEFG"[: chance.randint(1, 7)], chance.choice([1, 3, 4])
    marks = [chance.randint(parts, 25 * parts) / parts for _ in range(chance.choice([1, 2, 40]))]
    share = chance.choice([0.7, 1])
    return [
        (f"r{rater}", performer, chance.choice(marks))
        for rater in range(chance.randint(5, 30))
        for performer in performers
        if chance.random() < share
    ]


RESULTS = "1647157242c5943fc5309bdc2b883420e8b02de794d8b82fbdb94b6bf67c0496"


def test_results_are_those_of_the_published_rankings(all_draws):
    made = [method.ranking(marks) for marks in (*map(small_stage, range(20)), audience(5, raters=30))]
    assert sum(row.rank is not None for ranking in made for row in ranking.rows) > 40
    rows = [[[str(value) for value in row] for row in ranking.rows] for ranking in made]
    assert hashlib.sha256(repr(rows).encode()).hexdigest() == RESULTS


def test_result_ignores_order_of_lines_and_numbers_of_raters():
    marks = audience(1)
    others = list(range(len(marks)))
    shuffles = random.Random(2)  # noqa: S311 - the same numbers in each run
    shuffles.shuffle(others)
    renamed = [(f"other-{others[int(rater)]}", performer, mark) for rater, performer, mark in marks]
    shuffles.shuffle(renamed)
    assert method.ranking(renamed) == method.ranking(marks)


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
