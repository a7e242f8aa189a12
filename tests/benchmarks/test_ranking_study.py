"""Test the study of ranking methods: its invented audiences, the attack suite and the compared methods."""

import numpy as np
import pytest

from apps.ranking import method2
from benchmarks.ranking_study import agreement, coverage, honest, methods, moved
from benchmarks.ranking_study.attacks import STRATEGIES, Brigade
from benchmarks.ranking_study.attacks_kept import KEPT
from benchmarks.ranking_study.attacks_outside import OUTSIDE
from benchmarks.ranking_study.audiences import BY_NAME, KINDS, audience
from benchmarks.ranking_study.variants import VARIANTS, scores_of, tau


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_an_audience_is_the_same_for_the_same_seed(kind):
    made, again, other = (audience(kind, seed, truth_seed=7) for seed in (1, 1, 2))
    assert made == again
    assert made.truth == other.truth
    assert made.marks != other.marks
    assert len(made.sheets) == kind.raters
    assert all(mark.pieces <= mark.points <= 25 * mark.pieces for mark in made.marks)


@pytest.mark.parametrize("name", [*STRATEGIES, *KEPT])
def test_a_strategy_has_its_own_accounts_and_marks_its_target(name):
    made = audience(BY_NAME["middle"], 3)
    attack = (STRATEGIES | KEPT)[name](Brigade(made, np.random.default_rng(4)))
    accounts = {mark.rater for mark in attack.marks}
    assert accounts
    assert not accounts & made.sheets.keys()
    assert any(mark.performer == attack.target for mark in attack.marks)
    assert len({(mark.rater, mark.performer) for mark in attack.marks}) == len(attack.marks)
    assert all(mark.pieces <= mark.points <= 25 * mark.pieces for mark in attack.marks)


@pytest.mark.parametrize("name", OUTSIDE)
def test_a_strategy_from_outside_marks_its_target_once_with_each_account(name):
    made = audience(BY_NAME["middle"], 3)
    attack = OUTSIDE[name](Brigade(made, np.random.default_rng(4)))
    marked = [(mark.rater, mark.performer) for mark in [*made.marks, *attack.marks]]
    assert len(set(marked)) == len(marked)
    assert any(mark.performer == attack.target for mark in attack.marks)
    assert all(mark.pieces <= mark.points <= 25 * mark.pieces for mark in attack.marks)
    assert all(mark.at >= made.starts[mark.performer] for mark in attack.marks)


def test_the_suite_has_at_least_twenty_strategies():
    assert len(STRATEGIES) >= 20
    assert not STRATEGIES.keys() & KEPT.keys()
    assert not (STRATEGIES | KEPT).keys() & OUTSIDE.keys()


def test_the_variant_in_floating_point_is_version_2():
    made = audience(BY_NAME["middle"], 5)
    performers, table = methods.matrix(made.marks)
    scores = scores_of(table, VARIANTS["t, trimmed offsets"])
    exact = methods.version_2(made, made.marks)
    assert [exact[performer] for performer in performers] == pytest.approx(scores.tolist(), abs=0.006)


def test_tau_counts_pairs():
    assert tau(np.array([1.0, 2, 3]), np.array([2.0, 4, 9])) == 1
    assert tau(np.array([1.0, 2, 3]), np.array([9.0, 4, 2])) == -1
    assert tau(np.array([1.0, 2, 3]), np.array([2.0, 1, 3])) == pytest.approx(1 / 3)


@pytest.mark.long
def test_a_brigade_moves_version_2_less_than_the_plain_mean_and_weights_less_still():
    moves = dict.fromkeys(("plain mean", "version 2", "version 2 with weights"), 0.0)
    for seed in range(3):
        made = audience(BY_NAME["middle"], seed)
        for strategy in ("25, four honest others", "25, copied sheets", "one rival at 1, honest others"):
            attack = STRATEGIES[strategy](Brigade(made, np.random.default_rng(seed)))
            for name in moves:
                method = methods.COMPARED[name]
                before, after = method(made, made.marks), method(made, [*made.marks, *attack.marks])
                moves[name] += moved.moved(attack, before, after)[1]
    assert moves["version 2"] < 0.6 * moves["plain mean"]
    assert moves["version 2 with weights"] < 0.6 * moves["version 2"]


@pytest.mark.long
def test_the_tables_have_a_line_for_each_subject(monkeypatch):
    few = (BY_NAME["small"], BY_NAME["all hear all"])
    for module in (agreement, coverage, honest):
        monkeypatch.setattr(module, "KINDS", few)
    monkeypatch.setattr(moved, "KINDS", ("small",))
    monkeypatch.setattr(method2, "DRAWS", 40)
    monkeypatch.setattr(coverage, "MORE_DRAWS", 60)
    assert len(agreement.table(2).splitlines()) == 2 + len(methods.ALL)
    assert len(moved.table(1, suite=KEPT).splitlines()) == 3 + len(KEPT)
    assert len(honest.table(2).splitlines()) == 2 + len(few)
    assert len(coverage.table(1, 3).splitlines()) == 5 + len(few) + len(coverage.BINS)
