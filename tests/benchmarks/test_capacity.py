"""The capacity document has the computed tables; their inputs are the measured figures of the ADRs."""

import math
from collections.abc import Callable

from benchmarks import capacity
from benchmarks.capacity import FIGURES, LOAD_MOST, MOST, VIEWERS, Figure, Plan
from project.config import ROOT
from tests.offenders import check_each

DOCUMENT = (ROOT / "docs" / "operations" / "capacity.md").read_text(encoding="utf-8")
PLANS = [Plan(viewers) for viewers in VIEWERS]


def test_figures_are_those_of_their_adr() -> None:
    def is_in_adr(figure: Figure) -> None:
        lines = (ROOT / "docs" / "adr" / figure.document).read_text(encoding="utf-8").splitlines()
        [row] = [line for line in lines if line.startswith(figure.row)] or [""]
        assert figure.says in row
        assert f"{figure.value:,g}" in figure.says

    check_each(FIGURES, is_in_adr)


def test_document_has_the_computed_tables() -> None:
    """To simulate how 100,000 viewers reconnect takes ten seconds: `python -m benchmarks.capacity` does."""
    missing = "\n".join(table for table in (capacity.figures_table(), capacity.steps_table()) if table not in DOCUMENT)
    assert not missing, f"`python -m benchmarks.capacity` prints:\n{missing}"
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in DOCUMENT.splitlines() if line.startswith("|")]
    documented = {name: values for name, *values in rows if len(values) == len(PLANS)}

    def is_documented(line: tuple[str, Callable[[Plan], str]]) -> None:
        name, value = line
        plans = [plan for plan in PLANS if plan.viewers < 100_000 or not name.startswith("all are back")]
        assert documented.get(name, [])[: len(plans)] == [value(plan) for plan in plans]

    check_each(capacity.LINES, is_documented)


def test_plans_survive_a_lost_machine_without_an_idle_one() -> None:
    def is_sufficient(plan: Plan) -> None:
        left = plan.processes - plan.per_machine
        assert plan.viewers <= left * MOST
        assert plan.viewers > (left - plan.per_machine) * MOST
        assert plan.load < plan.load_after_loss <= LOAD_MOST
        assert plan.commits < plan.possible_commits
        assert (plan.connections.pooled, plan.connections.direct) == (plan.processes * 18, plan.processes * 2 + 5)

    check_each(PLANS, is_sufficient)


def test_cost_of_a_change_goes_through_both_measured_points() -> None:
    def cost(viewers: int) -> float:
        return capacity.FIXED * 1e3 + capacity.REQUEST.value + viewers * capacity.EACH * 1e3

    assert math.isclose(cost(100), capacity.CHANGE_FEW.value)
    assert math.isclose(cost(1_000), capacity.CHANGE_MANY.value)


def test_cost_of_listeners_is_that_measured_at_100_processes() -> None:
    class Hundred(Plan):
        processes = 100

    assert math.isclose(Hundred(100_000).possible_commits, capacity.HUNDRED.value)


def test_document_names_its_assumptions() -> None:
    for words in ("30 %", f"{capacity.CHANGES:g} changes a second", "one write a second for each 1,000", "60 %"):
        assert words in DOCUMENT
