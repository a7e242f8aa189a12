"""The community feed with 200 readers and some writers, and the cost of its length; a part of `make bench`."""

import json
import subprocess
import sys
from contextlib import ExitStack
from statistics import median
from typing import Any

from benchmarks import feed, site_processes
from benchmarks.reactions import seated
from project.config import ROOT

FEW, MANY = 20, 100_000  # posts
BATCHES = 10  # batches of times, alternating between few and many posts; the first is a warm-up
VIEWERS, WRITERS, RATE, SECONDS = 200, 60, 20, 15  # RATE is the writes a second of all writers together
KINDS = ("site", "relay-hub")  # the site first: the hub relays its frames


def measured() -> dict[str, Any]:
    """Measure everything once. Returns figures by kind of socket, and milliseconds under `times`."""
    with ExitStack() as stack:
        few, many = (
            stack.enter_context(site_processes.opened(f"{site_processes.DATABASE}_{posts}")) for posts in (FEW, MANY)
        )
        feed.fill(few.database_url, FEW)
        feed.fill(many.database_url, MANY)
        return {"times": times(few, many)} | writers(many)


def writers(opened: site_processes.House) -> dict[str, Any]:
    """Return the figures of writers and readers, at the site and at the hub. Exits if a delivery is missing."""
    found: dict[str, Any] = {}
    cookies = seated(opened, WRITERS)
    frames: list[Any] = []
    for kind in KINDS:
        with opened.server(kind) as serving:
            order = {
                "kind": kind, "port": serving.port, "pid": serving.pid, "cookies": cookies, "viewers": VIEWERS,
                "rate": RATE, "seconds": SECONDS, "frames": frames,
            }  # fmt: skip
            done = subprocess.run(
                [sys.executable, "-m", "benchmarks.writers"], cwd=ROOT, check=True, stdout=subprocess.PIPE,
                input=json.dumps(order).encode(),
            )  # fmt: skip
        found[kind] = json.loads(done.stdout)
        frames = found[kind].pop("frames", frames)
        if found[kind]["missing"] or found[kind]["lost"]:
            raise SystemExit(
                f"{kind}: {found[kind]['missing']} deliveries are missing, {found[kind]['lost']} were lost"
            )
    return found


def times(few: site_processes.House, many: site_processes.House) -> dict[str, float]:
    """Return the milliseconds of a reaction with few and many posts, and of the first and last page of many."""
    found: dict[str, list[float]] = {"few": [], "many": [], "first": [], "last": []}
    with ExitStack() as stack:
        timing = {
            name: stack.enter_context(
                subprocess.Popen(
                    [sys.executable, "-m", "benchmarks.feed_times"], cwd=ROOT, text=True, stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE, env=opened.environment(site_processes.PORTS[0], name),
                )
            )
            for name, opened in (("few", few), ("many", many))
        }  # fmt: skip
        for number in range(BATCHES + 1):
            for name, process in timing.items():
                batch = asked(process)
                if number:
                    found[name] += batch["reaction"]
                    found["first"] += batch["first"] if name == "many" else []
                    found["last"] += batch["last"] if name == "many" else []
        for process in timing.values():
            if process.stdin is not None:  # for mypy
                process.stdin.close()
    return {name: median(seconds) * 1e3 for name, seconds in found.items()}


def asked(process: "subprocess.Popen[str]") -> dict[str, list[float]]:
    """Request one batch from a timing process."""
    assert process.stdin
    assert process.stdout
    process.stdin.write("\n")
    process.stdin.flush()
    return dict(json.loads(process.stdout.readline()))
