"""The community feed: 200 who read and some who write, and what its length costs. A part of `make bench`."""

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
BATCHES = 10  # of times, with few and with many posts in turn; the first is not counted
VIEWERS, WRITERS, RATE, SECONDS = 200, 60, 20, 15  # RATE writes a second of all together
KINDS = ("site", "relay-hub")  # the site first: its frames are what the hub relays


def measured() -> dict[str, Any]:
    """Everything once, by kind of socket, and seconds by what is timed."""
    with ExitStack() as stack:
        few, many = (
            stack.enter_context(site_processes.opened(f"{site_processes.DATABASE}_{posts}")) for posts in (FEW, MANY)
        )
        feed.fill(few.database_url, FEW)
        feed.fill(many.database_url, MANY)
        return {"times": times(few, many)} | writers(many)


def writers(opened: site_processes.House) -> dict[str, Any]:
    """Figures of those who write and read, at the site and at the hub."""
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
    """Milliseconds of a reaction with few and with many posts, and of the first and the last page of many."""
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
    """One batch of a process that times."""
    assert process.stdin
    assert process.stdout
    process.stdin.write("\n")
    process.stdin.flush()
    return dict(json.loads(process.stdout.readline()))
