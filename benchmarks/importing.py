"""`python -m benchmarks.importing`: a file of 100 rows beside one of 10,000, and a performer change beside an import.

The files are stored, saved and taken back in the process of the site, as an upload would be; a row's cost is the CPU of
that process. 100 viewers of the session page wait for each change, first alone, then while such files are imported.
"""

import argparse
import contextlib
import json
import threading
import urllib.request
from collections.abc import Iterator
from statistics import median

from benchmarks import site_processes
from benchmarks.clocks import cpu

FEW, MANY = 100, 10_000  # rows
ROUNDS = 20  # of the small file for each large one
LIMIT = 1.2  # what a row of many may cost, by what one of few costs
VIEWERS, CHANGES = 100, 40
WITHIN = 1000  # milliseconds in which a change reaches the last viewer


def imported(serving: site_processes.Serving, rows: int) -> None:
    """Import a file of so many rows and take it back."""
    asked = urllib.request.Request(f"http://127.0.0.1:{serving.port}/bench/import_file?rows={rows}", data=b"")
    with urllib.request.urlopen(asked, timeout=120) as answer:
        found = json.load(answer)
    assert found == {"new": rows, "removed": rows}, found


def row_cost(serving: site_processes.Serving, rows: int, rounds: int) -> float:
    """CPU microseconds of a row."""
    begun = cpu(serving.pid)
    for _ in range(rounds):
        imported(serving, rows)
    return (cpu(serving.pid) - begun) / rounds / rows * 1e6


@contextlib.contextmanager
def importing(serving: site_processes.Serving) -> Iterator[None]:
    """Import large files, one after the other, for as long as this lasts."""
    ended = threading.Event()

    def work() -> None:
        while not ended.is_set():
            imported(serving, MANY)

    thread = threading.Thread(target=work)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


def one_run() -> dict[str, float]:
    """Everything once."""
    with site_processes.opened() as opened, opened.server("site") as serving:
        imported(serving, FEW)  # loads whatever is loaded on first use
        found = {"few": row_cost(serving, FEW, ROUNDS), "many": row_cost(serving, MANY, 1)}
        alone = site_processes.delivery(opened, serving, viewers=VIEWERS, changes=CHANGES)
        with importing(serving):
            beside = site_processes.delivery(opened, serving, viewers=VIEWERS, changes=CHANGES)
    return found | {f"alone {name}": ms for name, ms in alone.items()} | {f"beside {n}": ms for n, ms in beside.items()}


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="benchmarks.importing", description=__doc__)
    parser.add_argument("--runs", type=int, default=3)
    runs = [one_run() for _ in range(parser.parse_args().runs)]
    for few, many, unit, what in (
        ("few", "many", "µs", f"CPU of a row, of {FEW} and of {MANY:,} (aim {LIMIT})"),
        ("alone last", "beside last", "ms", "last viewer of a change, without and with an import"),
        ("alone worst", "beside worst", "ms", f"worst change, without and with an import (aim {WITHIN} ms)"),
    ):
        ratios = [run[many] / run[few] for run in runs]
        values = f"{median(run[few] for run in runs):.0f} {unit}, {median(run[many] for run in runs):.0f} {unit}"
        print(f"{what}: {values}; ratio {median(ratios):.2f} ({min(ratios):.2f}-{max(ratios):.2f})")


if __name__ == "__main__":
    main()
