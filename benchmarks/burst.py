"""Many anonymous visitors during 20 changes a second: `python -m benchmarks.burst --viewers 1000,5000`.

For some seconds accounts comment 20 times a second (with `--writes performers` the performer changes as often). Then
one more change is written, and the time until the last viewer has it is measured. A process that cannot keep up still
has a backlog then. The clients run in a separate process.
"""

import argparse
import asyncio
import gc
import json
import resource
import subprocess
import sys
import time
from dataclasses import dataclass

from benchmarks import site_processes
from benchmarks.clocks import cpu
from benchmarks.viewers import Bench, Order, Viewer
from project.config import ROOT

WRITES = 20  # a second
SECONDS = 10.0
TRIES = 3
PATIENCE = 60.0


@dataclass(frozen=True, slots=True)
class BurstOrder(Order):
    """The run to measure; `writes` is `comments` or `performers`."""

    writes: str = "comments"


class Reader(Viewer):
    """A viewer that discards received frames."""

    bench: "Burst"

    def data_received(self, data: bytes) -> None:
        """Handle the frames, search them for the marker, and discard them."""
        super().data_received(data)
        if self.opened and self.ready.done():
            if self.bench.marker and self not in self.bench.seen and self.bench.marker in self.content:
                self.bench.saw(self)
            self.forget()


class Burst(Bench):
    """Anonymous visitors of the session page, and a writer."""

    order: "BurstOrder"
    marker = b""
    came = refused = number = 0

    def make_viewer(self, path: str) -> Viewer:
        """Return a viewer that discards received frames."""
        return Reader(self, path)

    def local(self) -> tuple[str, int] | None:
        """Return one of many addresses, because the handshakes of one address are rate-limited."""
        self.came += 1
        return f"127.0.1.{self.came % 200 + 1}", 0

    def saw(self, viewer: Viewer) -> None:
        """Count a viewer that has the last change."""
        self.seen.add(viewer)
        if len(self.seen) == len(self.viewers):
            self.done.set()

    async def write(self, number: int) -> None:
        """Change the performer, or add a comment."""
        place = self.order.appearances[number % len(self.order.appearances)]
        address = f"perform?place={place}"
        if self.order.writes == "comments":
            address = f"comment?session={self.order.session}&text=Written%20{number:06d}"
        self.refused += bool(await self.post(f"/bench/{address}"))  # it waited too long behind earlier writes

    def next_marker(self, number: int) -> bytes:
        """Return the text that shows this write."""
        if self.order.writes == "comments":
            return f"Written {number:06d}".encode()
        return f"Player Number {number % len(self.order.appearances) + 1:02d}".encode()

    async def burst(self) -> float:
        """Write for SECONDS. Returns the seconds until the last viewer has one more change."""
        begun, writes, number = time.perf_counter(), [], self.number
        while (now := time.perf_counter() - begun) < SECONDS:
            if number - self.number <= now * WRITES:
                number += 1
                writes.append(asyncio.create_task(self.write(number)))
            await asyncio.sleep(0.005)
        await asyncio.gather(*writes)
        last = number + len(self.order.appearances) // 2  # a performer who has not been shown recently
        self.seen, self.done = set(), asyncio.Event()
        self.marker, self.number = self.next_marker(last), last
        start = time.perf_counter()
        await self.write(last)
        await asyncio.wait_for(self.done.wait(), PATIENCE)
        self.marker = b""
        return time.perf_counter() - start

    async def measured_burst(self, number: int) -> dict[str, float]:
        """Return the figures of a burst at this number of viewers."""
        await self.grow(number)
        await asyncio.sleep(1)
        before, received, begun = cpu(self.order.pid), self.received, time.perf_counter()
        waits = [await self.burst() for _ in range(TRIES)]
        took = time.perf_counter() - begun
        return {
            "last_ms": sorted(waits)[TRIES // 2] * 1e3,
            "worst_ms": max(waits) * 1e3,
            "cpu": (cpu(self.order.pid) - before) / took,
            "mib_per_s": (self.received - received) / took / 2**20,
            "lost": self.lost,
            "refused": self.refused,
        }


async def run(order: BurstOrder) -> dict[int, dict[str, float]]:
    """Measure at each number of viewers."""
    bench = Burst(order)
    gc.disable()
    figures = {number: await bench.measured_burst(number) for number in order.viewers}
    bench.leaving = True
    return figures


def main() -> None:
    """Start a server, and print a line for each number of viewers."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--viewers", default="1000,3000,5000")
    parser.add_argument("--writes", default="comments", choices=("comments", "performers"))
    options = parser.parse_args()
    numbers = [int(number) for number in options.viewers.split(",")]
    with site_processes.opened() as opened, opened.server("site") as serving:
        order = {"kind": "site", "port": serving.port, "pid": serving.pid, "viewers": numbers, "writes": options.writes}
        order |= {"session": opened.evening["session"], "appearances": opened.evening["appearances"]}
        command = [sys.executable, "-m", "benchmarks.burst", json.dumps(order)]
        done = subprocess.run(command, check=True, stdout=subprocess.PIPE, cwd=ROOT)
    for number, figures in json.loads(done.stdout).items():
        print(f"{int(number):>6,} viewers", {name: round(value, 2) for name, value in figures.items()})


if __name__ == "__main__":
    if sys.argv[-1].startswith("{"):
        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
        print(json.dumps(asyncio.run(run(BurstOrder(**json.loads(sys.argv[-1]))))))
    else:
        main()
