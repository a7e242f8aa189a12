"""Print what the tests cost in the last `make test`: `python -m tests.cost_table`, which `make measure` calls.

CPU time of a directory is in tasks: CPU seconds divided by those of a fixed task in the same run, so that it compares
between machines. `budget.toml` has the budget of each directory; a directory above EXCESS of its budget is named.
"""

import json
import sys
import tomllib
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
STORED = ROOT / ".data" / "test-logs" / "costs.json"
BUDGET = ROOT / "tests" / "budget.toml"
EXCESS = 1.25
MOST_MEMORY = 700  # MiB of a worker
SHOWN = 20  # modules and fixtures
PHASES = ("setup", "call", "teardown")
Row = Mapping[str, Any]


@dataclass
class Sum:
    """What a group of tests costs: cases, wall seconds, CPU seconds of the worker and of the processes below it."""

    cases: int = 0
    wall: float = 0.0
    own: float = 0.0
    below: float = 0.0

    def add(self, row: Row) -> None:
        """Add a test."""
        self.cases += 1
        self.wall += sum(row[phase] for phase in PHASES)
        self.own += row.get("own", 0.0)
        self.below += row.get("below", 0.0)

    @property
    def cpu(self) -> float:
        """Return all CPU seconds."""
        return self.own + self.below


def directory_of(path: str) -> str:
    """Return the directory with a budget of a test module: `tests/apps/live`, `tests/e2e`, or `tests`."""
    parts = Path(path).parent.parts[:3]
    return "/".join(parts[:2] if parts[:2] in {("tests", "e2e"), ("tests", "docs")} else parts)


def sums(tests: Mapping[str, Row], group: Callable[[str, Row], str]) -> dict[str, Sum]:
    """Return the costs of the tests by group, the most expensive first."""
    found: defaultdict[str, Sum] = defaultdict(Sum)
    for name, row in tests.items():
        found[group(name.partition("::")[0], row)].add(row)
    return dict(sorted(found.items(), key=lambda pair: -pair[1].cpu))


def fixture_seconds(tests: Mapping[str, Row]) -> dict[str, float]:
    """Return the wall seconds of each fixture, without those that it requests, the most expensive first."""
    found: defaultdict[str, float] = defaultdict(float)
    for row in tests.values():
        for name, seconds in row.get("fixtures", {}).items():
            found[name] += seconds
    return dict(sorted(found.items(), key=lambda pair: -pair[1]))


def task_seconds(costs: Row) -> float:
    """Return the CPU seconds of the calibration task: the median of all workers."""
    return median(seconds for worker in costs["workers"] for seconds in worker["calibrations"])


def budgets() -> dict[str, float]:
    """Return the budget of each test directory in tasks."""
    return tomllib.loads(BUDGET.read_text(encoding="utf-8"))["tasks"]


def group_lines(title: str, groups: Mapping[str, Sum]) -> Iterator[str]:
    """Yield one line for each group."""
    yield f"\n{title:<52}{'cases':>7}{'wall s':>9}{'CPU s':>8}{'below s':>9}"
    for name, costs in groups.items():
        yield f"{name:<52}{costs.cases:>7}{costs.wall:>9.1f}{costs.own:>8.1f}{costs.below:>9.1f}"


def budget_lines(directories: Mapping[str, Sum], seconds: float, known: Mapping[str, float]) -> Iterator[str]:
    """Yield one line for each directory with its budget, and the name of each that exceeds it."""
    yield f"\n{'directory':<36}{'cases':>7}{'wall s':>9}{'CPU s':>8}{'tasks':>9}{'budget':>8}{'ratio':>7}"
    for name, costs in directories.items():
        tasks, budget = costs.cpu / seconds, known.get(name, 0.0)
        ratio = f"{tasks / budget:7.2f}" if budget else "      –"
        yield f"{name:<36}{costs.cases:>7}{costs.wall:>9.1f}{costs.cpu:>8.1f}{tasks:>9.0f}{budget:>8.0f}{ratio}"
    for name, costs in directories.items():
        if costs.cpu / seconds > EXCESS * known.get(name, 0.0):
            yield f"ABOVE ITS BUDGET: {name} takes {costs.cpu / seconds:.0f} of {known.get(name, 0.0):.0f} tasks"


def memory_lines(workers: list[Row]) -> Iterator[str]:
    """Yield the largest memory of the workers, and of a process that one of them has started and waited for."""
    largest = max(worker["mebibytes"] for worker in workers)
    below = max(worker["below_mebibytes"] for worker in workers)
    yield f"\nlargest memory: {largest} MiB of a worker, {below} MiB of a process below a worker"
    if largest > MOST_MEMORY:
        yield f"ABOVE ITS MEMORY: a worker needs at most {MOST_MEMORY} MiB"


def details(costs: Row) -> Iterator[str]:
    """Yield the costs by kind, fixture and module."""
    tests = costs["tests"]
    yield from group_lines("kind", sums(tests, lambda _, row: row.get("kind", "not finished")))
    modules = sums(tests, lambda path, _: path)
    yield from group_lines("module", dict(list(modules.items())[:SHOWN]))
    yield "\nfixtures, wall s"
    yield from (f"{name:<52}{seconds:>8.1f}" for name, seconds in list(fixture_seconds(tests).items())[:SHOWN])


def summary(costs: Row) -> Iterator[str]:
    """Yield the costs by directory beside their budgets, and the memory."""
    directories = sums(costs["tests"], lambda path, _: directory_of(path))
    yield from budget_lines(directories, task_seconds(costs), budgets())
    yield from memory_lines(costs["workers"])


def main() -> int:
    """Print the stored tables."""
    if not STORED.exists():
        sys.stdout.write("`make test` stores what the tests cost; there was none in this checkout.\n")
        return 0
    costs = json.loads(STORED.read_text(encoding="utf-8"))
    sys.stdout.write("\n".join([*details(costs), *summary(costs)]) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
