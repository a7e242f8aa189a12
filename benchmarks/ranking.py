"""`python -m benchmarks.ranking`: a performer change beside a ranking of 100,000 marks, the stage's page beside a list.

100 viewers of the session page wait for each change, first alone, then while the ranking of another stage is computed
without a pause, as the site does it: by a process of lower priority that ends with a new run.
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

# as project/process/ranking_worker.py starts it, which cannot be imported without settings
PROGRAM, PRIORITY = (sys.executable, "manage.py", "ranking", "compute"), 10
VIEWERS, CHANGES = 100, 100
LIMIT = 1.2  # what the slowest changes may take beside a computation, by what they take alone
PAGES, ROUNDS = 50, 6  # requests of each page in turn


@contextlib.contextmanager
def computing(opened: site_processes.House, serving: site_processes.Serving, stage: int) -> Iterator[list[float]]:
    """Compute the ranking anew, one computation after the other, for as long as this lasts; gives their seconds."""
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
    """Compute once, whatever was computed before, as the site's worker starts it; returns the seconds."""
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
    """Milliseconds of CPU of the site for one view of a page by somebody signed in."""
    status, _, _ = asyncio.run(ask(serving.port, path, f"Cookie: {cookie}\r\n", 5))
    assert "200" in status, (path, status)
    begun = cpu(serving.pid)
    asyncio.run(ask(serving.port, path, f"Cookie: {cookie}\r\n", PAGES))
    return (cpu(serving.pid) - begun) / PAGES * 1e3


def one_run() -> dict[str, float]:
    """Everything once."""
    with site_processes.opened() as opened:
        environment = opened.environment(site_processes.PORTS[0], "site")
        filled = subprocess.run(
            [sys.executable, "-m", "benchmarks.ranked_stage"],
            cwd=ROOT,
            check=True,
            env=environment,
            stdout=subprocess.PIPE,
        )
        stage = json.loads(filled.stdout.splitlines()[-1])["stage"]
        with opened.server("site") as serving:
            site_processes.delivery(
                opened, serving, viewers=VIEWERS, changes=CHANGES
            )  # loads whatever is loaded on first use
            alone = site_processes.delivery(opened, serving, viewers=VIEWERS, changes=CHANGES)
            with computing(opened, serving, stage) as took:
                beside = site_processes.delivery(opened, serving, viewers=VIEWERS, changes=CHANGES)
            pages: dict[str, list[float]] = {"/sessions": [], f"/stages/{stage}": []}
            for _ in range(ROUNDS):
                for path, costs in pages.items():
                    costs.append(page_cost(serving, path, opened.evening["cookie"]))
        listed, ranked = (median(costs) for costs in pages.values())
    found = {f"alone {name}": ms for name, ms in alone.items()} | {f"beside {name}": ms for name, ms in beside.items()}
    return found | {"computation": median(took), "list": listed, "stage": ranked}


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="benchmarks.ranking", description=__doc__)
    parser.add_argument("--runs", type=int, default=3)
    runs = [one_run() for _ in range(parser.parse_args().runs)]
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
