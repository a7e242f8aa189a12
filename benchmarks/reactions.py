"""`python -m benchmarks.reactions`: an audience that taps, on the site and on two peers in turn.

Prints each figure as the median of all runs, and the ratio to the raw hub taken within each run.
"""

import argparse
import json
import os
import subprocess
import sys
from statistics import median
from typing import Any

from benchmarks import site_processes
from project.config import ROOT

KINDS = {"site": "ours", "hub": "raw hub, same picture", "relay": "consumer, each tap"}
COLUMNS = {
    "cpu": ("CPU %", 100.0), "p50_ms": ("p50 ms", 1.0), "p99_ms": ("p99 ms", 1.0), "messages": ("messages/s", 1.0),
    "most": ("most in 1 s", 1.0), "most_tapping": ("most, who taps", 1.0), "missing": ("not delivered", 1.0),
}  # fmt: skip
TAPPERS = 75  # each in turn: a browser leaves a second between an answer and its next message
CPU_LIMIT, P99_LIMIT, MESSAGES_LIMIT = 1.3, 400.0, 4  # of the hub's, milliseconds, in any second


def seated(opened: site_processes.House, count: int) -> list[str]:
    """The cookies of so many accounts."""
    made = subprocess.run(
        [sys.executable, "-m", "benchmarks.audience", str(count)], cwd=ROOT, check=True, stdout=subprocess.PIPE,
        env=opened.environment(site_processes.PORTS[0], "audience"),
    )  # fmt: skip
    return list(json.loads(made.stdout.splitlines()[-1]))


def measured(
    opened: site_processes.House, kind: str, cookies: list[str], options: argparse.Namespace
) -> dict[str, float]:
    """Figures of one kind, in a fresh process."""
    with opened.server(kind) as serving:
        order = {
            "kind": kind, "port": serving.port, "pid": serving.pid, "session": opened.evening["session"],
            "cookies": cookies, "viewers": options.viewers, "rate": options.rate, "seconds": options.seconds,
        }  # fmt: skip
        done = subprocess.run(
            [sys.executable, "-m", "benchmarks.taps"], cwd=ROOT, check=True, stdout=subprocess.PIPE,
            input=json.dumps(order).encode(),
        )  # fmt: skip
        return dict(json.loads(done.stdout))


def report(runs: list[dict[str, dict[str, float]]]) -> None:
    """Print the table, and whether the aims are met."""
    print("".join(f"{name:>24}" if not name else f"{name:>17}" for name in ["", *(n for n, _ in COLUMNS.values())]))
    for kind, name in KINDS.items():
        cells = (median(run[kind][column] for run in runs) * scale for column, (_, scale) in COLUMNS.items())
        print(f"{name:>24}" + "".join(f"{cell:17.1f}" for cell in cells))
    ratios = [run["site"]["cpu"] / run["hub"]["cpu"] for run in runs]
    tail = [run["site"]["p99_ms"] for run in runs]
    most = max(run["site"][column] for run in runs for column in ("most", "most_tapping"))
    print(f"\nCPU, ours to the hub's: {median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f}), aim {CPU_LIMIT}")
    print(f"p99: {median(tail):.0f} ms ({min(tail):.0f} to {max(tail):.0f}), aim {P99_LIMIT:.0f}")
    print(f"messages within a second: at most {most:.0f}, aim {MESSAGES_LIMIT}")


def main() -> Any:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="benchmarks.reactions", description=__doc__)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--viewers", type=int, default=300, help=f"{TAPPERS} of them tap")
    parser.add_argument("--rate", type=float, default=50, help="taps a second of all together")
    parser.add_argument("--seconds", type=float, default=20)
    options = parser.parse_args()
    runs = []
    with site_processes.opened() as opened:
        cookies = seated(opened, TAPPERS)
        for number in range(1, options.runs + 1):
            print(f"run {number} of {options.runs}", file=sys.stderr, flush=True)
            runs.append({kind: measured(opened, kind, cookies, options) for kind in KINDS})
    report(runs)
    if (load := os.getloadavg()[0]) > 1:
        print(f"\nThe machine was busy (load {load:.1f}): ratios may hold, times do not.")


if __name__ == "__main__":
    main()
