"""The suite itself: time limits, waits, budgets of directories, reasons of long tests, and the order for workers."""

import re
import subprocess
import sys
from collections import Counter
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from project.config import ROOT
from tests.cost_table import Sum, budget_lines, directory_of, memory_lines, sums
from tests.databases import is_of_schema
from tests.faults.run import Fault, faults, known_results
from tests.offenders import check_each
from tests.order import ordered
from tests.suite_check import marks_without_reason
from tests.waiting import until, wait_until

HANGING = """
import asyncio, threading
import pytest

@pytest.mark.limit(0.5, reason="the test of the limit")
async def test_loop_that_never_suspends():
    async def waits_for_ever(): await asyncio.Event().wait()
    other = asyncio.create_task(waits_for_ever())
    while True:
        await asyncio.timeout(5).__aenter__()

@pytest.mark.limit(0.5, reason="the test of the limit")
def test_thread_that_waits():
    threading.Event().wait()

def test_after_them():
    pass
"""


def test_limit_fails_a_hanging_test_alone_and_prints_its_stacks(tmp_path: Path) -> None:
    (tmp_path / "pytest.ini").write_text("[pytest]\nasyncio_mode = auto\nmarkers = limit\n")
    (tmp_path / "test_hanging.py").write_text(HANGING)
    command = [sys.executable, "-m", "pytest", "-p", "tests.time_limit", "--rootdir", str(tmp_path)]
    command += ["-p", "no:django", "-p", "no:faker", "-p", "no:anyio"]  # their set-up could exceed the limit
    ended = subprocess.run(
        [*command, "-c", str(tmp_path / "pytest.ini"), str(tmp_path)],
        cwd=ROOT, check=False, capture_output=True, text=True, timeout=100,
    )  # fmt: skip
    assert "2 failed, 1 passed" in ended.stdout, ended.stdout + ended.stderr
    for text in ("ran longer than 0 s", "thread MainThread:", "waits_for_ever", "threading.Event().wait()"):
        assert text in ended.stdout


async def test_until_lets_the_loop_run_and_fails_with_its_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    answers = iter([0, 0, 7])
    assert await until(lambda: next(answers), "a number comes") == 7
    with pytest.raises(AssertionError, match="the sun rises: not within 0 s; last seen: ''"):
        await until(lambda: "", "the sun rises", seconds=0)


def test_wait_until_says_what_it_waits_for(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("tests.waiting.SAID_AFTER", 0.0)
    answers = iter([None, None, 7])
    assert wait_until(lambda: next(answers), "a number comes") == 7
    assert capsys.readouterr().err.count("a number comes; last seen: None") == 1


def test_check_each_lists_all_offenders() -> None:
    with pytest.raises(AssertionError, match=r"2 of 3:\n2\n3$"):
        check_each([1, 2, 3], lambda number: number < 2)
    with pytest.raises(AssertionError, match="1 of 2:\n<class 'float'>: DID NOT RAISE"):
        check_each([int, float], must_refuse_a_point)
    with pytest.raises(AssertionError, match="0 items where at least 1"):
        check_each([], lambda _: True)


def must_refuse_a_point(kind: type[float]) -> None:
    """Fail by `pytest.raises` for a type that reads "1.5"."""
    with pytest.raises(ValueError, match="invalid literal"):
        kind("1.5")


def test_directory_above_its_budget_is_named() -> None:
    directories = {"tests/e2e": Sum(3, 9.0, 1.0, 2.0), "tests/docs": Sum(1, 1.0, 1.0, 0.0)}
    lines = list(budget_lines(directories, 0.05, {"tests/e2e": 48.0, "tests/docs": 15.9}))
    assert [line for line in lines if "ABOVE" in line] == [
        "ABOVE ITS BUDGET: tests/docs takes 20 of 16 tasks",
    ]


def test_costs_are_summed_by_directory() -> None:
    row = {"setup": 1.0, "call": 2.0, "teardown": 0.5, "own": 1.0, "below": 0.5}
    tests = {"tests/apps/core/bus/test_bus.py::test_a": row, "tests/apps/core/test_b.py::test_b": row}
    assert sums(tests, lambda path, _: directory_of(path)) == {"tests/apps/core": Sum(2, 7.0, 2.0, 1.0)}
    assert directory_of("tests/e2e/test_home.py") == "tests/e2e"
    assert directory_of("tests/test_suite.py") == "tests"


def test_worker_above_its_memory_is_named() -> None:
    workers = [{"mebibytes": 300, "below_mebibytes": 900}, {"mebibytes": 701, "below_mebibytes": 90}]
    assert list(memory_lines(workers)) == [
        "\nlargest memory: 701 MiB of a worker, 900 MiB of a process below a worker",
        "ABOVE ITS MEMORY: a worker needs at most 700 MiB",
    ]


def test_long_marker_without_a_reason_is_a_fault() -> None:
    source = (
        '@pytest.mark.long(reason="one")\n@pytest.mark.long\n@pytest.mark.limit(5)\n@pytest.mark.other\ndef f(): ...'
    )
    assert list(marks_without_reason(Path("a.py"), source)) == [
        "a.py:2: the marker `long` needs a reason",
        "a.py:3: the marker `limit` needs a reason",
    ]


@pytest.mark.parametrize("workers", [1, 2, 4])
def test_order_has_every_test_once_with_journeys_at_the_begin_of_half_of_the_parts(workers: int) -> None:
    items: list[Any] = [item(f"tests/apps/test_{number}.py", is_long=number % 7 == 0) for number in range(60)]
    items += [item(f"tests/e2e/test_{number % 5}.py", is_long=False) for number in range(20)]
    in_order = ordered(items, workers)
    assert Counter(map(id, in_order)) == Counter(map(id, items))
    begins = [in_order[len(items) * worker // workers].nodeid for worker in range(workers)]
    assert [begin.startswith("tests/e2e/") for begin in begins] == [
        worker < (workers + 1) // 2 for worker in range(workers)
    ]


def item(path: str, *, is_long: bool) -> SimpleNamespace:
    """Return what `ordered` reads of a test."""
    return SimpleNamespace(nodeid=path, path=path, get_closest_marker=lambda _: is_long or None)


def test_every_seeded_fault_has_its_place(tmp_path: Path) -> None:
    known = faults()
    assert len(known) == 40
    assert len(promises := {fault.promise for fault in known}) == 40
    assert known_results().keys() <= promises

    def is_in_place(fault: Fault) -> bool:
        return (ROOT / fault.file).read_text(encoding="utf-8").count(fault.old) == 1 and fault.old != fault.new

    check_each(known, is_in_place, at_least=40)


def test_template_of_the_databases_depends_on_all_that_migrations_import() -> None:
    imports = {
        (path.relative_to(ROOT), module)
        for path in (ROOT / "apps").glob("*/migrations/*.py")
        for module in re.findall(r"^(?:from|import) (apps\.[\w.]+)", path.read_text(encoding="utf-8"), re.MULTILINE)
    }
    check_each(sorted(imports), lambda pair: is_of_schema(Path(*pair[1].split(".")).with_suffix(".py")), at_least=10)
    assert not is_of_schema(Path("apps/live/services.py"))


def test_modules_of_the_long_runs_and_of_make_measure_can_be_imported() -> None:
    modules = [f"tests.soak.{path.stem}" for path in sorted((ROOT / "tests" / "soak").glob("test_*.py"))]
    check_each([*modules, "benchmarks.measure"], import_module, at_least=6)
