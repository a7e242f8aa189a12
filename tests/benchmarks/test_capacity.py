"""The capacity document contains the computed tables; their inputs are the measured figures of the ADRs."""

import math

import pytest

from benchmarks import capacity
from benchmarks.capacity import FIGURES, LOAD_MOST, MOST, VIEWERS, Figure, Plan
from project.config import ROOT

PAPER = (ROOT / "docs" / "operations" / "capacity.md").read_text(encoding="utf-8")
PLANS = [Plan(viewers) for viewers in VIEWERS]


@pytest.mark.parametrize("figure", FIGURES, ids=lambda figure: figure.what)
def test_a_figure_is_that_of_its_decision(figure: Figure) -> None:
    lines = (ROOT / "docs" / "adr" / figure.document).read_text(encoding="utf-8").splitlines()
    found = [line for line in lines if line.startswith(figure.row)]
    assert len(found) == 1
    assert figure.says in found[0]
    assert f"{figure.value:,g}" in figure.says


@pytest.mark.parametrize(
    "wanted",
    [capacity.figures_table(), capacity.steps_table(), capacity.plans_table(PLANS)],
    ids=["figures", "steps", "plans"],
)
def test_the_document_holds_what_is_computed(wanted: str) -> None:
    assert wanted in PAPER, f"`python -m benchmarks.capacity` prints:\n{wanted}"


@pytest.mark.parametrize("plan", PLANS, ids=lambda plan: str(plan.viewers))
def test_everybody_has_a_place_when_a_machine_is_lost_and_no_machine_is_idle(plan: Plan) -> None:
    left = plan.processes - plan.per_machine
    assert plan.viewers <= left * MOST
    assert plan.viewers > (left - plan.per_machine) * MOST
    assert plan.load < plan.load_after_loss <= LOAD_MOST
    assert plan.commits < plan.possible_commits
    assert (plan.connections.pooled, plan.connections.direct) == (plan.processes * 18, plan.processes * 2 + 5)


def test_the_price_of_a_change_goes_through_both_measured_points() -> None:
    def price(viewers: int) -> float:
        return capacity.FIXED * 1e3 + capacity.REQUEST.value + viewers * capacity.EACH * 1e3

    assert math.isclose(price(100), capacity.CHANGE_FEW.value)
    assert math.isclose(price(1_000), capacity.CHANGE_MANY.value)


def test_listeners_cost_what_they_did_at_a_hundred() -> None:
    class Hundred(Plan):
        processes = 100

    assert math.isclose(Hundred(100_000).possible_commits, capacity.HUNDRED.value)


def test_the_document_names_the_numbers_that_it_assumes() -> None:
    for words in ("30 %", f"{capacity.CHANGES:g} changes a second", "one write a second for each 1,000", "60 %"):
        assert words in PAPER
