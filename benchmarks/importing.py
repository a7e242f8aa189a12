"""`python -m benchmarks.importing`: imports of 100 and of 10,000 rows, and a performer change during an import.

The files are stored, saved and undone in the site's process, as after an upload. The cost of a row is CPU of that
process. 100 viewers of the session page wait for each change, first without and then during imports.
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
ROUNDS = 20  # imports of the small file for each import of the large one
LIMIT = 1.2  # limit of the ratio of a row's cost in the large file to that in the small one
VIEWERS, CHANGES = 100, 40
WITHIN = 1000  # limit in milliseconds until a change reaches the last viewer


def imported(serving: site_processes.Serving, rows: int) -> None:
    """Import a file of `rows` rows and undo the import."""
    request = urllib.request.Request(f"http://127.0.0.1:{serving.port}/bench/import_file?rows={rows}", data=b"")
    with urllib.request.urlopen(request, timeout=120) as answer:
        result = json.load(answer)
    assert result == {"new": rows, "removed": rows}, result


def row_cost(serving: site_processes.Serving, rows: int, rounds: int) -> float:
    """Return the CPU microseconds of a row."""
    begun = cpu(serving.pid)
    for _ in range(rounds):
        imported(serving, rows)
    return (cpu(serving.pid) - begun) / rounds / rows * 1e6


@contextlib.contextmanager
def importing(serving: site_processes.Serving) -> Iterator[None]:
    """Import large files in sequence during this context."""
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
    """Measure once."""
    with site_processes.opened() as opened, opened.server("site") as serving:
        imported(serving, FEW)  # warms up lazy loading
        costs = {"few": row_cost(serving, FEW, ROUNDS), "many": row_cost(serving, MANY, 1)}
        alone = site_processes.delivery(opened, serving, viewers=VIEWERS, changes=CHANGES)
        with importing(serving):
            beside = site_processes.delivery(opened, serving, viewers=VIEWERS, changes=CHANGES)
    return costs | {f"alone {name}": ms for name, ms in alone.items()} | {f"beside {n}": ms for n, ms in beside.items()}


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
