"""Run all checks and tests (`make test`): `python -m tests.run [step ...]`; without a name, all steps.

The checks run one after another beside the tests and use the time in which those wait; so do the steps that repeat
some tests in another way. Logs are kept in .data/test-logs. With NAME in the environment, a path or a test's id, only
these tests run.
"""

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from xml.etree import ElementTree as ET

from tests import chromium, cost_table

ROOT = Path(__file__).resolve().parent.parent
BIN = ROOT / ".venv" / "bin"
LOGS = ROOT / ".data" / "test-logs"
JUNIT = LOGS / "python.xml"
CLIENT = "components/client"
CORES = os.cpu_count() or 1
WORKERS = CORES * 3 // 2  # a worker waits for PostgreSQL, a browser or a server

Counts = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Step:
    """One check: commands that must all succeed, and a function that counts the tests in their output."""

    name: str
    commands: tuple[tuple[str, ...], ...]
    folder: str = "."
    count: Callable[[str], Counts] | None = None


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a step."""

    step: Step
    succeeded: bool
    seconds: float
    passed: int
    failed: int
    output: str


def node_counts(output: str) -> Counts:
    """Return the number of passed and failed tests in the summary of Node's test runner."""
    found = dict(re.findall(r"^\S+ (pass|fail|cancelled) (\d+)$", output, re.MULTILINE))
    return int(found.get("pass", 0)), int(found.get("fail", 0)) + int(found.get("cancelled", 0))


def pytest_counts(_output: str) -> Counts:
    """Return the number of passed and failed tests in pytest's JUnit report."""
    if not JUNIT.exists():
        return 0, 0
    suites = list(ET.parse(JUNIT).getroot().iter("testsuite"))  # noqa: S314 - we wrote it

    def total(*names: str) -> int:
        return sum(int(suite.get(name, 0)) for suite in suites for name in names)

    bad = total("failures", "errors")
    return total("tests") - bad - total("skipped"), bad


def python(*arguments: str) -> tuple[str, ...]:
    """Return a command of the environment's Python."""
    return (str(BIN / "python"), *arguments)


PYTEST = python("-m", "pytest", "--dist=worksteal", f"--junitxml={JUNIT}", "--durations=15")
CHECKS = (
    Step("types", (python("-m", "mypy"),)),
    Step(
        "lint",
        (
            (str(BIN / "ruff"), "check", "."),
            (str(BIN / "ruff"), "format", "--check", "."),
            python("-m", "tests.suite_check"),
        ),
    ),
    Step("client", ((str(BIN / "npm"), "test", "--silent"),), folder=CLIENT, count=node_counts),
    Step("imports", ((str(BIN / "lint-imports"),),)),
    Step("dependencies", ((str(BIN / "deptry"), "."),)),
    Step(
        "migrations",
        (python("manage.py", "makemigrations", "--check", "--dry-run"), python("-m", "tests.migrations_check")),
    ),
)
UNIT_TESTS = (*PYTEST, f"--numprocesses={WORKERS}", "-m", "not long", "tests/apps", "tests/components")
UNITS = Step("units", (UNIT_TESTS,), count=pytest_counts)  # a subset of `python`, for `make check`
MEASURED = ("env", f"COSTS={cost_table.STORED}")
ALL_TESTS = (*MEASURED, *PYTEST, f"--numprocesses={WORKERS}")
TESTS = Step("python", (ALL_TESTS,), count=pytest_counts)
# `make soak` runs all of tests/apps this way. Skipped without pgbouncer.
OF_CONNECTIONS = ("tests/apps/live", *(f"tests/apps/core/{name}" for name in ("bus", "commands", "database")))
POOLED = Step("pooled", (("env", "POOLER=1", *python("-m", "pytest", "-q", *OF_CONNECTIONS)),))
ONE_BY_ONE = (UNITS, TESTS)
# In a new checkout: otherwise each worker compiles all sources and tests, which takes longer than their collection.
COMPILED = ROOT / "tests" / "apps" / "__pycache__"
COMPILE = Step("compile", (python("-m", "pytest", "--collect-only", "--quiet"),))
WITHOUT_NAME = (*CHECKS, POOLED, TESTS)


