"""`python -m benchmarks.rating_page`: a participant's page with 10 and with 5,000 ratings, in turn within each run.

Measures CPU of the server's process for an uncached page (load, queries, rendering) and for a cached page view.
"""

import argparse
import asyncio
import json
import os
import subprocess
import sys
from statistics import median

from benchmarks import site_processes
from benchmarks.clocks import cpu
from benchmarks.page_views import TIMES, TOGETHER, ask
from project.config import ROOT

SIZES = {"few": 10, "many": 5_000}
LIMIT = 1.5  # limit of the ratio of the page with many ratings to the one with few


def handed_out(opened: site_processes.House, participants: dict[str, int]) -> dict[str, dict[str, float]]:
    """Return the CPU milliseconds of a page view, anonymous and signed in, by page."""
    costs: dict[str, dict[str, float]] = {"anonymous": {}, "signed in": {}}

    async def views(port: int, path: str, headers: str) -> None:
        await asyncio.gather(*(ask(port, path, headers, TIMES // TOGETHER) for _ in range(TOGETHER)))

    with opened.server("pages") as serving:
        for who, headers in (("anonymous", ""), ("signed in", f"Cookie: {opened.evening['cookie']}\r\n")):
            for name, pk in participants.items():
                asyncio.run(ask(serving.port, f"/participants/{pk}", headers, 20))
                begun = cpu(serving.pid)
                asyncio.run(views(serving.port, f"/participants/{pk}", headers))
                costs[who][name] = (cpu(serving.pid) - begun) / TIMES * 1e3
    return costs


def one_run() -> dict[str, dict[str, float]]:
    """Measure once. Returns milliseconds by measurement and page."""
    with site_processes.opened() as opened:
        made = subprocess.run(
            [sys.executable, "-m", "benchmarks.rated", json.dumps(SIZES)], cwd=ROOT, check=True, stdout=subprocess.PIPE,
            env=opened.environment(site_processes.PORTS[0], "rated"),
        )  # fmt: skip
        read = json.loads(made.stdout.splitlines()[-1])
        anew = {f"{tab}, read anew": times for tab, times in read["anew"].items()}
        return anew | {f"{who}'s page view": times for who, times in handed_out(opened, read["participants"]).items()}


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="benchmarks.rating_page", description=__doc__)
    parser.add_argument("--runs", type=int, default=3)
    runs = [one_run() for _ in range(parser.parse_args().runs)]
    print(f"{'':>28}{SIZES['few']:>12,}{SIZES['many']:>12,}{'ratio':>24}")
    for name in runs[0]:
        few, many = (median(run[name][size] for run in runs) for size in SIZES)
        ratios = [run[name]["many"] / run[name]["few"] for run in runs]
        spread = f"{median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f})"
        print(f"{name:>28}{few:>9.2f} ms{many:>9.2f} ms{spread:>24}")
    print(f"\naim: a ratio of at most {LIMIT}")
    if (load := os.getloadavg()[0]) > 1:
        print(f"The machine was busy (load {load:.1f}): ratios may hold, times do not.")


if __name__ == "__main__":
    main()
