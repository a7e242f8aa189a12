"""Measure what each test costs: wall time and CPU time by phase, fixture and kind, and the memory of each worker.

The workers measure, the xdist controller collects and writes `.data/test-logs/costs.json`. CPU time is that of the
worker and of all processes below it, in seconds. PostgreSQL's processes are not below a worker and are not counted.
"""

import json
import os
import resource
import time
from collections import Counter
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.server import Server

TICK = os.sysconf("SC_CLK_TCK")
NOTICED = 0.05  # seconds: the processes below a worker are read after tests that take longer
RECORD = "costs"
ROUNDS = 400_000  # of the calibration task: about 0.05 s


def calibration_seconds() -> float:
    """Return the CPU time of a fixed task of the interpreter, the least of three runs."""
    return min(_task_seconds() for _ in range(3))


def _task_seconds() -> float:
    begun = time.process_time()
    table: dict[int, int] = {}
    for number in range(ROUNDS):
        table[number % 1000] = table.get(number % 1000, 0) + number
    return time.process_time() - begun


def descendants_seconds(pid: int) -> float:
    """Return the CPU time of all processes below this one that live, with the children that they have waited for."""
    parents: dict[int, list[int]] = {}
    seconds: dict[int, float] = {}
    for entry in os.scandir("/proc"):
        if not entry.name.isdigit():
            continue
        try:
            fields = Path(entry.path, "stat").read_bytes().rpartition(b")")[2].split()
        except OSError:  # the process has ended
            continue
        parents.setdefault(int(fields[1]), []).append(int(entry.name))
        seconds[int(entry.name)] = sum(map(int, fields[11:15])) / TICK
    pending, total = [*parents.get(pid, ())], 0.0
    while pending:
        child = pending.pop()
        total += seconds[child]
        pending += parents.get(child, ())
    return total


def has_child(pid: int) -> bool:
    """Return whether a process lives below this one; where the kernel does not list children, always true."""
    threads = Path("/proc", str(pid), "task")
    if not (threads / str(pid) / "children").exists():
        return True
    for thread in threads.iterdir():
        try:
            if (thread / "children").read_bytes():
                return True
        except OSError:  # the thread has ended
            continue
    return False


def kind_of(item: pytest.Item) -> str:
    """Return what a test needs, the most expensive first."""
    names = set(getattr(item, "fixturenames", ()))
    if "browser" in names:
        return "browser"
    if any(isinstance(value, Server) for value in getattr(item, "funcargs", {}).values()):
        return "server"
    mark = item.get_closest_marker("django_db")
    if "transactional_db" in names or (mark and mark.kwargs.get("transaction")):
        return "committed"
    return "rolled back" if mark or "db" in names else "no database"


class Costs:
    """Measures the tests of one process."""

    def __init__(self) -> None:
        self.fixtures: Counter[str] = Counter()
        self.own = self.below = 0.0
        self.depth: list[float] = []
        self.calibrations = [calibration_seconds()]

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: Any) -> Generator[None, Any, Any]:
        """Add the wall time of a fixture, without that of the fixtures that it requests."""
        begun = time.monotonic()
        self.depth.append(0.0)
        try:
            return (yield)
        finally:
            taken = time.monotonic() - begun
            self.fixtures[fixturedef.argname] += taken - self.depth.pop()
            if self.depth:
                self.depth[-1] += taken

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self) -> Generator[None, Any, Any]:
        """Measure the CPU time of a test."""
        self.fixtures.clear()
        self.own, self.begun = self._own(), time.monotonic()
        return (yield)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item: pytest.Item) -> Generator[None, Any, pytest.TestReport]:
        """Put the costs into the report of the teardown, the last of a test."""
        report = yield
        if report.when == "teardown":
            own, below = self._own() - self.own, 0.0
            if time.monotonic() - self.begun > NOTICED:
                pid = os.getpid()  # to read all processes costs more than most tests that start none
                now = (descendants_seconds(pid) if has_child(pid) else 0.0) + self._reaped()
                # The time of a process whose parent was killed is lost.
                self.below, below = now, max(0.0, now - self.below)
            fixtures = {name: round(seconds, 3) for name, seconds in self.fixtures.items() if seconds >= 0.001}
            record = {"kind": kind_of(item), "own": round(own, 3), "below": round(below, 3), "fixtures": fixtures}
            report.user_properties.append((RECORD, record))
        return report

    def record(self) -> dict[str, Any]:
        """Return this process's memory and the CPU times of the calibration task."""
        self.calibrations.append(calibration_seconds())
        return {
            "mebibytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
            "below_mebibytes": resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024,
            "calibrations": self.calibrations,
        }

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Send the worker's own figures to the controller."""
        if hasattr(session.config, "workeroutput"):
            session.config.workeroutput[RECORD] = self.record()

    @staticmethod
    def _own() -> float:
        return time.process_time()

    @staticmethod
    def _reaped() -> float:
        times = os.times()
        return times.children_user + times.children_system


class Collected:
    """Collects the costs of all workers in the controller."""

    def __init__(self, path: Path, own: Costs) -> None:
        self.path, self.own = path, own
        self.tests: dict[str, dict[str, Any]] = {}
        self.workers: list[dict[str, Any]] = []
        self.begun = time.time()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Add a phase of a test."""
        row = self.tests.setdefault(report.nodeid, {"setup": 0.0, "call": 0.0, "teardown": 0.0})
        row[report.when] = round(report.duration, 3)
        for name, record in report.user_properties:
            if name == RECORD:
                row.update(record)

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """Add a worker's own figures."""
        if record := getattr(node, "workeroutput", {}).get(RECORD):
            self.workers.append(record)

    def pytest_sessionfinish(self) -> None:
        """Write all that was collected."""
        workers = self.workers or [self.own.record()]  # without xdist this process is the only one
        found = {"begun": self.begun, "ended": time.time(), "workers": workers, "tests": self.tests}
        self.path.write_text(json.dumps(found))
