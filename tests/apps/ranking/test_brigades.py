"""Test brigades in simulated audiences: how far a fifth of the listeners can move a score."""

import random
from collections import defaultdict

import pytest

from apps.ranking import method
from tests.apps.ranking.test_method import kendall

AUDIENCES, PERFORMERS, LISTENERS, PIECES = 8, 20, 120, 4
Marks = list[tuple[str, str, float]]


def audience(seed: int) -> tuple[dict[str, float], Marks, random.Random]:
    """Return the true quality of each performance, the marks of different listeners, and the random generator."""
    chance = random.Random(seed)  # noqa: S311 - an invented audience
    truth = {f"P{number:02}": chance.gauss(17, 1.8) for number in range(PERFORMERS)}
    marks = []
    for listener in range(LISTENERS):
        severity, span = chance.gauss(0, 2), chance.lognormvariate(0, 0.25)
        for performer in chance.sample(sorted(truth), chance.choice([3, 5, 8, 12, PERFORMERS])):
            heard = 17 + severity + span * (truth[performer] - 17)
            pieces = [min(25, max(1, round(chance.gauss(heard, 2)))) for _ in range(PIECES)]
            marks.append((str(listener), performer, sum(pieces) / PIECES))
    return truth, marks, chance


def brigade(kind: str, truth: dict[str, float], marks: Marks, chance: random.Random) -> tuple[str, Marks]:
    """Return the favourite of a brigade and its marks: one member for each five listeners of that performance."""
    favourite = sorted(truth, key=truth.__getitem__)[PERFORMERS // 2]
    others = sorted(truth.keys() - {favourite})
    size = sum(performer == favourite for _, performer, _ in marks) // 5
    given: Marks = []
    for member in (f"brigade-{number}" for number in range(size)):
        given.append((member, favourite, 25.0))
        if kind == "one performance":
            continue
        for performer in chance.sample(others, 2 if kind == "three performances" else 9):
            mark = {
                "three performances": chance.choice([1.0, 10.0]),
                "rivals down": chance.choice([1.0, 2.0, 3.0]),
                "fair to all others": min(25.0, max(1.0, chance.gauss(truth[performer], 1))),
            }[kind]
            given.append((member, performer, mark))
    return favourite, given


def of_performer(marks: Marks, name: str) -> list[float]:
    return [mark for _, performer, mark in marks if performer == name]


def corrected_mean(marks: list[float]) -> float:
    """Return the competition's mean: marks more than 3 from the mean are moved to 3, then averaged again."""
    mean = sum(marks) / len(marks)
    return sum(min(max(mark, mean - 3), mean + 3) for mark in marks) / len(marks)


def score(marks: Marks, performer: str) -> float:
    return next(float(row.score) for row in method.ranking(marks).rows if row.performer == performer)


@pytest.fixture(autouse=True)
def no_intervals(monkeypatch):
    """Compute scores only: a thousand random draws for the intervals would be slow."""
    monkeypatch.setattr(method, "drawn_intervals", lambda *_: {})


@pytest.mark.parametrize(
    ("kind", "most"),
    [
        ("one performance", 0.0),
        ("three performances", 0.3),
        ("rivals down", 0.3),
        # members who mark nine others as honest listeners would are hard to tell from them
        ("fair to all others", 0.4),
    ],
)
def test_brigade_moves_a_score_less_than_the_corrected_mean(kind, most):
    moved = mean_moved = 0.0
    for seed in range(AUDIENCES):
        truth, marks, chance = audience(seed)
        favourite, given = brigade(kind, truth, marks, chance)
        assert len(given) >= 9
        moved += score(marks + given, favourite) - score(marks, favourite)
        before = corrected_mean(of_performer(marks, favourite))
        mean_moved += corrected_mean(of_performer(marks + given, favourite)) - before
    assert mean_moved / AUDIENCES > 0.5  # the brigade has an effect
    assert moved <= most * mean_moved


def test_ranking_agrees_with_the_truth_at_least_as_well_as_the_mean():
    agreement = mean_agreement = 0.0
    for seed in range(AUDIENCES):
        truth, marks, _ = audience(100 + seed)
        by_performer = defaultdict(list)
        for _, performer, mark in marks:
            by_performer[performer].append(mark)
        ranked = {row.performer: float(row.score) for row in method.ranking(marks).rows if row.rank}
        assert ranked.keys() == truth.keys()
        agreement += kendall(ranked, truth)
        mean_agreement += kendall(
            {performer: sum(given) / len(given) for performer, given in by_performer.items()}, truth
        )
    assert agreement >= mean_agreement
