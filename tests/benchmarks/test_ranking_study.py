"""The study of ranking methods: its invented audiences, the attacks and the compared methods."""

import numpy as np
import pytest

from apps.ranking import method2
from benchmarks.ranking_study import agreement, coverage, crowds, honest, methods, moved, small
from benchmarks.ranking_study.attacks import STRATEGIES, Brigade
from benchmarks.ranking_study.attacks_crowds import REMAINING, REPORTED
from benchmarks.ranking_study.attacks_kept import KEPT
from benchmarks.ranking_study.attacks_outside import OUTSIDE
from benchmarks.ranking_study.audiences import ARRIVING, BY_NAME, FOLLOWED, KINDS, audience
from benchmarks.ranking_study.variants import VARIANTS, scores_of, tau
from tests.offenders import check_each


def are_on_the_scale(marks):
    return all(mark.pieces <= mark.points <= 25 * mark.pieces for mark in marks)


def test_audience_is_determined_by_its_seed():
    def check(kind):
        first, same, other = (audience(kind, seed, truth_seed=7) for seed in (1, 1, 2))
        assert first == same
        assert first.truth == other.truth
        assert first.marks != other.marks
        assert len(first.sheets) == kind.raters
        assert are_on_the_scale(first.marks)

    check_each(KINDS, check)


def test_listeners_register_before_their_first_mark_and_a_quarter_mark_one_session():
    listeners = audience(FOLLOWED, 3)
    sheets = {rater: sheet.values() for rater, sheet in listeners.sheets.items()}
    assert all(listeners.registered[rater] < min(mark.at for mark in sheet) for rater, sheet in sheets.items())
    newcomers = [rater for rater, at in listeners.registered.items() if at > -24]
    assert 0.4 < len(newcomers) / len(sheets) < 0.6
    of_one = {r for r, own in sheets.items() if len({listeners.sessions[mark.performer] for mark in own}) == 1}
    assert 0.15 < len(of_one - listeners.following) / FOLLOWED.raters < 0.5  # short sheets may lie in one by chance
    assert listeners.following == {f"f{number}" for number in range(30)}
    assert [kind.one_session for kind in ARRIVING] == [0.25] * len(KINDS)


@pytest.fixture(scope="module")
def middle():
    """Return an audience of middle size, which attacks do not change."""
    return audience(BY_NAME["middle"], 3)


def test_strategy_has_its_own_accounts_and_marks_its_target(middle):
    def check(name):
        attack = (STRATEGIES | KEPT | REPORTED | REMAINING)[name](Brigade(middle, np.random.default_rng(4)))
        accounts = {mark.rater for mark in attack.marks}
        assert accounts
        assert not accounts & middle.sheets.keys()
        assert any(mark.performer == attack.target for mark in attack.marks)
        assert len({(mark.rater, mark.performer) for mark in attack.marks}) == len(attack.marks)
        assert are_on_the_scale(attack.marks)

    check_each([*STRATEGIES, *KEPT, *REPORTED, *REMAINING], check, at_least=20)
    assert not STRATEGIES.keys() & KEPT.keys()
    assert not (STRATEGIES | KEPT).keys() & OUTSIDE.keys()


def test_strategy_from_outside_marks_its_target_once_with_each_account(middle):
    def check(name):
        attack = OUTSIDE[name](Brigade(middle, np.random.default_rng(4)))
        marked = [(mark.rater, mark.performer) for mark in [*middle.marks, *attack.marks]]
        assert len(set(marked)) == len(marked)
        assert any(mark.performer == attack.target for mark in attack.marks)
        assert are_on_the_scale(attack.marks)
        assert all(mark.at >= middle.starts[mark.performer] for mark in attack.marks)

    check_each(OUTSIDE, check)


def test_variant_in_floating_point_is_version_2():
    listeners = audience(BY_NAME["middle"], 5)
    performers, table = methods.matrix(listeners.marks)
    scores = scores_of(table, VARIANTS["t, trimmed offsets"])
    exact = methods.version_2(listeners, listeners.marks)
    assert [exact[performer] for performer in performers] == pytest.approx(scores.tolist(), abs=0.006)


def test_tau_counts_pairs():
    assert tau(np.array([1.0, 2, 3]), np.array([2.0, 4, 9])) == 1
    assert tau(np.array([1.0, 2, 3]), np.array([9.0, 4, 2])) == -1
    assert tau(np.array([1.0, 2, 3]), np.array([2.0, 1, 3])) == pytest.approx(1 / 3)


def test_brigade_moves_version_2_less_than_the_plain_mean(monkeypatch):
    monkeypatch.setattr(method2, "DRAWS", 21)  # of the intervals, which are not compared
    moves = dict.fromkeys(("plain mean", "version 2", "version 2 with weights"), 0.0)
    for seed in range(3):
        listeners = audience(BY_NAME["middle"], seed)
        honestly = {name: methods.COMPARED[name](listeners, listeners.marks) for name in moves}
        for strategy in ("25, four honest others", "25, copied sheets", "one rival at 1, honest others"):
            attack = STRATEGIES[strategy](Brigade(listeners, np.random.default_rng(seed)))
            for name in moves:
                after = methods.COMPARED[name](listeners, [*listeners.marks, *attack.marks])
                moves[name] += moved.moved(attack, honestly[name], after)[1]
    assert moves["version 2"] < 0.6 * moves["plain mean"]
    assert moves["version 2 with weights"] < 0.6 * moves["version 2"]


def test_reported_crowds_weigh_a_quarter_and_listeners_without_a_crowd_fully():
    listeners = audience(ARRIVING[-1], 4)
    assert methods.weights(listeners, listeners.marks) == {}
    weights = {}
    for name, strategy in REPORTED.items():
        marks = strategy(Brigade(listeners, np.random.default_rng(4))).marks
        found = methods.weights(listeners, [*listeners.marks, *marks])
        weights[name] = np.mean([found.get(rater, 4) / 4 for rater in {mark.rater for mark in marks}])
    *caught, varied = weights.values()
    assert max(caught) < 0.35
    assert varied < 1


@pytest.mark.long(reason="computes hundreds of rankings")
def test_tables_have_a_line_for_each_subject(monkeypatch):
    few = (BY_NAME["small"], BY_NAME["all hear all"])
    for module in (agreement, coverage, honest):
        monkeypatch.setattr(module, "KINDS", few)
    monkeypatch.setattr(moved, "KINDS", ("small",))
    monkeypatch.setattr(method2, "DRAWS", 21)
    monkeypatch.setattr(coverage, "MORE_DRAWS", 30)
    assert len(agreement.table(2).splitlines()) == 2 + len(methods.ALL)
    assert len(moved.table(1, suite=KEPT).splitlines()) == 3 + len(KEPT)
    assert len(honest.table(2).splitlines()) == 2 + len(few)
    for module in (crowds, small):
        monkeypatch.setattr(module, "KINDS", module.KINDS[:1])
    monkeypatch.setattr(crowds, "ARRIVING", ARRIVING[:1])
    assert len(crowds.table(1, REPORTED).splitlines()) == 2 + len(REPORTED)
    assert len(crowds.honest(1).splitlines()) == 5
    assert len(small.table(3).splitlines()) == 3
    assert len(coverage.table(1, 3).splitlines()) == 5 + len(few) + len(coverage.BINS)