def run(step: Step) -> Result:
    """Run a step's commands until one fails, and write their output to a log."""
    begun = time.monotonic()
    environment = {**os.environ, "PATH": f"{BIN}{os.pathsep}{os.environ.get('PATH', '')}"}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # each worker and each site would compile all sources again
    log, code = LOGS / f"{step.name}.log", 0
    with log.open("w", encoding="utf-8") as output:
        for command in step.commands:
            code = code or subprocess.run(
                command, check=False, cwd=ROOT / step.folder, env=environment, stdin=subprocess.DEVNULL,
                stdout=output, stderr=subprocess.STDOUT,
            ).returncode  # fmt: skip
    text = log.read_text(encoding="utf-8")
    passed, failed = step.count(text) if step.count else (0, 0)
    # A step that fails without a failed test, such as lint, counts as one failure; so does one without any tests.
    empty = step.count is not None and not passed
    succeeded = code == 0 and not failed and not empty
    return Result(step, succeeded, time.monotonic() - begun, passed, failed or int(not succeeded), text)


def line(result: Result) -> str:
    """Return a result in one line."""
    tests = f"{result.passed} passed, {result.failed} failed" if result.step.count else ""
    verdict = "ok" if result.succeeded else "FAILED"
    return f"{result.step.name:<13}{verdict:<8}{result.seconds:6.1f} s  {tests}".rstrip()


def say(text: str) -> None:
    """Print and flush, also into a pipe."""
    print(text, flush=True)  # noqa: T201 - this is a program for a terminal


def report(result: Result) -> Result:
    """Print the result of a step, with its output if it failed."""
    if not result.succeeded:
        say(f"----- {result.step.name} -----\n{result.output}\n-----")
    say(line(result))
    return result


def run_all(steps: Iterable[Step]) -> list[Result]:
    """Run the checks in one lane and the tests in another; the checks' results come first."""
    wanted = list(steps)
    tests = [step for step in wanted if step.name in {one.name for one in ONE_BY_ONE}]
    if any(step.name == TESTS.name for step in tests):
        chromium.require()
    checks = [step for step in wanted if step not in tests]
    if tests and not COMPILED.exists():
        tests = [COMPILE, *tests]
    with ThreadPoolExecutor(2) as threads:
        return [result for results in threads.map(in_turn, (checks, tests)) for result in results]


def in_turn(steps: Iterable[Step]) -> list[Result]:
    """Run the steps one after another."""
    return [report(run(step)) for step in steps]


def main(names: list[str]) -> int:
    """Run the named steps, or all. Return the exit code."""
    known = {step.name: step for step in (*WITHOUT_NAME, UNITS)}
    if unknown := set(names) - set(known):
        say(f"There is no step {', '.join(sorted(unknown))}. The steps: {', '.join(known)}.")
        return 2
    begun = time.monotonic()
    LOGS.mkdir(parents=True, exist_ok=True)
    JUNIT.unlink(missing_ok=True)
    selected = os.environ.get("NAME", "")
    chosen = (replace(TESTS, commands=((*PYTEST, f"--numprocesses={CORES}", selected),)),) if selected else WITHOUT_NAME
    results = run_all([known[name] for name in names] or chosen)
    if TESTS in [result.step for result in results] and cost_table.STORED.exists():
        say("\n".join(cost_table.summary(json.loads(cost_table.STORED.read_text(encoding="utf-8")))))
    say(f"\nAll of it took {time.monotonic() - begun:.0f} s:")
    for result in results:
        say(f"  {line(result)}")
    say(f"\n{sum(result.passed for result in results)} passed, {sum(result.failed for result in results)} failed")
    return 0 if all(result.succeeded for result in results) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
