"""`python -m benchmarks.bus`: notifying commits a second, and from commit to listener, by either transport.

Listeners are buses of the site in four processes, writers four connections; the database is `parterre_bench_bus`. First
the writers commit as fast as they can, then one of them 50 times a second, whose commits are timed. Read the ratios.
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
from statistics import median, quantiles
from typing import Any

import psycopg
from psycopg.conninfo import conninfo_to_dict

from benchmarks import site_processes
from project.config import ROOT
from tests.valkey import serving

PROCESSES, WRITERS = 4, 4
LISTENERS = (2, 8, 32)
PACE = 50  # commits a second that are timed
NOTIFY = "SELECT pg_notify('parterre', %s)"


async def listen(order: dict[str, Any]) -> None:
    """Be so many listeners until told to stop; print how long each commit took to reach them."""
    from apps.core.bus.listeners import Bus

    class Timed(Bus):
        """A bus that asks of each topic when it was sent."""

        def notify_listeners(self, topic: str) -> None:
            """Note the age of what is timed."""
            kind, _, sent = topic.partition(".")
            if kind == "timed":
                ages.append((time.monotonic_ns() - int(sent)) / 1e6)

    ages: list[float] = []
    buses = [Timed() for _ in range(order["count"])]
    running = [asyncio.create_task(bus.run(order["parameters"], order["address"])) for bus in buses]
    for bus in buses:
        await bus.connected.wait()
    print("listening", flush=True)
    await asyncio.to_thread(sys.stdin.readline)
    for task in running:
        task.cancel()
    await asyncio.gather(*running, return_exceptions=True)
    print(json.dumps(ages), flush=True)


@contextlib.contextmanager
def listeners(count: int, parameters: dict[str, Any], address: str) -> Iterator[list[float]]:
    """So many listeners in a few processes; the list has the milliseconds of all once they have ended."""
    each = [count // PROCESSES + (number < count % PROCESSES) for number in range(PROCESSES)]
    orders = [{"count": some, "parameters": parameters, "address": address} for some in each if some]
    children = [
        subprocess.Popen(
            [sys.executable, "-m", "benchmarks.bus", "--listen", json.dumps(order)], cwd=ROOT, text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        )
        for order in orders
    ]  # fmt: skip
    for child in children:
        assert child.stdout
        child.stdout.readline()
    ages: list[float] = []
    yield ages
    for child in children:
        ages += json.loads(child.communicate("stop\n")[0])


def commits(url: str, seconds: float) -> float:
    """How many notifying commits a second all writers make together."""
    made = [0] * WRITERS
    ends = time.monotonic() + seconds

    def write(number: int) -> None:
        with psycopg.connect(url, autocommit=True) as connection:
            while time.monotonic() < ends:
                connection.execute(NOTIFY, [f"counted.{number}.{made[number]}"])
                made[number] += 1

    threads = [threading.Thread(target=write, args=(number,)) for number in range(WRITERS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sum(made) / seconds


def timed(url: str, seconds: float) -> None:
    """Commit at a pace, each with the moment of its sending."""
    with psycopg.connect(url, autocommit=True) as connection:
        for _ in range(int(PACE * seconds)):
            connection.execute(NOTIFY, [f"timed.{time.monotonic_ns()}"])
            time.sleep(1 / PACE)


def measured(url: str, count: int, address: str, seconds: float) -> dict[str, float]:
    """The figures of one transport with so many listeners."""
    with listeners(count, conninfo_to_dict(url), address) as ages:
        rate = commits(url, seconds)
        timed(url, seconds)
    expected = count * int(PACE * seconds)
    p99 = quantiles(ages, n=100)[98]
    return {"commits": rate, "p50": median(ages), "p99": p99, "missing": expected - len(ages)}


def report(runs: list[dict[str, dict[str, float]]]) -> None:
    """Print the median of all runs, and ratios within each."""
    for name in runs[0]:
        figures = {figure: median(run[name][figure] for run in runs) for figure in runs[0][name]}
        print(f"{name:>14}", "  ".join(f"{figure} {value:8.1f}" for figure, value in figures.items()))
    for count in LISTENERS:
        ratios = [run[f"valkey {count}"]["commits"] / run[f"postgresql {count}"]["commits"] for run in runs]
        print(
            f"commits with {count} listeners, valkey to postgresql: {median(ratios):.2f}", *map("{:.2f}".format, ratios)
        )


def main() -> None:
    """Measure both transports in turn."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=3.0)
    parser.add_argument("--listen", help="be a process of listeners")
    options = parser.parse_args()
    if options.listen:
        asyncio.run(listen(json.loads(options.listen)))
        return
    runs = []
    with site_processes.database("parterre_bench_bus") as url, serving() as valkey:
        print(f"load {os.getloadavg()[0]:.1f}")
        for _ in range(options.runs):
            run = {}
            for count in LISTENERS:
                for name, way in (("postgresql", ""), ("valkey", valkey.address)):
                    run[f"{name} {count}"] = measured(url, count, way, options.seconds)
            runs.append(run)
    report(runs)


if __name__ == "__main__":
    main()
