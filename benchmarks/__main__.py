"""`make bench`: measures the site and its peers in turn, and prints the figures with their aims."""

import argparse
import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

from benchmarks import capacity, community, evening, rating_change, report, site_processes
from project.config import ROOT

SOCKETS = ("site", "direct", "hub", "group")  # the site first: its change determines the length of a peer's frame
KINDS = (
    *SOCKETS,
    *("nicegui", "burst", "pages", "browser", "community", "evening", "rating", "fanout", "jury", "notified"),
    *("search", "piece", "herd"),
)
ALONE = {  # modules that open their own site and print
    "fanout": ("rating_fanout", "A rating change on a stage's page"),
    "jury": ("jury_page", "A stage's page with the jury's marks"),
    "search": ("search", "A search in 2,000 and in 200,000 entries"),
    "piece": ("piece_page", "A piece with 18 and with 200 performances"),
    "notified": ("announcing", "A performer change with 10,000 followers"),
}


def say(text: str) -> None:
    """Print progress to stderr."""
    print(text, file=sys.stderr, flush=True)


def client(module: str, **order: Any) -> Any:
    """Return the figures that a client in a separate process has measured. Exits if it fails."""
    done = subprocess.run(
        [sys.executable, "-m", f"benchmarks.{module}", json.dumps(order)], cwd=ROOT, check=False, stdout=subprocess.PIPE
    )
    if done.returncode:
        raise SystemExit(f"benchmarks.{module} failed ({json.dumps(order)}).")
    return json.loads(done.stdout)


def sockets(kind: str, opened: site_processes.House, numbers: list[int], size: int) -> Any:
    """Return the figures of one kind of socket, measured in a fresh process."""
    ids = opened.evening
    with opened.server(kind) as serving:
        return client(
            "viewers", kind=kind, port=serving.port, pid=serving.pid, session=ids["session"],
            appearances=ids["appearances"], viewers=numbers, bytes=size,
        )  # fmt: skip


def one_run(opened: site_processes.House, options: argparse.Namespace) -> report.Run:
    """Measure once all figures that depend on the machine."""
    run: report.Run = {"sockets": {}, "load": os.getloadavg()[0]}
    size, ids = 1000, opened.evening
    for kind in SOCKETS:
        if kind in options.only:
            say(f"  {report.PEERS[kind]}")
            run["sockets"][kind] = figures = sockets(kind, opened, options.viewers, size)
            size = round(next(reversed(figures.values()))["bytes"])
    if "nicegui" in options.only:
        from benchmarks.nicegui import peer

        say(f"  {report.PEERS['nicegui']}")
        run["sockets"]["nicegui"] = peer.measured(opened, options.viewers)
    if "burst" in options.only:
        say("  20 comments a second")
        with opened.server("site") as serving:
            order = {"kind": "site", "port": serving.port, "pid": serving.pid, "viewers": [report.CROWD]}
            order |= {name: ids[name] for name in ("session", "appearances")}
            run["burst"] = client("burst", **order)
    if "pages" in options.only:
        say("  page views")
        with opened.server("pages") as serving:
            order = {"session": ids["session"], "cookie": ids["cookie"]}
            run["pages"] = client("page_views", port=serving.port, pid=serving.pid, **order)
    if "browser" in options.only:
        say("  browser")
        with opened.server("browser") as serving:
            order = {name: ids[name] for name in ("session", "appearances", "cookie")}
            run["browser"] = client("browser", port=serving.port, **order)
    if "community" in options.only:
        say("  community")
        run["community"] = community.measured()
    return run


def arguments() -> argparse.Namespace:
    """Return the parsed command line."""
    parser = argparse.ArgumentParser(prog="benchmarks", description=__doc__)
    parser.add_argument("--runs", type=int, default=3, help="how often everything is measured (3)")
    parser.add_argument("--viewers", default="100,300,1000", help="numbers of viewers (100,300,1000)")
    parser.add_argument("--only", default="", help=f"of {', '.join(KINDS)}")
    parser.add_argument("--json", type=Path, help="where to write all figures")
    options = parser.parse_args()
    options.viewers = [int(number) for number in options.viewers.split(",")]
    everything = [kind for kind in KINDS if kind != "nicegui" or os.environ.get("NICEGUI")]
    options.only = options.only.split(",") if options.only else everything
    if unknown := set(options.only) - set(KINDS):
        parser.error(f"--only takes {', '.join(KINDS)}, not {', '.join(unknown)}")
    return options


def run_alone(kinds: list[str]) -> None:
    """Run those of these kinds that open their own site and print."""
    for kind, (module, title) in ALONE.items():
        if kind in kinds:
            say(title)
            print(f"\n{title}", flush=True)
            subprocess.run([sys.executable, "-m", f"benchmarks.{module}"], cwd=ROOT, check=True)


def main() -> None:
    """Measure and print."""
    options = arguments()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # otherwise the servers would outlive this process
    runs: list[report.Run] = []
    with site_processes.opened() as opened:
        for number in range(1, options.runs + 1):
            say(f"run {number} of {options.runs}")
            runs.append(one_run(opened, options))
    if "evening" in options.only:  # measured once, because bytes do not depend on the machine
        say("evening")
        runs[0]["evening"] = evening.measured()
    print(report.report(runs))
    if "rating" in options.only:
        say("rating changes")
        print(f"\nChanges of ratings\n{rating_change.report(rating_change.measured(os.environ.get('BEFORE', '')))}")
    run_alone(options.only)
    if "herd" in options.only:  # a simulation with the same result in every run
        print(f"\nA machine is lost, simulated\n{capacity.losses_table()}")
    load = [run["load"] for run in runs]
    if max(load) > 1:
        print(f"\nThe machine was busy (load {max(load):.1f}): ratios may hold, times do not.")
    if options.json:
        options.json.write_text(json.dumps({"aims": report.judged(runs), "runs": runs}, indent=1))


if __name__ == "__main__":
    main()
