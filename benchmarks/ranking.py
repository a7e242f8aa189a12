"""`python -m benchmarks.ranking`: a performer change during a ranking of 100,000 marks, and the stage's page.

100 viewers of the session page wait for each change, first without and then during continuous computations of another
stage's ranking. They run as on the site: in a process of lower priority that ends with each run. The stage's page is
compared with the list of sessions. Then both versions of the method compute the same marks of 400 and of 2,000 raters.
"""

import argparse
import asyncio
import contextlib
import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from statistics import median

from benchmarks import site_processes
from benchmarks.clocks import cpu
from benchmarks.page_views import ask
from project.config import ROOT

# as in project/process/ranking_worker.py, which cannot be imported without settings
PROGRAM, PRIORITY = (sys.executable, "manage.py", "ranking", "compute"), 10
VIEWERS, CHANGES = 100, 100
LIMIT = 1.2  # limit of the ratio of the slowest changes during a computation to those without
RATERS, MOST = (400, 2_000), 2.0  # of the versions' comparison, and the limit of its ratios
PAGES, ROUNDS = 50, 6  # requests of each page in turn


@contextlib.contextmanager
def computing(opened: site_processes.House, serving: site_processes.Serving, stage: int) -> Iterator[list[float]]:
    """Compute the ranking continuously during this context, and yield the seconds of each computation."""
    environment = opened.environment(serving.port, "site")
    ended = threading.Event()
    took: list[float] = []

    def work() -> None:
        while not ended.is_set():
            took.append(computed(environment, stage))

    thread = threading.Thread(target=work)
    thread.start()
    try:
        yield took
    finally:
        ended.set()
        thread.join()


def computed(environment: dict[str, str], stage: int) -> float:
    """Delete earlier runs and compute once, as the site's worker does. Returns the seconds."""
    forget = "from apps.ranking.models import RankingRun; RankingRun.objects.all().delete()"
    subprocess.run(
        [sys.executable, "manage.py", "shell", "-c", forget],
        cwd=ROOT,
        check=True,
        env=environment,
        stdout=subprocess.DEVNULL,
    )
    begun = time.monotonic()
    with subprocess.Popen(
        (*PROGRAM, str(stage), "--json"), cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as child:
        os.setpriority(os.PRIO_PROCESS, child.pid, PRIORITY)
        _, errors = child.communicate()
    assert child.returncode == 0, errors
    return time.monotonic() - begun


def page_cost(serving: site_processes.Serving, path: str, cookie: str) -> float:
    """Return the milliseconds of the site's CPU for one signed-in page view."""
    status, _, _ = asyncio.run(ask(serving.port, path, f"Cookie: {cookie}\r\n", 5))
    assert "200" in status, (path, status)
    begun = cpu(serving.pid)
    asyncio.run(ask(serving.port, path, f"Cookie: {cookie}\r\n", PAGES))
    return (cpu(serving.pid) - begun) / PAGES * 1e3


def one_run() -> dict[str, float]:
    """Measure once."""
    with site_processes.opened() as opened:
        stage = int(answered(opened, "benchmarks.ranked_stage")["stage"])
        with opened.server("site") as serving:
            site_processes.delivery(opened, serving, viewers=VIEWERS, changes=CHANGES)  # warms up lazy loading
            alone = site_processes.delivery(opened, serving, viewers=VIEWERS, changes=CHANGES)
            with computing(opened, serving, stage) as took:
                beside = site_processes.delivery(opened, serving, viewers=VIEWERS, changes=CHANGES)
            pages: dict[str, list[float]] = {"/sessions": [], f"/stages/{stage}": []}
            for _ in range(ROUNDS):
                for path, costs in pages.items():
                    costs.append(page_cost(serving, path, opened.evening["cookie"]))
        listed, ranked = (median(costs) for costs in pages.values())
    times = {f"alone {name}": ms for name, ms in alone.items()} | {f"beside {name}": ms for name, ms in beside.items()}
    return times | {"computation": median(took), "list": listed, "stage": ranked}


def answered(opened: site_processes.House, module: str, *arguments: int) -> dict[str, float]:
    """Run a module of the benchmarks with the site's database, and return what it prints."""
    done = subprocess.run(
        [sys.executable, "-m", module, *map(str, arguments)],
        cwd=ROOT,
        check=True,
        env=opened.environment(site_processes.PORTS[0], "site") | {"OMP_NUM_THREADS": "1"},
        stdout=subprocess.PIPE,
    )
    answer: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return answer


def both_versions(raters: int) -> dict[int, dict[str, float]]:
    """Return the cost of a computation of each version of the method, with the same marks of so many raters."""
    with site_processes.opened() as opened:
        stage = int(answered(opened, "benchmarks.ranked_stage", raters)["stage"])
        return {version: answered(opened, "benchmarks.ranking_versions", version, stage) for version in (1, 2)}


def versions(runs: int) -> None:
    """Measure both versions of the method and print them."""
    for raters in RATERS:
        costs = [both_versions(raters) for _ in range(runs)]
        for name, unit in (("cpu", "s of CPU"), ("mib", "MiB")):
            first, second = (median(cost[version][name] for cost in costs) for version in (1, 2))
            ratios = [cost[2][name] / cost[1][name] for cost in costs]
            print(
                f"{raters:,} raters, version 1 and version 2: {first:.1f} and {second:.1f} {unit}; "
                f"ratio {median(ratios):.2f} ({min(ratios):.2f}-{max(ratios):.2f}), at most {MOST}"
            )
        marks, read = costs[0][2]["marks"], median(cost[2]["read"] for cost in costs)
        print(f"{raters:,} raters, queries for {marks:,} marks: {read:.1f} s of CPU")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="benchmarks.ranking", description=__doc__)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--only", choices=("site", "versions"))
    options = parser.parse_args()
    if options.only != "versions":
        site(options.runs)
    if options.only != "site":
        versions(options.runs)


def site(count: int) -> None:
    """Measure the site beside computations and print it."""
    runs = [one_run() for _ in range(count)]
    for few, many, what in (
        ("alone last", "beside last", "last viewer of a change, without and with a computation"),
        ("alone p99", "beside p99", f"the 99th of a hundred changes (aim {LIMIT})"),
        ("list", "stage", "CPU of a page view, signed in: the list of sessions, the stage of 84"),
    ):
        ratios = [run[many] / run[few] for run in runs]
        values = f"{median(run[few] for run in runs):.1f} ms, {median(run[many] for run in runs):.1f} ms"
        print(f"{what}: {values}; ratio {median(ratios):.2f} ({min(ratios):.2f}-{max(ratios):.2f})")
    print(f"a computation of 100,000 marks: {median(run['computation'] for run in runs):.1f} s")


if __name__ == "__main__":
    main()
